// What the page asks before it does something, and what it explains.

import { confirm, dialogue, field, h, plural, segmented, select } from '../ui.js';

export const askCancel = plies => confirm({
  id: 'ask-cancel', title: 'Cancel the move?', yes: 'Cancel the move', no: 'Keep it',
  text: plies === 1 ? 'The last move is taken back.' : `The last ${plies} moves are taken back, to your turn before them.`,
});

export const askRetry = () => confirm({
  id: 'ask-retry', title: 'Retry?', yes: 'Begin again', no: 'Play on',
  text: 'The game begins again from its first position. Its moves are lost.',
});

export const askStart = () => confirm({
  id: 'ask-start', title: 'Start another game?', yes: 'Start', no: 'Play on',
  text: 'The game on the board is not finished. Its moves are lost.',
});

export const askPlayOn = lost => confirm({
  id: 'ask-play-on', title: 'Play on from here?', yes: 'Play on', no: 'Keep them',
  text: `${plural(lost, 'later move')} will be lost.`,
});

/** How a game that was only looked at goes on: `{mode, side}` or `null`. */
export async function askSeats(setup, name) {
  const choice = { mode: 'player', side: setup.side };
  const modes = [['player', `Against ${name}`], ['two', 'Two people'], ['adviser', 'Adviser']];
  const answer = await dialogue({
    id: 'ask-seats', title: 'Play on from here',
    body: [
      field('Who plays', select(modes, 'player', value => { choice.mode = value; }, { id: 'seats-mode' })),
      segmented('You play, or advise', [['south', 'South'], ['north', 'North']], setup.side, value => { choice.side = value; }),
    ],
    actions: [{ text: 'Not now', value: null }, { text: 'Play on', value: true, kind: 'primary', data: { answer: 'yes' } }],
  });
  return answer ? choice : null;
}

/** Asks for text until `read(text)` takes it; a problem is shown at the field. */
export async function askPaste(read) {
  const area = h('textarea', { id: 'paste-text', spellcheck: false, autocapitalize: 'off', autofocus: true });
  const box = field('A position, a line of play, or both', area, 'For example FfEaCe, or 4S6, 4N6, or 5-4-4-4-4-0-5-5-5-5-4-0-0-0-S.');
  return await dialogue({
    id: 'ask-paste', title: 'Paste a game', body: box,
    actions: [
      { text: 'Not now', value: null },
      {
        text: 'Show it', value: true, kind: 'primary', data: { answer: 'yes' },
        check: async () => {
          const problem = area.value.trim() ? await read(area.value) : 'There is no text yet.';
          box.problem(problem);
          if (problem) area.focus();
          return !problem;
        },
      },
    ],
  });
}

const KEYS = [
  ['A – F', 'sow from that pit, for whichever side you move'], ['← → ↑ ↓', 'go from pit to pit'], ['Enter', 'sow from the pit that has the focus'],
  ['P', 'payoff: what each move is worth; again to hide it'], ['Z or Backspace', 'cancel the last move'], ['R', 'retry: begin again'],
  [', and .', 'look one move back or on'], ['?', 'this help'],
];

export function showHelp(keysChoice) {
  return dialogue({
    id: 'help-dialogue', title: 'How to play',
    body: [
      h('p', {}, 'Press a pit of your row. Its seeds are sown one by one, anticlockwise. Pits that may not be played say why.'),
      h('p', {}, h('strong', {}, 'Payoff'), ' shows what each move wins at once and what the game is worth after it. ', h('strong', {}, 'Cancel move'), ' goes back to your turn before. ', h('strong', {}, 'Retry'), ' begins the game again.'),
      h('h3', {}, 'Keys'),
      h('dl', { class: 'keys' }, KEYS.map(([key, what]) => [h('dt', {}, key), h('dd', {}, what)])),
      keysChoice,
    ],
    actions: [{ text: 'Close', value: null, focus: true }],
  });
}
