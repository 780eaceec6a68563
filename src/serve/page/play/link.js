// The address of a game. The fragment contains the whole game, so the game survives a reload and can be linked to.

const MODES = ['player', 'two', 'adviser', 'look'];
const SIDES = ['south', 'north'];
const oneOf = (list, value, otherwise) => (list.includes(value) ? value : otherwise);

/** Converts `level:amateur`, `weights:learned:depth=9` or `run:standard-1:time=1000` to a player of the HTTP API. */
export function readPlayer(text) {
  const found = /^(level|weights|run):(.+?)(?::(depth|time)=(\d+))?$/.exec(text ?? '');
  if (!found) return null;
  const [, kind, name, limit, amount] = found;
  if (kind === 'level') return { level: name };
  return { [kind]: name, ...(limit === 'time' ? { time_ms: Number(amount) } : { depth: Number(amount ?? 9) }) };
}

export function writePlayer(player) {
  if (!player) return '';
  if (player.level) return `level:${player.level}`;
  const kind = player.weights ? 'weights' : 'run';
  return `${kind}:${player[kind]}:${player.time_ms ? `time=${player.time_ms}` : `depth=${player.depth}`}`;
}

/** Converts address parameters to a setup. Players are `null` until the server has listed them. */
export function readSetup(params) {
  return {
    game: params.game || 'ayo',
    rules: params.rules || 'ayo',
    from: params.from || null,
    first: oneOf(SIDES, params.first, 'south'),
    side: oneOf(SIDES, params.side, 'south'),
    mode: oneOf(MODES, params.mode, 'player'),
    player: readPlayer(params.with),
    advice: readPlayer(params.advice),
    usualAdvice: null,  // evaluates moves if the address specifies no adviser
    title: params.title || null,
    judge: params.judge === '1',
    line: params.line || '',
    at: /^\d+$/.test(params.at ?? '') ? Number(params.at) : null,
  };
}

export function writeSetup(setup, line, at = null) {
  const given = {
    game: setup.game,
    rules: setup.game === 'ayo' ? setup.rules : null,
    mode: setup.mode === 'player' ? null : setup.mode,
    side: setup.side,
    first: setup.from ? null : setup.first,
    with: setup.mode === 'player' ? writePlayer(setup.player) : null,
    advice: writePlayer(setup.advice) === writePlayer(setup.usualAdvice) ? null : writePlayer(setup.advice),
    title: setup.title,
    judge: setup.judge ? '1' : null,
    from: setup.from,
    at: at === null ? null : String(at),
    line,
  };
  const pairs = Object.entries(given).filter(([, value]) => value);
  // Colons, equals signs and commas are valid in a fragment, and easier to read than escapes.
  return `#/play?${pairs.map(([key, value]) => `${key}=${encodeURIComponent(value).replace(/%(3A|2C|3D)/g, decodeURIComponent)}`).join('&')}`;
}

export const isAyo = setup => setup.game === 'ayo';

/** Converts `kalah:pits=4,seeds=3` to `{pits: 4, seeds: 3}`. */
export function kalahSize(game) {
  const number = (key, otherwise) => Number(new RegExp(`\\b${key}=(\\d+)`).exec(game)?.[1] ?? otherwise);
  return { pits: number('pits', 6), seeds: number('seeds', 4) };
}

export const kalahName = ({ pits, seeds }) => (pits === 6 && seeds === 4 ? 'kalah' : `kalah:pits=${pits},seeds=${seeds}`);
