// One head learns, in the page, whom "it" means, from the loss of the next word alone. The shares of "it" are drawn
// before training and now, with the loss; every number is the core's.

import { html, type TemplateResult } from 'lit';
import type { ProbeReading } from '../engine/training-types.ts';
import { bars, shareBar } from '../marks/bars.ts';
import { fixed, share } from '../marks/number.ts';
import { integer, type StateOf } from '../state/schema.ts';
import { defineFigure, type Table, type ViewContext } from './definition.ts';
import { controls, seedField } from './training/controls.ts';
import { among, curve } from './training/curve.ts';
import { beginRun, readingOf, type Run } from './training/run.ts';

/** The whole training takes under half a minute at this pace, and the head learns in its first seconds. */
const stepsPerSecond = 40;

export const schema = {
  seed: integer({ min: 0, max: 9999, initial: 1 }),
};

export type State = StateOf<typeof schema>;

export const figure = defineFigure({
  name: 'learn-a-head',
  schema,
  compute: (engine, { seed }: State, signal, update): Promise<Run> => beginRun(engine, { name: 'head', options: { seed }, stepsPerSecond }, signal, update),
  title,
  describe,
  table,
  view({ id, state, result: run, set }: ViewContext<State, Run>) {
    return html`<div class="train learn">
      <p class="hint">No label says where to look. The model is told one thing, which word came next; the nouns are marked for you alone. The two sentences are never trained on.</p>
      ${curve(run, { known: 'the word after “it”, fresh sentences' })}
      ${controls({ id, run, ready: '' })}
      <div class="needs-script" data-page-only>
        ${seedField({ id, seed: state.seed, field: schema.seed, setSeed: (seed) => set({ seed }) })}
        <p class="hint">Another seed means other first weights and other sentences.</p>
      </div>
      ${run.training.plan.probes.map((_, probe) => sentence(run, probe))}
    </div>`;
  },
});

// -------------------------------------------------------------------------------------------------- a watched sentence

/** What the figure reads off one watched sentence at one record. */
interface Look {
  /** The words up to "it". */
  words: string[];
  /** Their shares in the look of "it". */
  shares: number[];
  noun: number;
  /** The word after "it": what came, the chance that it was given, and the likeliest. */
  came: string;
  chance: number;
  guess: string;
  guessChance: number;
}

export function lookOf(run: Run, probe: number, at: number): Look {
  const { plan, readings } = run.training;
  const { ids, known, from, noun } = plan.probes[probe]!;
  const read: ProbeReading = readings[at]!.probes[probe]!;
  const n = known.length;
  return {
    words: ids.slice(0, from + 1).map((id) => plan.words[id]!),
    shares: Array.from({ length: from + 1 }, (_, place) => read.patterns[from * n + place]!),
    noun,
    came: plan.words[ids[from + 1]!]!,
    chance: read.chances[from]!,
    guess: plan.words[read.guesses[from]!]!,
    guessChance: read.guess_chances[from]!,
  };
}

function sentence(run: Run, probe: number): TemplateResult {
  const before = lookOf(run, probe, 0);
  return html`<section class="learn-sentence" aria-label="The sentence about the ${before.words[before.noun]}">
    <p class="learn-text">${before.words.map((word, at) => html`${at === before.noun ? html`<b class="learn-noun">${word}</b>` : word} `)}<span class="learn-came">${before.came}</span></p>
    <div class="learn-pair">${column(run, probe, 0, 'Before training')} ${column(run, probe, run.at, when(run))}</div>
  </section>`;
}

function column(run: Run, probe: number, at: number, heading: string): TemplateResult {
  const look = lookOf(run, probe, at);
  const label = (word: string, place: number) => (place === look.noun ? html`<b class="learn-noun">${word}</b>` : word);
  const rows = look.words.map((word, place) => shareBar({ label: label(word, place), share: look.shares[place]! }));
  const says = look.guess === look.came
    ? html`After “it” the model says “${look.came}”, as it came, with <b class="num">${share(look.chance)}</b>.`
    : html`After “it” the model says “${look.guess}” with <span class="num">${share(look.guessChance)}</span>; “${look.came}” gets <b class="num">${share(look.chance)}</b>.`;
  return html`<div class="learn-column">
    <p class="learn-when">${heading}</p>
    ${bars({ rows, label: `Where “it” looks: ${heading}` })}
    <p class="learn-says">${says}</p>
  </div>`;
}

// ---------------------------------------------------------------------------------------------------------- in words

function when(run: Run): string {
  const { step } = readingOf(run);
  return step === 0 ? 'Now: no step done' : `After ${fixed(step, 0)} steps`;
}

function title(_state: State, run: Run): string {
  const { step } = readingOf(run);
  const { words, shares, noun } = lookOf(run, 0, run.at);
  const begin = step === 0 ? 'Before training' : `After ${fixed(step, 0)} steps`;
  return `${begin}, “it” gives ${share(shares[noun]!)} of its look to its noun, “${words[noun]}”`;
}

function describe(_state: State, run: Run): string {
  const { plan, status } = run.training;
  const reading = readingOf(run);
  const said = [`${fixed(reading.step, 0)} of ${fixed(plan.n_steps, 0)} steps are done${run.follows ? '' : ' in the record on show'}.`];
  plan.probes.forEach((_, probe) => {
    const [first, look] = [lookOf(run, probe, 0), lookOf(run, probe, run.at)];
    const was = reading.step === 0 ? '' : `, ${share(first.shares[first.noun]!)} before training`;
    said.push(`“It” gives “${look.words[look.noun]}” ${share(look.shares[look.noun]!)} of its look${was}; the word that came after it, “${look.came}”, gets a chance of ${share(look.chance)}.`);
  });
  said.push(`In fresh sentences the noun gets ${share(reading.roles[0]![0]!)} on average.`);
  if (reading.known_loss !== null) said.push(`The loss of the word after “it” is ${fixed(reading.known_loss, 2)}, as unsure as among ${among(reading.known_loss)} words.`);
  if (status === 'done') said.push('The training is done.');
  if (run.problem) said.push(run.problem);
  return said.join(' ');
}

/** A row a reading. */
function table(_state: State, run: Run): Table {
  const { plan, readings, losses, every } = run.training;
  const nouns = plan.probes.map(({ ids, noun }) => plan.words[ids[noun]!]!);
  return {
    caption: `What was measured every ${every} steps: on fresh sentences, on the two on show, and over the ${every} training steps before`,
    columns: [
      'step',
      { label: 'loss after “it”', as: 'score' },
      { label: 'right after “it”', as: 'share' },
      { label: 'share on the noun, fresh sentences', as: 'share' },
      ...nouns.map((noun) => ({ label: `share on “${noun}”`, as: 'share' as const })),
      { label: 'loss, training', as: 'score' },
    ],
    rows: readings.map((reading, at) => {
      const some = losses.slice(Math.max(reading.step - every, 0), reading.step);
      const mean = some.length === 0 ? null : some.reduce((sum, loss) => sum + loss, 0) / some.length;
      const onNouns = plan.probes.map((_, probe) => {
        const { shares, noun } = lookOf(run, probe, at);
        return shares[noun]!;
      });
      return [reading.step, reading.known_loss, reading.known_right, reading.roles[0]![0]!, ...onNouns, mean];
    }),
  };
}
