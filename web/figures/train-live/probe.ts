// The text that is watched, a line each time its pattern comes: every word with what the model guessed would stand there.

import { html, nothing, type TemplateResult } from 'lit';
import { ordinal, share } from '../../marks/number.ts';
import { moveFocus } from '../../marks/token.ts';
import type { Probe } from '../../engine/training-types.ts';
import { readingOf, type Run } from '../training/run.ts';
import { base } from './words.ts';

const longestLine = 12;
/** Below the first word, which nothing comes before. */
const noGuess = '\u00a0';
const times = ['first time', 'second time', 'third time', 'fourth time', 'fifth time'];

/** The words that go through the model. */
export function namesOf(run: Run): string[] {
  const { plan } = run.training;
  return plan.probes[0]!.ids.slice(0, -1).map((id) => plan.words[id]!);
}

/** Words before the pattern comes round; all of them where it never does. */
export function firstRun(probe: Probe): number {
  const at = probe.known.indexOf(true);
  return at < 0 ? probe.known.length : at;
}

export function probe(options: { id: string; run: Run; row: number; pick(row: number): void }): TemplateResult {
  const { run } = options;
  const watched = run.training.plan.probes[0]!;
  const n = watched.known.length;
  const length = firstRun(watched);
  const repeated = length < n;
  const line = repeated && length <= longestLine ? length : 8;
  const starts = Array.from({ length: Math.ceil(n / line) }, (_, at) => at * line);
  const label = (start: number) => (repeated && start % length === 0 ? (times[start / length] ?? `time ${start / length + 1}`) : '');
  return html`<div class="train-text" tabindex="-1">
    <table class="train-words" aria-label="The text that is watched; below each word, what the model guessed would stand there" @keydown=${moveFocus}>
      <tbody>${starts.map(
        (start) => html`<tr>
          ${repeated ? html`<th scope="row">${label(start)}</th>` : nothing}
          ${Array.from({ length: Math.min(line, n - start) }, (_, at) => html`<td>${word(options, start + at)}</td>`)}
        </tr>`,
      )}</tbody>
    </table>
  </div>`;
}

function word({ id, run, row, pick }: { id: string; run: Run; row: number; pick(row: number): void }, at: number): TemplateResult {
  const { plan } = run.training;
  const { ids } = plan.probes[0]!;
  const asking = at === row;
  return html`<button type="button" class="token train-word ${asking ? 'token-asking' : ''}" id="${id}-word-${at}" tabindex=${asking ? 0 : -1}
      aria-pressed=${asking ? 'true' : 'false'} @click=${() => pick(at)}><span class="token-text">${plan.words[ids[at]!]}</span></button>
    ${at === 0 ? html`<span class="train-guess train-new">${noGuess}</span>` : guess(run, at)}`;
}

/** What stands at `at` was guessed from the word before it. */
function guess(run: Run, at: number): TemplateResult {
  const { plan } = run.training;
  const { ids, known } = plan.probes[0]!;
  const { guesses, guess_chances: chances } = readingOf(run).probes[0]!;
  const guessed = guesses[at - 1]!;
  const right = guessed === ids[at];
  const settled = known[at - 1]!;
  return html`<span class="train-guess ${settled ? (right ? 'train-right' : 'train-wrong') : 'train-new'}"><span class="visually-hidden">${right ? 'guessed right' : 'guessed'} </span>${
    right ? html`<span aria-hidden="true">✓</span>` : html`<span class="train-guessed">${plan.words[guessed]}</span>`
  } <span class="num">${share(chances[at - 1]!)}</span></span>`;
}

/** What the picked word leads to, in a sentence. */
export function picked(run: Run, row: number): TemplateResult {
  const { plan } = run.training;
  const { ids, known } = plan.probes[0]!;
  const { guesses, guess_chances: guessChances, chances } = readingOf(run).probes[0]!;
  const [here, next] = [plan.words[ids[row]!], plan.words[ids[row + 1]!]];
  const right = guesses[row] === ids[row + 1];
  const comes = known[row] ? html`next comes “${next}”, as it did before` : html`next comes “${next}”, which nothing before it tells`;
  const says = right
    ? html`the model says so with <b class="num">${share(chances[row]!)}</b>`
    : html`the model says “${plan.words[guesses[row]!]}” with <span class="num">${share(guessChances[row]!)}</span> and gives “${next}” <b class="num">${share(chances[row]!)}</b>`;
  return html`<p class="train-says">At “${here}”, word ${ordinal(row, base())} of the text, ${comes}; ${says}. The row of this word is framed in every grid.</p>`;
}
