// Formats information about a game as text.

import { plural } from '../ui.js';

export const SIDE = { south: 'South', north: 'North' };
export const other = side => (side === 'south' ? 'north' : 'south');
export const sideOf = letter => (letter === letter.toUpperCase() ? 'south' : 'north');

export function playerName(player) {
  if (!player) return 'no player';
  if (player.level) return player.level;
  const limit = player.time_ms ? `${player.time_ms / 1000} s per move` : `depth ${player.depth}`;
  return player.weights ? `${player.weights}, ${limit}` : `run ${player.run}, ${limit}`;
}

export function gameName(game) {
  if (game === 'ayo') return 'Ayo';
  const size = /pits=(\d+).*seeds=(\d+)/.exec(game);
  return size ? `Kalah (${plural(Number(size[1]), 'pit')} of ${plural(Number(size[2]), 'seed')})` : 'Kalah';
}

export function heading(setup) {
  if (setup.title) return setup.title;
  const game = gameName(setup.game);
  if (setup.mode === 'two') return `${game} for two`;
  if (setup.mode === 'adviser') return `${game} with an adviser`;
  if (setup.mode === 'look') return `A game of ${game.toLowerCase()}`;
  return setup.player ? `${game} against ${playerName(setup.player)}` : game;
}

/** "North sowed f: 4 seeds, captured 3." */
export function moveSentence(last) {
  const parts = [`${SIDE[last.side]} sowed ${last.pit}: ${plural(last.seeds, 'seed')}`];
  if (last.home > 0) parts.push(`${last.home} home`);
  if (last.captured > 0) parts.push(`captured ${last.captured}`);
  return `${parts.join(', ')}${last.again ? ', and moves again' : ''}.`;
}

const capital = text => text.charAt(0).toUpperCase() + text.slice(1);
const sentence = text => (/[.!?]$/.test(text) ? text : `${text}.`);

export function overSentence(over) {
  const { south, north } = over.stores;
  const score = over.winner === 'north' ? `${north} to ${south}` : `${south} to ${north}`;
  return `The game is over. ${capital(over.verdict)}, ${score}: ${sentence(over.ending)}`;
}

function turnSentence(board, setup, thinking) {
  const side = SIDE[board.to_move];
  if (thinking) return `${capital(playerName(setup.player))} is thinking…`;
  if (setup.mode === 'look') return `${side} is to move.`;
  if (setup.mode === 'two') return `It is ${side}'s turn.`;
  if (setup.mode === 'adviser') {
    return board.to_move === setup.side
      ? `It is ${side}'s turn: show the payoffs, or enter its move.` : `Enter ${side}'s move.`;
  }
  return board.to_move === setup.side ? `It is your turn, ${side}.` : `It is ${side}'s turn.`;
}

/** The status of a board. `looking` means that the user is viewing an earlier board of the game. */
export function statusSentence(board, setup, { thinking, looking, total }) {
  const parts = [];
  if (looking) parts.push(`Showing move ${board.moves} of ${total}.`);
  if (board.last) parts.push(moveSentence(board.last));
  if (board.over) parts.push(overSentence(board.over));
  else parts.push(turnSentence(board, looking ? { ...setup, mode: 'look' } : setup, thinking));
  return parts.join(' ');
}
