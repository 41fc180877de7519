// A match worked out: the features that both phrases have, times each other, added up.

import { html, nothing, type TemplateResult } from 'lit';
import type { Match, Phrase } from '../../engine/lessons.ts';
import { score } from '../../marks/number.ts';

export function workings({ features, query, match }: { features: readonly string[]; query: Phrase; match: Match }): TemplateResult {
  const shown = features.map((_, at) => at).filter((at) => query.vector[at]! > 0 || match.key.vector[at]! > 0);
  return html`<div class="need-workings">
    <table class="feature-table">
      <thead><tr><th scope="col">feature</th><th scope="col" class="mark-query">asked for</th><td></td><th scope="col" class="mark-key">is about</th><td></td><th scope="col">product</th></tr></thead>
      <tbody>
        ${shown.map((at) => html`<tr class=${match.products[at]! > 0 ? 'feature-shared' : 'feature-alone'}>
          <th scope="row">${features[at]}</th><td class="mark-query">${score(query.vector[at]!)}</td><td>×</td><td class="mark-key">${score(match.key.vector[at]!)}</td><td>=</td><td>${score(match.products[at]!)}</td>
        </tr>`)}
      </tbody>
      <tfoot><tr><th scope="row" colspan="5">added up: the match</th><td>${score(match.score)}</td></tr></tfoot>
    </table>
    ${match.shared_words.length > 0 ? html`<p class="match-origin">Both say ${match.shared_words.map((word) => `“${word}”`).join(', ')}.</p>` : nothing}
    <p class="match-origin">Every word stands for a few features; those of a phrase are added up and scaled to length 1.</p>
  </div>`;
}
