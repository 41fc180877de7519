// Turns a figure's definition into a custom element.
//
// The compiled page holds the first state as plain HTML inside the element. That stays until the first result is
// there, and is then replaced by the same picture, alive. The element computes only when it is near the screen, drops
// what is stale, and keeps the last good picture when something goes wrong.

import { html, LitElement, type PropertyDeclarations, type PropertyValues, type TemplateResult } from 'lit';
import type { Engine } from '../engine/types.ts';
import { isAway, link } from '../state/link.ts';
import { page, pageInLink } from '../state/page.ts';
import { clampState, formatState, initialState, parseState } from '../state/schema.ts';
import { besideKey, canBeside, type FigureDefinition } from './definition.ts';
import { buttonAt, type ButtonPlace, openAgain, openedIn, placeOf } from './early-press.ts';
import { sayEarly } from './early-words.ts';
import { letGo } from './escape.ts';
import { frame, saidOf, type SavedKind, type Side } from './frame.ts';
import { conceal, hideKey, parseHidden } from './hiding.ts';
import type { Lesson } from './lesson-maker.ts';
import { remember, restore } from './motion.ts';
import { sentenceOf } from './sentence.ts';

/** How far off the screen a figure begins to compute. */
const nearby = '600px';
/** A screen reader hears of a change when the reader has paused. Milliseconds. */
const pause = 700;
/** A change of one of these draws the figure anew. */
const drawnFrom = ['error', 'late', 'notice', 'announcement', 'shown', 'tableOpen', 'makerOpen', 'concealed', 'beside'];

/** Makes a place in an element for its figure. Without one a figure stands in its element itself. */
export type RoomIn = (element: HTMLElement) => HTMLElement;

/** Registers the figure's element, once. `engine` is asked for when the first figure needs it. */
export function registerFigure<S, R>(definition: FigureDefinition<S, R>, engine: () => Engine | Promise<Engine>, roomIn?: RoomIn): void {
  if (customElements.get(definition.name)) return;
  customElements.define(definition.name, figureElement(definition, engine, roomIn));
}

function figureElement<S, R>(definition: FigureDefinition<S, R>, engine: () => Engine | Promise<Engine>, roomIn: RoomIn | undefined) {
  const { schema } = definition;

  return class FigureElement extends LitElement {
    static override properties: PropertyDeclarations = Object.fromEntries(drawnFrom.map((name) => [name, { state: true }]));

    /** The state of the attributes: what Reset returns to and what a link leaves out. */
    base: S = initialState(schema);
    /** The state that the reader asked for. */
    wanted: S = this.base;
    /** The newest state that has a result. */
    declare shown: { state: S; result: R } | undefined;
    declare error: string;
    /** The engine takes long to start. */
    declare late: boolean;
    declare notice: string;
    declare announcement: string;
    declare tableOpen: boolean;
    /** The tool that makes lessons. */
    declare makerOpen: boolean;
    /** The words of the controls that this lesson hides. */
    declare concealed: readonly string[];
    /** Draws the second copy, where one stands beside this figure (beside.ts). */
    declare beside: (() => TemplateResult) | undefined;

    near = false;
    /** The shown result is of a model that is no longer in use. */
    outdated = false;
    listening = false;
    alive = false;
    early: ButtonPlace | undefined;
    running: AbortController | undefined;
    /** A file that is being put together; it gives way to what the figure is asked next. */
    saving: AbortController | undefined;
    stops: (() => void)[] = [];
    timers: Record<string, ReturnType<typeof setTimeout>> = {};

    constructor() {
      super();
      this.shown = this.beside = undefined;
      this.error = this.notice = this.announcement = '';
      this.tableOpen = this.makerOpen = this.late = false;
      this.concealed = [];
    }

    // Light DOM in the book: the page's styles and fragment links reach inside.
    override createRenderRoot() {
      return roomIn?.(this) ?? this;
    }

    /** What holds the figure. */
    get room(): HTMLElement {
      return this.renderRoot as HTMLElement;
    }

    /** The figure without a second copy. */
    get own(): HTMLElement {
      return this.room.querySelector<HTMLElement>('.figure') ?? this.room;
    }

    /** The id that the book knows: a second copy is led by the first. */
    get first(): string {
      return this.dataset['copyOf'] ?? this.id;
    }

    get side(): Side | undefined {
      return this.first !== this.id ? 'second' : this.beside && 'first';
    }

    override connectedCallback() {
      super.connectedCallback();
      this.base = parseState(schema, attributesOf(this));
      this.wanted = this.linked();
      this.stops = [link().subscribe(() => this.fromLink()), page().subscribe(() => this.requestUpdate())];
      const watch = new IntersectionObserver(
        (entries) => {
          this.near = entries.at(-1)!.isIntersecting;
          if (this.near && this.stale()) void this.run();
        },
        { rootMargin: nearby },
      );
      watch.observe(this);
      this.addEventListener('click', this.pressedEarly);
      this.room.addEventListener('keydown', letGo);
      // Parts of a figure may draw themselves later than the figure.
      const drawn = new MutationObserver(this.conceal);
      drawn.observe(this.room, { childList: true, subtree: true });
      this.stops.push(() => watch.disconnect(), () => drawn.disconnect());
      this.conceal();
    }

    /** A button of the compiled picture is pressed as soon as it answers. */
    pressedEarly = (event: Event) => {
      const button = (event.target as Element).closest('button');
      if (!this.alive && button) this.early = placeOf(this, button);
      if (!this.alive && button && this.error) void this.run(); // what could not start is tried again
    };

    override disconnectedCallback() {
      super.disconnectedCallback();
      this.stops.forEach((stop) => stop());
      this.running?.abort();
      this.saving?.abort();
      this.outdated = true; // what was going on has ended
      Object.values(this.timers).forEach(clearTimeout);
    }

    linked(): S {
      return parseState(schema, link().figure(this.id), this.base);
    }

    /** The names of what this lesson hides: the link's, or those of the attribute. */
    hiddenNames(): ReadonlySet<string> {
      return new Set(parseHidden(link().figure(this.first).get(hideKey) ?? this.getAttribute(hideKey) ?? ''));
    }

    conceal = () => {
      const words = conceal(this.own, this.id, this.hiddenNames());
      if (words.join('\n') !== this.concealed.join('\n')) this.concealed = words;
    };

    showAll() {
      const values = new Map(link().figure(this.first));
      if (this.hasAttribute(hideKey)) values.set(hideKey, '');
      else values.delete(hideKey);
      link().setFigure(this.first, values);
      this.say('Everything is shown.');
      this.room.querySelector<HTMLElement>('.figure-action')?.focus({ preventScroll: true });
    }

    fromLink() {
      this.conceal();
      this.pair();
      const next = this.linked();
      if (formatState(schema, next, this.wanted).size > 0) this.want(next);
    }

    /** Whether what is shown is not what is wanted. A failed state is not tried again until it changes. */
    stale(): boolean {
      if (!this.shown || this.outdated) return true;
      return formatState(schema, this.wanted, this.shown.state).size > 0;
    }

    set = (patch: Partial<S>): void => {
      const next = clampState(schema, { ...this.wanted, ...patch });
      if (formatState(schema, next, this.wanted).size === 0) return this.redraw();
      this.want(next);
      const values = formatState(schema, next, this.base);
      for (const [key, value] of link().figure(this.id)) if (key === hideKey || key === besideKey) values.set(key, value);
      link().setFigure(this.id, values);
    };

    /** A second copy comes and goes as the link says. */
    pair() {
      if (!this.alive || this.side === 'second' || !canBeside(definition)) return;
      if (this.beside || link().figure(this.id).has(besideKey)) void import('./beside.ts').then(({ pair }) => pair(this, schema), () => {});
    }

    setBeside(on: boolean) {
      const values = on ? formatState(schema, this.wanted, this.base) : null;
      const missing = () => this.say('What this needs could not be loaded. Try again when the connection is back.');
      void import('./beside.ts').then(({ setBeside }) => setBeside(this.first, values), missing);
    }

    want(next: S) {
      const settled = !this.stale();
      const changed = formatState(schema, next, this.wanted).keys();
      this.wanted = next;
      if (settled && Array.from(changed).every((key) => definition.viewOnly?.includes(key as keyof S & string))) {
        this.shown = { state: next, result: this.shown!.result };
        return this.announce();
      }
      this.running?.abort();
      if (this.near) void this.run();
    }

    /** Draws the view again as it is, so that a field gives up what was typed but not taken. */
    redraw() {
      if (!this.stale()) this.shown = { state: { ...this.shown!.state }, result: this.shown!.result };
    }

    announce() {
      const { state, result } = this.shown!;
      this.later('announcement', pause, () => (this.announcement = saidOf(this.side, definition.describe(state, result))));
    }

    async run() {
      const state = this.wanted;
      this.running?.abort();
      this.saving?.abort();
      const running = (this.running = new AbortController());
      this.setAttribute('aria-busy', 'true');
      let unwatch = () => {};
      try {
        const asked = await this.engine();
        unwatch = asked.onLate((late) => (this.late = late));
        const update = (result: R, announced = false) => {
          if (running.signal.aborted || !this.shown) return;
          this.shown = { state: this.shown.state, result };
          if (announced) this.announce();
        };
        const result = await definition.compute(asked, state, running.signal, update);
        if (running.signal.aborted) return;
        this.outdated = false;
        const first = !this.shown;
        this.shown = { state, result };
        this.error = '';
        if (!first) this.announce();
      } catch (problem) {
        if (running.signal.aborted) return;
        this.error = sentenceOf(problem);
      } finally {
        unwatch();
        if (this.running === running) {
          this.removeAttribute('aria-busy');
          this.late = false;
        }
      }
    }

    startAgain = () => void this.engine().then((asked) => (asked.startAgain(), this.run()));

    async engine(): Promise<Engine> {
      const ready = await engine();
      if (definition.model && !this.listening) {
        this.listening = true;
        const stop = ready.onModel((_, lost) => {
          this.outdated = true;
          // What was lost comes back with the next change, lest an input that breaks the engine breaks it for ever.
          if (lost) this.error = lost.message;
          else this.want(this.wanted);
        });
        this.stops.push(() => {
          stop();
          this.listening = false;
        });
      }
      return ready;
    }

    // Before the first result there is nothing better to show than the compiled picture; an error joins it.
    override shouldUpdate() {
      if (this.shown) return true;
      sayEarly(this.room, this.error, this.late, this.startAgain);
      return false;
    }

    // The first drawing takes the compiled picture's place; its open details and the focus carry over.
    override update(changed: PropertyValues) {
      const before = remember(this.room);
      const opened = this.alive ? [] : openedIn(this.room);
      if (!this.alive) {
        this.alive = true;
        performance.mark(`${this.id} alive`);
        this.dispatchEvent(new Event('alive', { bubbles: true }));
        this.tableOpen = this.room.querySelector<HTMLDetailsElement>('.figure-data')?.open ?? false;
        this.room.replaceChildren();
        this.pair();
      }
      super.update(changed);
      openAgain(this.room, opened);
      restore(this.room, before);
      const { early } = this;
      this.early = undefined;
      if (early) buttonAt(this.room, early)?.click();
    }

    override render() {
      return html`${this.frame()}${this.beside?.()}`;
    }

    frame() {
      const { state, result } = this.shown!;
      return frame({
        definition,
        context: { id: this.id, state, result, set: this.set, wanted: () => this.wanted, page: page().get() },
        number: this.getAttribute('number') ?? '',
        caption: this.getAttribute('caption') ?? '',
        side: this.side,
        error: this.error,
        startAgain: this.late ? this.startAgain : undefined,
        notice: this.notice,
        announcement: this.announcement,
        actions: {
          reset: () => this.reset(),
          copyLink: () => void (isAway() ? this.copyElement() : this.copyLink()),
          save: (kind) => void this.save(kind),
          openTable: (open) => (this.tableOpen = open),
          openMaker: (open) => this.openMaker(open),
          showAll: () => this.showAll(),
          beside: (on) => this.setBeside(on),
        },
        away: isAway(),
        tableOpen: this.tableOpen,
        concealed: this.concealed,
        lesson: this.makerOpen ? this.lesson() : undefined,
      });
    }

    openMaker(open: boolean) {
      if (open) void import('./lesson-maker.ts');
      this.makerOpen = open;
    }

    /** What a lesson about this figure is made of. */
    lesson(): Lesson {
      const both = [this, ...this.querySelectorAll<FigureElement>(':scope > [data-copy-of]')];
      const attributes = both.map(({ wanted }) => formatState(schema, wanted));
      return { id: this.id, name: definition.name, room: this.own, attributes, hidden: this.hiddenNames() };
    }

    reset() {
      const there = formatState(schema, this.wanted, this.base).size === 0;
      this.set(this.base);
      if (there) void this.run(); // what goes on begins anew too
      this.say('Back to the start.');
    }

    /** The link holds this figure as its anchor and everything that is on the page. */
    async copyLink() {
      const fragment = link().fragment(this.first, pageInLink(page().get()));
      const address = location.href.replace(/#.*$/, '') + '#' + fragment;
      try {
        await navigator.clipboard.writeText(address);
        this.say('Link copied.');
      } catch {
        link().follow(fragment);
        this.say('The browser did not allow copying. The link is in the address bar.');
      }
    }

    /** In a page of somebody else a figure's state stands in the element. */
    async copyElement() {
      const { elementCode } = await import('./lesson-maker.ts');
      const code = elementCode(this.lesson(), this.hiddenNames());
      const copied = await navigator.clipboard.writeText(code).then(() => true, () => false);
      this.say(copied ? 'The element is copied, as it is now.' : `The browser did not allow copying. The element is ${code}`);
    }

    /** Hands a file of what is shown to the reader. */
    async save(kind: SavedKind) {
      this.saving?.abort();
      const { signal } = (this.saving = new AbortController());
      const { saveAs } = await import('./save-as.ts');
      await saveAs(kind, definition, { ...this.shown!, id: this.id, own: this.own, engine: () => this.engine(), say: (words) => this.say(words), signal });
    }

    say(words: string) {
      this.notice = words;
      this.later('notice', 6000, () => (this.notice = ''));
    }

    later(name: string, wait: number, act: () => void) {
      clearTimeout(this.timers[name]);
      this.timers[name] = setTimeout(act, wait);
    }
  };
}

function attributesOf(element: Element): Map<string, string> {
  return new Map(Array.from(element.attributes, ({ name, value }) => [name, value]));
}
