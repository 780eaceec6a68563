// One game: its setup, its line, the board shown, and the requests. The rules are the server's alone.

import { aborted, post } from '../api.js';
import { sideOf } from './words.js';

/**
 * `events` are `{changed(), moved(previous, next) → promise, settled()}`: anything has changed; a move was made and may
 * be animated; nothing is under way any more. All that is public here may be called at any time: a new action ends the
 * one under way.
 */
export class Game {
  constructor(setup, leave, events) {
    this.setup = setup;
    this.leave = leave;
    this.events = events;
    this.reset();
  }

  reset() {
    this.board = null;     // after the whole line
    this.looked = null;    // the board of an earlier move, while one is looked at
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

  /** Does a person enter the moves of this side? */
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

  /** Ends what is under way and gives the signal for what begins. */
  begin() {
    this.work?.abort();
    this.work = new AbortController();
    this.thinking = false;
    this.problem = null;
    return AbortSignal.any([this.work.signal, this.leave]);
  }

  /** Does `action(signal)`; what goes wrong is said in the status. */
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

  /** Takes a board for the present one; `moved` where it is one move on. */
  async take(board, moved) {
    const previous = this.board;
    this.board = board;
    this.looked = null;
    this.payoffs = null;
    this.boards.set(board.line, board);
    this.events.changed();
    if (moved && previous) await this.events.moved(previous, board);
  }

  /** Shows the line of the setup, looks at the move `at`, and lets the player reply if it is its turn. */
  load() {
    return this.act(async signal => {
      const { line, at } = this.setup;
      await this.take(await this.boardAfter(line, signal), false);
      if (at !== null && at < this.board.moves) await this.showMove(at, signal);
      else await this.replies(signal);
    });
  }

  /** Tries again what has failed. */
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
      // The player thinks while its opponent's seeds still fall.
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

  /** How many plies stay when the last move of the person is taken back; `null` if there is none. */
  cancelTo() {
    const line = this.line;
    for (let ply = line.length - 1; ply >= 0; ply -= 1) if (this.byHand(sideOf(line[ply]))) return ply;
    return null;
  }

  truncate(ply, setup = this.setup) {
    const line = this.line.slice(0, ply);
    return this.start({ ...setup, line, at: null });
  }

  /** Another game, or this one with other choices. */
  start(setup) {
    this.begin();
    this.setup = setup;
    this.reset();
    return this.load();
  }

  /** Other people at the same board. */
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

  /** Looks at the board after `ply` moves. At the last one the game goes on. */
  look(ply) {
    if (!this.board || ply < 0 || ply > this.line.length) return null;
    return this.act(async signal => {
      await this.showMove(ply, signal);
      if (!this.looking) await this.replies(signal);
    });
  }

  /** What the moves of the shown board are worth. */
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

  /** Judging takes a while and stands beside the game: moves go on meanwhile. */
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

  /** What was judged of a ply, as long as the line is still the same up to it. */
  judgedPly(index) {
    if (!this.judged || !this.line.startsWith(this.judged.line.slice(0, index + 1))) return null;
    return this.judged.plies[index] ?? null;
  }
}
