// The open head's grid, alive. An element, because what is pointed at belongs to no link.

import { LitElement, type PropertyDeclarations, type PropertyValues } from 'lit';
import type { Place } from '../../marks/grid.ts';
import '../../marks/heat-canvas.ts';
import { page } from '../../state/page.ts';
import { type GridContext, largeGrid } from './open-view.ts';

export class GalleryGrid extends LitElement {
  static override properties: PropertyDeclarations = { context: { attribute: false }, active: { state: true }, picked: { state: true } };

  declare context: GridContext;
  declare active: Place | null;
  declare picked: Place | null;
  stop = () => {};

  constructor() {
    super();
    this.active = this.picked = null;
  }

  override createRenderRoot() {
    return this;
  }

  override connectedCallback() {
    super.connectedCallback();
    this.stop = page().subscribe(() => this.requestUpdate());
  }

  override disconnectedCallback() {
    super.disconnectedCallback();
    this.stop();
  }

  override willUpdate(changed: PropertyValues) {
    const before = changed.get('context') as GridContext | undefined;
    if (before && before.head !== this.context.head) this.active = this.picked = null;
  }

  override render() {
    const { context, active, picked } = this;
    return largeGrid({
      ...context,
      base: page().get().base,
      active,
      picked,
      activate: (place) => (this.active = place),
      pick: (place) => (this.picked = picked?.[0] === place[0] && picked[1] === place[1] ? null : place),
    });
  }
}

if (typeof document !== 'undefined' && !customElements.get('gallery-grid')) customElements.define('gallery-grid', GalleryGrid);
