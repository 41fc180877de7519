// Play and Stop for something that has steps: an element, because it keeps time. From the last step it starts again at
// the first. It stops by itself at the end, and when the reader steps by hand.

import { html, LitElement, type PropertyDeclarations, type PropertyValues } from 'lit';

export class PlayButton extends LitElement {
  static override properties: PropertyDeclarations = {
    at: { type: Number },
    count: { type: Number },
    go: { attribute: false },
    stay: { attribute: false },
    playing: { state: true },
  };

  /** The step on screen, from 0. */
  declare at: number;
  declare count: number;
  declare go: (step: number) => void;
  /** How long a step stays on screen, in milliseconds. */
  declare stay: number;
  declare playing: boolean;
  timer: ReturnType<typeof setTimeout> | undefined;
  /** The step that the button itself asked for. */
  own = -1;

  constructor() {
    super();
    this.at = 0;
    this.count = 0;
    this.go = () => {};
    this.stay = 2600;
    this.playing = false;
  }

  override createRenderRoot() {
    return this;
  }

  override disconnectedCallback() {
    super.disconnectedCallback();
    this.stop();
  }

  override willUpdate(changed: PropertyValues) {
    if (!this.playing || !changed.has('at')) return;
    if (this.at !== this.own || this.at >= this.count - 1) this.stop();
    else this.wait();
  }

  press = () => {
    if (this.playing) return this.stop();
    this.playing = true;
    if (this.at >= this.count - 1) this.move(0);
    else this.move(this.at + 1);
  };

  move(step: number) {
    this.own = step;
    this.go(step);
  }

  wait() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.move(this.at + 1), this.stay);
  }

  stop() {
    clearTimeout(this.timer);
    this.playing = false;
  }

  override render() {
    return html`<button type="button" class="step-button" data-control="play" @click=${this.press}>${this.playing ? 'Stop' : 'Play'}</button>`;
  }
}

if (typeof document !== 'undefined' && !customElements.get('play-button')) customElements.define('play-button', PlayButton);
