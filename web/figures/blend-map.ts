// Values as points on a map of meanings. The blend is their mean, each value counted by its share: it moves as the
// shares move, never leaves the area between the values, and the map names what lies nearest.

import { html, nothing, svg, type SVGTemplateResult, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import type { Engine } from '../engine/types.ts';
import type { BlendOutput, MeaningPoint, WorldsOutput } from '../engine/lessons.ts';
import { percent, score } from '../marks/number.ts';
import { slider } from '../marks/slider.ts';
import { number, numbers, texts, type StateOf } from '../state/schema.ts';
import { placeLabels, type Label } from './blend-labels.ts';
import { blendAt, sharesFor, withShare, type Place } from './blend-shares.ts';
import { defineFigure, type ViewContext } from './definition.ts';

const mostValues = 6;

const schema = {
  /** Names of meanings on the map; those that it does not have are left out. */
  values: texts({ length: 40, most: mostValues, initial: ['river', 'bank', 'sky'] }),
  /** One a value, counted against their sum; absent ones are 0. */
  shares: numbers({ min: 0, max: 100, step: 1, most: mostValues, initial: [50, 50, 0] }),
};
const shareField = number({ min: 0, max: 100, step: 1, initial: 0 });

type State = StateOf<typeof schema>;
type Result = { pairs: WorldsOutput['blend_values']; found: BlendOutput };
type View = Pick<ViewContext<State, Result>, 'id' | 'set' | 'wanted'>;

export const figure = defineFigure({
  name: 'blend-map',
  schema,

  async compute(engine: Engine, state: State, signal: AbortSignal): Promise<Result> {
    const { blend, blend_values: pairs } = await engine.lesson('worlds', {}, { signal });
    const known = state.values.filter((name) => blend.meanings.some((meaning) => meaning.name === name));
    const values = known.length > 0 ? known : blend.values;
    const weights = values.map((_, at) => state.shares[at] ?? 0);
    const shared = weights.some((weight) => weight > 0) && { weights };
    return { pairs, found: await engine.lesson('blend', { meanings: blend.meanings, values, ...shared }, { signal }) };
  },

  title(_state: State, { found }: Result) {
    const parts = blended(found);
    if (parts.length === 1) return `All to ${parts[0]!.name}: the blend is ${parts[0]!.name} itself`;
    const nearest = found.distances[0]!;
    return `The blend of ${listed(parts.map(({ name }) => name))} lands nearest ${nearest.name}${nearest.blended ? ', one of its own values' : ''}`;
  },

  describe(_state: State, { found }: Result) {
    const [x, y] = found.blend;
    const parts = blended(found).map((value) => `${percent(value.percent)} ${value.name}`);
    const near = found.distances.slice(0, 3).map(({ name, distance }) => `${name} at ${score(distance)}`);
    return `The blend is ${listed(parts)}. It lies at x ${score(x)}, y ${score(y)}. Nearest on the map: ${near.join(', ')}. The places on the map are invented.`;
  },

  table(_state: State, { found }: Result) {
    const distance = (name: string) => found.distances.find((entry) => entry.name === name)!.distance;
    const values = found.values.map(({ name, x, y, share, contribution }) => [name, x, y, share, ...contribution, distance(name)]);
    const others = found.distances.filter((entry) => !entry.blended).map((entry) => {
      const { x, y } = found.meanings.find((meaning) => meaning.name === entry.name)!;
      return [entry.name, x, y, null, null, null, entry.distance];
    });
    const as = 'score' as const;
    return {
      caption: 'Values with their shares, the blend, and the other points of the invented map, nearest first',
      columns: ['point', { label: 'x', as }, { label: 'y', as }, { label: 'share', as: 'share' as const }, { label: 'share × x', as }, { label: 'share × y', as }, { label: 'distance from the blend', as }],
      rows: [...values, ['the blend', ...found.blend, null, ...found.blend, 0], ...others],
    };
  },

  view({ id, result, set, wanted }: ViewContext<State, Result>) {
    const { found, pairs } = result;
    const names = found.values.map(({ name }) => name);
    const percents = found.values.map((value) => value.percent);
    return html`<div class="blend">
      <div class="blend-sides">
        ${map({ id, set, ...(wanted && { wanted }) }, found)}
        <div class="blend-numbers">
          <div class="blend-shares" data-page-only role="group" aria-label="Shares of the values; they add up to 100 percent">
            ${found.values.map(({ name }, at) => shareRow({ id, set }, found.meanings, names, percents, name, at))}
          </div>
          <p class="blend-sum">${sum(found)}</p>
          <p class="hint">Nearest: ${found.distances.slice(0, 3).map(({ name, distance }) => `${name} ${score(distance)}`).join(', ')} away. The places on this map are invented.</p>
        </div>
      </div>
      <div class="search-tries" data-page-only role="group" aria-label="Blends to try">
        <span class="label">half and half:</span>
        ${pairs.map((pair) => html`<button type="button" class="search-try" @click=${() => set(half(pair, names))}>${pair.join(' and ')}</button>`)}
      </div>
    </div>`;
  },
});

/** A pair in equal shares; a third value stays on the map, with nothing, where it is not one of the two. */
function half(pair: readonly string[], names: readonly string[]): Partial<State> {
  const values = [...pair, ...names.filter((name) => !pair.includes(name))].slice(0, Math.max(names.length, pair.length));
  return { values, shares: values.map((_, at) => (at < pair.length ? 100 / pair.length : 0)) };
}

function blended(found: BlendOutput): BlendOutput['values'] {
  return found.values.filter(({ share }) => share > 0);
}

function listed(names: readonly string[]): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}

// ------------------------------------------------------------------------------------------------------------- shares

function shareRow({ id, set }: View, meanings: readonly MeaningPoint[], names: readonly string[], percents: readonly number[], name: string, at: number): TemplateResult {
  const change = (event: Event) => set({ values: names.map((old, place) => (place === at ? (event.target as HTMLSelectElement).value : old)), shares: percents });
  return html`<div class="blend-share">
    <span class="blend-value"><span class="blend-letter mark-value" aria-hidden="true">v</span><select id="${id}-value-${at}" class="blend-name" aria-label="Value ${at + 1}" .value=${live(name)} @change=${change}>
      ${meanings.map((meaning) => html`<option value=${meaning.name} ?selected=${meaning.name === name}>${meaning.name}</option>`)}
    </select></span>
    ${slider({ id: `${id}-share-${at}`, label: `share of ${name}`, field: shareField, value: percents[at]!, unit: '%', spoken: percent(percents[at]!), stride: 5, set: (value) => set({ values: names, shares: withShare(percents, at, value) }) })}
  </div>`;
}

/** The weighted mean written out. */
function sum(found: BlendOutput): TemplateResult {
  const parts = blended(found);
  return html`${parts.map(({ name, x, y, percent: whole }, at) => html`${at > 0 ? ' + ' : ''}<span class="blend-term">${percent(whole)} of <span class="v">${name}</span> ${place([x, y])}</span>`)}
    = <strong class="mark-blend blend-term">blend ${place(found.blend)}</strong>`;
}

function place([x, y]: Place): string {
  return `(${short(x)}, ${short(y)})`;
}

/** Two decimals, without those that are zero. */
function short(value: number): string {
  return score(value).replace(/\.?0+$/, '');
}

// ---------------------------------------------------------------------------------------------------------------- map

/** Width to height of the map; sink-blend.css keeps it, so that a distance is as long in every direction. */
const ratio = 1.2;
/** Part of the map's width that is kept free around its points, for their names. */
const edge = 0.11;

/** Places in percent of the picture's width and height, so letters keep their size while the map grows. */
function scaleOf(meanings: readonly MeaningPoint[]) {
  const range = (values: number[]) => [Math.min(...values), Math.max(...values)] as const;
  const [left, right] = range(meanings.map(({ x }) => x));
  const [bottom, top] = range(meanings.map(({ y }) => y));
  const width = Math.max((right - left) / (1 - 2 * edge), ((top - bottom) * ratio) / (1 - 2 * edge), 1e-3);
  const [x0, y0] = [(left + right) / 2 - width / 2, (bottom + top) / 2 - width / ratio / 2];
  return {
    at: ([x, y]: Place): Place => [fine(((x - x0) / width) * 100), fine(100 - ((y - y0) / width) * ratio * 100)],
    back: ([x, y]: Place): Place => [x0 + (x / 100) * width, y0 + ((100 - y) / 100) * (width / ratio)],
    width,
  };
}
type Scale = ReturnType<typeof scaleOf>;

function map(view: View, found: BlendOutput): TemplateResult {
  const { meanings, values, blend, distances } = found;
  const scale = scaleOf(meanings);
  const middle = scale.at(blend);
  const percents = new Map<string, number>();
  for (const { name, percent: whole } of values) percents.set(name, (percents.get(name) ?? 0) + whole);
  const marks = meanings.map((meaning): Mark => {
    const whole = percents.get(meaning.name);
    const nearest = meaning.name === distances[0]!.name;
    return { at: scale.at([meaning.x, meaning.y]), text: whole === undefined ? meaning.name : `${meaning.name} ${percent(whole)}`, value: whole !== undefined, nearest, size: whole !== undefined ? 10 : nearest ? 5 : 3 };
  });
  const near = marks.find(({ nearest }) => nearest)!;
  // What matters is named first, so that it gets its place; the blend's name keeps clear of what it lies nearest to.
  const order = [...marks].sort((a, b) => Number(b.nearest) - Number(a.nearest) || Number(b.value) - Number(a.value));
  const blendLabel: Label = { at: middle, text: 'blend', size: 8, rather: near.at[1] > middle[1] ? 'above' : 'below' };
  const nearLabel: Label = { ...near, rather: near.at[1] > middle[1] ? 'below' : 'above' };
  const [blendShift, ...shifts] = placeLabels([blendLabel, nearLabel, ...order.filter((mark) => mark !== near)], ratio);
  const named = [near, ...order.filter((mark) => mark !== near)];
  return html`<svg class="blend-map" role="group" aria-label="Invented map of meanings with the blend">
    <rect class="blend-ground" width="100%" height="100%" rx="6"></rect>
    ${area(values.map(({ x, y }) => scale.at([x, y])))}
    ${values.map(({ x, y, share }) => spoke(scale.at([x, y]), middle, share))}
    <line class="blend-nearest" x1="${middle[0]}%" y1="${middle[1]}%" x2="${near.at[0]}%" y2="${near.at[1]}%"></line>
    ${marks.filter((mark) => mark !== near || near.value).map(dot)}
    ${handle(view, found, scale)}
    ${near.value ? nothing : dot(near)}
    ${named.map((mark, at) => word(mark, shifts[at]!))}
    <text class="blend-word mark-blend" x="${middle[0]}%" y="${middle[1]}%" dy=${blendShift!} text-anchor="middle" paint-order="stroke" stroke-linejoin="round">blend</text>
  </svg>`;
}

type Mark = Label & { value: boolean; nearest: boolean };

/** What the values span: all triangles among them, drawn as one. */
function area(places: readonly Place[]): SVGTemplateResult {
  const triples: string[] = [];
  places.forEach((a, i) => places.slice(i + 1).forEach((b, j) => places.slice(i + j + 2).forEach((c) => triples.push([a, b, c].map((corner) => corner.join(',')).join(' ')))));
  return svg`<svg width="100%" height="100%" viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true">
    <g class="blend-area">${triples.map((points) => svg`<polygon points=${points}></polygon>`)}</g>
  </svg>`;
}

function spoke([x, y]: Place, [bx, by]: Place, share: number) {
  if (share === 0) return nothing;
  return svg`<line class="blend-spoke" x1="${x}%" y1="${y}%" x2="${bx}%" y2="${by}%" stroke-width=${fine(1 + 5 * share)} stroke-opacity=${fine(0.3 + 0.6 * share)}></line>`;
}

function dot({ at: [x, y], size, value, nearest }: Mark): SVGTemplateResult {
  return svg`<g class=${classesOf(value, nearest)}>
    <circle cx="${x}%" cy="${y}%" r=${size}></circle>
    ${value ? svg`<text class="blend-sign" x="${x}%" y="${y}%" dy="4" text-anchor="middle">v</text>` : nothing}
  </g>`;
}

function word({ at: [x, y], text, value, nearest }: Mark, shift: number): SVGTemplateResult {
  return svg`<g class=${classesOf(value, nearest)}><text class="blend-word" x="${x}%" y="${y}%" dy=${shift} text-anchor="middle" paint-order="stroke" stroke-linejoin="round">${text}</text></g>`;
}

function classesOf(value: boolean, nearest: boolean): string {
  return ['blend-point', value && 'blend-source', nearest && 'blend-near'].filter(Boolean).join(' ');
}

/** The blend as a thing to take hold of: the shares follow, as far as the values reach. */
function handle({ id, set, wanted }: View, found: BlendOutput, scale: Scale): SVGTemplateResult {
  const [bx, by] = scale.at(found.blend);
  const names = found.values.map(({ name }) => name);
  const percents = found.values.map((value) => value.percent);
  const points = found.values.map(({ x, y }): Place => [x, y]);
  const drag = (event: PointerEvent) => {
    const target = event.currentTarget as SVGGElement;
    if (!target.hasPointerCapture(event.pointerId)) return;
    const room = target.ownerSVGElement!.getBoundingClientRect();
    const goal = scale.back([((event.clientX - room.x) / room.width) * 100, ((event.clientY - room.y) / room.height) * 100]);
    set({ values: names, shares: sharesFor(points, percents, goal) });
  };
  const grab = (event: PointerEvent) => {
    if (event.button === 0) (event.currentTarget as SVGGElement).setPointerCapture(event.pointerId);
  };
  const key = (event: KeyboardEvent) => {
    const ways: Record<string, Place> = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
    const way = ways[event.key];
    if (!way || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    // Keys may come faster than pictures: each goes on from where the one before has led.
    const asked = asksAhead(wanted?.(), names, percents);
    const stride = (scale.width / 100) * (event.shiftKey ? 5 : 1);
    set({ values: names, shares: stepped(points, asked ?? percents, asked ? blendAt(points, asked) : found.blend, way, stride) });
  };
  return svg`<g class="blend-handle" id="${id}-blend" tabindex="0" role="slider" aria-label="Blend; arrow keys move it between the values"
    aria-valuemin="0" aria-valuemax="100" aria-valuenow=${percents[0]!} aria-valuetext="x ${score(found.blend[0])}, y ${score(found.blend[1])}, nearest ${found.distances[0]!.name}"
    @pointerdown=${grab} @pointermove=${drag} @keydown=${key}>
    <circle class="blend-reach" cx="${bx}%" cy="${by}%" r="22"></circle>
    <circle class="blend-grip" cx="${bx}%" cy="${by}%" r="8"></circle>
  </g>`;
}

/** The shares of the same values that were asked for and are not drawn yet. */
function asksAhead(asked: State | undefined, names: readonly string[], percents: readonly number[]): readonly number[] | null {
  if (!asked || asked.values.join('\n') !== names.join('\n') || asked.shares.join() === percents.join()) return null;
  return asked.shares.length === names.length && asked.shares.reduce((sum, share) => sum + share, 0) === 100 ? asked.shares : null;
}

/** A step in a direction, lengthened until whole percentages follow; unchanged where the values end. */
function stepped(points: readonly Place[], percents: readonly number[], from: Place, [dx, dy]: Place, stride: number): number[] {
  for (const times of [1, 2, 3, 5, 8]) {
    const next = sharesFor(points, percents, [from[0] + dx * stride * times, from[1] + dy * stride * times]);
    if (next.some((percent, at) => percent !== percents[at])) return next;
  }
  return [...percents];
}

function fine(value: number): number {
  return Math.round(value * 100) / 100;
}
