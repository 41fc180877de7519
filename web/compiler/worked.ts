// How an exercise with fresh numbers is worked out: its rule, and examples that the core answers by the code that checks
// answers in the page.

import type { Engine } from '../engine/types.ts';
import { plain } from '../marks/number.ts';
import { askCore, isNear } from '../reader/checking.ts';
import { drawFresh, parseFresh } from '../state/fresh.ts';
import { at } from '../state/pointer.ts';
import { nameOf, parseFormula, pointerOf, type Formula } from './formula.ts';

export interface Worked {
  /** What is drawn, by its name in the formula. */
  names: string[];
  formula: Formula | null;
  examples: { numbers: number[]; truth: number; shown: string }[];
}

const howMany = 3;

/** `attributes` are those of the exercise. Throws an Error whose message is one sentence. */
export async function workOut(attributes: Record<string, string | null | undefined>, engine: Pick<Engine, 'lesson'>): Promise<Worked> {
  const { id = '', fresh = '', lesson = '', input = '{}', at: place = '', tolerance, formula: rule } = attributes;
  const ranges = parseFresh(fresh!);
  const formula = rule ? parseFormula(rule) : null;
  const random = randomOf(id!);
  const examples: Worked['examples'] = [];
  while (examples.length < howMany) {
    const drawn = drawFresh(JSON.parse(input!), ranges, random);
    const { truth } = await askCore(engine, { lesson: lesson!, at: place! }, drawn);
    const shown = plain(truth);
    const near = Number(tolerance) || 0;
    if (!isNear(shown, truth, near)) throw new Error(`"${id}": the page would not take ${shown} for an answer; the core computes ${truth}.`);
    const ruled = formula?.value((name) => numberAt(drawn, name));
    if (ruled !== undefined && !isNear(String(ruled), truth, Math.max(near, Math.abs(truth) * 1e-9))) {
      throw new Error(`"${id}": its formula gives ${ruled} where the core computes ${truth}.`);
    }
    examples.push({ numbers: ranges.map(({ pointer }) => at(drawn, pointer) as number), truth, shown });
  }
  return { names: ranges.map(({ pointer }) => nameOf(pointer)), formula, examples };
}

function numberAt(input: unknown, name: string): number {
  const value = at(input, pointerOf(name));
  if (typeof value !== 'number') throw new Error(`The input has no number "${name}".`);
  return value;
}

/** The same numbers from 0 to 1 at every build. */
function randomOf(seed: string): () => number {
  let state = [...seed].reduce((sum, character) => (Math.imul(sum, 31) + character.codePointAt(0)!) | 0, 7);
  return () => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x6d2b79f5) | 0;
    return ((state ^ (state >>> 13)) >>> 0) / 2 ** 32;
  };
}
