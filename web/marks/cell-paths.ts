// Rows of numbers as cells, darker for larger ones, with one path for each strength of ink: a picture of thousands of
// cells in little text. The inks are those of marks/ink.ts, in even steps.

import { svg, type SVGTemplateResult } from 'lit';
import { scoreInk } from './ink.ts';

export interface CellPathsOptions {
  rows: number;
  columns: number;
  value(row: number, column: number): number;
  /** Sizes from here on have the full ink. */
  extent: number;
  /** Steps from the paper to the full ink. */
  steps: number;
}

/** In units of a cell, from 0, 0. */
export function cellPaths({ rows, columns, value, extent, steps }: CellPathsOptions): SVGTemplateResult {
  const paths = new Map<number, string>();
  const step = (row: number, column: number) => {
    const { className, opacity } = scoreInk(value(row, column), extent);
    return Math.round(opacity * steps) * (className === 'ink-slate' ? -1 : 1);
  };
  for (let row = 0; row < rows; row++) {
    const ends = new Map<number, number>();
    for (let column = 0; column < columns; ) {
      const ink = step(row, column);
      let end = column + 1;
      while (end < columns && step(row, end) === ink) end++;
      const before = ends.get(ink);
      const move = before === undefined ? `M${column} ${row}.5` : `m${column - before} 0`;
      paths.set(ink, `${paths.get(ink) ?? ''}${move}h${end - column}`);
      ends.set(ink, end);
      column = end;
    }
  }
  paths.delete(0);
  return svg`${Array.from(paths, ([ink, path]) => svg`<path class=${ink < 0 ? 'cells-slate' : 'cells-plum'} stroke-opacity=${Math.round((Math.abs(ink) / steps) * 1000) / 1000} d=${path}></path>`)}`;
}
