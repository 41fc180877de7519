// How many places each pair needs for a whole turn, for several bases: marks on a logarithmic scale, and the numbers.

import { html, nothing, svg, type SVGTemplateResult, type TemplateResult } from 'lit';
import type { RotaryOutput } from '../../engine/lessons-rotary.ts';
import { fixed, plain } from '../../marks/number.ts';
import { moveFocus } from '../../marks/token.ts';
import { stepField } from '../dial-field.ts';
import { schema, usualBases, type View } from './state.ts';

const line = 24;
const foot = 22;
/** Where the scale begins and ends, in hundredths of the width. */
const [from, to] = [17, 96];

export function waves(context: View): TemplateResult {
  const { result, state } = context;
  const { pairs, compared } = result;
  const longest = Math.max(...compared.flatMap(({ wavelengths }) => wavelengths));
  const decades = Math.max(1, Math.ceil(Math.log10(longest)));
  const x = (places: number) => `${Math.round((from + (Math.log10(places) / decades) * (to - from)) * 100) / 100}%`;
  const height = pairs.length * line + foot;
  const middle = (at: number) => at * line + line / 2;
  return html`<div class="rotary-waves">
    <p class="rotary-heading">Places for a whole turn</p>
    <div class="figure-controls rotary-base" data-control="base">${baseControls(context)}</div>
    <svg class="rotary-scale" width="100%" height=${height} aria-hidden="true">
      ${Array.from({ length: decades + 1 }, (_, power) => svg`<line class="rotary-line" x1=${x(10 ** power)} x2=${x(10 ** power)} y1="0" y2=${height - foot + 4}></line>
        <text class="rotary-label" x=${x(10 ** power)} y=${height - 5} text-anchor="middle">${powerName(power)}</text>`)}
      ${pairs.map((_, at) => svg`<text class="rotary-label" x="0" y=${middle(at) + 4}>pair ${at}</text>
        <line class="rotary-line" x1="${from}%" x2="${to}%" y1=${middle(at)} y2=${middle(at)}></line>
        ${chosenLast(compared, state.base).map(({ base, wavelengths, which }) => svg`<svg class="rotary-mark ${base === state.base ? 'rotary-chosen' : ''}" x=${x(wavelengths[at]!)} y=${middle(at)} overflow="visible">${mark(which)}</svg>`)}`)}
    </svg>
    <div class="rotary-table" tabindex="0" role="region" aria-label="Places for a whole turn, pair by pair">
      <table>
        <thead><tr><th scope="col">pair</th><th scope="col">angle<span class="rotary-word"> a place</span></th>${compared.map(({ base }, which) => html`<th scope="col" class=${base === state.base ? 'rotary-chosen' : ''}><svg class="rotary-key" width="12" height="12" aria-hidden="true"><svg x="6" y="6" overflow="visible">${mark(which)}</svg></svg> <span class="rotary-word">base </span>${fixed(base, 0)}</th>`)}</tr></thead>
        <tbody>${pairs.map(({ theta }, at) => html`<tr><th scope="row">${at}</th><td>${plain(theta)}</td>${compared.map(({ base, wavelengths }) => html`<td class=${base === state.base ? 'rotary-chosen' : ''}>${plain(wavelengths[at]!)}</td>`)}</tr>`)}</tbody>
      </table>
    </div>
  </div>`;
}

/** So that the chosen base's mark lies on top where marks meet. */
function chosenLast(compared: RotaryOutput['compared'], chosen: number): { base: number; wavelengths: number[]; which: number }[] {
  return compared.map((entry, which) => ({ ...entry, which })).sort((a, b) => Number(a.base === chosen) - Number(b.base === chosen));
}

/** A shape for each base, around the origin. */
function mark(which: number): SVGTemplateResult {
  if (which === 0) return svg`<circle r="4.5"></circle>`;
  return which === 1 ? svg`<rect x="-4" y="-4" width="8" height="8"></rect>` : svg`<path d="M0 -6L6 0L0 6L-6 0Z"></path>`;
}

/** "1", "10", "100", then "10³" and so on. */
function powerName(power: number): string {
  return power < 3 ? String(10 ** power) : `10${'⁰¹²³⁴⁵⁶⁷⁸⁹'[power] ?? ''}`;
}

function baseControls({ id, state, set, wanted }: View): TemplateResult {
  const usual = (base: number) =>
    html`<button type="button" class="segment" aria-pressed=${state.base === base ? 'true' : 'false'} @click=${() => set({ base })}>${fixed(base, 0)}</button>`;
  return html`<label class="label" for="${id}-base">base</label>
    <div class="segmented" role="group" aria-label="Base" @keydown=${moveFocus}>${usualBases.map(usual)}</div>
    ${stepField({ id: `${id}-base`, label: 'base', field: schema.base, value: state.base, wanted: wanted && (() => wanted().base), set: (base) => set({ base }), stride: 1000 })}
    ${state.base < 100 ? html`<span class="hint">Models take far larger ones.</span>` : nothing}`;
}
