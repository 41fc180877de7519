// The tokens, the grid of a stage, and the line of numbers of the cell that is looked at, as plain templates: the compiler
// draws the first state with them, the element head-board (board.ts) every other.

import { html, nothing, type TemplateResult } from 'lit';
import { tinyShare } from '../../marks/bars.ts';
import { grid, type Place } from '../../marks/grid.ts';
import type { HeatOptions } from '../../marks/heat-canvas.ts';
import { maskedLegend, scoreLegend, shareLegend } from '../../marks/legend.ts';
import { fixed, ordinal, score, share } from '../../marks/number.ts';
import { tokenStrip, type TokenView } from '../../marks/token.ts';
import type { PageState } from '../../state/page.ts';
import { cellName, cellOf, extentOf, lengthOf, namesOf, placeIfNeeded, ranked, tokensOf, valueAt, valueText } from './reading.ts';
import { isHidden, stageWords } from './stages.ts';
import { placeOf, type Seen, type State } from './work.ts';
import { rowOf } from './words.ts';

export interface BoardContext {
  id: string;
  state: State;
  seen: Seen;
  page: PageState;
  set(patch: Partial<State>): void;
}

/** What is worked out once for a result and stage, not at every move of the pointer. */
export interface BoardNumbers {
  names: string[];
  tokens: TokenView[];
  /** The size at both ends of the stage's scale. */
  extent: number;
  /** Of each row, where rows are too long to read. */
  lengths: number[];
}

export interface Board extends BoardNumbers {
  context: BoardContext;
  /** The cell under the pointer or focus. */
  active: Place | null;
  activate(place: Place | null): void;
  pick(place: Place): void;
  pickToken(row: number): void;
}

/** Up to here every cell is an element and holds its number where there is room; beyond, the grid is a canvas. */
const mostElements = 40;
/** Up to here cells fade from one number to the next. */
const mostMoving = 20;
/** Up to here chips carry numbers below them. */
const mostNumbers = 40;

export function boardNumbers({ seen, state: { stage } }: BoardContext): BoardNumbers {
  const tokens = tokensOf(seen.run.tokens);
  const lengths = stageWords[stage].square ? [] : tokens.map((_, row) => lengthOf(seen, stage, row));
  return { names: namesOf(seen), tokens, extent: extentOf(seen, stage), lengths };
}

export function boardView(board: Board, letGo?: (event: KeyboardEvent) => void): TemplateResult {
  const { id, state, seen } = board.context;
  return html`<div class="head-board ${seen.sizes.n <= mostMoving ? 'head-board-few' : ''}" @keydown=${letGo ?? nothing}>
    ${strip(board)}
    ${readout(board)}
    ${stageWords[state.stage].square && seen.sizes.n <= mostElements ? elements(board) : canvas(board)}
    <p class="head-legend" id="${id}-legend">${legend(board)}</p>
  </div>`;
}

/** The board as the compiled page holds it: nobody points at anything. */
export function stillBoard(context: BoardContext): TemplateResult {
  const nothingHappens = () => {};
  return boardView({ ...boardNumbers(context), context, active: null, activate: nothingHappens, pick: nothingHappens, pickToken: nothingHappens });
}

// ------------------------------------------------------------------------------------------------ what is looked at

/** The cell under the pointer or focus, else the one that is open, else the largest of the row that is spoken of. */
function gaze(board: Board): Place {
  const { state, seen } = board.context;
  const opened = placeOf(state, seen.sizes);
  if (board.active ?? opened) return (board.active ?? opened)!;
  const row = rowOf(state, seen);
  return [row, largest(board, row)];
}

/** The column of a row's largest number. */
export function largest({ context: { state, seen } }: Pick<Board, 'context'>, row: number): number {
  const { stage } = state;
  return ranked(seen, stage, row, stageWords[stage].square ? undefined : Math.abs)[0]!;
}

// ------------------------------------------------------------------------------------------------------------ parts

function strip(board: Board): TemplateResult {
  const { id, state, seen, page } = board.context;
  const [row, column] = gaze(board);
  const { square } = stageWords[state.stage];
  const few = seen.sizes.n <= mostNumbers;
  const numbers = few || state.showids;
  return html`<div class="head-tokens ${few ? '' : 'head-tokens-many'}" tabindex=${few ? nothing : 0} role="region" aria-label="Tokens of the text">
    ${tokenStrip({
      id,
      label: 'Tokens; pick one to open its row',
      base: page.base,
      tokens: board.tokens.map((token, at) => (numbers ? { ...token, below: below(board, at, row) } : token)),
      asking: row,
      lit: (at) => square && at === column && at !== row,
      onPick: board.pickToken,
      onHover: (at) => board.activate(at === null ? null : [at, largest(board, at)]),
    })}
  </div>`;
}

/** Under a chip: its id, or what the row in focus has for it, or the length of its own row. */
function below(board: Board, at: number, row: number): TemplateResult | string {
  const { state, seen } = board.context;
  const { stage } = state;
  if (state.showids) return fixed(seen.run.tokens[at]!.id, 0);
  if (!stageWords[stage].square) return score(board.lengths[at]!);
  const value = valueAt(seen, stage, row, at);
  if (value === null) return '–';
  return stage === 'shares' ? html`${share(value)}${tinyShare(value)}` : score(value);
}

/** The numbers of one cell from stage to stage. */
function readout(board: Board): TemplateResult {
  const { state, seen, page } = board.context;
  const { stage } = state;
  const [row, column] = gaze(board);
  const from = html`<b class="mark-query">${board.names[row]}</b>${placeOfName(board, row)}`;
  if (!stageWords[stage].square) {
    return html`<p class="head-readout">${from}, number ${ordinal(column, page.base)}: <b class="num">${valueText(stage, valueAt(seen, stage, row, column))}</b>
      <span class="readout-quiet">(the whole row has length ${score(board.lengths[row]!)})</span></p>`;
  }
  const hidden = isHidden('masked', row, column);
  const number = (at: 'raw' | 'scaled' | 'shares', text: string) => html`<span class="num ${at === stage || (at === 'scaled' && stage === 'masked') ? 'readout-now' : ''}">${text}</span>`;
  return html`<p class="head-readout">${from} asks <b class="mark-key">${board.names[column]}</b>${placeOfName(board, column)}:
    ${number('raw', score(valueAt(seen, 'raw', row, column)!))}
    <span class="readout-quiet">÷ √${seen.sizes.d_head} =</span> ${number('scaled', score(valueAt(seen, 'scaled', row, column)!))}
    <span class="readout-quiet">→</span> ${hidden ? html`<span>hidden, as it stands later</span>` : number('shares', share(valueAt(seen, 'shares', row, column)!))}</p>`;
}

function placeOfName({ names, context: { page } }: Board, at: number): TemplateResult {
  return html`<span class="readout-quiet">${placeIfNeeded(names, at, page.base)}</span>`;
}

function elements(board: Board): TemplateResult {
  const { id, state, seen, page } = board.context;
  const { stage } = state;
  return grid({
    id,
    label: `${stageWords[stage].holds(seen.sizes)}; rows look, columns are looked at`,
    rows: board.names,
    columns: board.names,
    rowMeaning: 'query',
    columnMeaning: 'key',
    cell: (row, column) => ({ ...cellOf(seen, stage, board.extent, row, column), name: cellName(seen, board.names, stage, page.base, row, column) }),
    active: board.active ?? placeOf(state, seen.sizes),
    onActive: board.activate,
    onPick: board.pick,
  });
}

function canvas(board: Board): TemplateResult {
  const { state, seen, page } = board.context;
  const { stage } = state;
  const { square, shape, holds } = stageWords[stage];
  const [rows, columns] = shape(seen.sizes);
  const readable = !square && columns <= 18;
  const cellWidth = readable ? 46 : square ? 16 : columns <= 128 ? 11 : 4;
  // Where columns are narrow, a label stands at every eighth, sixty-fourth, … that leaves it room.
  const every = readable || square ? 1 : 2 ** Math.ceil(Math.log2(44 / cellWidth));
  const options: HeatOptions = {
    label: holds(seen.sizes),
    rows: board.names,
    columns,
    column: (at) => (square ? board.names[at]! : at % every === 0 ? ordinal(at, page.base) : ''),
    cellWidth,
    cellHeight: square ? 16 : rows <= mostElements ? 26 : 18,
    cell: (row, column) => {
      const { ink, text } = cellOf(seen, stage, board.extent, row, column);
      return { ink, text: readable ? text : '' };
    },
    name: (row, column) => cellName(seen, board.names, stage, page.base, row, column),
    rowMeaning: 'query',
    columnMeaning: square ? 'key' : 'plain',
    active: board.active,
    picked: placeOf(state, seen.sizes),
    onActive: board.activate,
    onPick: board.pick,
  };
  return html`<heat-canvas .options=${options}></heat-canvas>`;
}

function legend(board: Board): TemplateResult {
  const { id, state, seen } = board.context;
  const { stage } = state;
  const label = stageWords[stage].holds(seen.sizes);
  return html`${stage === 'shares' ? shareLegend({ label }) : scoreLegend({ extent: board.extent, negative: true, label })}
    ${isHidden(stage, 0, 1) ? maskedLegend(id, 'hidden: stands later') : nothing}`;
}
