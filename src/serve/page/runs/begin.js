// The form that starts a run: a preset, changed settings, and the equivalent command.

import { get, part, post } from '../api.js';
import { duration, field, fill, h, integer, number, segmented, toast, validate } from '../ui.js';
import { settingsForm } from './settings.js';
import { flag, seconds } from './time.js';

// Settings that have their own fields, and settings filled in by the program.
const SEPARATE = ['version', 'preset', 'parent', 'seed', 'generations'];

function about(preset) {
  const generations = preset.settings.find(one => one.name === 'generations')?.value;
  const most = [preset.games && `${integer(preset.games)} games`, generations && `${integer(Number(generations))} generations`];
  const length = most.filter(Boolean).join(' in ');
  return [
    preset.about.replace(/\.?$/, '. ').replace(/^./, first => first.toUpperCase()),
    length && `A run has at most ${length}. `,
    preset.usual_seconds && `Without a time limit, it ends after ${duration(preset.usual_seconds)}. `,
    preset.game !== 'ayo' && `The game is ${preset.game}.`,
  ];
}

const quote = text => (/^[\w.,:=+%/@-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);

/** Returns the command that starts the same run. */
export function command(body, folder) {
  const words = ['ayo', 'train', '--preset', body.preset];
  const add = (name, value) => {
    if (value !== undefined && value !== null) words.push(name, quote(String(value)));
  };
  add('--seed', body.seed);
  add('--out', body.name && `${folder}/${body.name}`);
  add('--generations', body.generations);
  add('--max-time', body.seconds && flag(body.seconds));
  add('--threads', body.threads);
  for (const [name, value] of Object.entries(body.settings ?? {})) add('--set', `${name}=${value}`);
  return words.join(' ');
}

function inputs(first) {
  const preset = h('select', { id: 'preset' });
  const made = {
    preset,
    seed: number('seed', { min: 0, max: Number.MAX_SAFE_INTEGER, placeholder: 'the lowest free seed' }),
    name: h('input', {
      type: 'text',
      id: 'name',
      maxlength: 64,
      autocomplete: 'off',
      spellcheck: 'false',
      placeholder: 'preset-seed',
    }),
    generations: number('generations', { max: 1e7 }),
    time: h('input', { type: 'text', id: 'time', autocomplete: 'off' }),
    threads: number('threads', { max: 1024, placeholder: 'all cores' }),
  };
  if (first) made.name.value = first;
  return made;
}

/** The length of the run: the preset's length, a number of generations, or a time. */
function length(controls, changed) {
  const generations = field('Generations', controls.generations, 'Total number of generations.');
  const time = field('Time', controls.time, 'For example 90s, 30m or 8h, including final games.');
  let kind = 'preset';
  const show = () => {
    generations.hidden = kind !== 'generations';
    time.hidden = kind !== 'time';
  };
  const element = h(
    'div',
    { id: 'length' },
    segmented(
      'Length',
      [
        ['preset', 'preset'],
        ['generations', 'generations'],
        ['time', 'time'],
      ],
      kind,
      next => {
        kind = next;
        show();
        changed();
      },
    ),
    generations,
    time,
  );
  show();
  return {
    element,
    body() {
      if (kind === 'generations') return { generations: controls.generations.value === '' ? undefined : Number(controls.generations.value) };
      if (kind !== 'time') return {};
      const given = seconds(controls.time.value);
      time.problem(
        given === undefined && controls.time.value.trim() !== '' ? 'Enter a number with s, m or h, for example 8h.' : null,
      );
      return { seconds: given };
    },
    complete() {
      if (kind === 'generations') return controls.generations.value !== '' ? null : 'Enter the number of generations.';
      return kind === 'time' && seconds(controls.time.value) === undefined ? 'Enter a time, for example 8h.' : null;
    },
  };
}

export default async function mount(container, params, { signal, title, go }) {
  title('Start a run');
  const like = params.like ? get(`/api/runs/${part(params.like)}`, { signal }) : null;
  const [{ presets }, listing, model] = await Promise.all([get('/api/presets', { signal }), get('/api/runs', { signal }), like]);
  const controls = inputs(params.name);
  const find = () => presets.find(one => one.name === controls.preset.value) ?? presets[0];
  const forWhat = h('p', { class: 'muted', id: 'about-preset' });
  const line = h('pre', { id: 'command', tabindex: 0, 'aria-label': 'Command for a terminal' });
  const wrong = h('p', { class: 'notice bad', id: 'problem', role: 'alert', hidden: true });
  const settings = settingsForm(() => show());
  const ends = length(controls, () => show());
  const submit = h('button', { type: 'submit', class: 'button primary', id: 'begin' }, 'Start the run');
  controls.preset.append(...presets.map(one => h('option', { value: one.name }, one.name)));
  const wanted = model?.preset ?? params.preset;
  controls.preset.value = presets.some(one => one.name === wanted) ? wanted : presets[0].name;

  function body() {
    const changed = settings.changed();
    return {
      preset: find().name,
      seed: controls.seed.value === '' ? undefined : Number(controls.seed.value),
      name: controls.name.value.trim() || undefined,
      ...ends.body(),
      threads: controls.threads.value === '' ? undefined : Number(controls.threads.value),
      settings: Object.keys(changed).length ? changed : undefined,
    };
  }
  function show() {
    line.textContent = command(body(), listing.folder);
    controls.name.placeholder = `${find().name}-${controls.seed.value || 'seed'}`;
  }
  function choose() {
    fill(forWhat, about(find()));
    settings.use(find().settings.filter(one => !SEPARATE.includes(one.name)));
    show();
  }
  function say(text) {
    settings.blame(text);
    wrong.hidden = !text;
    wrong.textContent = text ?? '';
  }

  async function send(event) {
    event.preventDefault();
    if (!validate(form)) return say(null);
    const missing = ends.complete();
    if (missing) return say(missing);
    say(null);
    submit.disabled = true;
    try {
      const { id } = await post('/api/runs', body(), { signal });
      toast(`${id} has started.`);
      go(`#/runs/${encodeURIComponent(id)}`);
    } catch (error) {
      if (error.name !== 'AbortError') say(error.message);
    } finally {
      submit.disabled = false;
    }
  }

  const form = h(
    'form',
    { class: 'begin', novalidate: true, on: { submit: send, input: show } },
    h(
      'div',
      { class: 'card' },
      field('Preset', controls.preset),
      forWhat,
      ends.element,
      h(
        'div',
        { class: 'side-by-side' },
        field('Random seed', controls.seed, 'The same seed and settings give the same run.'),
        field('Folder name', controls.name),
        field('Threads', controls.threads),
      ),
    ),
    settings.element,
    h('h2', {}, 'Command for a terminal'),
    line,
    wrong,
    listing.control ? submit : h('p', { class: 'notice' }, 'Runs can be started only on the machine that serves this page.'),
  );
  controls.preset.addEventListener('change', choose);
  fill(
    container,
    h('p', { class: 'small back' }, h('a', { href: '#/runs' }, 'Runs'), ' / start'),
    h('h1', {}, 'Start a run'),
    form,
  );
  choose();
  if (model) {
    settings.set(Object.fromEntries(model.settings.map(one => [one.name, String(one.value)])));
    show();
  }
  return () => {};
}
