// The buttons that make a text go on, above it so that they stay where they are while it grows; the text with what was added;
// one step's alternatives with their chances.

import { html, nothing, svg, type TemplateResult } from 'lit';
import type { ModelInfo } from '../../engine/types.ts';
import { counted } from '../../marks/model-label.ts';
import { fixed, share } from '../../marks/number.ts';
import '../../marks/play-button.ts';
import { tokenName, tokenStrip, tokenText, type TokenView } from '../../marks/token.ts';
import { piecesOf, tokenViews } from '../model-text.ts';
import { endOf, headingOf, othersOf, outOf } from './words.ts';
import { handsOf, openStep, room, type Choice, type Choices, type Continuation, type State } from './work.ts';

export interface PictureContext {
  id: string;
  state: State;
  base: 0 | 1;
  model: ModelInfo;
  seen: Continuation;
  /** How the next token is drawn. */
  settings: TemplateResult;
  set(patch: Partial<State>): void;
}

/** How long a token stays alone at the end while it plays, in milliseconds. */
const pace = 240;

export function picture(context: PictureContext): TemplateResult {
  const { seen, settings } = context;
  return html`<div class="next-parts">
    <div class="next-written">${buttons(context)} ${written(context)}
      ${seen.going ? html`<p class="hint">${counted(seen.steps.length, 'token')} so far; more are on their way.</p>` : nothing}
      ${seen.trouble === '' ? nothing : html`<p class="figure-error" role="alert">${seen.trouble}</p>`}
      ${seen.full ? html`<p class="next-end">${endOf(context)}</p>` : nothing}
    </div>
    ${alternatives(context)} ${settings}
  </div>`;
}

// --------------------------------------------------------------------------------------------------------------- text

function written({ id, state, base, seen, set }: PictureContext): TemplateResult {
  const { given, steps, next } = seen;
  const open = openStep(state, seen);
  const lastWord = given.at(-1)?.word ?? 0;
  const tokens: TokenView[] = [
    ...tokenViews(given).map((token) => ({ ...token, disabled: true })),
    ...steps.map(({ token, byHand }, at) => ({
      pieces: piecesOf(token),
      word: lastWord + 1 + at,
      extra: byHand ? 'next-token next-hand' : 'next-token',
      below: html`<span class="visually-hidden">${byHand ? ', taken by hand' : ', drawn'}, chance </span>${share(token.chance)}`,
    })),
    ...(next ? [{ pieces: [{ kind: 'text' as const, shown: '?' }], word: lastWord + 1 + steps.length, extra: 'next-open' }] : []),
  ];
  return html`<div class="next-tokens"><div>${tokenStrip({
    id,
    label: 'The text, and what was added; pick a new token to see its alternatives',
    base,
    tokens,
    asking: given.length + (open ?? steps.length),
    onPick: (place) => set({ at: place - given.length < steps.length ? place - given.length : -1 }),
  })}</div></div>`;
}

function buttons({ state, model, seen, set }: PictureContext): TemplateResult {
  const { steps, full } = seen;
  const go = (drawn: number) => set({ drawn, at: -1, taken: keptBefore(state, drawn) });
  const button = (name: string, off: boolean, act: () => void) => html`<button type="button" class="step-button" ?disabled=${off} @click=${act}>${name}</button>`;
  return html`<div class="next-buttons needs-script" data-page-only>
    ${button('Step', full || seen.going, () => go(steps.length + 1))}
    ${seen.going
      ? button('Stop', false, () => go(steps.length))
      : html`<play-button .at=${steps.length} .count=${room(seen, model) + 1} .stay=${pace} .go=${go}></play-button>`}
    ${button('Back', steps.length === 0, () => go(steps.length - 1))}
    ${button('Restart', steps.length === 0, () => go(0))}
    <span class="next-count">${counted(steps.length, 'new token')}</span>
  </div>`;
}

/** What was taken by hand for the steps before one. */
function keptBefore(state: State, step: number): string[] {
  return [...handsOf(state)].filter(([at]) => at < step).map(([at, token]) => `${at}.${token}`);
}

// ------------------------------------------------------------------------------------------------------- alternatives

function alternatives(context: PictureContext): TemplateResult | typeof nothing {
  const { id, state, seen, model } = context;
  const at = openStep(state, seen);
  const step = at === null ? null : seen.steps[at]!;
  const choices = step?.choices ?? seen.next;
  if (!choices) return nothing;
  const listed = step === null || choices.likeliest.some(({ id: token }) => token === step.token.id);
  const others = othersOf(choices);
  return html`<section class="next-choices" aria-labelledby="${id}-choices">
    <p class="next-title" id="${id}-choices">${headingOf(at, context.base, seen)}</p>
    <div class="next-row next-heads" aria-hidden="true"><span>token</span><span><span class="next-key next-key-own"></span>the model’s chance <span class="next-key"></span>in this draw</span></div>
    <div role="toolbar" aria-orientation="vertical" aria-label="Tokens that may come; take one" @keydown=${moveUpDown}>
      ${choices.likeliest.map((choice, place) => row(context, choices, choice, place))}
    </div>
    ${listed ? nothing : html`<div class="next-row next-still">${cells(step.token, 'drawn')}</div>`}
    <div class="next-row next-still">
      <span class="next-others">${counted(model.config.d_vocab - choices.likeliest.length, 'other')}, together</span>
      ${chances(others.own, others.chance)}
    </div>
    ${at === null ? html`<p class="hint needs-script" data-page-only>Step draws one. Or take one yourself.</p>` : html`<p class="hint needs-script" data-page-only>Take another, and the text goes on from there.</p>`}
  </section>`;
}

function row(context: PictureContext, { drawn }: Choices, choice: Choice, place: number): TemplateResult {
  const { id, state, seen, set } = context;
  const at = openStep(state, seen);
  const step = at === null ? null : seen.steps[at]!;
  const taken = step?.token.id === choice.id;
  const here = at ?? seen.steps.length;
  const entry = step === null || !step.choices.likeliest.some((one) => one.id === step.token.id) ? place === 0 : taken;
  const take = () => {
    if (taken) return;
    set({ drawn: here + 1, at: -1, taken: [...keptBefore(state, here), ...(choice.id === drawn.id ? [] : [`${here}.${choice.id}`])] });
  };
  return html`<button type="button" class="next-row next-choice" id="${id}-choice-${place}" tabindex=${entry ? 0 : -1} aria-pressed=${taken ? 'true' : 'false'} @click=${take}>
    ${cells(choice, taken ? (step!.byHand ? 'by hand' : 'drawn') : '')}
  </button>`;
}

function cells(choice: Choice, mark: string): TemplateResult {
  const token = { pieces: piecesOf(choice) };
  // A long one may be cut; then its whole text is for who points at it.
  const name = tokenName(token);
  return html`<span class="next-word"><span class="token ${mark === '' ? '' : 'next-token'}" title=${name.length > 10 ? name : nothing}>${tokenText(token)}</span> <span class="next-mark">${mark}</span></span> ${chances(choice.own, choice.chance)}`;
}

/** Two bars and their numbers: what the model says, and what the draw made of it. */
function chances(own: number | null, chance: number): TemplateResult {
  const width = (value: number) => `${fixed(Math.min(Math.max(value, 0), 1) * 100, 2)}%`;
  return html`<svg class="bar next-bar" width="100%" height="16" aria-hidden="true">
      <rect class="bar-room" width="100%" height="16" rx="2"></rect>
      ${own === null ? nothing : svg`<rect class="next-own" width=${width(own)} height="5" rx="1"></rect>`}
      ${svg`<rect class="bar-share" y="6" width=${width(chance)} height="10" rx="2"></rect>`}
    </svg>
    <span class="next-percent next-percent-own"><span class="visually-hidden">, the model’s chance </span>${own === null ? '–' : share(own)}</span>
    <span class="next-percent"><span class="visually-hidden">, in this draw </span>${outOf(chance)}</span>`;
}

function moveUpDown(event: KeyboardEvent): void {
  const list = [...(event.currentTarget as Element).querySelectorAll<HTMLButtonElement>('button')];
  const now = list.indexOf(event.target as HTMLButtonElement);
  const goals: Record<string, number> = { ArrowUp: now - 1, ArrowDown: now + 1, Home: 0, End: list.length - 1 };
  const goal = list[goals[event.key] ?? -1];
  if (!goal || event.altKey || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  for (const button of list) button.tabIndex = button === goal ? 0 : -1;
  goal.focus();
}
