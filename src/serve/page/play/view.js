// The view of the board and its controls.

import { connection, post } from '../api.js';
import { copy, fill, h, remember } from '../ui.js';
import { createBoard } from './board.js';
import { createChoices } from './choices.js';
import { againButton, createControls, freshButton, lettersCheck, settings } from './controls.js';
import { askCancel, askPaste, askPlayOn, askRetry, askSeats, askStart, showHelp } from './dialogues.js';
import { Game } from './game.js';
import { listen } from './keys.js';
import { isAyo, readPlayer, readSetup, writePlayer, writeSetup } from './link.js';
import { createMoves } from './moves.js';
import { caption, noPayoffs, showPayoffs } from './payoff.js';
import { defaultAdvice, defaultOpponent, isListed, listPlayers } from './players.js';
import { sow } from './sowing.js';
import { SIDE, heading, playerName, statusSentence } from './words.js';

class PlayView {
  constructor(container, params, context) {
    this.context = context;
    this.signal = context.signal;
    this.sowing = null;
    this.said = null;
    this.game = new Game(readSetup(params), this.signal, {
      changed: () => { this.said = null; this.render(); },
      moved: (previous, next) => this.animate(previous, next),
      settled: () => this.settled(),
    });
    this.build(container);
    this.ends = [listen(this.keys(), () => settings.letters), this.onBack()];
    this.open();
  }

  get setup() { return this.game.setup; }

  build(container) {
    this.board = createBoard({ onpress: letter => this.press(letter) });
    this.title = h('h1', { class: 'visually-hidden' }, heading(this.setup));
    this.shownTitle = h('p', { class: 'game-title', 'aria-hidden': 'true' });
    this.status = h('p', { id: 'status', class: 'status', role: 'status' }, 'Loading the board…');
    this.trouble = h('div', { class: 'cluster' });
    this.caption = h('div', { id: 'payoff-caption', class: 'payoff-caption', 'aria-live': 'polite' });
    this.controls = createControls({
      payoff: () => this.payoff(), cancel: () => this.cancel(), retry: () => this.retry(), help: () => showHelp(lettersCheck()),
      keepChanged: keep => keep && this.settled(), turned: () => this.render(), advise: player => this.advise(player),
    });
    this.moves = createMoves({
      look: ply => this.look(ply), back: () => this.look(this.game.line.length), playOn: () => this.playOn(),
      copyLine: () => copy(this.game.line, 'The line'), copyPosition: () => this.game.shown && copy(this.game.shown.position, 'The position'),
      copyLink: () => copy(location.href, 'The link'), paste: () => this.paste(),
      judge: () => this.game.judge(this.setup.advice), stopJudging: () => this.game.stopJudging(),
    });
    this.choices = createChoices({ signal: this.signal, begin: setup => this.begin(setup), reseat: setup => this.reseat(setup) });
    fill(container, h('div', { class: 'play' },
      h('section', { class: 'table-top', 'aria-label': 'Board' },
        this.title, this.shownTitle, this.status, this.trouble, this.board.element, this.controls.element, this.caption, this.controls.more),
      h('div', { class: 'beside' }, this.moves.element, this.choices.element)));
  }

  /** Chooses players that the address does not specify, then loads the game. */
  async open() {
    this.choices.follow(this.setup);
    await this.findPlayers();
    if (this.signal.aborted) return;
    this.choices.follow(this.setup);
    await this.game.load();
    if (this.setup.judge && this.game.board && !this.signal.aborted) this.game.judge(this.setup.advice);
  }

  async findPlayers() {
    try {
      const players = await listPlayers(this.setup.game, this.signal);
      const last = readPlayer(remember.get('opponent'));
      this.setup.player ??= isListed(players, last) ? last : defaultOpponent(players);
      this.setup.usualAdvice = defaultAdvice(players);
      this.setup.advice ??= this.setup.usualAdvice;
      this.controls.listAdvisers(players, this.setup.advice);
    } catch (error) {
      if (!this.signal.aborted) this.game.problem = error.message;
    }
  }

  /** The side at the bottom. */
  get bottom() {
    const { mode, side } = this.setup;
    return mode === 'two' && settings.turning ? this.game.shown.to_move ?? side : side;
  }

  get names() {
    const { mode, side, player } = this.setup;
    if (mode === 'player') return { [side]: 'you', [side === 'south' ? 'north' : 'south']: playerName(player) };
    return mode === 'adviser' ? { [side]: 'advised' } : {};
  }

  render() {
    const { game } = this;
    const title = heading(this.setup);
    this.title.textContent = title;
    this.shownTitle.textContent = title;
    this.context.title(title);
    fill(this.trouble, game.problem && againButton(() => game.again()),
      game.problem && !game.board && freshButton(() => this.restart(() => game.start({ ...this.setup, mode: 'player', title: null, from: null, line: '', at: null }))));
    this.status.classList.toggle('bad', Boolean(game.problem));
    this.status.classList.toggle('over', Boolean(game.shown?.over));
    this.say(game.problem ?? this.said ?? this.sentence());
    this.controls.render(game);
    this.board.element.hidden = this.controls.element.hidden = !game.board && Boolean(game.problem);
    if (!game.board) return;
    if (!this.sowing) this.renderBoard();
    fill(this.caption, caption(game.payoffs));
    this.moves.render(game);
    this.link();
  }

  renderBoard() {
    const board = this.game.shown;
    this.board.build({ pits: board.pits, bottom: this.bottom, playable: ['south', 'north'].filter(side => this.game.byHand(side)) });
    this.board.counts(board);
    this.board.marks(board, { open: this.game.personToMove, names: this.names });
    showPayoffs(this.board, this.game.payoffs);
  }

  sentence() {
    const { game } = this;
    if (!game.shown) return 'Loading the board…';
    return statusSentence(game.shown, this.setup, { thinking: game.thinking, looking: game.looking, total: game.line.length });
  }

  say(text) {
    // Screen readers read out a live region when its text changes.
    if (this.status.textContent !== text) this.status.textContent = text;
  }

  /** Shows a message until the game continues. */
  tell(text) {
    this.said = text;
    this.say(text);
  }

  link() {
    if (this.signal.aborted) return;
    const { game } = this;
    const hash = writeSetup(this.setup, game.line, game.looking ? game.shown.moves : null);
    // Browsers limit how often a page may set its address.
    if (hash === this.linked) return;
    this.linked = hash;
    this.context.replace(hash);
    if (this.setup.mode !== 'look') this.context.home('play', hash);
  }

  async animate(previous, next) {
    this.sowing?.finish();
    showPayoffs(this.board, null);
    this.board.marks({ ...next, last: null, legal: [] }, { open: false, names: this.names });
    const sowing = sow(this.board, previous, next, settings.pace);
    this.sowing = sowing;
    await sowing.done;
    if (this.sowing !== sowing || this.signal.aborted) return;
    this.sowing = null;
    this.renderBoard();
  }

  settled() {
    const { game } = this;
    if (settings.keep && game.personToMove && !game.payoffs && noPayoffs(this.game) === null) game.ask(this.setup.advice);
  }

  press(letter) {
    const { game } = this;
    this.sowing?.finish();
    if (!game.board) return null;
    if (game.looking || this.setup.mode === 'look') return this.tell('This is an earlier position. Go back to the game, or continue from here.');
    if (game.board.over) return this.tell('The game is over. Restart it, or start a new game.');
    if (game.thinking) return this.tell(`${playerName(this.setup.player)} is thinking. Use Undo to take back your move.`);
    if (game.board.legal.includes(letter)) return game.play(letter);
    const why = game.board.illegal[letter];
    return this.tell(why ? `${letter} cannot be sown: ${why}.` : `It is ${SIDE[game.board.to_move]}'s turn.`);
  }

  keys() {
    return {
      sow: letter => {
        const side = this.game.personToMove ? this.game.board.to_move : this.setup.side;
        this.press(side === 'south' ? letter : letter.toLowerCase());
      },
      payoff: () => this.payoff(), cancel: () => this.cancel(), retry: () => this.retry(), help: () => showHelp(lettersCheck()),
      back: () => this.game.shown && this.look(this.game.shown.moves - 1), forward: () => this.game.shown && this.look(this.game.shown.moves + 1),
    };
  }

  look(ply) {
    this.sowing?.finish();
    this.game.look(ply);
  }

  payoff() {
    if (this.game.payoffs) return this.game.hidePayoffs();
    this.sowing?.finish();
    const problem = noPayoffs(this.game);
    return problem ? this.tell(problem) : this.game.ask(this.setup.advice);
  }

  advise(player) {
    this.setup.advice = player;
    if (this.game.payoffs) this.game.ask(player);
    else this.render();
  }

  async cancel() {
    const { game } = this;
    if (this.setup.mode === 'look') return null;
    const to = game.cancelTo();
    if (to === null) return this.tell('There is no move to undo.');
    if (await askCancel(game.line.length - to)) this.restart(() => game.truncate(to));
    return null;
  }

  async retry() {
    if (this.setup.mode === 'look') return null;
    if (!this.game.line) return this.tell('There are no moves yet.');
    if (await askRetry()) this.restart(() => this.game.truncate(0));
    return null;
  }

  restart(action) {
    this.sowing?.finish();
    this.sowing = null;
    action();
    this.choices.follow(this.setup);
  }

  async begin(setup) {
    const { game } = this;
    if (game.line && !game.board?.over && this.setup.mode !== 'look' && !await askStart()) return;
    if (setup.mode === 'player') remember.set('opponent', writePlayer(setup.player));
    const players = await listPlayers(setup.game, this.signal);
    this.controls.listAdvisers(players, setup.advice);
    this.restart(() => game.start({ ...setup, from: null, line: '' }));
    this.shownTitle.scrollIntoView({ block: 'nearest' });
  }

  reseat(setup) {
    this.restart(() => this.game.reseat(setup));
  }

  async playOn() {
    const { game } = this;
    const ply = game.shown.moves;
    if (this.setup.mode === 'look') {
      const seats = await askSeats(this.setup, playerName(this.setup.player));
      if (seats) this.restart(() => game.truncate(ply, { ...this.setup, ...seats, title: null, judge: false }));
    } else if (await askPlayOn(game.line.length - ply)) {
      this.restart(() => game.truncate(ply));
    }
  }

  async paste() {
    let read = null;
    const { game, rules } = this.setup;
    const taken = await askPaste(async text => {
      try {
        read = await post('/api/line', { game, ...(isAyo(this.setup) ? { rules } : {}), text }, { signal: this.signal });
        return null;
      } catch (error) { return error.message; }
    });
    if (!taken) return;
    this.restart(() => this.game.start({
      ...this.setup, mode: 'look', title: null, judge: false, from: read.from, line: read.line, at: null,
    }));
  }

  /** Repeats a failed request when the server is back. */
  onBack() {
    const again = () => this.game.problem && this.game.again();
    connection.addEventListener('back', again);
    connection.addEventListener('signed-in', again);
    return () => {
      connection.removeEventListener('back', again);
      connection.removeEventListener('signed-in', again);
    };
  }

  end() {
    this.sowing?.finish();
    for (const end of this.ends) end();
  }
}

export default function mount(container, params, context) {
  const view = new PlayView(container, params, context);
  return () => view.end();
}
