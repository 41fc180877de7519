// The curve of the losses: a thin line for the training's own loss at every step, one line or two for fresh texts, the
// loss of an even guess, and the ledge. Upwards is more unsure: in nats on the left, as a number of words on the right.

import { html, nothing, svg, type TemplateResult } from 'lit';
import { scaleLinear } from 'd3-scale';
import { fixed } from '../../marks/number.ts';
import type { TrainingReading } from '../../engine/training-types.ts';
import { readingOf, type Run } from './run.ts';

const height = 200;
const top = 10;
/** Room for the steps below. */
const bottom = 26;
const floor = height - bottom;
/** The plot's own units across; it is stretched to the room that it has. */
const across = 1000;

/** What a figure calls the lines for fresh texts; only those are drawn. */
interface Lines {
  /** Where the words before settle the answer. */
  known: string;
  /** Elsewhere. */
  other?: string;
  /** Whether the steepest fall is worth a mark. */
  withLedge?: boolean;
}

export function curve(run: Run, { known, other, withLedge = false }: Lines): TemplateResult {
  const { plan, losses, readings, ledge, every } = run.training;
  const even = Math.log(plan.config.d_vocab);
  const y = scaleLinear([0, even + 0.6], [floor, top]).clamp(true);
  const x = scaleLinear([0, plan.n_steps], [0, across]);
  const rules = y.ticks(4).filter((tick) => tick < even + 0.3);
  const percent = (step: number) => `${fine((step / plan.n_steps) * 100)}%`;
  const reading = readingOf(run);
  const line = (value: (reading: TrainingReading) => number | null) => pointsOf(readings.map((one) => [one.step, value(one)]), x, y);
  const lookFrom = (event: PointerEvent) => {
    const target = event.currentTarget as SVGSVGElement;
    if (event.type === 'pointermove' && !target.hasPointerCapture(event.pointerId)) return;
    if (event.type === 'pointerdown') target.setPointerCapture(event.pointerId);
    const room = target.getBoundingClientRect();
    run.look(Math.round((((event.clientX - room.x) / room.width) * plan.n_steps) / every));
  };
  return html`<div class="train-curve" role="img" aria-label="Curve of the losses; its numbers are in the table below the figure">
    <svg class="train-axis" width="100%" height=${height} aria-hidden="true">
      <text class="train-unit" x="0" y="10">loss</text>
      ${rules.map((tick) => svg`<text class="train-tick" x="84%" y=${fine(y(tick)) + 4} text-anchor="end">${fixed(tick, 0)}</text>`)}
    </svg>
    <svg class="train-plot" width="100%" height=${height} aria-hidden="true" @pointerdown=${lookFrom} @pointermove=${lookFrom}>
      <rect class="train-ground" width="100%" y=${top} height=${floor - top}></rect>
      ${rules.map((tick) => svg`<line class="train-rule" x1="0" x2="100%" y1=${fine(y(tick))} y2=${fine(y(tick))}></line>`)}
      <line class="train-even" x1="0" x2="100%" y1=${fine(y(even))} y2=${fine(y(even))}></line>
      <text class="train-note" x="99%" y=${fine(y(even)) + 15} text-anchor="end">an even guess among ${plan.config.d_vocab} words</text>
      ${withLedge && ledge ? ledgeMark(ledge.step, percent) : nothing}
      <svg width="100%" height=${height} viewBox="0 0 ${across} ${height}" preserveAspectRatio="none">
        <polyline class="train-line train-every" vector-effect="non-scaling-stroke" points=${pointsOf(losses.map((loss, step) => [step, loss]), x, y)}></polyline>
        ${other === undefined ? nothing : svg`<polyline class="train-line train-other" vector-effect="non-scaling-stroke" points=${line((one) => one.other_loss)}></polyline>`}
        <polyline class="train-line train-known" vector-effect="non-scaling-stroke" points=${line((one) => one.known_loss)}></polyline>
      </svg>
      <line class="train-now" x1=${percent(reading.step)} x2=${percent(reading.step)} y1=${top} y2=${floor}></line>
      ${other === undefined ? nothing : dot('train-other', reading.step, reading.other_loss)} ${dot('train-known', reading.step, reading.known_loss)}
      ${x.ticks(5).map((step) => svg`<text class="train-tick" x=${percent(step)} y=${height - 8} text-anchor=${step === 0 ? 'start' : step === plan.n_steps ? 'end' : 'middle'}>${fixed(step, 0)}</text>`)}
    </svg>
    <svg class="train-axis" width="100%" height=${height} aria-hidden="true">
      <text class="train-unit" x="100%" y="10" text-anchor="end">words</text>
      ${powersOfTwo(plan.config.d_vocab).map((words) => svg`<text class="train-tick" x="8" y=${fine(y(Math.log(words))) + 4}>${words}</text>`)}
    </svg>
  </div>
  <p class="train-legend">
    ${swatch('train-known', known)} ${other === undefined ? nothing : swatch('train-other', other)} ${swatch('train-every', 'all words, in training')}
  </p>`;

  function dot(className: string, step: number, loss: number | null) {
    return loss === null ? nothing : svg`<circle class="train-dot ${className}" cx=${percent(step)} cy=${fine(y(loss))} r="4"></circle>`;
  }
}

/** In words: "17": a loss of ln 17 is that of an even guess among 17 words. */
export function among(loss: number): string {
  const words = Math.exp(loss);
  return fixed(words, words < 3 ? 1 : 0);
}

function ledgeMark(step: number, percent: (step: number) => string) {
  return svg`<line class="train-ledge" x1=${percent(step)} x2=${percent(step)} y1=${top} y2=${floor}></line>
    <text class="train-note train-ledge-name" x=${percent(step)} dx="6" y=${floor - 8}>ledge, step ${fixed(step, 0)}</text>`;
}

function swatch(className: string, words: string): TemplateResult {
  return html`<span class="legend"><svg class="train-swatch" width="28" height="10" aria-hidden="true"><line class="train-line ${className}" x1="1" x2="27" y1="5" y2="5"></line></svg><span class="legend-label">${words}</span></span>`;
}

function pointsOf(places: readonly (readonly [number, number | null])[], x: (step: number) => number, y: (loss: number) => number): string {
  return places.flatMap(([step, loss]) => (loss === null ? [] : [`${fine(x(step))},${fine(y(loss))}`])).join(' ');
}

/** 1, 2, 4 … up to `most`. */
function powersOfTwo(most: number): number[] {
  const powers = [1];
  while (powers.at(-1)! * 2 <= most) powers.push(powers.at(-1)! * 2);
  return powers;
}

function fine(value: number): number {
  return Math.round(value * 10) / 10;
}
