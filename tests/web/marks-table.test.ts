// The numbers behind a figure: as shown, as CSV, and the names that a figure may use.

import { describe, expect, it } from 'vitest';
import { csv, defineFigure, displayTable, type Table } from '../../web/figures/definition.ts';
import { flag } from '../../web/state/schema.ts';
import { html } from './draw.ts';

const table: Table = {
  caption: 'Shares',
  columns: ['token', { label: 'share', as: 'share' }, { label: 'score, scaled', as: 'signed' }],
  rows: [[' a"b', 0.364, 1.005], ['=SUM(A1)', 0.001, -0.0001], ['line\nbreak', null, -2]],
};

describe('a table', () => {
  it('is shown with the precision that means something', () => {
    expect(displayTable(table)).toEqual({
      labels: ['token', 'share', 'score, scaled'],
      rows: [[' a"b', '36\u202F%', '+1.00'], ['=SUM(A1)', '0.1\u202F%', '0.00'], ['line\nbreak', '', '\u22122.00']],
    });
  });

  it('is saved in full, quoted where needed, and runs nothing in a spreadsheet', () => {
    expect(csv(table)).toBe('token,share,"score, scaled"\r\n" a""b",0.364,1.005\r\n\'=SUM(A1),0.001,-0.0001\r\n"line\nbreak",,-2\r\n');
  });
});

describe('a definition', () => {
  const make = (name: string, key: string) =>
    defineFigure({ name, schema: { [key]: flag(true) }, compute: async () => 0, title: () => '', describe: () => '', table: () => table, view: () => html`` });
  it('must have names that HTML and links can carry', () => {
    expect(make('soft-max', 'sink').name).toBe('soft-max');
    expect(() => make('softmax', 'sink')).toThrow(/at least two/);
    expect(() => make('soft-max', 'hidden')).toThrow(/"hidden"/);
    expect(() => make('soft-max', 'headWidth')).toThrow(/one lower-case word/);
  });
});
