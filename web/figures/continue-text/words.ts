// continue-text in words: its title, the sentence for a screen reader, its table.

import type { ModelInfo, TokenPiece } from '../../engine/types.ts';
import { counted } from '../../marks/model-label.ts';
import { fixed, ordinal, share } from '../../marks/number.ts';
import { tokenName } from '../../marks/token.ts';
import type { Cell, Table } from '../definition.ts';
import { piecesOf } from '../model-text.ts';
import { ruleOf } from './settings.ts';
import { openStep, type Choice, type Choices, type Continuation, type Named, type Result, type Seen, type State } from './work.ts';

export const nameOf = (token: Named) => tokenName({ pieces: piecesOf(token) });

/** A chance of exactly nothing: temperature, top-k or top-p leave the token no lot. */
export const outOf = (chance: number) => (chance === 0 ? 'left out' : share(chance));

/** What the tokens beside the list have together. */
export function othersOf({ likeliest, closed }: Choices): { own: number | null; chance: number } {
  const least = Number.MIN_VALUE; // what rounding swallowed is still there
  const rest = (values: number[]) => Math.max(least, 1 - values.reduce((sum, value) => sum + value, 0));
  const own = likeliest.map((choice) => choice.own);
  return { own: own.includes(null) ? null : rest(own as number[]), chance: closed ? 0 : rest(likeliest.map(({ chance }) => chance)) };
}

export function headingOf(at: number | null, base: 0 | 1, { steps }: Continuation): string {
  if (at === null) return steps.length === 0 ? 'What may come next' : `What may come next, after ${counted(steps.length, 'new token')}`;
  return `New token ${ordinal(at, base)}, “${nameOf(steps[at]!.token)}”, and its alternatives`;
}

export function endOf({ model }: { model: ModelInfo }): string {
  return `The window of ${fixed(model.config.n_positions, 0)} tokens is full. The last token was drawn from its last place and has no place itself, so nothing can follow it.`;
}

export function title(state: State, result: Result): string {
  if (result.kind === 'refused') return 'A text that goes on, waiting for one that its model can read';
  const { seen, model } = result;
  const at = openStep(state, seen);
  if (seen.full && state.at !== at) return `The window of ${fixed(model.config.n_positions, 0)} tokens is full, after ${counted(seen.steps.length, 'new token')}`;
  if (at === null && seen.next) return nextTitle(seen, seen.next);
  if (at === null) return 'A text that goes on';
  const { token, byHand } = seen.steps[at]!;
  const before = nameOf(seen.steps[at - 1]?.token ?? seen.given.at(-1)!);
  if (byHand) return `After “${before}”, “${nameOf(token)}” was taken by hand; ${token.chance === 0 ? 'the draw left it out' : `the draw gave it ${share(token.chance)}`}`;
  return `After “${before}”, “${nameOf(token)}” was drawn; its chance was ${share(token.chance)}`;
}

function nextTitle({ steps, given }: Continuation, { likeliest }: Choices): string {
  const [first] = likeliest;
  const last = nameOf(steps.at(-1)?.token ?? given.at(-1)!);
  return `${steps.length === 0 ? 'After' : `${counted(steps.length, 'new token')} on, after`} “${last}”, the likeliest is “${nameOf(first!)}”: ${share(first!.chance)} in this draw`;
}

/** The text itself, as it would be written. */
export function textOf(tokens: readonly Named[]): string {
  const signs: Partial<Record<TokenPiece['kind'], string>> = { space: ' ', newline: '\n', tab: '\t' };
  if (tokens.every(({ pieces }) => pieces.length === 0)) return tokens.map(({ id }) => id).join(' ');
  return tokens.flatMap((token) => piecesOf(token).map(({ kind, shown }) => signs[kind] ?? shown)).join('');
}

export function describe(state: State, result: Result): string {
  if (result.kind === 'refused') return result.sentence;
  const { seen } = result;
  const at = openStep(state, seen);
  const added = textOf(seen.steps.map(({ token }) => token)).trim();
  const going = seen.steps.length === 0 ? `The text is “${textOf(seen.given)}”.` : `“${textOf(seen.given)}” goes on: “${added}”.`;
  const choices = at === null ? seen.next : seen.steps[at]!.choices;
  const list = choices ? ` ${headingOf(at, 0, seen).replace(/^New token \d+, /, '')}: ${choices.likeliest.map(said).join(', ')}.` : '';
  return `${going}${seen.full ? ` ${endOf(result)}` : ''}${seen.trouble === '' ? '' : ` ${seen.trouble}`} ${ruleOf(state)}${list}`;
}

const said = (choice: Choice) => `“${nameOf(choice)}” ${outOf(choice.chance)}`;

export function table(state: State, result: Result): Table {
  if (result.kind === 'refused') return { caption: result.sentence, columns: [], rows: [] };
  return {
    caption: 'Every new token, and all alternatives of the step that is open. Chances are shares of 1; 0 is left out',
    columns: [{ label: 'new token', as: 'integer' }, 'token', { label: 'the model’s chance', as: 'share' }, { label: 'in this draw', as: 'share' }, 'taken'],
    rows: rowsOf(state, result),
  };
}

function rowsOf(state: State, { seen }: Seen): Cell[][] {
  const open = openStep(state, seen);
  const rowOf = (at: number, choice: Choice, how: string): Cell[] => [at + 1, nameOf(choice), choice.own, choice.chance, how];
  const rows = seen.steps.flatMap(({ choices, token, byHand }, at): Cell[][] => {
    const how = byHand ? 'by hand' : 'drawn';
    const beside = at === open ? choices.likeliest.filter(({ id }) => id !== token.id) : [];
    return [rowOf(at, token, how), ...beside.map((choice) => rowOf(at, choice, ''))];
  });
  const coming = open === null && seen.next ? seen.next.likeliest : [];
  return [...rows, ...coming.map((choice) => rowOf(seen.steps.length, choice, ''))];
}
