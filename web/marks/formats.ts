// The names of the ways in which the prose writes a number.

import { fixed, megabytes, plain, share } from './number.ts';

type Format = (value: number) => string;

/** How a claim is displayed: `as="…"`, written as figures write it. Percentages come from shares, 0 to 1. */
export const formats: Readonly<Record<string, Format>> = {
  percent: share,
  percent1: (value) => fixed(value * 100, 1),
  fixed1: (value) => fixed(value, 1),
  fixed2: (value) => fixed(value, 2),
  fixed3: (value) => fixed(value, 3),
  integer: (value) => fixed(value, 0),
  number: plain,
  megabytes,
};
