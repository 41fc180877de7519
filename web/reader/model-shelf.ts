// Says which model is in use and opens another in its place: one that is fetched, one that is kept, or the reader's own
// files (picked, or dropped anywhere on the page). Before anything is asked it says where that goes and what it takes;
// while a model comes it shows how far it is, and can be cancelled; what goes wrong is one sentence.
//
//   html`<model-shelf .engine=${engine}></model-shelf>`
//
// Several shelves on a page are one: they show the same loading. The parts lie beside it: shelf-desk (what they share),
// shelf-wish and shelf-card (what can be opened), shelf-progress, shelf-open (the model in use).

import { html, LitElement, nothing, type PropertyDeclarations, type TemplateResult } from 'lit';
import type { KeptModel, Precision } from '../engine/types.ts';
import { page } from '../state/page.ts';
import { picked } from './handed-files.ts';
import { card, keptList, others, ownFiles, type CardContext } from './shelf-card.ts';
import { deskOf, measure, openHanded, openLittle, openSource, refresh, removeKept, reopen, sentenceOf, sitAt, type ShelfEngine } from './shelf-desk.ts';
import { openView } from './shelf-open.ts';
import { milestone, progressView } from './shelf-progress.ts';
import { firstWish, isSmallDevice, offerOf, sourceOf, type Wish } from './shelf-wish.ts';

export { openLittle, type ShelfEngine } from './shelf-desk.ts';

let shelves = 0;

export class ModelShelf extends LitElement {
  static override properties: PropertyDeclarations = { engine: { attribute: false }, wish: { state: true }, problem: { state: true }, asking: { state: true } };

  declare engine: ShelfEngine | undefined;
  declare wish: Wish;
  /** What was wrong with what was asked for. */
  declare problem: string;
  declare asking: AbortController | null;
  readonly ids = `shelf-${++shelves}`;
  leave: (() => void) | undefined;
  listensTo: ShelfEngine | undefined;
  watch: IntersectionObserver | undefined;

  constructor() {
    super();
    this.engine = undefined;
    this.wish = firstWish;
    this.problem = '';
    this.asking = null;
  }

  override createRenderRoot() {
    return this;
  }

  override connectedCallback() {
    super.connectedCallback();
    // It lies in something that unfolds: what it tells beside the model is asked for when it is seen.
    this.watch = new IntersectionObserver((entries) => {
      if (entries.at(-1)!.isIntersecting && this.engine) void refresh(this.engine);
    });
    this.watch.observe(this);
    this.requestUpdate();
  }

  override disconnectedCallback() {
    super.disconnectedCallback();
    this.watch?.disconnect();
    this.asking?.abort();
    this.leave?.();
    this.listensTo = undefined;
  }

  override willUpdate() {
    const { engine } = this;
    if (!engine || engine === this.listensTo) return;
    this.leave?.();
    this.listensTo = engine;
    this.leave = sitAt(engine, () => this.requestUpdate());
  }

  set = (patch: Partial<Wish>) => {
    this.asking?.abort();
    this.asking = null;
    this.problem = '';
    this.wish = { ...this.wish, ...patch };
  };

  /** What a model would take that the page does not know. */
  async ask(engine: ShelfEngine) {
    const asking = new AbortController();
    this.set({ offer: null });
    this.asking = asking;
    try {
      const offer = await engine.inspect(sourceOf(this.wish), { signal: asking.signal });
      if (this.asking === asking) this.set({ offer });
    } catch (problem) {
      if (this.asking !== asking) return;
      this.asking = null;
      this.problem = sentenceOf(problem);
    }
  }

  open(engine: ShelfEngine, precision: Precision) {
    void openSource(engine, offerOf(this.wish)?.name ?? '', sourceOf(this.wish), { precision });
  }

  openKept(engine: ShelfEngine, { key, name }: KeptModel) {
    void openSource(engine, name, { kept: key }, { precision: isSmallDevice() ? 'int8' : 'f32' });
  }

  override render() {
    const { engine } = this;
    if (!engine) return nothing;
    const desk = deskOf(engine);
    const { loading, error, notice, dragging } = desk;
    const model = engine.model();
    const { base } = page().get();
    return html`<div class="shelf ${dragging ? 'shelf-over' : ''}">
      ${loading ? progressView({ ...loading, base, cancel: () => loading.stop.abort(), again: () => engine.startAgain() }) : nothing}
      ${model && !(loading && model.arriving)
        ? openView({
            model,
            desk,
            base,
            idle: !loading,
            back: () => void openLittle(engine),
            reopen: (precision) => void reopen(engine, model.name, { precision }),
            measure: () => void measure(engine),
          })
        : nothing}
      ${error === '' ? nothing : html`<p class="figure-error" role="alert">${error}</p>`}
      <p class="shelf-notice" role="status">${loading ? milestone(loading.progress) : notice}</p>
      ${loading ? nothing : this.choices(engine, dragging)}
    </div>`;
  }

  choices(engine: ShelfEngine, dragging: boolean): TemplateResult {
    const { kept } = deskOf(engine);
    const { wish, problem, ids } = this;
    const context: CardContext = {
      id: ids,
      wish,
      kept,
      small: isSmallDevice(),
      asking: this.asking !== null,
      problem,
      set: this.set,
      ask: () => void this.ask(engine),
      open: (precision) => this.open(engine, precision),
    };
    const choosers = html`${this.chooser('Choose files…', false)} ${this.chooser('Choose a folder…', true)}`;
    return html`${card(context)}
      <div class="shelf-rest">
        ${others(context)} ${ownFiles(choosers, dragging)}
        ${keptList(kept, (each) => this.openKept(engine, each), (each) => void removeKept(engine, each))}
      </div>`;
  }

  /** A button in front of a file field, which no style sheet can dress. */
  chooser(words: string, folder: boolean): TemplateResult {
    const choose = (event: Event) => ((event.currentTarget as Element).nextElementSibling as HTMLInputElement).click();
    const chosen = (event: Event) => {
      const input = event.target as HTMLInputElement;
      if (input.files && input.files.length > 0) void openHanded(this.engine!, Promise.resolve(picked(input.files)));
      input.value = '';
    };
    return html`<button type="button" class="button button-quiet" @click=${choose}>${words}</button>${
      folder
        ? html`<input class="shelf-input" type="file" webkitdirectory hidden aria-label="Folder of a model" @change=${chosen} />`
        : html`<input class="shelf-input" type="file" multiple hidden accept=".safetensors,.json,.txt,.bpe" aria-label="Files of a model" @change=${chosen} />`
    }`;
  }
}

if (typeof document !== 'undefined' && !customElements.get('model-shelf')) customElements.define('model-shelf', ModelShelf);
