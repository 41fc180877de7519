// The strongest neurons of a token, and the bend with all of them on it.

import { html, nothing, svg, type SVGTemplateResult, type TemplateResult } from 'lit';
import { fixed, ordinal, plain, score } from '../../marks/number.ts';
import { pager } from '../../marks/pager.ts';
import { positive } from './words.ts';
import { neuronOf, strongest, type Map, type Neuron, type State } from './work.ts';

export interface NeuronsContext {
  id: string;
  state: Pick<State, 'neuron'>;
  map: Map;
  named: string;
  base: 0 | 1;
  set(patch: { neuron: number }): void;
}

/** Neurons in the list. */
const listed = 8;

export function neuronsView(context: NeuronsContext): TemplateResult {
  const { id, map, named, base, set, state } = context;
  const { d_model, d_mlp } = map.sizes;
  const now = neuronOf(state, map);
  return html`<section class="map-neurons figure-aside" aria-labelledby="${id}-neurons">
    <p class="map-title" id="${id}-neurons">The neurons of “${named}” in layer ${ordinal(map.layer, base)}: ${fixed(d_model, 0)} → ${fixed(d_mlp, 0)} → ${fixed(d_model, 0)}</p>
    <div class="figure-columns">
      <div>${list(context, now)}
        <p class="hint">${fixed(positive(map.neurons), 0)} of ${fixed(d_mlp, 0)} neurons are above zero before the bend.</p>
      </div>
      <div>${plot(map, now, base)}
        <p class="map-readout">Neuron ${ordinal(now.at, base)}: <span class="num">${score(now.pre)}</span> becomes <b class="num">${score(now.post)}</b></p>
        <div class="needs-script" data-page-only>${pager({ id, noun: 'Neuron', at: now.at, count: d_mlp, base, set: (neuron) => set({ neuron }) })}</div>
      </div>
    </div>
  </section>`;
}

function list({ id, map, base, set }: NeuronsContext, now: Neuron): TemplateResult {
  const top = strongest(map, listed);
  const most = Math.max(top[0]!.post, 1e-9);
  return html`<div class="map-list" role="group" aria-label="Strongest neurons">
    <div class="map-neuron map-heads" aria-hidden="true"><span>neuron</span><span>before</span><span>after the bend</span></div>
    ${top.map(
      ({ at, pre, post }) => html`<button type="button" class="map-neuron map-pick" id="${id}-neuron-${at}" aria-pressed=${at === now.at ? 'true' : 'false'} @click=${() => set({ neuron: at })}>
        <span class="visually-hidden">Neuron </span><span class="num">${ordinal(at, base)}</span><span class="visually-hidden">, before </span><span class="num">${score(pre)}</span><span class="visually-hidden">, after </span>
        <span class="map-added"><svg class="bar" width="100%" height="10" aria-hidden="true"><rect class="bar-room" width="100%" height="10" rx="2"></rect>${svg`<rect class="bar-slate" width="${Math.round((100 * Math.max(post, 0)) / most)}%" height="10" rx="2"></rect>`}</svg><span class="num">${score(post)}</span></span>
      </button>`,
    )}
  </div>`;
}

// -------------------------------------------------------------------------------------------------------------- plot

const width = 360;
const height = 236;
const [left, right, top, bottom] = [34, 10, 12, 48];

function plot({ curve, neurons, ...map }: Map, now: Neuron, base: 0 | 1): TemplateResult {
  const [least, most] = [curve.x[0]!, curve.x.at(-1)!];
  const low = Math.min(-0.5, ...curve.y);
  const x = (value: number) => round(left + ((value - least) / (most - least)) * (width - left - right));
  const y = (value: number) => round(top + ((most - value) / (most - low)) * (height - top - bottom));
  const drawn = ({ pre }: Neuron) => pre >= least && pre <= most;
  const line = curve.x.map((value, at) => `${at === 0 ? 'M' : 'L'}${x(value)} ${y(curve.y[at]!)}`).join('');
  const rug = neurons.filter(drawn).map(({ pre }) => `M${x(pre)} ${height - 34}v9`).join('');
  const dots = strongest({ neurons, curve, ...map }, listed).filter(drawn);
  return html`<svg class="map-plot" viewBox="0 0 ${width} ${height}" role="img" aria-label="The bend, GELU, from ${plain(least)} to ${plain(most)}; neuron ${ordinal(now.at, base)} goes from ${score(now.pre)} to ${score(now.post)}">
    <line class="map-axis" x1=${left} x2=${width - right} y1=${y(0)} y2=${y(0)}></line>
    <line class="map-axis" x1=${x(0)} x2=${x(0)} y1=${top} y2=${height - bottom}></line>
    ${[least, most].map((value) => tick(x(value), y(0) + 13, 'middle', plain(value)))}
    ${[most / 2, most].map((value) => tick(x(0) - 5, y(value) + 4, 'end', plain(value)))}
    <path class="map-curve" d=${line}></path>
    <path class="map-rug" d=${rug}></path>
    ${tick(left, height - 8, 'start', 'all neurons, by their value before the bend')}
    ${dots.map(({ pre, post }) => svg`<circle class="map-point" cx=${x(pre)} cy=${y(post)} r="3.5"></circle>`)}
    ${drawn(now) ? here(x(now.pre), y(now.post), x(0), height - 34) : nothing}
  </svg>`;
}

/** The neuron that is spoken of: from its value before, up to the bend, over to its value after. */
function here(x: number, y: number, axis: number, foot: number): SVGTemplateResult {
  return svg`<path class="map-guide" d="M${x} ${foot}V${y}H${axis}"></path><circle class="map-now" cx=${x} cy=${y} r="6"></circle>`;
}

function tick(x: number, y: number, anchor: string, text: string): SVGTemplateResult {
  return svg`<text class="plane-tick map-tick" x=${x} y=${y} text-anchor=${anchor}>${text}</text>`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
