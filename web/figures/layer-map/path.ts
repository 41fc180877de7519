// A token's row on its way through one layer, step by step with the shapes, and beside it what every layer adds.

import { html, svg, type TemplateResult } from 'lit';
import { fixed, ordinal, score } from '../../marks/number.ts';
import type { Map } from './work.ts';

/** Where a step stands: on the row's own line, on a way beside it, or where that way leaves or joins it. */
type Place = 'row' | 'leaves' | 'beside' | 'joins';

interface Step {
  place: Place;
  name: TemplateResult | string;
  says: TemplateResult | string;
  shape: readonly number[];
  /** A length and, on a joining step, its bar. */
  length?: number;
}

function steps({ layer, lengths, sizes: { n, n_heads, d_head, d_model, d_mlp } }: Map, named: string): Step[] {
  const { before, attention, between, feed_forward, after } = lengths[layer]!;
  const rows = [n, d_model];
  const heads = `${fixed(n_heads, 0)} head${n_heads === 1 ? '' : 's'}`;
  return [
    { place: 'row', name: 'Row before the layer', says: `of “${named}”`, shape: rows, length: before },
    { place: 'leaves', name: 'Layer norm', says: 'a common scale', shape: rows },
    { place: 'beside', name: html`<span class="q">q</span>, <span class="k">k</span>, <span class="v">v</span>`, says: `of each of ${heads}`, shape: [n, d_head] },
    { place: 'beside', name: 'Shares', says: 'of each head: whom to ask', shape: [n, n] },
    { place: 'beside', name: 'Blends', says: `of ${heads}, side by side`, shape: rows },
    { place: 'joins', name: 'Attention adds', says: html`blends × W<sub>O</sub>`, shape: rows, length: attention },
    { place: 'row', name: 'Row between', says: 'old row plus what was collected', shape: rows, length: between },
    { place: 'leaves', name: 'Layer norm', says: 'a common scale', shape: rows },
    { place: 'beside', name: 'Up', says: 'each neuron reads the row', shape: [n, d_mlp] },
    { place: 'beside', name: 'Bend', says: 'GELU: what is low stays out', shape: [n, d_mlp] },
    { place: 'joins', name: 'Feed-forward adds', says: 'down: each neuron writes', shape: rows, length: feed_forward },
    { place: 'row', name: 'Row after the layer', says: 'into the next', shape: rows, length: after },
  ];
}

export function path(map: Map, named: string): TemplateResult {
  const way = steps(map, named);
  return html`<ol class="map-path" aria-label="The way through the layer">
    <li class="map-step map-top" aria-hidden="true"><span></span><span class="map-shape">shape</span><span class="map-length">length</span></li>
    ${way.map(
      ({ place, name, says, shape, length }, at) => html`<li class="map-step map-${place}">
        ${rail(place, at === 0 ? '50%' : '0', at === way.length - 1 ? '50%' : '100%')}
        <span class="map-name">${name} <span class="map-says">${says}</span></span>
        <span class="map-shape">${shape.map((side) => fixed(side, 0)).join(' × ')}</span>
        <span class="map-length">${length === undefined ? '' : score(length)}</span>
      </li>`,
    )}
  </ol>`;
}

/** The lines at the left: the row's own, from its first step to its last, and the way beside it. */
function rail(place: Place, from: string, to: string): TemplateResult {
  const own = svg`<line class="map-line" x1="10" x2="10" y1=${from} y2=${to}></line>`;
  const beside = svg`<line class="map-way" x1="32" x2="32" y1="0" y2="100%"></line><circle class="map-point" cx="32" cy="50%" r="3.5"></circle>`;
  const marks = {
    row: svg`<circle class="map-dot" cx="10" cy="50%" r="6"></circle>`,
    leaves: svg`<line class="map-way" x1="10" x2="32" y1="1" y2="1"></line>${beside}`,
    beside,
    joins: svg`<line class="map-way" x1="32" x2="32" y1="0" y2="50%"></line><line class="map-way" x1="10" x2="32" y1="50%" y2="50%"></line><circle class="map-plus" cx="10" cy="50%" r="9"></circle><text class="map-sign" x="10" y="50%" dy="5" text-anchor="middle">+</text>`,
  };
  return html`<svg class="map-rail" width="44" aria-hidden="true">${own}${marks[place]}</svg>`;
}

// -------------------------------------------------------------------------------------------------------- all layers

export interface LayersContext {
  id: string;
  map: Map;
  base: 0 | 1;
  set(patch: { layer: number }): void;
}

/** What every layer adds, on one scale; a row picks its layer. */
export function layers({ id, map, base, set }: LayersContext): TemplateResult {
  const { lengths, layer: now } = map;
  const most = Math.max(...lengths.flatMap(({ attention, feed_forward }) => [attention, feed_forward]).filter(Number.isFinite), 1e-9);
  const step = (event: KeyboardEvent) => {
    // Keys may come faster than pictures: each goes on from the row that has the focus.
    const rows = [...(event.currentTarget as Element).querySelectorAll<HTMLElement>('.map-pick')];
    const at = rows.indexOf(event.target as HTMLElement);
    const goals: Record<string, number> = { ArrowUp: at - 1, ArrowDown: at + 1, Home: 0, End: rows.length - 1 };
    const goal = goals[event.key];
    if (at < 0 || goal === undefined || !rows[goal] || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    rows[goal].focus();
    set({ layer: goal });
  };
  const added = (length: number, words: string) => html`<span class="visually-hidden">, ${words} adds </span><span class="map-added">
    <svg class="bar" width="100%" height="10" aria-hidden="true"><rect class="bar-room" width="100%" height="10" rx="2"></rect>${svg`<rect class="bar-slate" width="${Math.round((100 * length) / most)}%" height="10" rx="2"></rect>`}</svg>
    <span class="num">${score(length)}</span></span>`;
  return html`<div class="map-layers" role="toolbar" aria-orientation="vertical" aria-label="Layers" @keydown=${step}>
    <div class="map-layer map-heads" aria-hidden="true"><span>layer</span><span>attention adds</span><span>feed-forward adds</span></div>
    ${lengths.map(
      ({ attention, feed_forward }, layer) => html`<button type="button" class="map-layer map-pick" id="${id}-layer-${layer}" tabindex=${layer === now ? 0 : -1} aria-pressed=${layer === now ? 'true' : 'false'} @click=${() => set({ layer })}>
        <span class="visually-hidden">Layer </span><span class="num">${ordinal(layer, base)}</span>${added(attention, 'attention')}${added(feed_forward, 'the feed-forward step')}
      </button>`,
    )}
  </div>`;
}
