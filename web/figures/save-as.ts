// Files of a figure for the reader: its picture, its numbers, the trace of the model behind it.

import type { Engine, Input } from '../engine/types.ts';
import { withRun } from '../engine/with-run.ts';
import { fixed } from '../marks/number.ts';
import { csv, type FigureDefinition } from './definition.ts';
import type { SavedKind } from './frame.ts';
import { download, savePicture, saveTable } from './save.ts';
import { sentenceOf } from './sentence.ts';

export interface Saving<S, R> {
  id: string;
  /** What holds the figure. */
  own: HTMLElement;
  state: S;
  result: R;
  engine(): Promise<Engine>;
  /** Tells the reader how it went. */
  say(words: string): void;
  /** The figure goes on to something else: what takes long is not saved then. */
  signal: AbortSignal;
}

export async function saveAs<S, R>(kind: SavedKind, definition: FigureDefinition<S, R>, saving: Saving<S, R>): Promise<void> {
  const { id, own, state, result, say } = saving;
  if (kind === 'csv') return say(saveTable(id, csv(definition.table(state, result))));
  if (kind !== 'safetensors') return say(await savePicture(kind, id, own.querySelector<HTMLElement>('.figure-picture')!, definition.title(state, result)));
  const input = definition.traced?.(state, result);
  if (input) await saveTrace(input, saving);
}

/** For other programs, with every intermediate of the pass under the field's names (engine.trace). */
async function saveTrace(input: Input, { id, engine, say, signal }: Pick<Saving<never, never>, 'id' | 'engine' | 'say' | 'signal'>): Promise<void> {
  say('The trace is being put together.');
  try {
    const asked = await engine();
    const file = await withRun(asked, input, signal, (run) => asked.trace(run, { signal }));
    download(`${id}.safetensors`, 'application/octet-stream', file);
    say(`Saved as ${id}.safetensors, ${fixed(file.size / 1e6, 2)} MB.`);
  } catch (problem) {
    if (!signal.aborted) say(sentenceOf(problem));
  }
}
