// Elements used by all views. Data is inserted as text nodes and attributes, never as markup.

const SVG = 'http://www.w3.org/2000/svg';

function append(node, children) {
  for (const child of children.flat(Infinity)) {
    if (child === null || child === undefined || child === false || child === true) continue;
    node.append(child instanceof Node ? child : String(child));
  }
}

function setAttribute(node, name, value) {
  if (value === null || value === undefined || value === false) return;
  if (name === 'on') for (const [event, listener] of Object.entries(value)) node.addEventListener(event, listener);
  else if (name === 'data') Object.assign(node.dataset, value);
  else if (name === 'style') for (const [key, set] of Object.entries(value)) node.style.setProperty(key, set);
  else if (name === 'value' || name === 'checked' || name === 'selected') node[name] = value;
  else node.setAttribute(name, value === true ? '' : value);
}

function build(node, attrs, children) {
  // Add the children first: a select's value must be one of its options.
  append(node, children);
  for (const [name, value] of Object.entries(attrs ?? {})) setAttribute(node, name, value);
  return node;
}

/** Creates an element. `attrs` may contain `on: {click: …}`, `data: {pit: …}` and `style: {width: …}`. */
export const h = (tag, attrs, ...children) => build(document.createElement(tag), attrs, children);

/** Creates an SVG element. */
export const svg = (tag, attrs, ...children) => build(document.createElementNS(SVG, tag), attrs, children);

/** Replaces the children of `node`. */
export function fill(node, ...children) {
  node.replaceChildren();
  append(node, children);
  return node;
}

let ids = 0;
export const newId = (prefix = 'id') => `${prefix}-${++ids}`;

export const button = (text, onclick, attrs = {}) =>
  h('button', { type: 'button', class: 'button', ...attrs, on: { click: onclick, ...attrs.on } }, text);

/** A control with a label, a hint and an error message, which `field.problem('…')` sets. */
export function field(label, control, hint) {
  control.id ||= newId('field');
  const about = newId('hint');
  const problem = h('span', { class: 'problem', id: newId('problem'), hidden: true });
  control.setAttribute('aria-describedby', `${hint ? `${about} ` : ''}${problem.id}`);
  const box = h('div', { class: 'field' },
    h('label', { for: control.id }, label), control, hint && h('span', { class: 'hint', id: about }, hint), problem);
  box.problem = text => {
    problem.hidden = !text;
    problem.textContent = text ?? '';
    control.toggleAttribute('aria-invalid', false);
    if (text) control.setAttribute('aria-invalid', 'true');
  };
  box.validate = () => box.problem(control.checkVisibility() ? control.validationMessage : null);
  return box;
}

/** Shows the browser's message at each visible field with an invalid value. Returns whether all values are valid. */
export function validate(form) {
  for (const box of form.querySelectorAll('.field')) box.validate?.();
  const invalid = form.querySelector('[aria-invalid]');
  invalid?.focus();
  return !invalid;
}

/** A field for a whole number. */
export const number = (id, attrs) => h('input', { type: 'number', step: 1, min: 1, id, ...attrs });

/** A select of `[value, text]` pairs, or of groups `{label, options: […]}`. */
export function select(options, value, onchange, attrs = {}) {
  const one = option => option.options
    ? h('optgroup', { label: option.label }, option.options.map(one))
    : h('option', { value: option[0] }, option[1]);
  return h('select', { ...attrs, value, on: { change: event => onchange?.(event.target.value) } }, options.map(one));
}

export function check(label, checked, onchange, attrs = {}) {
  const box = h('input', { type: 'checkbox', checked, ...attrs, on: { change: () => onchange?.(box.checked) } });
  return h('label', { class: 'check' }, box, label);
}

/** Radio buttons side by side: `[value, text]` pairs under a legend. */
export function segmented(legend, options, value, onchange) {
  const name = newId('choice');
  return h('fieldset', {}, h('legend', {}, legend), h('div', { class: 'segmented' }, options.map(([key, text]) =>
    h('label', {}, h('input', { type: 'radio', name, value: key, checked: key === value, on: { change: () => onchange(key) } }), text))));
}

/**
 * A table. `columns` has entries `{title, cell(row) → text or node, right, heading, label}`; a `heading` column names
 * its row. `table.fill(rows)` replaces the rows. If the table is too wide, each row becomes a block in which each cell
 * is preceded by its column's label (by default the title, if it is text).
 */
export function table({ caption, columns, rows = [], hideCaption = false, attrs = {} }) {
  const body = h('tbody', {});
  const cell = ({ heading, right, title, label = heading || typeof title !== 'string' ? '' : title, cell: content }, row) =>
    h(heading ? 'th' : 'td', { scope: heading && 'row', class: right && 'right', data: label && { label } }, content(row));
  // The ruler has the width available to the table, which does not depend on the table's current layout.
  const ruler = h('div', {});
  const wrap = h('div', { class: 'table-wrap', tabindex: 0, role: 'region', 'aria-label': caption }, ruler, h('table', attrs,
    h('caption', { class: hideCaption && 'visually-hidden' }, caption),
    h('thead', {}, h('tr', {}, columns.map(({ right, title }) => h('th', { scope: 'col', class: right && 'right' }, title)))),
    body));
  const fit = () => {
    wrap.classList.remove('stacked');
    wrap.classList.toggle('stacked', wrap.scrollWidth > wrap.clientWidth);
  };
  new ResizeObserver(fit).observe(ruler);
  wrap.fill = next => {
    body.replaceChildren(...next.map(row => h('tr', {}, columns.map(column => cell(column, row)))));
    fit();
  };
  wrap.fill(rows);
  return wrap;
}

/**
 * Shows a modal dialogue. Resolves to the `value` of the action that closed it, or `null` after Escape.
 * `actions` has entries `{text, value, kind: 'primary'|'danger', check}`; it stays open if `check()` returns false.
 */
export function dialogue({ title, body = [], actions = [{ text: 'Close', value: null }], id }) {
  const heading = h('h2', { id: newId('title') }, title);
  const box = h('dialog', { id, 'aria-labelledby': heading.id });
  return new Promise(resolve => {
    let answer = null;
    const press = action => async () => {
      if (action.check && await action.check() === false) return;
      answer = action.value;
      box.close();
    };
    append(box, [heading, body, h('div', { class: 'actions' }, actions.map(action =>
      button(action.text, press(action), { class: `button ${action.kind ?? ''}`, data: action.data, autofocus: action.focus })))]);
    box.addEventListener('close', () => { box.remove(); resolve(answer); });
    document.body.append(box);
    box.showModal();
  });
}

/** Asks for confirmation. Focuses the harmless answer. */
export async function confirm({ title, text, yes = 'Yes', no = 'No', danger = false, id }) {
  return await dialogue({
    title, id, body: h('p', {}, text),
    actions: [
      { text: no, value: false, focus: true, data: { answer: 'no' } },
      { text: yes, value: true, kind: danger ? 'danger' : 'primary', data: { answer: 'yes' } },
    ],
  }) === true;
}

/** Shows a short message at the bottom of the page. Screen readers read it out. */
export function toast(text, milliseconds = 4500) {
  const box = h('div', { class: 'toast' }, text);
  document.getElementById('toasts').append(box);
  setTimeout(() => box.remove(), milliseconds);
}

/** Copies text. Shows it instead if the browser denies clipboard access, as over the network without HTTPS. */
export async function copy(text, what = 'The text') {
  try {
    await navigator.clipboard.writeText(text);
    toast(`${what} has been copied.`);
  } catch {
    const area = h('textarea', { readonly: true, 'aria-label': what, value: text });
    const shown = dialogue({ title: 'Copy by hand', body: [h('p', {}, 'This browser does not allow the page to copy. Select the text and copy it.'), area] });
    area.select();
    await shown;
  }
}

/** Resolves a colour token for a canvas: `colour('--curve-1')` → `rgb(…)` in the current theme. */
export function colour(token) {
  const probe = h('span', { hidden: true, style: { color: `var(${token})` } });
  document.body.append(probe);
  const value = getComputedStyle(probe).color;
  probe.remove();
  return value;
}

/** Calls `listener` when the theme changes. Returns a function that removes it. */
export function onTheme(listener) {
  const query = matchMedia('(prefers-color-scheme: dark)');
  query.addEventListener('change', listener);
  document.addEventListener('theme', listener);
  return () => {
    query.removeEventListener('change', listener);
    document.removeEventListener('theme', listener);
  };
}

export const reducedMotion = () => matchMedia('(prefers-reduced-motion: reduce)').matches;

/** Values stored in the browser between visits. Ignores errors in private windows. */
export const remember = {
  get(key, fallback = null) {
    try { return localStorage.getItem(`ayo.${key}`) ?? fallback; } catch { return fallback; }
  },
  set(key, value) {
    try { localStorage.setItem(`ayo.${key}`, value); } catch { /* not stored */ }
  },
};

const english = new Intl.NumberFormat('en');
export const integer = number => english.format(Math.round(number));
export const percent = (share, digits = 1) => `${(100 * share).toFixed(digits)} %`;
export const plural = (count, one, many = `${one}s`) => `${integer(count)} ${count === 1 ? one : many}`;

/** Formats seconds in the two largest units: `1 d 1 h` for 90061. */
export function duration(seconds) {
  const units = [['d', 86400], ['h', 3600], ['min', 60], ['s', 1]];
  let left = Math.max(0, Math.round(seconds));
  const parts = [];
  for (const [name, size] of units) {
    const count = Math.floor(left / size);
    left -= count * size;
    if (count > 0 || (name === 's' && parts.length === 0)) parts.push(`${count} ${name}`);
    else if (parts.length > 0) break;
  }
  return parts.slice(0, 2).join(' ');
}

/** Formats the time that has passed since a Unix time in seconds. */
export function ago(time) {
  const seconds = Date.now() / 1000 - time;
  return seconds < 45 ? 'just now' : `${duration(seconds).split(' ').slice(0, 2).join(' ')} ago`;
}
