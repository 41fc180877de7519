// A query held against keys: one row a key, with its match score and the value it would give back. A row opens to the
// arithmetic: the features behind both phrases, their products, and the sum that is the score.

import { html, nothing, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import type { Match, Phrase } from '../engine/lessons.ts';
import { barPicture } from './bars.ts';
import { plain, score } from './number.ts';
import { numberField } from './number-field.ts';
import { phraseField } from './phrase-field.ts';

export interface MatchRow {
  /** Stands for the row across orders; unique in its list. */
  index: number;
  /** Who holds the key, such as a token; left out when the key speaks for itself. */
  holder?: TemplateResult;
  /** The holder or key as a screen reader names the row. */
  name: string;
  match: Match;
  value: string;
  setKey(phrase: string): void;
  setValue(text: string): void;
  setKeyWeights(weights: number[]): void;
}

export interface MatchListOptions {
  id: string;
  label: string;
  features: readonly string[];
  query: Phrase;
  setQueryWeights(weights: number[]): void;
  rows: readonly MatchRow[];
  /** The row whose value comes back. */
  best: number | null;
  /** The row that shows its arithmetic. */
  open: number | null;
  setOpen(index: number | null): void;
  /** Whether the features are fields to change. */
  tune: boolean;
  setTune(tune: boolean): void;
  /** Most characters of a key and of a value. */
  keyLength: number;
  valueLength: number;
}

export function matchList(options: MatchListOptions): TemplateResult {
  const { id, rows, label } = options;
  const held = rows.some((row) => row.holder !== undefined);
  return html`<div class="matches ${held ? 'matches-held' : ''}">
    <div class="match-heads" aria-hidden="true">
      ${held ? html`<span>token</span>` : nothing}<span class="mark-key">key</span><span>match</span><span class="mark-value">value</span>
    </div>
    <ol class="match-rows" aria-label=${label}>
      ${repeat(rows, (row) => row.index, (row) => matchRow(options, row))}
    </ol>
    ${rows.length === 0 ? html`<p class="match-none" id="${id}-none">There is nothing to look at.</p>` : nothing}
  </div>`;
}

function matchRow(options: MatchListOptions, row: MatchRow): TemplateResult {
  const { id, best, open, setOpen, keyLength, valueLength } = options;
  const { index, name, match } = row;
  const opened = open === index;
  const panel = `${id}-why-${index}`;
  return html`<li class="match-row ${index === best ? 'match-best' : ''}" data-move="${id}-row-${index}">
    ${row.holder === undefined ? nothing : html`<span class="match-holder">${row.holder}</span>`}
    <span class="match-key">${phraseField({ id: `${id}-key-${index}`, meaning: 'key', label: `Key of ${name}`, text: match.key.phrase, most: keyLength, set: row.setKey })}</span>
    <button type="button" class="match-score" aria-expanded=${opened ? 'true' : 'false'} aria-controls=${panel}
      @click=${() => setOpen(opened ? null : index)}>
      ${barPicture({ length: match.score, start: 0, className: 'bar-score', opacity: 1 })}
      <span class="match-number">${score(match.score)}</span>
      <span class="match-why" data-page-only>${opened ? 'close' : 'why'}</span><span class="visually-hidden">, match of ${name}</span>
    </button>
    <span class="match-value">${phraseField({ id: `${id}-value-${index}`, meaning: 'value', label: `Value of ${name}`, text: row.value, most: valueLength, set: row.setValue })}</span>
    ${opened ? arithmetic(options, row, panel) : nothing}
  </li>`;
}

// -------------------------------------------------------------------------------------------------------- arithmetic

function arithmetic(options: MatchListOptions, row: MatchRow, panel: string): TemplateResult {
  const { features, query, tune, setTune, setQueryWeights } = options;
  const { match } = row;
  const shown = features.map((_, at) => at).filter((at) => tune || query.sum[at] !== 0 || match.key.sum[at] !== 0);
  return html`<div class="match-arithmetic" id=${panel}>
    <table class="feature-table ${tune ? 'feature-tuned' : ''}">
      <thead>
        <tr>
          <th scope="col">feature</th>
          <th scope="col" class="mark-query">query</th>
          <th aria-hidden="true"></th>
          <th scope="col" class="mark-key">key</th>
          <th aria-hidden="true"></th>
          <th scope="col">product</th>
          <td class="feature-bar"></td>
        </tr>
      </thead>
      <tbody>
        ${shown.length === 0 ? html`<tr><td colspan="7">Neither phrase has a word with a feature.</td></tr>` : nothing}
        ${shown.map(
          (at) => html`<tr class=${match.products[at]! > 0 ? 'feature-shared' : 'feature-alone'}>
            <th scope="row">${features[at]}</th>
            <td class="mark-query">${tune ? weightField(`Query, ${features[at]}`, query.sum, at, setQueryWeights) : score(query.vector[at]!)}</td>
            <td>×</td>
            <td class="mark-key">${tune ? weightField(`Key, ${features[at]}`, match.key.sum, at, row.setKeyWeights) : score(match.key.vector[at]!)}</td>
            <td>=</td>
            <td class="feature-product">${score(match.products[at]!)}</td>
            <td class="feature-bar">${barPicture({ length: match.products[at]!, start: 0, className: 'bar-score', opacity: 1 })}</td>
          </tr>`,
        )}
      </tbody>
      <tfoot>
        <tr><th scope="row" colspan="5">added up: the match</th><td class="feature-product">${score(match.score)}</td><td class="feature-bar"></td></tr>
      </tfoot>
    </table>
    <p class="match-origin">${origin('mark-query', query)} ${origin('mark-key', match.key)}</p>
    <p class="match-origin">${
      tune
        ? 'These are the words’ features added up. Each column is then scaled to length 1, so a phrase counts by its direction alone.'
        : 'The features of a phrase’s words are added up and scaled to length 1, so the match lies between 0 and 1.'
    }
      <button type="button" class="figure-action" data-control="tune" aria-pressed=${tune ? 'true' : 'false'} @click=${() => setTune(!tune)}>${tune ? 'Show the numbers' : 'Change the features'}</button>
    </p>
  </div>`;

  /** Which word brought which feature. */
  function origin(className: string, phrase: Phrase): TemplateResult {
    if (phrase.edited) return html`<span class=${className}>“${phrase.phrase}”</span>: features set by hand.`;
    const known = phrase.words.filter((word) => word.status === 'known');
    if (known.length === 0) return html`<span class=${className}>“${phrase.phrase}”</span> has no word with features.`;
    const unknown = phrase.words.filter((word) => word.status === 'unknown').map((word) => `“${word.text}”`);
    const said = (weights: readonly number[]) => weights.map((weight, at) => (weight === 0 ? '' : `${features[at]} ${plain(weight)}`)).filter(Boolean).join(', ');
    return html`${known.map((word, at) => html`${at > 0 ? '; ' : ''}<span class=${className}>“${word.text}”</span> stands for ${said(word.weights ?? [])}`)}.
      ${unknown.length === 0 ? nothing : `Not known, and nothing to add: ${unknown.join(', ')}.`}`;
  }
}

const mostWeight = 10;

function weightField(label: string, weights: readonly number[], at: number, set: (weights: number[]) => void): TemplateResult {
  const shown = tidy(weights[at]!);
  return numberField({
    className: 'weight-field',
    label,
    min: 0,
    max: mostWeight,
    step: 0.5,
    value: shown,
    clamp: (number) => tidy(Math.min(Math.max(number, 0), mostWeight)),
    set: (weight) => weight !== shown && set(weights.map((old, place) => (place === at ? weight : tidy(old)))),
  });
}

/** A weight as people write it: the core's floats are 1.2000000476837158 where 1.2 is meant. */
function tidy(weight: number): number {
  return Number(weight.toFixed(3));
}
