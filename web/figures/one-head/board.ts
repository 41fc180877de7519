// The tokens, the grid and the line of numbers, alive. An element, because what is pointed at belongs to no link: it lights
// a row and a column here and is forgotten.

import { LitElement, type PropertyDeclarations, type PropertyValues } from 'lit';
import type { Place } from '../../marks/grid.ts';
import '../../marks/heat-canvas.ts';
import { type Board, type BoardContext, boardNumbers, type BoardNumbers, boardView, largest } from './board-view.ts';
import { isHidden, stageWords } from './stages.ts';
import { placeOf } from './work.ts';

export class HeadBoard extends LitElement {
  static override properties: PropertyDeclarations = { context: { attribute: false }, active: { state: true } };

  /** Absent in the compiled page, whose picture stays until the figure draws anew. */
  declare context: BoardContext | undefined;
  declare active: Place | null;
  numbers: BoardNumbers | undefined;

  constructor() {
    super();
    this.context = undefined;
    this.active = null;
  }

  override createRenderRoot() {
    return this;
  }

  override shouldUpdate() {
    return this.context !== undefined;
  }

  override willUpdate(changed: PropertyValues) {
    if (!changed.has('context') || !this.context) return;
    const { seen, state } = this.context;
    this.numbers = boardNumbers(this.context);
    const [rows, columns] = stageWords[state.stage].shape(seen.sizes);
    if (this.active && (this.active[0] >= rows || this.active[1] >= columns || this.isElsewhere(changed.get('context')))) this.active = null;
  }

  /** Whether another square was opened than the one that is pointed at, as a link in the text does. */
  isElsewhere(before: BoardContext | undefined): boolean {
    const { row, col } = this.context!.state;
    if (!before || row < 0 || (before.state.row === row && before.state.col === col)) return false;
    return this.active![0] !== row || this.active![1] !== col;
  }

  override render() {
    const { context, active, numbers, activate, pick, pickToken } = this;
    return boardView({ ...numbers!, context: context!, active, activate, pick, pickToken }, this.letGo);
  }

  activate: Board['activate'] = (place) => (this.active = place);

  pick: Board['pick'] = ([row, col]) => {
    const { state, set } = this.context!;
    set(state.row === row && state.col === col ? { row: -1, col: -1 } : { row, col });
  };

  pickToken: Board['pickToken'] = (row) => {
    const context = this.context!;
    const { state, seen, set } = context;
    const opened = placeOf(state, seen.sizes);
    set(opened?.[0] === row ? { row: -1, col: -1 } : { row, col: opened && !isHidden(state.stage, row, opened[1]) ? opened[1] : largest({ context }, row) });
  };

  letGo = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return;
    this.active = null;
    this.context!.set({ row: -1, col: -1 });
  };
}

if (typeof document !== 'undefined' && !customElements.get('head-board')) customElements.define('head-board', HeadBoard);
