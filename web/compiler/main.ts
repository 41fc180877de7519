// What the build calls: the compiler with the book's figures, the native program and the engine.

import { access, constants } from 'node:fs/promises';
import registry from 'figures:registry';
import little from 'models:little';
import type { FigureDefinition } from '../figures/definition.ts';
import { compileBook, type CompiledBook } from './book.ts';
import { buildEngine, type ModelPlaces } from './engine.ts';
import { nativeProgram } from './native.ts';
import type { Assets } from './page.ts';

export { equationFont } from './font.ts';
export { policy } from './policy.ts';

/** Compiles the chapters in `folder`, with first states and claims from the program at `program` and the little model. */
export async function compile(folder: string, program: string, places: ModelPlaces, assets: Assets): Promise<CompiledBook> {
  await access(program, constants.X_OK).catch(() => {
    throw new Error(`The native program ${program} is missing: build it first, the chapters ask it for their numbers.`);
  });
  const figures = new Map<string, FigureDefinition<any, any>>();
  for (const [name, load] of Object.entries(registry)) figures.set(name, (await load()).figure);
  const native = nativeProgram(program, places.little);
  return compileBook({ folder, engine: buildEngine(native, places), native, littleBytes: little.bytes, figures, assets });
}
