// A form with a preset's settings, their meanings and ranges. It sends only changed settings.

import { check, field, fill, h } from '../ui.js';

function one(setting, changed) {
  const input = h('input', {
    type: 'text',
    value: String(setting.value),
    spellcheck: 'false',
    autocomplete: 'off',
    data: { setting: setting.name },
  });
  const hint = [
    setting.meaning,
    setting.range && ` (${setting.range})`,
    h('br', {}),
    `Preset: ${setting.value === '' ? 'empty' : setting.value}.`,
  ];
  const element = field(setting.name, input, hint);
  element.classList.add('setting');
  const differs = () => input.value !== String(setting.value);
  input.addEventListener('input', () => {
    element.classList.toggle('changed', differs());
    changed();
  });
  return {
    setting,
    element,
    differs,
    get value() {
      return input.value;
    },
    set value(text) {
      input.value = text;
      element.classList.toggle('changed', differs());
    },
  };
}

export function settingsForm(changed) {
  let all = [];
  const search = h('input', {
    type: 'search',
    id: 'search-settings',
    placeholder: 'Search names and meanings',
    'aria-label': 'Search the settings',
  });
  const list = h('div', { class: 'settings-grid' });
  const words = h('span', { class: 'muted small number', role: 'status' });
  const only = check('Only changed settings', false, () => arrange());
  const count = h('span', {});

  function arrange() {
    const wanted = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const limit = only.querySelector('input').checked;
    let shown = 0;
    for (const entry of all) {
      const text = `${entry.setting.name} ${entry.setting.meaning}`.toLowerCase();
      entry.element.hidden = !wanted.every(word => text.includes(word)) || (limit && !entry.differs());
      if (!entry.element.hidden) shown += 1;
    }
    words.textContent = shown === all.length ? '' : `${shown} of ${all.length} shown`;
    tally();
  }
  function tally() {
    const differing = all.filter(entry => entry.differs()).length;
    count.textContent = differing ? ` · ${differing} changed` : '';
  }

  search.addEventListener('input', event => {
    event.stopPropagation();
    arrange();
  });
  // Do not submit the form when Enter is pressed in the search field.
  search.addEventListener('keydown', event => {
    if (event.key === 'Enter') event.preventDefault();
  });
  const element = h(
    'details',
    { class: 'part', id: 'all-settings' },
    h('summary', {}, h('h2', {}, 'Settings', count)),
    h('div', { class: 'spread' }, h('div', { class: 'field grow' }, search), only, words),
    list,
  );
  return {
    element,
    changed: () => Object.fromEntries(all.filter(entry => entry.differs()).map(entry => [entry.setting.name, entry.value])),
    /** Shows a server error next to the setting that it names. Returns whether it names a setting. */
    blame(text) {
      const at = all.find(entry => new RegExp(`^settings: ${entry.setting.name}\\b`).test(text ?? ''));
      for (const entry of all) entry.element.problem(entry === at ? text : null);
      if (at) element.open = true;
      return at !== undefined;
    },
    /** Sets values by name. Unknown names are ignored. */
    set(values) {
      for (const entry of all) if (entry.setting.name in values) entry.value = values[entry.setting.name];
      arrange();
    },
    /** Shows the settings of another preset. Keeps values changed by the user if the preset has the setting. */
    use(settings) {
      const kept = this.changed();
      all = settings.map(setting =>
        one(setting, () => {
          tally();
          changed();
        }),
      );
      fill(
        list,
        all.map(entry => entry.element),
      );
      this.set(kept);
    },
  };
}
