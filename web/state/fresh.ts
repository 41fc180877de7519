// Exercises with fresh numbers: which places of a lesson's input are drawn anew, and from where.
//
//   fresh="/tokens=5..60 /q/0=0.1..0.9:0.1"   /tokens is a whole number from 5 to 60, /q/0 one of 0.1, 0.2 … 0.9

import { put } from './pointer.ts';

export interface FreshRange {
  pointer: string;
  from: number;
  to: number;
  step: number;
}

/** Throws an Error whose message is one sentence. */
export function parseFresh(text: string): FreshRange[] {
  return text.trim().split(/\s+/).map((part) => {
    const found = /^(\/[^=]+)=(-?[\d.]+)\.\.(-?[\d.]+)(?::([\d.]+))?$/.exec(part);
    const [from, to, step] = [found?.[2], found?.[3], found?.[4] ?? '1'].map(Number) as [number, number, number];
    if (!found || !(from < to) || !(step > 0)) throw new Error(`fresh="${part}" must be a place and a range, such as /tokens=5..60 or /q/0=0.1..0.9:0.1.`);
    return { pointer: found[1]!, from, to, step };
  });
}

/** The input with a number drawn for each range; `random` gives numbers from 0 up to 1. */
export function drawFresh(input: unknown, ranges: readonly FreshRange[], random: () => number): unknown {
  return ranges.reduce((drawn, { pointer, from, to, step }) => {
    const steps = Math.floor((to - from) / step + 1e-9) + 1;
    // Rounded, lest 0.1 + 2 × 0.1 show as 0.30000000000000004.
    const number = Number((from + step * Math.min(Math.floor(random() * steps), steps - 1)).toFixed(9));
    return put(drawn, pointer, number);
  }, input);
}
