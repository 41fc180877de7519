// Cells drawn as paths: read back, every cell has the ink that a grid would give it, in the steps that were asked for.

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { cellPaths } from '../../web/marks/cell-paths.ts';
import { scoreInk } from '../../web/marks/ink.ts';
import { draw, html } from './draw.ts';

/** [row][column]: the ink from −1 (slate) to 1 (plum), as the paths lay it down. */
function cellsOf(markup: string, rows: number, columns: number): number[][] {
  const cells = Array.from({ length: rows }, () => Array<number>(columns).fill(0));
  for (const [, className, opacity, path] of markup.matchAll(/<path class="cells-(\w+)" stroke-opacity="([\d.]+)" d="([^"]+)"/g)) {
    let [row, column] = [0, 0];
    for (const [, move, x, y, length] of path!.matchAll(/([Mm])(\d+) ([\d.]+)h(\d+)/g)) {
      if (move === 'M') [column, row] = [Number(x), Number(y) - 0.5];
      else column += Number(x);
      for (let left = Number(length); left > 0; left--) {
        expect(cells[row]![column], 'a cell is inked once').toBe(0);
        cells[row]![column++] = Number(opacity) * (className === 'slate' ? -1 : 1);
      }
    }
  }
  return cells;
}

it('inks every cell as marks/ink.ts says, in even steps', async () => {
  const tables = fc.integer({ min: 1, max: 7 }).chain((columns) => fc.array(fc.array(fc.float({ min: -3, max: 3, noNaN: true }), { minLength: columns, maxLength: columns }), { minLength: 1, maxLength: 6 }));
  await fc.assert(
    fc.asyncProperty(tables, fc.integer({ min: 1, max: 20 }), async (table, steps) => {
      const [rows, columns, extent] = [table.length, table[0]!.length, 2];
      const markup = await draw(html`<svg>${cellPaths({ rows, columns, value: (row, column) => table[row]![column]!, extent, steps })}</svg>`);
      const cells = cellsOf(markup, rows, columns);
      table.forEach((values, row) =>
        values.forEach((value, column) => {
          const { className, opacity } = scoreInk(value, extent);
          const shown = cells[row]![column]!;
          expect(Math.abs(Math.abs(shown) - opacity)).toBeLessThanOrEqual(0.5 / steps + 0.001);
          if (shown !== 0) expect(shown < 0).toBe(className === 'ink-slate');
        }),
      );
    }),
    { numRuns: 200 },
  );
});

it('joins neighbours of one ink', async () => {
  const markup = await draw(html`<svg>${cellPaths({ rows: 2, columns: 5, value: (row, column) => (row === 0 ? 1 : column < 2 ? -1 : 0), extent: 1, steps: 4 })}</svg>`);
  expect([...markup.matchAll(/ d="([^"]+)"/g)].map(([, path]) => path)).toEqual(['M0 0.5h5', 'M0 1.5h2']);
});
