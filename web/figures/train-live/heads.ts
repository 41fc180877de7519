// Every head's grid, as it is formed: rows look, columns are looked at. Small grids hold no numbers; the row of the
// picked word says its largest share below.

import { html, nothing, svg, type SVGTemplateResult, type TemplateResult } from 'lit';
import { shareInk } from '../../marks/ink.ts';
import { hatching } from '../../marks/legend.ts';
import { share } from '../../marks/number.ts';
import { capital, headName, roleOf, roleWords } from './words.ts';
import { readingOf, type Run } from '../training/run.ts';

/** A cell's side in the picture's units. */
const side = 10;
/** Steps of ink between paper and plum: one path of squares each. */
const levels = 20;

/** The largest share of row `row`, and whose it is; of equals the nearest. */
export function largestOf(pattern: ArrayLike<number>, n: number, row: number): { column: number; value: number } {
  let column = row;
  for (let at = row; at >= 0; at--) if (pattern[row * n + at]! > pattern[row * n + column]!) column = at;
  return { column, value: pattern[row * n + column]! };
}

export function heads(options: { id: string; run: Run; row: number; names: readonly string[] }): TemplateResult {
  const { run } = options;
  const { n_layers, n_heads } = run.training.plan.config;
  const all = Array.from({ length: n_layers * n_heads }, (_, head) => head);
  return html`<div class="train-heads">${all.map((head) => headView(options, head))}</div>`;
}

function headView({ id, run, row, names }: { id: string; run: Run; row: number; names: readonly string[] }, head: number): TemplateResult {
  const { plan } = run.training;
  const reading = readingOf(run);
  const n = names.length;
  const pattern = Array.from({ length: n * n }, (_, at) => reading.probes[0]!.patterns[head * n * n + at]!);
  const role = roleOf(plan, reading, head);
  const { column, value } = largestOf(pattern, n, row);
  const name = headName(plan, head);
  return html`<section class="train-head" aria-label=${name}>
    <p class="train-head-name">${capital(name)}${role === null ? nothing : html`<span class="train-role">${roleWords[role]!.does}</span>`}</p>
    <svg class="train-grid" viewBox="0 0 ${n * side} ${n * side}" role="img" aria-label="Grid of ${name}: from “${names[row]}” most to “${names[column]}”, ${share(value)}">
      ${hatching(`${id}-hatch-${head}`)}
      <rect class="grid-paper" width=${n * side} height=${n * side}></rect>
      ${squares(pattern, n)}
      <path class="train-masked" fill="url(#${id}-hatch-${head})" d=${masked(n)}></path>
      <rect class="train-row" x="0" y=${row * side} width=${(row + 1) * side} height=${side}></rect>
    </svg>
    <p class="train-head-says">from <span class="mark-query">${names[row]}</span> most to <span class="mark-key">${names[column]}</span>, ${share(value)}</p>
    <p class="train-head-roles">${plan.roles.map((known, at) => html`<span class=${at === role ? 'train-playing' : ''}>${known.name} <span class="num">${share(reading.roles[at]![head]!)}</span></span> `)}</p>
  </section>`;
}

function squares(pattern: ArrayLike<number>, n: number): SVGTemplateResult[] {
  const paths = Array.from({ length: levels + 1 }, () => '');
  for (let row = 0; row < n; row++) {
    for (let column = 0; column <= row; column++) {
      const level = Math.round(pattern[row * n + column]! * levels);
      if (level > 0) paths[level] += `M${column * side} ${row * side}h${side}v${side}h-${side}z`;
    }
  }
  return paths.flatMap((path, level) => {
    if (path === '') return [];
    const { className, opacity } = shareInk(level / levels);
    return [svg`<path class=${className} fill-opacity=${opacity} d=${path}></path>`];
  });
}

/** The steps of the upper triangle. */
function masked(n: number): string {
  let path = `M${side} 0H${n * side}V${n * side}`;
  for (let row = n - 1; row > 0; row--) path += `V${row * side}H${row * side}`;
  return path + 'z';
}
