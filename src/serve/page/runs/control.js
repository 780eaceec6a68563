// Buttons to stop and resume a run, with confirmation.

import { part, post } from '../api.js';
import { button, confirm, dialogue, field, h, number, toast, validate } from '../ui.js';
import { seconds } from './time.js';

async function stop(run) {
  const sure = await confirm({
    id: 'stop-dialogue',
    title: 'Stop this run?',
    yes: 'Stop it',
    no: 'Keep running',
    danger: true,
    text: 'Its checkpoint is kept. You can resume the run later, with the same results as if it had not stopped.',
  });
  if (!sure) return false;
  await post(`/api/runs/${part(run.id)}/stop`);
  toast('The run is stopping.');
  return true;
}

const resumeText = run => (run.state === 'complete' ? 'Extend run' : 'Resume run');

/** The form for resuming a run. It sends only the fields that were filled in. */
function form(run) {
  const complete = run.state === 'complete';
  const generations = number('resume-generations', {
    min: run.generation + complete,
    max: 1e7,
    value: complete ? run.generations * 2 : run.generations,
  });
  const time = h('input', { type: 'text', id: 'resume-time', placeholder: 'none', inputmode: 'text' });
  const threads = number('resume-threads', { max: 1024, placeholder: 'all cores' });
  const fields = {
    generations: field('Train up to generation', generations),
    seconds: field('Time limit', time, 'For example 90s, 10m or 8h, including final games.'),
    threads: field('Threads', threads),
  };
  const wrong = h('p', { class: 'notice bad', role: 'alert', hidden: true });
  const body = () => {
    if (!validate(document.getElementById('resume-dialogue'))) return null;
    const limit = time.value.trim() === '' ? null : seconds(time.value);
    fields.seconds.problem(limit === undefined ? 'Enter a number with s, m or h.' : null);
    if (limit === undefined) return null;
    const given = { generations: generations.value, seconds: limit, threads: threads.value };
    return Object.fromEntries(Object.entries(given).filter(([, value]) => value).map(([key, value]) => [key, Number(value)]));
  };
  return { fields, body, wrong };
}

async function resume(run) {
  const { fields, body, wrong } = form(run);
  const send = async () => {
    const given = body();
    if (!given) return false;
    try {
      await post(`/api/runs/${part(run.id)}/resume`, given);
    } catch (error) {
      wrong.hidden = false;
      wrong.textContent = error.message;
      return false;
    }
    return true;
  };
  const answer = await dialogue({
    id: 'resume-dialogue',
    title: `${resumeText(run)}?`,
    body: [h('p', {}, `${run.generation} of ${run.generations} generations are finished.`), Object.values(fields), wrong],
    actions: [
      { text: 'Cancel', value: false, data: { answer: 'no' } },
      { text: resumeText(run), value: true, kind: 'primary', check: send, data: { answer: 'yes' } },
    ],
  });
  if (answer) toast('The run is starting.');
  return answer === true;
}

/** The buttons of a run. `update(run)` shows the ones that its state allows. `changed()` is called after an action. */
export function controls({ may, changed }) {
  let run = null,
    waiting = null;
  const wrong = h('p', { class: 'notice bad', role: 'alert', hidden: true });
  const press = (action, state) => async () => {
    wrong.hidden = true;
    try {
      if (await action(run)) {
        waiting = { state: run.state, text: state };
        show();
        changed();
      }
    } catch (error) {
      wrong.hidden = false;
      wrong.textContent = error.message;
    }
  };
  const stopping = button('Stop run', press(stop, 'Stopping …'), { id: 'stop', class: 'button danger' });
  const resuming = button('', press(resume, 'Starting …'), { id: 'resume' });
  const word = h('span', { class: 'muted', role: 'status' });
  const element = h('div', { class: 'cluster run-controls' }, stopping, resuming, word, wrong);

  function show() {
    if (waiting && waiting.state !== run.state) waiting = null;
    word.textContent = waiting?.text ?? '';
    stopping.hidden = !may || run.state !== 'running';
    resuming.hidden = !may || run.state === 'running' || run.state === 'damaged';
    resuming.textContent = resumeText(run);
    stopping.disabled = resuming.disabled = waiting !== null;
    element.hidden = stopping.hidden && resuming.hidden;
  }

  return {
    element,
    update(next) {
      run = next;
      show();
    },
    failed() {
      waiting = null;
      show();
    },
  };
}
