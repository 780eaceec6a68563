// Keyboard shortcuts. They are disabled in text fields and while a dialogue is open.

const FIELDS = 'textarea, select, input:not([type=checkbox], [type=radio], [type=range], [type=button])';

function elsewhere(event) {
  return event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey || event.isComposing
    || event.target.closest?.(FIELDS) || event.target.isContentEditable || document.querySelector('dialog[open]');
}

/** `actions` are `{sow(letter), payoff(), cancel(), retry(), help(), back(), forward()}`. Returns a function that removes the listener. */
export function listen(actions, enabled) {
  const named = {
    p: actions.payoff, z: actions.cancel, Backspace: actions.cancel, r: actions.retry, '?': actions.help,
    ',': actions.back, '.': actions.forward,
  };
  const pressed = event => {
    if (event.repeat || elsewhere(event) || !enabled()) return;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const action = named[key] ?? (/^[a-h]$/.test(key) ? () => actions.sow(key.toUpperCase()) : null);
    if (!action) return;
    event.preventDefault();
    action();
  };
  document.addEventListener('keydown', pressed);
  return () => document.removeEventListener('keydown', pressed);
}
