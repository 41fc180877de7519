// A model of two layers learns, in the page, to go on with a pattern that it has seen once. Its loss, the grids of its
// heads and its guesses are drawn as they form; every number is the core's.

import { html, type TemplateResult } from 'lit';
import { maskedLegend, shareLegend } from '../marks/legend.ts';
import { flag, integer, type StateOf } from '../state/schema.ts';
import { defineFigure, type ViewContext } from './definition.ts';
import { beginning } from './train-live/beginning.ts';
import { heads } from './train-live/heads.ts';
import { firstRun, namesOf, picked, probe } from './train-live/probe.ts';
import { describe, table, title } from './train-live/words.ts';
import { controls } from './training/controls.ts';
import { among, curve } from './training/curve.ts';
import { beginRun, readingOf, type Run } from './training/run.ts';

export const schema = {
  seed: integer({ min: 0, max: 9999, initial: 2 }),
  /** Whether patterns come round; else every word is drawn anew. */
  repeats: flag(true),
  /** Words to draw from, and the lengths of patterns. */
  words: integer({ min: 4, max: 40, initial: 32 }),
  shortest: integer({ min: 2, max: 24, initial: 8 }),
  longest: integer({ min: 2, max: 24, initial: 24 }),
  /** The place in the watched text whose row is framed; −1: where the pattern comes for the last time. */
  word: integer({ min: -1, max: 47, initial: -1 }),
};

export type State = StateOf<typeof schema>;

export const figure = defineFigure({
  name: 'train-live',
  schema,
  viewOnly: ['word'],
  compute(engine, { seed, repeats, words, shortest, longest }: State, signal, update): Promise<Run> {
    // A link may hold ends in the wrong order.
    const [least, most] = [Math.min(shortest, longest), Math.max(shortest, longest)];
    const options = { seed, words, shortest: least, longest: most, repeated: repeats };
    return beginRun(engine, { name: 'repeats', options }, signal, update);
  },
  title,
  describe,
  table,
  view(context: ViewContext<State, Run>) {
    const { id, state, result: run, set } = context;
    const row = rowOf(state, run);
    return html`<div class="train">
      <p class="hint keeps-room" data-room=${atFirst}><span>${watchFor(run)}</span></p>
      ${curve(run, { known: 'words that looking back settles', other: 'words that nothing settles', withLedge: true })}
      ${controls({ id, run, ready: 'It goes on while you read, and rests while this tab is hidden.' })}
      ${heads({ id, run, row, names: namesOf(run) })}
      <p class="train-legends">${shareLegend()} ${maskedLegend(id, 'hidden')}</p>
      ${probe({ id, run, row, pick: (word) => set({ word }) })}
      ${picked(run, row)}
      ${beginning({ id, state, schema, set })}
    </div>`;
  },
});

function rowOf({ word }: State, run: Run): number {
  const watched = run.training.plan.probes[0]!;
  const n = watched.known.length;
  const length = firstRun(watched);
  return word >= 0 ? Math.min(word, n - 1) : Math.floor((n - 1) / length) * length;
}

/** The longest that stands there, whose room is kept. */
const atFirst =
  'Nothing has been learned yet: the loss lies at the dashed line of a blind guess, and all grids are pale. Train, and watch the solid line for a shelf and then a ledge, and the grids for lines that darken below the diagonal.';

/** What there is to see next. */
function watchFor(run: Run): TemplateResult | string {
  const { plan, ledge } = run.training;
  const reading = readingOf(run);
  const { known_loss: known, step } = reading;
  const even = Math.log(plan.config.d_vocab);
  if (known === null) return `Here no word ever says anything about the next, so there is nothing to learn: the loss can only settle at the dashed line, an even guess among ${plan.config.d_vocab} words.`;
  if (step === 0) return atFirst;
  if (known > even - 0.3) return `The guesses have begun to improve: a settled word is guessed as unsurely as among ${among(known)} words.`;
  if (!ledge || step < ledge.step) return `On the shelf: a settled word is guessed as unsurely as among ${among(known)} words. The model has noticed that the words of this text come again, but not in which order.`;
  return `Past the ledge: a settled word is guessed as unsurely as among ${among(known)} words. Compare the grids before and after step ${ledge.step}.`;
}
