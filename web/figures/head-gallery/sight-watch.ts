// Takes no room, and says when the place where it stands comes near the screen; once more when it is given another listener
// there.

import { LitElement, type PropertyDeclarations } from 'lit';

/** How far off the screen counts as near. */
const nearby = '100px';

export class SightWatch extends LitElement {
  static override properties: PropertyDeclarations = { seen: { attribute: false } };

  declare seen: () => void;
  near = false;
  observer: IntersectionObserver | undefined;

  override createRenderRoot() {
    return this;
  }

  override connectedCallback() {
    super.connectedCallback();
    this.observer = new IntersectionObserver(
      (entries) => {
        this.near = entries.at(-1)!.isIntersecting;
        if (this.near) this.seen();
      },
      { rootMargin: nearby },
    );
    this.observer.observe(this);
  }

  override disconnectedCallback() {
    super.disconnectedCallback();
    this.observer?.disconnect();
    this.near = false;
  }

  override updated() {
    if (this.near) this.seen();
  }
}

if (typeof document !== 'undefined' && !customElements.get('sight-watch')) customElements.define('sight-watch', SightWatch);
