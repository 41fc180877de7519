// Two arrows to turn and stretch, and their dot product worked out twice: products added up, and lengths times the
// cosine of the angle. Every number is the core's; this file only places them.

import { html, nothing, svg, type SVGTemplateResult, type TemplateResult } from 'lit';
import type { Engine } from '../engine/types.ts';
import type { DotOutput } from '../engine/lessons.ts';
import { plane, type Arrow } from '../marks/arrows.ts';
import { barPicture, scoreBar } from '../marks/bars.ts';
import { fixed, signed } from '../marks/number.ts';
import { number, type StateOf } from '../state/schema.ts';
import { defineFigure, type ViewContext } from './definition.ts';
import { stepField } from './dial-field.ts';

const step = 0.1;
const reach = 4;
const coordinate = (initial: number) => number({ min: -reach, max: reach, step, initial });

const schema = { qx: coordinate(2), qy: coordinate(1), kx: coordinate(1), ky: coordinate(2) };

type State = StateOf<typeof schema>;
type View = ViewContext<State, DotOutput>;
type Letter = 'q' | 'k';
type At = (x: number, y: number) => [number, number];

/** In titles, where it may not break. */
const product = 'q\u00A0·\u00A0k';
const names = { q: 'query', k: 'key' } as const;

/** The plane shows a little more than an arrow may reach, so that the shadow of the longest one is seen whole. */
const extent = 4.5;
/** Scales of the score; the smallest that holds it is taken. */
const scales = [10, 40];

export const figure = defineFigure({
  name: 'dot-dial',
  schema,
  compute: (engine: Engine, { qx, qy, kx, ky }: State, signal: AbortSignal): Promise<DotOutput> => engine.lesson('dot', { q: [qx, qy], k: [kx, ky] }, { signal }),

  title(_state: State, result: DotOutput) {
    const { angle_degrees: angle } = result;
    if (angle === null) return `${lacking(result)}, so ${product} is 0`;
    if (signOf(result) === 0) return `q and k stand at a right angle, so ${product} is 0`;
    const how = angle < 0.05 ? 'point the same way' : angle > 179.95 ? 'point in opposite directions' : angle < 90 ? 'lean the same way' : 'point apart';
    return `q and k ${how}, so ${product} is ${signOf(result) > 0 ? 'above' : 'below'} zero: ${signed(result.dot)}`;
  },

  describe(_state: State, result: DotOutput) {
    const { q, k, products, dot, q_length, k_length, cosine, angle_degrees: angle } = result;
    const sum = `Products added up: ${fixed(q[0], 1)} times ${fixed(k[0], 1)} plus ${fixed(q[1], 1)} times ${fixed(k[1], 1)}, that is ${signed(products[0])} and ${signed(products[1])}, makes ${signed(dot)}.`;
    const start = `The query q is (${fixed(q[0], 1)}, ${fixed(q[1], 1)}), the key k is (${fixed(k[0], 1)}, ${fixed(k[1], 1)}).`;
    if (angle === null || cosine === null) return `${start} ${sum} ${lacking(result)}, so there is no angle.`;
    return `${start} ${sum} Lengths ${fixed(q_length, 3)} and ${fixed(k_length, 3)}, an angle of ${degrees(angle)} with cosine ${fixed(cosine, 3)}: multiplied, ${signed(result.lengths_times_cosine)} again.`;
  },

  table(_state: State, result: DotOutput) {
    const { q, k, products } = result;
    return {
      caption: 'The dot product of q and k, worked out twice',
      columns: ['part', 'q', 'k', 'together'],
      rows: [
        ['x', q[0], k[0], products[0]],
        ['y', q[1], k[1], products[1]],
        ['products added up', null, null, result.dot],
        ['length', result.q_length, result.k_length, null],
        ['direction or angle in degrees', result.q_direction_degrees, result.k_direction_degrees, result.angle_degrees],
        ['cosine of the angle', null, null, result.cosine],
        ['length × length × cosine', null, null, result.lengths_times_cosine],
      ],
    };
  },

  view(context: View) {
    return html`<div class="figure-columns dial-dot">
      ${picture(context)}
      <div class="dial-numbers">
        ${arrowFields(context, 'q')} ${arrowFields(context, 'k')} ${scoreLine(context.result)} ${ways(context.result)}
      </div>
    </div>`;
  },
});

/** On the lattice of the fields every dot product but 0 has a visible second decimal. */
function signOf({ dot }: DotOutput): -1 | 0 | 1 {
  return Math.abs(dot) < 0.005 ? 0 : dot > 0 ? 1 : -1;
}

function lacking({ q_length, k_length }: DotOutput): string {
  if (q_length === 0 && k_length === 0) return 'Neither arrow has a length';
  return `${q_length === 0 ? 'q' : 'k'} has no length`;
}

function degrees(angle: number): string {
  return `${fixed(angle, 1)}°`;
}

function hue(result: DotOutput): 'slate' | 'none' | 'plum' {
  return (['slate', 'none', 'plum'] as const)[signOf(result) + 1]!;
}

// ------------------------------------------------------------------------------------------------------------ picture

function picture({ id, state, result, set, wanted }: View): TemplateResult {
  const tip = (x: 'qx' | 'kx', y: 'qy' | 'ky') => (): [number, number] => {
    const { [x]: atX, [y]: atY } = wanted?.() ?? state;
    return [atX, atY];
  };
  const arrows: Arrow[] = [
    { name: 'Query q', letter: 'q', meaning: 'query', x: state.qx, y: state.qy, move: (qx, qy) => set({ qx, qy }), wanted: tip('qx', 'qy') },
    { name: 'Key k', letter: 'k', meaning: 'key', x: state.kx, y: state.ky, move: (kx, ky) => set({ kx, ky }), wanted: tip('kx', 'ky') },
  ];
  const label = 'Plane with the query q and the key k as arrows from the middle';
  return html`<div class="dial-plane">
    ${plane({ id, label, extent, step, arrows, under: (at) => shadow(result, at), over: (at) => angle(result, at) })}
  </div>`;
}

/** The place at a distance in a direction, in the plane. */
function polar(distance: number, direction: number): [number, number] {
  const radians = (direction * Math.PI) / 180;
  return [distance * Math.cos(radians), distance * Math.sin(radians)];
}

/** Where k falls on the line of q when it drops at a right angle. */
function shadow(result: DotOutput, at: At): SVGTemplateResult {
  const { q_direction_degrees: direction, cosine, k, k_length } = result;
  if (direction === null) return svg``;
  const line = (from: [number, number], to: [number, number], className: string) =>
    svg`<line class=${className} x1=${from[0]} y1=${from[1]} x2=${to[0]} y2=${to[1]}></line>`;
  const [ux, uy] = polar(1, direction);
  const rim = extent / Math.max(Math.abs(ux), Math.abs(uy));
  const foot = (cosine ?? 0) * k_length;
  const end = at(foot * ux, foot * uy);
  return svg`${line(at(-rim * ux, -rim * uy), at(rim * ux, rim * uy), 'dial-ray')}
    ${cosine === null ? nothing : svg`${line(at(0, 0), end, `dial-shadow dial-${hue(result)}`)} ${line(at(k[0], k[1]), end, 'dial-drop')}`}`;
}

const arcRadius = 30;

/** The angle between the arrows: an arc with its degrees, or the sign of the right angle. */
function angle(result: DotOutput, at: At): SVGTemplateResult {
  const { q_direction_degrees: from, k_direction_degrees: to, angle_degrees: size } = result;
  if (from === null || to === null || size === null || size < 0.05) return svg``;
  const [cx, cy] = at(0, 0);
  // The short way round, counterclockwise where it is positive. Down is positive in a picture.
  const turn = ((((to - from) % 360) + 540) % 360) - 180;
  const place = (distance: number, direction: number) => {
    const [x, y] = polar(distance, direction);
    return `${(cx + x).toFixed(1)} ${(cy - y).toFixed(1)}`;
  };
  const square = arcRadius * 0.6;
  const path =
    signOf(result) === 0
      ? `M ${place(square, from)} L ${place(square * Math.SQRT2, from + turn / 2)} L ${place(square, to)}`
      : `M ${place(arcRadius, from)} A ${arcRadius} ${arcRadius} 0 0 ${turn > 0 ? 0 : 1} ${place(arcRadius, to)}`;
  const [lx, ly] = clearPlace(result, at, from + turn / 2, size);
  return svg`<path class="dial-arc" d=${path}></path>
    <text class="dial-angle" paint-order="stroke" x=${lx.toFixed(1)} y=${(ly + 4).toFixed(1)} text-anchor="middle">${degrees(size)}</text>`;
}

/** Half the size of the degrees as they are written, with some air. */
const [halfWidth, halfHeight] = [19, 8];

/**
 * The middle of the degrees: on the line between the arrows, as near as they touch neither arrow nor perpendicular nor a
 * letter; on that line's other end where there is no such place. Pixels.
 */
function clearPlace({ q, k, q_direction_degrees: direction, cosine, k_length }: DotOutput, at: At, middle: number, size: number): readonly [number, number] {
  const [cx, cy] = at(0, 0);
  const foot = polar((cosine ?? 0) * k_length, direction ?? 0);
  const lines = [[[0, 0], beyondTip(q)], [[0, 0], beyondTip(k)], [k, foot], [[0, 0], foot]] as const;
  const inked = lines.flatMap(([[x0, y0], [x1, y1]]) => Array.from({ length: 41 }, (_, part) => at(x0 + ((x1 - x0) * part) / 40, y0 + ((y1 - y0) * part) / 40)));
  const clear = ([x, y]: readonly [number, number]) =>
    x > halfWidth && x < 2 * cx - halfWidth && y > halfHeight && y < 2 * cy - halfHeight && inked.every(([px, py]) => Math.abs(px - x) > halfWidth || Math.abs(py - y) > halfHeight);
  const place = (distance: number, way: number) => {
    const [x, y] = polar(distance, way);
    return [cx + x, cy - y] as const;
  };
  const near = size < 30 ? [] : distances.map((distance) => place(distance, middle));
  const behind = [180, 120, 240].flatMap((turned) => distances.map((distance) => place(distance, middle + turned)));
  return [...near, ...behind].find(clear) ?? place(arcRadius + 17, middle);
}

/** From the arc outwards, in pixels. */
const distances = Array.from({ length: 22 }, (_, step) => arcRadius + 10 + 4 * step);

/** An arrow with the letter beyond its tip. */
function beyondTip([x, y]: readonly [number, number]): readonly [number, number] {
  const length = Math.hypot(x, y);
  return length === 0 ? [0, 0] : [x * (1 + 0.9 / length), y * (1 + 0.9 / length)];
}

// ------------------------------------------------------------------------------------------------------------ numbers

function arrowFields({ id, state, set, wanted }: View, letter: Letter): TemplateResult {
  const placeIn = (at: State): [number, number] => (letter === 'q' ? [at.qx, at.qy] : [at.kx, at.ky]);
  const [x, y] = placeIn(state);
  // Presses may come faster than pictures: each goes on from where the one before has led.
  const now = () => placeIn(wanted?.() ?? state);
  const place = (nx: number, ny: number) => set(letter === 'q' ? { qx: nx, qy: ny } : { kx: nx, ky: ny });
  const coordinateField = (axis: 'x' | 'y') => html`<span class="dial-axis"
    ><span class="dial-axis-name" aria-hidden="true">${axis}</span>
    ${stepField({
      id: `${id}-${letter}${axis}`,
      label: `${axis} of the ${names[letter]} ${letter}`,
      field: schema[`${letter}${axis}`],
      value: axis === 'x' ? x : y,
      wanted: () => now()[axis === 'x' ? 0 : 1],
      set: (value) => (axis === 'x' ? place(value, now()[1]) : place(now()[0], value)),
      stride: step,
    })}</span>`;
  // Heard after the words that are seen, so that people who speak to their machine can name the button.
  const spoken = html`<span class="visually-hidden"> of ${letter}</span>`;
  return html`<div class="dial-arrow dial-${names[letter]}" role="group" aria-label="The ${names[letter]} ${letter}">
    <span class="dial-letter"><span class=${letter}>${letter}</span></span>
    ${coordinateField('x')} ${coordinateField('y')}
    <span class="dial-deeds needs-script" data-page-only>
      <button type="button" class="dial-do" ?disabled=${Math.max(Math.abs(x), Math.abs(y)) * 2 > reach} @click=${() => place(2 * now()[0], 2 * now()[1])}>double${spoken}</button>
      <button type="button" class="dial-do" @click=${() => place(-now()[1], now()[0])}>quarter turn${spoken}</button>
    </span>
  </div>`;
}

function scoreLine(result: DotOutput): TemplateResult {
  const scale = scales.find((size) => Math.abs(result.dot) <= size) ?? scales.at(-1)!;
  return html`<div class="dial-score-line">
    <span class="dial-product"><span class="q">q</span> · <span class="k">k</span> =</span>
    <span class="big-num dial-number dial-${hue(result)}">${signed(result.dot)}</span>
    <span class="dial-signed">
      ${barPicture(scoreBar({ label: '', score: result.dot, extent: scale, negative: true }))}
      <span class="dial-ends" aria-hidden="true"><span>${signed(-scale).replace('.00', '')}</span><span>0</span><span>${signed(scale).replace('.00', '')}</span></span>
    </span>
  </div>`;
}

function ways(result: DotOutput): TemplateResult {
  const { q, k, products, q_length, k_length, cosine, angle_degrees: between } = result;
  const part = (letter: Letter, value: number) => html`<span class=${letter}>${inBrackets(fixed(value, 1))}</span>`;
  const length = (letter: Letter, value: number) => html`<span class=${letter}>${fixed(value, 3)}</span>`;
  return html`<dl class="dial-ways">
    <dt>Products added up</dt>
    <dd>
      <span class="num">${part('q', q[0])} × ${part('k', k[0])} + ${part('q', q[1])} × ${part('k', k[1])}</span>
      <span class="num">= ${fixed(products[0], 2)} + ${inBrackets(fixed(products[1], 2))}</span>
      <span class="num">= <b>${signed(result.dot)}</b></span>
    </dd>
    <dt>Length × length × cosine of the angle</dt>
    <dd>
      ${
        between === null || cosine === null
          ? html`<span class="num">${length('q', q_length)} × ${length('k', k_length)} × no cosine</span> <span class="num">= <b>${signed(result.lengths_times_cosine)}</b></span>`
          : html`<span class="num">${length('q', q_length)} × ${length('k', k_length)} × cos ${degrees(between)}</span>
              <span class="num">= ${length('q', q_length)} × ${length('k', k_length)} × ${inBrackets(fixed(cosine, 3))}</span>
              <span class="num">= <b>${signed(result.lengths_times_cosine)}</b></span>`
      }
    </dd>
  </dl>
  <p class="hint">${shadowWords(result)}</p>`;
}

/** What the thick line under q says. */
function shadowWords(result: DotOutput): TemplateResult {
  const { cosine, k_length } = result;
  if (cosine === null) return html`${lacking(result)}: it points nowhere, so there is no angle, and every product with it is 0.`;
  const long = Math.abs(cosine * k_length);
  if (signOf(result) === 0) return html`<span class="k">k</span> casts no shadow on the line of <span class="q">q</span>: it stands at a right angle to it.`;
  return html`<svg class="dial-swatch" width="22" height="7" aria-hidden="true"><rect class="dial-shadow-fill dial-${hue(result)}" width="22" height="7"></rect></svg>
    The shadow of <span class="k">k</span> on the line of <span class="q">q</span> is <span class="num">${fixed(long, 3)}</span> long${signOf(result) < 0 ? ' and falls behind it, so the sign is minus' : ''}. Times the length of <span class="q">q</span>, it gives the score.`;
}

function inBrackets(text: string): string {
  return text.startsWith('\u2212') ? `(${text})` : text;
}
