// The ladder of layers, the guesses of the depth that is picked, and the question before them.

import { html, nothing, type TemplateResult } from 'lit';
import { barPicture, bars, shareBar } from '../../marks/bars.ts';
import { fixed, share } from '../../marks/number.ts';
import { tokenText } from '../../marks/token.ts';
import { piecesOf } from '../model-text.ts';
import { calledTarget, nameOf, question, sentenceCase, stretch, verdict } from './words.ts';
import { doneOf, pending, type Lens, type State } from './work.ts';

export interface PictureContext {
  id: string;
  state: State;
  lens: Lens;
  set(patch: Partial<State>): void;
}

type Named = Pick<Lens['target'], 'id' | 'pieces'>;

export function picture(context: PictureContext): TemplateResult {
  if (pending(context.state)) return asking(context);
  const { state, lens } = context;
  return html`${state.quiz ? html`<p class="lens-verdict" tabindex="-1" data-takes-focus>${verdict(state, lens)}</p>` : nothing}
    <div class="lens-parts">${ladder(context)}${depth(context)}</div>`;
}

/** A word as a chip; the target is underlined in gold wherever it stands. */
export function word(token: Named, target: Named): TemplateResult {
  return html`<span class="token lens-word ${token.id === target.id ? 'token-target' : ''}" title=${whole(nameOf(token))}>${tokenText({ pieces: piecesOf(token) })}</span>`;
}

/** A long word may be cut where there is little room; then its whole text is for who points at it. */
const whole = (name: string) => (name.length > 10 ? name : nothing);

// ------------------------------------------------------------------------------------------------------------ ladder

function ladder({ id, state, lens, set }: PictureContext): TemplateResult {
  const { depths, target } = lens;
  const now = doneOf(state, lens);
  const step = (event: KeyboardEvent) => {
    // Keys may come faster than pictures: each goes on from the row that has the focus.
    const rows = [...(event.currentTarget as Element).querySelectorAll<HTMLElement>('.lens-depth')];
    const at = rows.indexOf(event.target as HTMLElement);
    const goals: Record<string, number> = { ArrowUp: at - 1, ArrowDown: at + 1, Home: 0, End: rows.length - 1 };
    const goal = goals[event.key];
    if (at < 0 || goal === undefined || !rows[goal] || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    rows[goal].focus();
    set({ done: goal });
  };
  return html`<div class="lens-ladder" role="toolbar" aria-orientation="vertical" aria-label="Layers done" @keydown=${step}>
    <div class="lens-row lens-heads" aria-hidden="true"><span>layers done</span><span>first guess</span><span>chance of ${word(target, target)}</span></div>
    ${depths.map(
      ({ guesses, chance }, done) => html`<button type="button" class="lens-row lens-depth" id="${id}-depth-${done}" tabindex=${done === now ? 0 : -1} aria-pressed=${done === now ? 'true' : 'false'} @click=${() => set({ done })}>
        <span class="lens-count">${fixed(done, 0)}</span><span class="visually-hidden"> layers done, first guess </span>
        <span class="lens-first">${word(guesses[0]!, target)} <span class="lens-percent">${share(guesses[0]!.probability)}</span></span>
        <span class="visually-hidden">, chance of ${target.whole === '' ? nameOf(target) : calledTarget(lens)} </span>
        <span class="lens-chance">${barPicture(shareBar({ label: '', share: chance }))}<span class="lens-percent">${share(chance)}</span></span>
      </button>`,
    )}
  </div>`;
}

// ------------------------------------------------------------------------------------------------------------- depth

function depth({ id, state, lens }: PictureContext): TemplateResult {
  const { depths, target } = lens;
  const done = doneOf(state, lens);
  const { guesses, chance, rank } = depths[done]!;
  const row = (token: Named, probability: number) => shareBar({ label: word(token, target), share: probability });
  return html`<section class="lens-now" aria-labelledby="${id}-now">
    <p class="lens-now-title" id="${id}-now">${sentenceCase(stretch(done, depths.length - 1))}, the likeliest next tokens</p>
    ${bars({ label: 'Likeliest next tokens', rows: guesses.map((guess) => row(guess, guess.probability)) })}
    ${rank !== null && rank < guesses.length ? nothing : html`<p class="hint">${rank === null ? 'And, not among these:' : `And in place ${fixed(rank + 1, 0)}:`}</p>${bars({ label: 'The target', rows: [row(target, chance)] })}`}
    ${target.note === '' ? nothing : html`<p class="hint">${target.note}</p>`}
  </section>`;
}

// -------------------------------------------------------------------------------------------------------------- quiz

function asking({ id, lens, set }: PictureContext): TemplateResult {
  const layers = lens.depths.length - 1;
  return html`<div class="lens-quiz" role="group" aria-labelledby="${id}-question">
    <p class="lens-question" id="${id}-question" tabindex="-1" data-takes-focus>${question(lens)}</p>
    <p class="lens-answers">
      ${lens.depths.map((_, done) => html`<button type="button" class="step-button" @click=${() => set({ guess: done, done })}>${done === 0 ? 'before any' : fixed(done, 0)}</button>`)}
      <button type="button" class="step-button" @click=${() => set({ guess: layers + 1, done: layers })}>never</button>
    </p>
  </div>`;
}
