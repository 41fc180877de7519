// What a reader does with a training: train, pause, step, look back at any record, begin anew, take another seed.

import { html, nothing, type TemplateResult } from 'lit';
import { fixed } from '../../marks/number.ts';
import { numberField } from '../../marks/number-field.ts';
import { slider } from '../../marks/slider.ts';
import { integer, type NumberField } from '../../state/schema.ts';
import { readingOf, type Run } from './run.ts';

/** The buttons, what they lead to, and the way back through the records. `ready`: what to say before the first step. */
export function controls({ id, run, ready }: { id: string; run: Run; ready: string }): TemplateResult {
  return html`${walk(run, ready)} ${scrubber(id, run)}`;
}

function walk(run: Run, ready: string): TemplateResult {
  const { status, every, plan, losses } = run.training;
  const over = status === 'done' || status === 'lost';
  const [done, all] = [fixed(losses.length, 0), fixed(plan.n_steps, 0)];
  const words: Record<typeof status, string> = {
    ready: `${all} steps in all. ${ready}`,
    running: `Step ${done} of ${all}.`,
    paused: `Paused at step ${done} of ${all}.`,
    done: `All ${all} steps are done. Look back at any of them, or begin anew.`,
    lost: '',
  };
  // The second button is not disabled while it runs: who steps on by keyboard stays there.
  return html`<div class="figure-controls needs-script train-walk">
    <button type="button" class="button" data-control="train" ?disabled=${over} @click=${status === 'running' ? run.pause : run.train}>${status === 'running' ? 'Pause' : 'Train'}</button>
    <button type="button" class="button button-quiet" ?disabled=${over} aria-disabled=${status === 'running' ? 'true' : nothing} @click=${status === 'running' ? nothing : run.step}>${every} steps</button>
    <button type="button" class="button button-quiet" ?disabled=${losses.length === 0} @click=${run.restart}>Restart</button>
    <span class="hint keeps-room" data-room=${words.ready.length > words.done.length ? words.ready : words.done}><span>${words[status]}</span></span>
    ${run.problem === '' ? nothing : html`<p class="figure-error" role="alert">${run.problem}</p>`}
  </div>`;
}

/** Has its room before there is anything to look back at. */
function scrubber(id: string, run: Run): TemplateResult {
  const { readings, every } = run.training;
  const field = { ...integer({ min: 0, max: (readings.length - 1) * every, initial: 0 }), step: every };
  return html`<div class="figure-controls needs-script ${readings.length < 2 ? 'train-nothing-yet' : ''}">
    ${slider({ id: `${id}-look`, label: 'Show step', field, value: readingOf(run).step, set: (step) => run.look(Math.round(step / every)), stride: every })}
  </div>`;
}

/** A change begins a new training. */
export function seedField({ id, seed, field, setSeed }: { id: string; seed: number; field: NumberField; setSeed(seed: number): void }): TemplateResult {
  return html`<div class="train-seed">
    <label class="label" for="${id}-seed">seed</label>
    ${numberField({ id: `${id}-seed`, min: field.min, max: field.max, step: 1, whole: true, value: seed, clamp: field.clamp, set: setSeed })}
    <button type="button" class="button button-quiet" @click=${() => setSeed(field.clamp(seed + 1))}>Next seed</button>
  </div>`;
}
