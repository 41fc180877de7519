// The wall of small grids: a row for each layer, or heads in the order of a score. Each is a button; arrow keys move among
// them as they hang, Enter opens.

import { html, nothing, type TemplateResult } from 'lit';
import { hatching } from '../../marks/legend.ts';
import '../../marks/pattern.ts';
import { stillPattern } from '../../marks/pattern.ts';
import { ordinal } from '../../marks/number.ts';
import type { PageState } from '../../state/page.ts';
import { openView } from './open-view.ts';
import './sight-watch.ts';
import { longName, scoreText, scoreWords, shortName } from './words.ts';
import { nameOf, openOf, wallOf, type Head, type HeadAt, type Seen, type State } from './work.ts';

export interface WallContext {
  id: string;
  state: State;
  seen: Seen;
  page: PageState;
  set(patch: Partial<State>): void;
}

/** Drawn by the compiler, which has no canvas. */
const compiled = typeof document === 'undefined';
/** More heads than this hang in two lines where the page is narrow. */
const manyHeads = 6;

export function wall(context: WallContext): TemplateResult {
  const { id, state, seen } = context;
  const lines = wallOf(state.sort, seen);
  const open = openOf(state, seen);
  const entry = open ?? lines.flat().find((head) => 'pattern' in head);
  return html`<div class="gallery ${seen.model.config.n_heads > manyHeads ? 'gallery-many' : ''}" role="group" aria-label="All heads. Arrow keys move, Enter opens." @keydown=${walk}>
    ${compiled ? html`<svg class="gallery-hatch" width="0" height="0" aria-hidden="true">${hatching(`${id}-hatch`)}</svg>` : nothing}
    ${state.sort === 'place' ? nothing : watchFor(seen, lines.flat())}
    ${lines.map((heads, line) => html`
      <div class="gallery-row">
        ${state.sort === 'place' ? html`<span class="gallery-layer">layer ${ordinal(line, context.page.base)}</span>` : nothing}
        <div class="gallery-heads">${heads.map((head) => frame(context, head, head === entry))}</div>
        ${state.sort === 'place' ? watchFor(seen, heads) : nothing}
      </div>
      ${open && heads.includes(open) ? openView(context, open) : nothing}`)}
  </div>`;
}

/** Asks for the layers whose places are empty, when the line comes into sight; an order by score needs all of them. */
function watchFor(seen: Seen, heads: readonly (Head | HeadAt)[]): TemplateResult | typeof nothing {
  const missing = new Set(heads.filter((head) => !('pattern' in head)).map(({ layer }) => layer));
  if (missing.size === 0 || compiled) return nothing;
  return html`<sight-watch .seen=${() => missing.forEach((layer) => seen.ask(layer))}></sight-watch>`;
}

/** `entry`: the one in the tab order. */
function frame(context: WallContext, head: Head | HeadAt, entry: boolean): TemplateResult {
  const { id, state, seen, set } = context;
  const name = shortName(head);
  if (!('pattern' in head)) {
    return html`<span class="gallery-head gallery-awaited"><span class="gallery-name">${name}</span><span class="gallery-grid"></span>${state.sort === 'place' ? nothing : html`<span class="gallery-score">–</span>`}</span>`;
  }
  const open = openOf(state, seen) === head;
  const score = state.sort === 'place' ? null : scoreText(state.sort, head.scores[state.sort]);
  return html`<button type="button" class="gallery-head ${open ? 'gallery-picked' : ''}" id="${id}-head-${nameOf(head)}" data-move="${id}-${nameOf(head)}" data-head=${nameOf(head)}
    tabindex=${entry ? 0 : -1} aria-expanded=${open ? 'true' : 'false'}
    @click=${() => set({ heads: open ? [] : [nameOf(head)], model: 'any' })}>
    <span class="gallery-name">${name}</span>
    <span class="gallery-grid">${compiled ? stillPattern(head.pattern, `${id}-hatch`) : html`<pattern-canvas .pattern=${head.pattern}></pattern-canvas>`}</span>
    ${score === null ? nothing : html`<span class="gallery-score">${score}</span>`}<span class="visually-hidden"> ${state.sort === 'place' ? '' : `${scoreWords[state.sort].name.toLowerCase()}, `}${longName(head)}</span>
  </button>`;
}

// ------------------------------------------------------------------------------------------------------------- keys

/** Moves the focus as the eye sees the wall, however its rows are broken. */
function walk(event: KeyboardEvent): void {
  if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const from = (event.target as Element).closest<HTMLButtonElement>('[data-head]');
  if (!from) return;
  const all = [...(event.currentTarget as Element).querySelectorAll<HTMLButtonElement>('[data-head]')];
  const next = goalOf(event.key, from, all);
  if (!next) return;
  event.preventDefault();
  for (const button of all) button.tabIndex = button === next ? 0 : -1;
  next.focus();
}

function goalOf(key: string, from: HTMLButtonElement, all: HTMLButtonElement[]): HTMLButtonElement | undefined {
  const at = all.indexOf(from);
  const steps: Record<string, () => HTMLButtonElement | undefined> = {
    ArrowLeft: () => all[at - 1],
    ArrowRight: () => all[at + 1],
    Home: () => all[0],
    End: () => all.at(-1),
    ArrowUp: () => nearest(from, all, -1),
    ArrowDown: () => nearest(from, all, 1),
  };
  return steps[key]?.();
}

/** In the nearest line above or below, the button that stands closest. */
function nearest(from: Element, all: HTMLButtonElement[], way: 1 | -1): HTMLButtonElement | undefined {
  const here = from.getBoundingClientRect();
  const far = (button: Element): readonly [number, number] => {
    const { x, y } = button.getBoundingClientRect();
    return [(y - here.y) * way, Math.abs(x - here.x)];
  };
  const beyond = all.map((button) => ({ button, far: far(button) })).filter(({ far: [down] }) => down > here.height / 2);
  return beyond.sort((a, b) => a.far[0] - b.far[0] || a.far[1] - b.far[1])[0]?.button;
}
