// Turns a figure's definition into a custom element.
//
// The compiled page holds the first state as plain HTML inside the element. That stays until the first result is
// there, and is then replaced by the same picture, alive. The element computes only when it is near the screen, drops
// what is stale, and keeps the last good picture when something goes wrong.

import { LitElement, type PropertyDeclarations, type PropertyValues } from 'lit';
import type { Engine } from '../engine/types.ts';
import { link } from '../state/link.ts';
import { page, pageInLink } from '../state/page.ts';
import { clampState, formatState, initialState, parseState } from '../state/schema.ts';
import { csv, type FigureDefinition } from './definition.ts';
import { frame } from './frame.ts';
import { remember, restore } from './motion.ts';
import { download, pictureOf } from './save.ts';

/** How far off the screen a figure begins to compute. */
const nearby = '600px';
/** A screen reader hears of a change when the reader has paused. Milliseconds. */
const pause = 700;

/** Registers the figure's element, once. `engine` is asked for when the first figure needs it. */
export function registerFigure<S, R>(definition: FigureDefinition<S, R>, engine: () => Engine | Promise<Engine>): void {
  if (customElements.get(definition.name)) return;
  customElements.define(definition.name, figureElement(definition, engine));
}

function figureElement<S, R>(definition: FigureDefinition<S, R>, engine: () => Engine | Promise<Engine>) {
  const { schema } = definition;

  return class FigureElement extends LitElement {
    static override properties: PropertyDeclarations = {
      error: { state: true },
      notice: { state: true },
      announcement: { state: true },
      shown: { state: true },
      tableOpen: { state: true },
    };

    /** The state of the attributes: what Reset returns to and what a link leaves out. */
    base: S = initialState(schema);
    /** The state that the reader asked for. */
    wanted: S = this.base;
    /** The newest state that has a result. */
    declare shown: { state: S; result: R } | undefined;
    declare error: string;
    declare notice: string;
    declare announcement: string;
    declare tableOpen: boolean;

    near = false;
    /** The shown result is of a model that is no longer in use. */
    outdated = false;
    listening = false;
    alive = false;
    early: ButtonPlace | undefined;
    running: AbortController | undefined;
    stops: (() => void)[] = [];
    timers: Record<string, ReturnType<typeof setTimeout>> = {};

    constructor() {
      super();
      this.shown = undefined;
      this.error = this.notice = this.announcement = '';
      this.tableOpen = false;
    }

    // Light DOM: the page's styles and fragment links reach inside.
    override createRenderRoot() {
      return this;
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
      this.stops.push(() => watch.disconnect());
      this.addEventListener('click', this.pressedEarly);
    }

    /** A button of the compiled picture is pressed as soon as it answers. */
    pressedEarly = (event: Event) => {
      const button = (event.target as Element).closest('button');
      if (!this.alive && button) this.early = placeOf(this, button);
    };

    override disconnectedCallback() {
      super.disconnectedCallback();
      this.stops.forEach((stop) => stop());
      this.running?.abort();
      this.outdated = true; // what was going on has ended
      Object.values(this.timers).forEach(clearTimeout);
    }

    linked(): S {
      return parseState(schema, link().figure(this.id), this.base);
    }

    fromLink() {
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
      link().setFigure(this.id, formatState(schema, next, this.base));
    };

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
      this.later('announcement', pause, () => (this.announcement = definition.describe(state, result)));
    }

    async run() {
      const state = this.wanted;
      this.running?.abort();
      const running = (this.running = new AbortController());
      this.setAttribute('aria-busy', 'true');
      try {
        const update = (result: R, announced = false) => {
          if (running.signal.aborted || !this.shown) return;
          this.shown = { state: this.shown.state, result };
          if (announced) this.announce();
        };
        const result = await definition.compute(await this.engine(), state, running.signal, update);
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
        if (this.running === running) this.removeAttribute('aria-busy');
      }
    }

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
      const message = this.querySelector('.figure-error') ?? document.createElement('p');
      message.className = 'figure-error';
      message.setAttribute('role', 'alert');
      message.textContent = this.error;
      if (this.error) this.append(message);
      return false;
    }

    // The first drawing takes the compiled picture's place; its open details and the focus carry over.
    override update(changed: PropertyValues) {
      const before = remember(this);
      if (!this.alive) {
        this.alive = true;
        performance.mark(`${this.id} alive`);
        this.tableOpen = this.querySelector<HTMLDetailsElement>('.figure-data')?.open ?? false;
        this.replaceChildren();
      }
      super.update(changed);
      restore(this, before);
      const { early } = this;
      this.early = undefined;
      if (early) buttonAt(this, early)?.click();
    }

    override render() {
      const { state, result } = this.shown!;
      return frame({
        definition,
        context: { id: this.id, state, result, set: this.set, page: page().get() },
        number: this.getAttribute('number') ?? '',
        caption: this.getAttribute('caption') ?? '',
        error: this.error,
        notice: this.notice,
        announcement: this.announcement,
        actions: {
          reset: () => this.reset(),
          copyLink: () => void this.copyLink(),
          saveTable: () => this.saveTable(),
          savePicture: () => this.savePicture(),
          openTable: (open) => (this.tableOpen = open),
        },
        tableOpen: this.tableOpen,
      });
    }

    reset() {
      const there = formatState(schema, this.wanted, this.base).size === 0;
      this.set(this.base);
      if (there) void this.run(); // what goes on begins anew too
      this.say('Back to the start.');
    }

    /** The link holds this figure as its anchor and everything that is on the page. */
    async copyLink() {
      const fragment = link().fragment(this.id, pageInLink(page().get()));
      const address = location.href.replace(/#.*$/, '') + '#' + fragment;
      try {
        await navigator.clipboard.writeText(address);
        this.say('Link copied.');
      } catch {
        link().follow(fragment);
        this.say('The browser did not allow copying. The link is in the address bar.');
      }
    }

    saveTable() {
      const { state, result } = this.shown!;
      download(`${this.id}.csv`, 'text/csv', '\uFEFF' + csv(definition.table(state, result)));
      this.say(`Saved as ${this.id}.csv.`);
    }

    savePicture() {
      const { state, result } = this.shown!;
      const picture = this.querySelector<HTMLElement>('.figure-picture')!;
      download(`${this.id}.svg`, 'image/svg+xml', pictureOf(picture, definition.title(state, result)));
      this.say(`Saved as ${this.id}.svg.`);
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

/** A button by its words, and which of those with the same words it is. */
interface ButtonPlace {
  words: string;
  at: number;
}

const wordsOf = (button: Element) => button.getAttribute('aria-label') ?? button.textContent!.trim();
const buttonsWith = (root: Element, words: string) => [...root.querySelectorAll('button')].filter((button) => wordsOf(button) === words);

function placeOf(root: Element, button: HTMLButtonElement): ButtonPlace {
  const words = wordsOf(button);
  return { words, at: buttonsWith(root, words).indexOf(button) };
}

function buttonAt(root: Element, { words, at }: ButtonPlace): HTMLButtonElement | undefined {
  return buttonsWith(root, words)[at];
}

function attributesOf(element: Element): Map<string, string> {
  return new Map(Array.from(element.attributes, ({ name, value }) => [name, value]));
}

function sentenceOf(problem: unknown): string {
  const message = problem instanceof Error ? problem.message : String(problem);
  return message === '' ? 'This figure could not be worked out.' : message;
}
