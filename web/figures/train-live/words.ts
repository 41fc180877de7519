// train-live in words: who does what after how many steps, the title, the sentences for a screen reader, the table.

import { fixed, ordinal, share } from '../../marks/number.ts';
import { page } from '../../state/page.ts';
import type { TrainingPlan, TrainingReading } from '../../engine/training-types.ts';
import type { Table } from '../definition.ts';
import { among } from '../training/curve.ts';
import { readingOf, type Run } from '../training/run.ts';

/** The roles by the order in which the core gives them. */
export const roleWords = [
  { name: 'previous token', does: 'looks at the word before' },
  { name: 'induction', does: 'looks at what followed last time' },
] as const;

/** As the reader counts; the compiled page counts from 0. */
export function base(): 0 | 1 {
  return typeof document === 'undefined' ? 0 : page().get().base;
}

export function headName(plan: TrainingPlan, head: number): string {
  const { n_heads } = plan.config;
  return `layer ${ordinal(Math.floor(head / n_heads), base())} head ${ordinal(head % n_heads, base())}`;
}

/** The role that the head is called by: the one with the largest share among those that reach their threshold. */
export function roleOf(plan: TrainingPlan, reading: TrainingReading, head: number): number | null {
  let best: number | null = null;
  plan.roles.forEach(({ threshold }, role) => {
    const value = reading.roles[role]![head]!;
    if (value >= threshold && (best === null || value > reading.roles[best]![head]!)) best = role;
  });
  return best;
}

/** For each role the head that plays it best, where one does. */
function players(plan: TrainingPlan, reading: TrainingReading): { head: number; role: number; value: number }[] {
  return plan.roles.flatMap(({ threshold }, role) => {
    const shares = reading.roles[role]!;
    const head = shares.indexOf(Math.max(...shares));
    return shares[head]! >= threshold ? [{ head, role, value: shares[head]! }] : [];
  });
}

export function title(_state: unknown, run: Run): string {
  const { plan } = run.training;
  const reading = readingOf(run);
  const playing = players(plan, reading);
  const when = reading.step === 0 ? 'Before training' : `After ${fixed(reading.step, 0)} steps`;
  if (playing.length > 0) return `${when}, ${playing.map(({ head, role, value }) => `${headName(plan, head)} ${roleWords[role]!.does} (${share(value)})`).join(', ')}`;
  const heads = `${count(plan.config.n_layers * plan.config.n_heads)} heads`;
  const loss = reading.known_loss ?? reading.other_loss!;
  if (reading.step === 0) return `${when}, ${heads} look at everything alike, and every guess is as unsure as among ${among(loss)} words`;
  return `${when}, none of the ${heads} has a habit with a name, and ${reading.known_loss === null ? 'a guess' : 'a guess that could be sure'} is as unsure as among ${among(loss)} words`;
}

function count(n: number): string {
  return ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight'][n] ?? fixed(n, 0);
}

export function describe(_state: unknown, run: Run): string {
  const { plan, ledge, status } = run.training;
  const reading = readingOf(run);
  const said = [`${fixed(reading.step, 0)} of ${fixed(plan.n_steps, 0)} steps are done${run.follows ? '' : ' in the record on show'}.`];
  if (reading.known_loss !== null) {
    said.push(`Where the words before settle what follows, the loss is ${fixed(reading.known_loss, 2)}, as unsure as among ${among(reading.known_loss)} words, and ${share(reading.known_right!)} of the guesses are right.`);
  }
  if (reading.other_loss !== null) said.push(`Where nothing settles it, the loss is ${fixed(reading.other_loss, 2)}.`);
  for (const { head, role, value } of players(plan, reading)) said.push(`${capital(headName(plan, head))} ${roleWords[role]!.does}, with ${share(value)} of its attention.`);
  if (ledge) said.push(`The loss fell most steeply at step ${fixed(ledge.step, 0)}.`);
  if (status === 'done') said.push('The training is done.');
  if (run.problem) said.push(run.problem);
  return said.join(' ');
}

export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** A row a reading: losses, and how much each head does what. */
export function table(_state: unknown, run: Run): Table {
  const { plan, readings, losses, every } = run.training;
  const heads = Array.from({ length: plan.config.n_layers * plan.config.n_heads }, (_, head) => head);
  const shares = plan.roles.flatMap(({ name }) => heads.map((head) => ({ label: `${name}, ${headName(plan, head)}`, as: 'share' as const })));
  const as = 'score' as const;
  return {
    caption: `What was measured every ${every} steps; losses on fresh texts, and of the ${every} training steps before`,
    columns: ['step', { label: 'loss, settled words', as }, { label: 'loss, other words', as }, { label: 'right, settled words', as: 'share' }, { label: 'loss, training', as }, ...shares],
    rows: readings.map((reading) => [
      reading.step,
      reading.known_loss,
      reading.other_loss,
      reading.known_right,
      meanBefore(losses, reading.step, every),
      ...reading.roles.flat(),
    ]),
  };
}

function meanBefore(losses: readonly number[], step: number, every: number): number | null {
  const some = losses.slice(Math.max(step - every, 0), step);
  return some.length === 0 ? null : some.reduce((sum, loss) => sum + loss, 0) / some.length;
}
