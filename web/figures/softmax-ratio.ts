// Two scores that lie Δ apart get shares in the ratio e^Δ, whatever else their row holds. Every number is the core's; this
// file only places them.

import { html, nothing, svg, type TemplateResult } from 'lit';
import type { RatioOutput } from '../engine/lessons-scores.ts';
import type { Engine } from '../engine/types.ts';
import { fixed, plain, score, share } from '../marks/number.ts';
import { slider } from '../marks/slider.ts';
import { number, numbers, type StateOf } from '../state/schema.ts';
import { defineFigure, type ViewContext } from './definition.ts';
import { stepField } from './dial-field.ts';

const bounds = { min: -10, max: 10, step: 0.01 };
const oneScore = number({ ...bounds, initial: 0 });
const most = 6;
const stride = 0.1;

export const schema = {
  /** The scores of the two. */
  first: number({ ...bounds, initial: 4.25 }),
  second: number({ ...bounds, initial: 3.23 }),
  /** Those of the rest of the row. */
  others: numbers({ ...bounds, most, initial: [4.24] }),
};

export type State = StateOf<typeof schema>;
type View = ViewContext<State, RatioOutput>;

export const figure = defineFigure({
  name: 'softmax-ratio',
  schema,
  compute: (engine: Engine, { first, second, others }: State, signal: AbortSignal): Promise<RatioOutput> =>
    engine.lesson('ratio', { first, second, others: [...others] }, { signal }),

  title({ others }: State, { lead, e_lead: times, shares }: RatioOutput) {
    const both = `${share(shares[0]!)} and ${share(shares[1]!)}`;
    const among = others.length === 0 ? 'alone in their row' : others.length === 1 ? 'beside one other token' : `beside ${others.length} others`;
    if (lead === 0) return `Level scores, equal shares: ${both}, ${among}`;
    return `A lead of ${score(lead)} is a ratio of ${ratioText(times)}: ${both}, ${among}`;
  },

  describe(state: State, { lead, e_lead: times, shares, rest, measured }: RatioOutput) {
    const ratio = measured === null ? '' : ` The first share is ${plain(measured)} times the second.`;
    return `The first token scores ${score(state.first)} and gets ${share(shares[0]!)}; the second scores ${score(state.second)} and gets ${share(shares[1]!)}. ${state.others.length === 0 ? 'There are no others.' : `The others get ${share(rest)} together.`} The first is ${score(lead)} ahead, and e to the ${score(lead)} is ${ratioText(times)}.${ratio}`;
  },

  table(state: State, { shares }: RatioOutput) {
    return {
      caption: 'Scores of the row and their shares',
      columns: ['token', { label: 'score', as: 'score' as const }, { label: 'share', as: 'number' as const }],
      rows: [state.first, state.second, ...state.others].map((value, at) => [nameOf(at), value, shares[at]!]),
    };
  },

  view(context: View) {
    const { id, state, result, set } = context;
    const field = (key: 'first' | 'second') =>
      slider({ id: `${id}-${key}`, label: html`score of the ${key} token`, field: schema[key], value: state[key], set: (value) => set({ [key]: value }), spoken: score(state[key]), stride });
    return html`<div class="ratio">
      <div class="ratio-fields"><div class="sliders">${field('first')} ${field('second')}</div> ${rest(context)}</div>
      ${whole(result)}
      ${two(result)}
      <p class="ratio-says">${says(state, result)}</p>
    </div>`;
  },
});

function nameOf(at: number): string {
  return ['first', 'second'][at] ?? `other ${at - 1}`;
}

function ratioText(times: number | null): string {
  return times === null ? 'more than a float holds' : plain(Number(times.toPrecision(3)));
}

// -------------------------------------------------------------------------------------------------------------- fields

function rest({ id, state, set, wanted }: View): TemplateResult {
  const { others } = state;
  const change = (at: number, value: number) => set({ others: (wanted?.().others ?? others).map((old, place) => (place === at ? value : old)) });
  return html`<div class="ratio-others" role="group" aria-labelledby="${id}-others">
    <span class="slider-label" id="${id}-others">scores of the others</span>
    ${others.map(
      (value, at) => html`<span class="ratio-other">${stepField({ id: `${id}-other-${at}`, label: `score of ${nameOf(at + 2)}`, field: oneScore, value, wanted: wanted && (() => wanted().others[at] ?? value), set: (next) => change(at, next), stride })}
        <button type="button" class="dial-remove needs-script" data-control="remove" data-page-only aria-label="Remove ${nameOf(at + 2)}" @click=${() => set({ others: others.filter((_, place) => place !== at) })}>×</button></span>`,
    )}
    ${others.length === 0 ? html`<span class="hint">none</span>` : nothing}
    <span class="dial-deeds needs-script" data-page-only>
      <button type="button" class="dial-do" ?disabled=${others.length >= most} @click=${() => set({ others: [...others, 3] })}>add a token</button>
      <button type="button" class="dial-do" ?disabled=${others.length === 0} @click=${() => set({ others: [] })}>remove all others</button>
    </span>
  </div>`;
}

// ---------------------------------------------------------------------------------------------------------------- bars

/** The whole row as one bar. */
function whole({ shares, rest: others }: RatioOutput): TemplateResult {
  return html`<div class="ratio-bar">
    <p class="label">the whole row: <span class="num">100 %</span></p>
    ${parts([
      { className: 'ratio-first', part: shares[0]!, words: `first ${share(shares[0]!)}` },
      { className: 'ratio-second', part: shares[1]!, words: `second ${share(shares[1]!)}` },
      ...(shares.length > 2 ? [{ className: 'ratio-rest', part: others, words: `others ${share(others)}` }] : []),
    ])}
  </div>`;
}

/** What the two have together, drawn as a whole: this bar depends on their lead alone. */
function two({ of_two: [first, second] }: RatioOutput): TemplateResult {
  return html`<div class="ratio-bar">
    <p class="label">how the two divide what is theirs</p>
    ${parts([
      { className: 'ratio-first', part: first, words: `first ${share(first)}` },
      { className: 'ratio-second', part: second, words: `second ${share(second)}` },
    ])}
  </div>`;
}

interface Part {
  className: string;
  part: number;
  words: string;
}

function parts(all: readonly Part[]): TemplateResult {
  const percent = (value: number) => `${Math.round(value * 10000) / 100}%`;
  let from = 0;
  return html`<svg class="ratio-parts" width="100%" height="30" aria-hidden="true">
      ${all.map(({ className, part }) => {
        const at = from;
        from += part;
        return svg`<rect class=${className} x=${percent(at)} width=${percent(part)} height="30"></rect>`;
      })}
    </svg>
    <p class="ratio-names">${all.map(({ className, words }) => html`<span><svg width="14" height="14" aria-hidden="true"><rect class=${className} width="14" height="14"></rect></svg> <span class="num">${words}</span></span>`)}</p>`;
}

// --------------------------------------------------------------------------------------------------------------- words

function says(state: State, { lead, e_lead: times, measured }: RatioOutput): TemplateResult {
  const power = html`<span class="num">e<sup>${score(lead)}</sup></span>`;
  if (measured === null) return html`The lead is <span class="num">${score(lead)}</span>. One of the shares is too small for the machine’s floats.`;
  return html`The lead is <span class="num">${score(state.first)} − ${state.second < 0 ? `(${score(state.second)})` : score(state.second)} = ${score(lead)}</span>, and ${power} = <b class="num">${ratioText(times)}</b>. Divide the two shares of the row: <b class="num">${fixed(Number(measured.toPrecision(3)), measured < 10 ? 2 : measured < 100 ? 1 : 0)}</b>.`;
}
