// Scores become shares of one whole. A few tokens with a score each, a stretch that multiplies all scores, and the
// shares that softmax makes of them. Every number is the core's; this file only places them.

import { html, nothing, svg, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import type { Engine } from '../engine/types.ts';
import type { SoftmaxOutput } from '../engine/lessons.ts';
import { barPicture, scoreBar, shareBar } from '../marks/bars.ts';
import { plain, score, share } from '../marks/number.ts';
import { phraseField } from '../marks/phrase-field.ts';
import { slider } from '../marks/slider.ts';
import { flag, integer, number, numbers, texts, type StateOf } from '../state/schema.ts';
import { defineFigure, type ViewContext } from './definition.ts';
import { stepField } from './dial-field.ts';

const fewest = 2;
const most = 8;
const nameLength = 24;
/** What a drag or one press of a button changes; a typed score may be finer. */
const stride = 0.1;

/** One score: its bounds for fields and drags. */
const oneScore = number({ min: -10, max: 10, step: 0.01, initial: 0 });

const sentence = ['Cats', 'hunt', 'mice', 'all', 'day', '.', 'At', 'night'];

/** Ends of the scale of the stretched scores, for scores of both signs; without negative ones it begins at 0. */
const extents = [10, 20, 50, 100, 200, 300];

const schema = {
  scores: numbers({ min: oneScore.min, max: oneScore.max, step: oneScore.step, least: fewest, most, initial: [1, 0.6, 0.3, 0.1, 0] }),
  /** Names of the tokens, also of those that are not there now. */
  names: texts({ length: nameLength, most, initial: sentence }),
  stretch: number({ min: 0, max: 30, step: 0.1, initial: 1 }),
  /** Whether the powers of e show. */
  powers: flag(false),
  /** The scale that a drag holds still: 2 · place in extents + 1, one more with negative scores; 0: the one that fits. */
  scale: integer({ min: 0, max: 2 * extents.length, initial: 0 }),
};

type State = StateOf<typeof schema>;
type View = ViewContext<State, SoftmaxOutput>;

export const figure = defineFigure({
  name: 'softmax-dial',
  schema,
  viewOnly: ['names', 'powers', 'scale'],
  together: { scores: ['names'] },
  compute: (engine: Engine, { scores, stretch }: State, signal: AbortSignal): Promise<SoftmaxOutput> => engine.lesson('softmax', { scores: [...scores], stretch }, { signal }),

  title(state: State, result: SoftmaxOutput) {
    const { top_two: top, shares, stretch } = result;
    const how = stretch === 1 ? '' : `Stretched ${plain(stretch)}-fold, `;
    if (stretch === 0) return 'Stretched 0-fold, all scores are equal, and so are the shares';
    if (allEqual(result)) return sentenceCase(`${how}equal scores get equal shares`);
    const first = top?.first ?? 0;
    const rest = shares.reduce((sum, part, at) => (at === first ? sum : sum + part), 0);
    const others = shares.length === 2 ? 'the other' : `the other ${words[shares.length - 1]}`;
    return `${how}“${nameOf(state, first)}” gets ${share(shares[first]!)}, ${others} ${share(rest)}`;
  },

  describe(state: State, result: SoftmaxOutput) {
    const { scores, shares, stretch } = result;
    const list = scores.map((value, at) => `${nameOf(state, at)} scores ${score(value)} and gets ${share(shares[at]!)}`).join('; ');
    return `${stretch === 1 ? '' : `Every score is multiplied by ${plain(stretch)}. `}${list}. Together 100 percent. ${ratioWords(state, result)}`;
  },

  table(state: State, result: SoftmaxOutput) {
    return {
      caption: `Scores and shares; the powers add up to ${plain(result.sum)}`,
      columns: ['token', { label: 'score', as: 'score' as const }, { label: `score × ${plain(result.stretch)}`, as: 'score' as const }, `e^(stretched score − ${score(result.maximum)})`, { label: 'share', as: 'number' as const }],
      rows: result.scores.map((value, at) => [nameOf(state, at), value, result.stretched[at]!, result.exps[at]!, result.shares[at]!]),
    };
  },

  view(context: View) {
    const { id, state, result, set } = context;
    return html`<div class="dial-softmax">
      <p class="hint">${question(state)}</p>
      ${list(context)}
      <p class="dial-ratio">${ratio(state, result)}</p>
      ${smallest(state, result)}
      <div class="figure-controls">
        ${slider({
          id: `${id}-stretch`,
          label: html`size of <span class="q">q</span> and <span class="k">k</span>: scores ×`,
          field: schema.stretch,
          value: state.stretch,
          set: (stretch) => set({ stretch }),
          spoken: `scores times ${plain(state.stretch)}`,
          stride: 1,
        })}
        <span class="dial-deeds needs-script">
          <button type="button" class="dial-do" ?disabled=${state.scores.length >= most} @click=${() => set({ scores: [...state.scores, 0] })}>add a token</button>
          <button type="button" class="dial-do" data-control="powers" aria-expanded=${state.powers ? 'true' : 'false'} @click=${() => set({ powers: !state.powers })}>${state.powers ? 'hide the powers of e' : 'show the powers of e'}</button>
        </span>
      </div>
    </div>`;
  },
});

const words = ['none', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight'];

// -------------------------------------------------------------------------------------------------------------- names

function namesOf(state: State): string[] {
  return sentence.map((name, at) => state.names[at] ?? name);
}

function nameOf(state: State, at: number): string {
  return namesOf(state)[at]?.trim() || 'unnamed';
}

/** A removed token's name goes to the end, where adding finds it again. */
export function without(state: State, at: number): Partial<State> {
  const names = namesOf(state);
  return { scores: state.scores.filter((_, place) => place !== at), names: [...names.filter((_, place) => place !== at), names[at]!] };
}

function question(state: State): TemplateResult {
  if (namesOf(state).join() !== sentence.join()) return html`The score says how well a token fits the query.`;
  return html`“Cats hunt mice all day. At night <span class="q">they</span> …” The score says how well a token fits the query of “they”.`;
}

// -------------------------------------------------------------------------------------------------------------- scale

interface Scale {
  code: number;
  low: number;
  high: number;
}

function scaleOf(state: State, { stretched }: SoftmaxOutput): Scale {
  if (state.scale > 0) return scaleCalled(state.scale);
  const size = Math.max(...stretched.map(Math.abs));
  const fitting = extents.findIndex((extent) => size <= extent * 1.0001);
  return scaleCalled(2 * (fitting < 0 ? extents.length - 1 : fitting) + (stretched.some((value) => value < 0) ? 2 : 1));
}

function scaleCalled(code: number): Scale {
  const high = extents[(code - 1) >> 1]!;
  return { code, low: code % 2 === 0 ? -high : 0, high };
}

// --------------------------------------------------------------------------------------------------------------- list

function list(context: View): TemplateResult {
  const { state, result } = context;
  const scale = scaleOf(state, result);
  return html`<div class="dial-list">
    <div class="dial-heads" aria-hidden="true">
      <span>token</span>
      <span>score</span>
      <span class="dial-head-scale"><span>${scale.low < 0 ? plain(scale.low) : '0'}</span><span>score × ${plain(result.stretch)}</span><span>${plain(scale.high)}</span></span>
      <span></span>
      <span class="dial-head-scale"><span>0</span><span>share</span><span>100 %</span></span>
    </div>
    <ol class="dial-rows" aria-label="Tokens with their scores and shares">
      ${result.scores.map((_, at) => row(context, at, scale))}
    </ol>
    <div class="dial-sum">
      <span class="dial-sum-words">${state.powers ? html`<span>powers added up: <span class="num">${plain(result.sum)}</span></span>` : nothing}<span>shares added up</span></span>
      <span class="dial-percent">${share(result.shares.reduce((sum, part) => sum + part, 0))}</span>
    </div>
    ${state.powers ? html`<p class="hint">The largest stretched score, ${score(result.maximum)}, is taken off every score first. No share changes by that, and no power grows too large.</p>` : nothing}
  </div>`;
}

function row(context: View, at: number, scale: Scale): TemplateResult {
  const { id, state, result, set, wanted } = context;
  const name = nameOf(state, at);
  const value = state.scores[at]!;
  // Keys may come faster than pictures: each goes on from where the one before has led.
  const scores = () => wanted?.().scores ?? state.scores;
  const now = () => scores()[at] ?? value;
  const change = (next: number) => set({ scores: scores().map((old, place) => (place === at ? next : old)) });
  return html`<li class="dial-row ${at === result.top_two?.first && !allEqual(result) ? 'dial-first' : ''}">
    <span class="dial-name">${phraseField({
      id: `${id}-name-${at}`,
      meaning: 'plain',
      label: `Name of token ${name}`,
      text: namesOf(state)[at]!,
      most: nameLength,
      placeholder: 'unnamed',
      set: (text) => set({ names: namesOf(state).map((old, place) => (place === at ? text : old)) }),
    })}</span>
    <span class="dial-score">${stepField({ id: `${id}-score-${at}`, label: `score of ${name}`, field: oneScore, value, wanted: now, set: change, stride })}</span>
    ${dragged(context, at, scale, now, change)}
    <span class="dial-stretched">${score(result.stretched[at]!)}</span>
    <span class="dial-share">${barPicture(shareBar({ label: '', share: result.shares[at]! }))}</span>
    <span class="dial-percent">${share(result.shares[at]!)}</span>
    <button type="button" class="dial-remove needs-script" data-control="remove" data-page-only aria-label="Remove ${name}" ?disabled=${state.scores.length <= fewest} @click=${() => set(without(state, at))}>×</button>
    ${state.powers ? power(result, at) : nothing}
  </li>`;
}

/** The bar of the stretched score under a handle. The scale holds still while the handle is held. */
function dragged({ id, state, result, set }: View, at: number, { code, low, high }: Scale, now: () => number, change: (value: number) => void): TemplateResult {
  const name = nameOf(state, at);
  const value = state.scores[at]!;
  const stretch = state.stretch;
  const bar = scoreBar({ label: '', score: result.stretched[at]!, extent: high, negative: low < 0 });
  const near = (wanted: number) => oneScore.clamp(Math.round(wanted / stride) * stride);
  const hold = () => {
    const done = new AbortController();
    const release = () => {
      done.abort();
      set({ scale: 0 });
    };
    for (const end of ['pointerup', 'pointercancel']) addEventListener(end, release, { signal: done.signal });
    set({ scale: code });
  };
  const key = (event: KeyboardEvent) => {
    const steps: Record<string, number> = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageDown: -10, PageUp: 10 };
    const by = steps[event.key];
    if (by === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    change(oneScore.clamp(now() + by * stride));
  };
  return html`<span class="dial-drag">
    <svg class="bar" width="100%" height="10" aria-hidden="true">
      <rect class="bar-room" width="100%" height="10" rx="2"></rect>
      ${svg`<rect class=${bar.className} x="${bar.start * 100}%" width="${bar.length * 100}%" height="10" rx="2"></rect>`}
      ${low < 0 ? svg`<line class="dial-zero" x1="50%" x2="50%" y2="10"></line>` : nothing}
    </svg>
    <input
      class="dial-handle"
      data-control="score"
      data-page-only
      type="range"
      id="${id}-drag-${at}"
      aria-label="Score of ${name}"
      aria-valuetext="${score(value)}, times ${plain(stretch)} is ${score(result.stretched[at]!)}"
      min=${low / (stretch || 1)}
      max=${high / (stretch || 1)}
      step="any"
      ?disabled=${stretch === 0}
      .value=${live(String(stretch === 0 ? 0 : value))}
      @pointerdown=${hold}
      @keydown=${key}
      @input=${(event: Event) => change(near(Number((event.target as HTMLInputElement).value)))}
    />
  </span>`;
}

function power({ stretched, maximum, exps, sum, shares }: SoftmaxOutput, at: number): TemplateResult {
  return html`<span class="dial-power">
    <span class="num">e<sup>${score(stretched[at]!)} − ${inBrackets(score(maximum))}</sup> = ${plain(exps[at]!)},</span>
    <span class="num">${plain(exps[at]!)} ÷ ${plain(sum)} = ${plain(shares[at]!)}</span>
  </span>`;
}

// -------------------------------------------------------------------------------------------------------------- words

function allEqual({ stretched }: SoftmaxOutput): boolean {
  return stretched.every((value) => value === stretched[0]);
}

function ratio(state: State, { top_two: top }: SoftmaxOutput): TemplateResult | typeof nothing {
  if (top === null) return nothing;
  const [first, second] = [nameOf(state, top.first), nameOf(state, top.second)];
  const power = html`<span class="num">e<sup>${score(top.difference)}</sup></span>`;
  if (top.difference === 0) return html`“${first}” and “${second}” are level: ${power} = 1, equal shares.`;
  return html`“${first}” is <span class="num">${score(top.difference)}</span> ahead of “${second}”, so its share is ${power}${
    top.ratio === null ? html` times as large, a number beyond what the machine’s floats hold.` : html` = <b class="num">${plain(top.ratio)}</b> times as large.`
  }`;
}

/** The same for a screen reader. */
function ratioWords(state: State, { top_two: top }: SoftmaxOutput): string {
  if (top === null) return '';
  const [first, second] = [nameOf(state, top.first), nameOf(state, top.second)];
  if (top.difference === 0) return `${first} and ${second} are level.`;
  const times = top.ratio === null ? 'more times than a float can hold' : `${plain(top.ratio)} times`;
  return `${first} is ${score(top.difference)} ahead of ${second}, so its share is e to the ${score(top.difference)}, ${times} as large.`;
}

/** Softmax gives everyone something: said where rounding hides it. */
function smallest(state: State, { shares }: SoftmaxOutput): TemplateResult | typeof nothing {
  const least = shares.indexOf(Math.min(...shares));
  if (shares[least]! >= 0.0005) return nothing;
  const name = nameOf(state, least);
  if (shares[least] === 0) return html`<p class="hint">Even “${name}” has a share, but one too small for the machine’s floats, which make it 0.</p>`;
  return html`<p class="hint">Even “${name}” has a share: <span class="num">${plain(Number((shares[least]! * 100).toPrecision(2)))} %</span>.</p>`;
}

function sentenceCase(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function inBrackets(text: string): string {
  return text.startsWith('\u2212') ? `(${text})` : text;
}
