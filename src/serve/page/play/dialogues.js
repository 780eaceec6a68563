// The board's dialogues: confirmations, pasting and help.

import { confirm, dialogue, field, h, plural, segmented, select } from '../ui.js';

export const askCancel = plies => confirm({
  id: 'ask-cancel', title: 'Undo the move?', yes: 'Undo', no: 'Keep it',
  text: plies === 1 ? 'The last move is taken back.' : `This undoes the last ${plies} moves, back to your previous turn.`,
});

export const askRetry = () => confirm({
  id: 'ask-retry', title: 'Restart the game?', yes: 'Restart', no: 'Keep playing',
  text: 'The game restarts from its first position. Its moves are lost.',
});

export const askStart = () => confirm({
  id: 'ask-start', title: 'Start a new game?', yes: 'Start', no: 'Keep playing',
  text: 'The game on the board is not finished. Its moves are lost.',
});

export const askPlayOn = lost => confirm({
  id: 'ask-play-on', title: 'Continue from here?', yes: 'Continue', no: 'Cancel',
  text: `${plural(lost, 'later move')} will be lost.`,
});

/** Asks for the players before a viewed game is continued. Returns `{mode, side}` or `null`. */
export async function askSeats(setup, name) {
  const choice = { mode: 'player', side: setup.side };
  const modes = [['player', `Against ${name}`], ['two', 'Two people'], ['adviser', 'Two people, with advice']];
  const answer = await dialogue({
    id: 'ask-seats', title: 'Continue from here',
    body: [
      field('Who plays', select(modes, 'player', value => { choice.mode = value; }, { id: 'seats-mode' })),
      segmented('Your side', [['south', 'South'], ['north', 'North']], setup.side, value => { choice.side = value; }),
    ],
    actions: [{ text: 'Cancel', value: null }, { text: 'Continue', value: true, kind: 'primary', data: { answer: 'yes' } }],
  });
  return answer ? choice : null;
}

/** Asks for text until `read(text)` accepts it. Shows errors below the field. */
export async function askPaste(read) {
  const area = h('textarea', { id: 'paste-text', spellcheck: false, autocapitalize: 'off', autofocus: true });
  const box = field('A position, a line of play, or both', area, 'For example FfEaCe, or 4S6, 4N6, or 5-4-4-4-4-0-5-5-5-5-4-0-0-0-S.');
  return await dialogue({
    id: 'ask-paste', title: 'Paste a game', body: box,
    actions: [
      { text: 'Cancel', value: null },
      {
        text: 'Show', value: true, kind: 'primary', data: { answer: 'yes' },
        check: async () => {
          const problem = area.value.trim() ? await read(area.value) : 'Enter a position or a line.';
          box.problem(problem);
          if (problem) area.focus();
          return !problem;
        },
      },
    ],
  });
}

const KEYS = [
  ['A – F', 'sow from that pit of the side to move'], ['← → ↑ ↓', 'select another pit'], ['Enter', 'sow from the selected pit'],
  ['P', 'show or hide payoffs'], ['Z or Backspace', 'undo the last move'], ['R', 'restart the game'],
  [', and .', 'previous or next move'], ['?', 'this help'],
];

export function showHelp(keysChoice) {
  return dialogue({
    id: 'help-dialogue', title: 'How to play',
    body: [
      h('p', {}, 'Press a pit of your row. Its seeds are sown one by one, anticlockwise. If a move is not legal, the reason is shown.'),
      h('p', {}, h('strong', {}, 'Payoff'), ' shows the seeds that each move captures and the value of the game after it. ', h('strong', {}, 'Undo'), ' returns to your previous turn. ', h('strong', {}, 'Restart'), ' returns to the first position.'),
      h('details', { open: matchMedia('(hover: hover)').matches }, h('summary', {}, 'Keys'),
        h('dl', { class: 'keys' }, KEYS.map(([key, what]) => [h('dt', {}, key), h('dd', {}, what)])),
        keysChoice),
    ],
    actions: [{ text: 'Close', value: null, focus: true }],
  });
}
