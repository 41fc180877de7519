// The drawing parts as the compiler draws them: plain strings without script or style attributes, exact text, the
// right numbers; and the walk through a grid.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { plane } from '../../web/marks/arrows.ts';
import { bars, scoreBar, shareBar } from '../../web/marks/bars.ts';
import { grid, gridLayout, nextPlace } from '../../web/marks/grid.ts';
import { maskedInk, scoreInk, shareInk } from '../../web/marks/ink.ts';
import { maskedLegend, scoreLegend, shareLegend } from '../../web/marks/legend.ts';
import { phraseField } from '../../web/marks/phrase-field.ts';
import { segmented, slider } from '../../web/marks/slider.ts';
import { textPieces, textTokens, tokenName, tokenStrip, tokenText, words } from '../../web/marks/token.ts';
import { choice, number } from '../../web/state/schema.ts';
import { draw as drawAny, html, lettersOf, type TemplateResult } from './draw.ts';

async function draw(template: TemplateResult): Promise<string> {
  const markup = await drawAny(template);
  expect(markup).not.toMatch(/<[^>]*\sstyle\s*=|<script|undefined|\[object|NaN/);
  return markup;
}

describe('tokens', () => {
  it('show every character, and what is invisible as a mark', async () => {
    expect(textPieces(' a\n\t\u00A0\u200B😀').map(({ kind, shown }) => `${kind} ${shown}`)).toEqual([
      'space  ', 'text a', 'newline ↵', 'tab ⇥', 'code_point ⟨U+00A0⟩', 'code_point ⟨U+200B⟩', 'text 😀',
    ]);
    expect(await draw(tokenText({ pieces: textPieces(' <script>') }))).toBe('<span class="token-text"><span class="token-space"> </span>&lt;script&gt;</span>');
  });

  it('keep any visible text exactly', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'grapheme' }).map((text) => text.replace(/[\p{C}\p{Z}]/gu, '')), async (text) => {
        expect(lettersOf(await draw(tokenText({ pieces: textPieces(text) })))).toBe(text);
      }),
      { numRuns: 300 },
    );
  });

  it('have names that can be said', () => {
    const name = (text: string) => tokenName({ pieces: textPieces(text) });
    expect([' animal', ' ', '\n', '', '<b>'].map(name)).toEqual(['animal', 'space', 'newline', 'empty', '<b>']);
  });

  it('stay together word by word', () => {
    expect(words([0, 1, 1, 2, 1].map((word) => ({ word })))).toEqual([[0], [1, 2], [3], [4]]);
  });

  it('put exactly one chip in the tab order: the asking one, or the first that can be picked', async () => {
    const tokens = textTokens(['The', ' dog', ' ran']);
    const strip = (asking: number | null, off: number[]) =>
      draw(tokenStrip({ id: 't', label: 'Words', tokens: tokens.map((token, at) => ({ ...token, disabled: off.includes(at) })), asking, base: 1, onPick: () => {} }));
    const reachable = (markup: string) => [...markup.matchAll(/data-token="(\d)"\s+tabindex="0"/g)].map((match) => match[1]);
    expect(reachable(await strip(2, []))).toEqual(['2']);
    expect(reachable(await strip(null, [0]))).toEqual(['1']);
    expect(reachable(await strip(0, [0]))).toEqual(['1']);
    expect(lettersOf(await strip(2, []))).toMatch(/ ran\s*, place 3/);
  });
});

describe('bars', () => {
  it('show the number they are as long as', async () => {
    const markup = await draw(bars({ rows: [shareBar({ label: 'a', share: 0.364 }), shareBar({ label: 'b', share: 0.635, whole: 64 }), scoreBar({ label: 'c', score: -1, extent: 4, negative: true })] }));
    expect(markup).toMatch(/width="36.4%"[^]*36\u202F%[^]*width="63.5%"[^]*64\u202F%[^]*x="37.5%" width="12.5%"[^]*\u22121\.00/);
  });
});

describe('the heat grid', () => {
  const names = ['it', 'was', 'tired'];
  const shares = [[1, 0, 0], [0.7, 0.3, 0], [0.004, 0.25, 0.746]];
  const options = {
    id: 'g', label: 'Shares', rows: names, columns: names,
    cell: (row: number, column: number) =>
      column > row ? { ink: maskedInk, text: '', name: `${names[row]} cannot see ${names[column]}` } : { ink: shareInk(shares[row]![column]!), text: `${shares[row]![column]! * 100}`, name: `${names[row]} to ${names[column]}` },
  };

  it('gives masked cells hatching and no number, others their ink and number', async () => {
    const markup = await draw(grid({ ...options, active: [1, 0] }));
    const cells = markup.split('role="gridcell"').slice(1);
    expect(cells.length).toBe(9);
    expect(cells[1]).toContain('url(#g-hatch)');
    expect(cells[1]).not.toContain('<text');
    expect(cells[3]).toMatch(/tabindex="0"[^]*fill-opacity="0.7"[^]*ink-strong[^]*>70</);
    expect(markup.match(/tabindex="0"/g)?.length).toBe(1);
  });

  it('drops numbers where there is no room, and never the names', async () => {
    const many = Array.from({ length: 30 }, (_, at) => `word${at}`);
    const markup = await draw(grid({ ...options, rows: many, columns: many, cell: () => ({ ink: shareInk(0.5), text: '50', name: 'a to b' }) }));
    expect(gridLayout(many, many).numbers).toBe(false);
    expect(markup).not.toContain('grid-number');
    expect(markup.match(/aria-label="a to b"/g)?.length).toBe(900);
  });

  it('is walked by keys without ever leaving it', () => {
    const keys = ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown', 'Home', 'End', 'PageUp', 'PageDown'];
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 9 }), fc.array(fc.constantFrom(...keys)), (rows, columns, walk) => {
        let place: readonly [number, number] = [0, 0];
        for (const key of walk) {
          place = nextPlace(key, place, rows, columns)!;
          expect(place[0] >= 0 && place[0] < rows && place[1] >= 0 && place[1] < columns).toBe(true);
        }
      }),
    );
    expect(nextPlace('ArrowDown', [1, 2], 5, 5)).toEqual([2, 2]);
    expect(nextPlace('End', [1, 2], 5, 7)).toEqual([1, 6]);
    expect(nextPlace('a', [1, 2], 5, 5)).toBeUndefined();
  });
});

describe('legends', () => {
  const inksOf = (markup: string) => [...markup.matchAll(/class="(ink-\w+)"[^>]*fill-opacity="([\d.]+)"/g)].map(([, className, opacity]) => ({ className, opacity: Number(opacity) }));

  it('end with the very inks of the cells, and say the real values', async () => {
    const shares = await draw(shareLegend({ full: 0.4 }));
    expect(inksOf(shares).at(0)).toMatchObject({ opacity: shareInk(0, 0.4).opacity });
    expect(inksOf(shares).at(-1)).toMatchObject({ opacity: shareInk(0.4, 0.4).opacity });
    expect(shares).toMatch(/>0\u202F%<[^]*>40\u202F%</);
    const scores = await draw(scoreLegend({ extent: 3.5, negative: true }));
    for (const [at, value] of [[0, -3.5], [-1, 3.5]] as const) {
      const { className, opacity } = scoreInk(value, 3.5);
      expect(inksOf(scores).at(at)).toEqual({ className, opacity });
    }
    expect(scores).toMatch(/>\u22123\.50<[^]*>\+3\.50</);
    await draw(maskedLegend('m', 'hidden: later words'));
  });
});

describe('controls and arrows', () => {
  it('hold the text that a reader may change as plain text, whatever it is', async () => {
    const text = '</textarea><script>alert(1)</script> & \n "x"';
    const markup = await draw(phraseField({ id: 'f', meaning: 'key', label: 'Key', text, most: 120, set: () => {} }));
    expect(lettersOf(markup).replace('\u200B', '')).toBe(text);
  });

  it('show one value in the slider and in the field', async () => {
    const field = number({ min: 0, max: 20, step: 0.1, initial: 9 });
    const markup = await draw(slider({ id: 's', label: 'Stretch', field, value: 20, set: () => {} }));
    expect(markup.match(/value="20"/g)?.length).toBe(2);
    expect(markup).toMatch(/disabled[^>]*>\+</);
    const large = await draw(slider({ id: 'l', label: 'Tokens', field: number({ min: -200000, max: 200000, step: 1, initial: 9 }), value: -200000, set: () => {} }));
    // The range, for voices, and the field: as the book writes numbers.
    expect(large.match(/aria-valuetext="\u2212200\u202F000"/g)?.length).toBe(2);
    expect(large).toMatch(/role="spinbutton"[^]*value="\u2212200\u202F000"/);
    const segments = await draw(segmented({ label: 'Mode', field: choice(['a', 'b'], 'a'), value: 'b', names: { a: 'One', b: 'Two' }, set: () => {} }));
    expect(segments).toMatch(/aria-pressed="false"\s*>One[^]*aria-pressed="true"\s*>Two/);
  });

  it('draw arrows to scale, also the one without length', async () => {
    const arrows = [
      { name: 'query', x: 2, y: -1, meaning: 'query', letter: 'q', move: () => {} },
      { name: 'key', x: 0, y: 0, meaning: 'key', letter: 'k' },
    ] as const;
    const markup = await draw(html`${plane({ id: 'p', label: 'Arrows', extent: 4, step: 0.1, arrows })}`);
    expect(markup).toContain('points="233,196.5'); // 160 + 2 · 36.5, 160 + 1 · 36.5
    expect(markup).toContain('aria-valuetext="x 2.00, y \u22121.00"');
  });
});
