// Cells and legends use one function, and numbers on a cell can be read at every strength, by day and by night.

import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { flip, scoreExtent, scoreInk, shareInk } from '../../web/marks/ink.ts';

const css = ['marks', 'tokens'].map((name) => readFileSync(new URL(`../../web/styles/${name}.css`, import.meta.url), 'utf8')).join('\n');

type Colour = [number, number, number];

function hue(name: string, theme: 0 | 1): Colour {
  const value = new RegExp(`--${name}: light-dark\\((#\\w+), (#\\w+)\\)`).exec(css)?.[theme + 1];
  if (!value) throw new Error(`no style sheet has --${name} for day and night`);
  const digits = value.length === 4 ? value.slice(1).replace(/./g, '$&$&') : value.slice(1);
  return [0, 2, 4].map((at) => parseInt(digits.slice(at, at + 2), 16)) as Colour;
}

function luminance(colour: Colour): number {
  const [r, g, b] = colour.map((part) => (part / 255 <= 0.04045 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4)) as Colour;
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(a: Colour, b: Colour): number {
  const [light, dark] = [luminance(a), luminance(b)].sort((x, y) => y - x) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

function over(paper: Colour, colour: Colour, opacity: number): Colour {
  return paper.map((part, at) => part + (colour[at]! - part) * opacity) as Colour;
}

describe.each([['day', 0], ['night', 1]] as const)('by %s', (_, theme) => {
  const paper = hue('paper', theme);

  it.each(['plum', 'slate'])('numbers on %s reach 4.5 : 1 at every strength', (name) => {
    for (let part = 0; part <= 1000; part++) {
      const { opacity, strong } = shareInk(part / 1000);
      const letters = hue(strong ? 'ink-strong' : 'ink-weak', theme);
      expect(contrast(over(paper, hue(name, theme), opacity), letters), `at ${part / 1000}`).toBeGreaterThanOrEqual(4.5);
    }
  });

  it('coloured words reach 4.5 : 1 on paper, marks 3 : 1', () => {
    for (const name of ['query', 'key', 'value', 'plum', 'ink', 'quiet']) {
      expect(contrast(paper, hue(name, theme)), name).toBeGreaterThanOrEqual(4.5);
    }
    for (const name of ['gold', 'sink', 'slate']) expect(contrast(paper, hue(name, theme)), name).toBeGreaterThanOrEqual(3);
  });

  it('equal steps of share look like equal steps', () => {
    const lightness = (opacity: number) => 116 * Math.cbrt(luminance(over(paper, hue('plum', theme), opacity))) - 16;
    const steps = Array.from({ length: 10 }, (_, at) => Math.abs(lightness((at + 1) / 10) - lightness(at / 10)));
    expect(Math.max(...steps) / Math.min(...steps)).toBeLessThan(1.6);
  });
});

describe('inks', () => {
  it('grow with the share and stay within 0 and 1', () => {
    fc.assert(
      fc.property(fc.double(), fc.double(), (a, b) => {
        const [low, high] = [shareInk(Math.min(a, b)), shareInk(Math.max(a, b))];
        expect(low.opacity).toBeGreaterThanOrEqual(0);
        expect(high.opacity).toBeLessThanOrEqual(1);
        if (!Number.isNaN(a + b)) expect(low.opacity).toBeLessThanOrEqual(high.opacity);
        expect(high.strong).toBe(high.opacity > flip);
      }),
    );
  });

  it('give both signs of a score the same weight', () => {
    expect(scoreInk(-2, 4)).toEqual({ ...scoreInk(2, 4), className: 'ink-slate' });
    expect(scoreInk(0, 4).opacity).toBe(0);
    expect(scoreInk(3, 0).opacity).toBe(0);
    expect(scoreExtent([1, -5, null, -Infinity, NaN])).toBe(5);
  });
});
