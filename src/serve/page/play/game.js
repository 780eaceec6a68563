// A game: its setup, its moves, the displayed board, and requests to the server. Only the server knows the rules.

import { aborted, post } from '../api.js';
import { sideOf } from './words.js';

/**
 * `events` contains `changed()`, called on every change, `moved(previous, next)`, which may animate a move and returns
 * a promise, and `settled()`, called when no action is left. A method may be called at any time, ending other actions.
 */
export class Game {
  constructor(setup, leave, events) {
    this.setup = setup;
    this.leave = leave;
    this.events = events;
    this.reset();
  }

  reset() {
    this.board = null;     // the board after all moves
    this.looked = null;    // the board after an earlier move, while it is displayed
    this.thinking = false;
    this.problem = null;
    this.payoffs = null;
    this.judged = null;
    this.judging = false;
    this.judgement?.abort();
    this.boards = new Map();
  }

  get shown() { return this.looked ?? this.board; }
  get looking() { return this.looked !== null; }
  get line() { return this.board?.line ?? this.setup.line; }

  /** Whether the user enters the moves of a side. */
  byHand(side) {
    const { mode } = this.setup;
    return mode === 'two' || mode === 'adviser' || (mode === 'player' && side === this.setup.side);
  }

  get personToMove() {
    return !this.looking && this.board !== null && this.board.to_move !== null && this.byHand(this.board.to_move);
  }

  request(line, player) {
    const { game, rules, from, first } = this.setup;
    return {
      game, ...(game === 'ayo' ? { rules } : {}), ...(from ? { from } : { first }), line, ...(player ? { player } : {}),
    };
  }

  /** Ends the current action and returns the signal for the next action. */
  begin() {
    this.work?.abort();
    this.work = new AbortController();
    this.thinking = false;
    this.problem = null;
    return AbortSignal.any([this.work.signal, this.leave]);
  }

  /** Runs `action(signal)`, and shows errors in the status. */
  async act(action) {
    this.action = action;
    const signal = this.begin();
    try {
      await action(signal);
    } catch (error) {
      if (aborted(error) || signal.aborted) return;
      this.problem = error.message;
      this.thinking = false;
      this.events.changed();
    }
  }

  async boardAfter(line, signal) {
    if (!this.boards.has(line)) this.boards.set(line, await post('/api/play', this.request(line), { signal }));
    return this.boards.get(line);
  }

  /** Sets the current board. `moved` is true if the board is one move after the previous board. */
  async take(board, moved) {
    const previous = this.board;
    this.board = board;
    this.looked = null;
    this.payoffs = null;
    this.boards.set(board.line, board);
    this.events.changed();
    if (moved && previous) await this.events.moved(previous, board);
  }

  /** Loads the setup's moves, shows the board after move `at`, and lets the player reply if it is the player's turn. */
  load() {
    return this.act(async signal => {
      const { line, at } = this.setup;
      await this.take(await this.boardAfter(line, signal), false);
      if (at !== null && at < this.board.moves) await this.showMove(at, signal);
      else await this.replies(signal);
    });
  }

  /** Repeats the failed action. */
  again() {
    return this.action ? this.act(this.action) : this.load();
  }

  play(pit) {
    const line = this.board.line + pit;
    return this.act(async signal => {
      const next = await this.boardAfter(line, signal);
      await this.replies(signal, this.board.line === next.line ? undefined : this.take(next, true));
    });
  }

  async replies(signal, shown = Promise.resolve()) {
    while (this.setup.mode === 'player' && this.board.to_move !== null && !this.byHand(this.board.to_move)) {
      this.thinking = true;
      this.events.changed();
      const answer = post('/api/play', this.request(this.board.line, this.setup.player), { signal });
      // The player searches while the previous move is animated.
      const [next] = await Promise.all([answer, shown]);
      signal.throwIfAborted();
      this.thinking = false;
      shown = this.take(next, true);
    }
    await shown;
    signal.throwIfAborted();
    this.events.changed();
    this.events.settled();
  }

  /** Returns the number of plies left after undoing the user's last move, or `null` if the user has not moved. */
  cancelTo() {
    const line = this.line;
    for (let ply = line.length - 1; ply >= 0; ply -= 1) if (this.byHand(sideOf(line[ply]))) return ply;
    return null;
  }

  truncate(ply, setup = this.setup) {
    const line = this.line.slice(0, ply);
    return this.start({ ...setup, line, at: null });
  }

  /** Starts a game. */
  start(setup) {
    this.begin();
    this.setup = setup;
    this.reset();
    return this.load();
  }

  /** Continues the game with other players. */
  reseat(setup) {
    this.setup = { ...setup, line: this.line };
    this.payoffs = null;
    this.looked = null;
    return this.act(signal => this.replies(signal));
  }

  async showMove(ply, signal) {
    const from = this.shown;
    const board = await this.boardAfter(this.line.slice(0, ply), signal);
    this.looked = ply === this.line.length ? null : board;
    this.payoffs = null;
    this.events.changed();
    if (board.moves === from.moves + 1) await this.events.moved(from, board);
  }

  /** Shows the board after `ply` moves. After the last move, the game continues. */
  look(ply) {
    if (!this.board || ply < 0 || ply > this.line.length) return null;
    return this.act(async signal => {
      await this.showMove(ply, signal);
      if (!this.looking) await this.replies(signal);
    });
  }

  /** Requests the payoffs of the displayed board. */
  ask(player) {
    return this.act(async signal => {
      const board = this.shown;
      this.payoffs = { waiting: true, player, board };
      this.events.changed();
      try {
        const answer = await post('/api/payoff', this.request(board.line, player), { signal });
        this.payoffs = { ...answer, player, board };
      } catch (error) {
        this.payoffs = null;
        throw error;
      }
      this.events.changed();
    });
  }

  hidePayoffs() {
    if (this.payoffs?.waiting) this.begin();
    this.payoffs = null;
    this.events.changed();
  }

  /** Analyses the moves of the game while it continues. */
  async judge(player) {
    this.judgement?.abort();
    const own = new AbortController();
    this.judgement = own;
    this.judging = true;
    this.events.changed();
    const line = this.line;
    try {
      const signal = AbortSignal.any([own.signal, this.leave]);
      const { plies, blunder } = await post('/api/judge', this.request(line, player), { signal });
      this.judged = { line, player, plies, blunder };
    } catch (error) {
      if (!aborted(error)) this.problem = error.message;
    }
    if (this.judgement !== own) return;
    this.judging = false;
    if (!this.leave.aborted) this.events.changed();
  }

  stopJudging() { this.judgement?.abort(); }

  /** Returns the analysis of a ply, unless an earlier move has changed. */
  judgedPly(index) {
    if (!this.judged || !this.line.startsWith(this.judged.line.slice(0, index + 1))) return null;
    return this.judged.plies[index] ?? null;
  }
}
