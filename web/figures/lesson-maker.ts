// Makes a lesson of a figure as it stands: the teacher ticks what the reader shall not meet yet, and gets a link, and the
// lines that put the figure into a page of their own. Fetched when it is opened.

import { html, LitElement, nothing, type PropertyDeclarations, type TemplateResult } from 'lit';
import { formatLink, isAway, link, parseLink } from '../state/link.ts';
import { page, pageInLink } from '../state/page.ts';
import { controlsOf, formatHidden, hideKey, type Control } from './hiding.ts';

export interface Lesson {
  /** The figure's id and the name of its element. */
  id: string;
  name: string;
  /** What holds the figure. */
  room: HTMLElement;
  /** What the element needs to begin in the present state; a second one's, where a copy stands beside it. */
  attributes: readonly ReadonlyMap<string, string>[];
  /** What is hidden now. */
  hidden: ReadonlySet<string>;
}

/** A link to the figure and everything on the page as it is, without the controls named. */
export function lessonLink({ id }: Lesson, hide: ReadonlySet<string>): string {
  const whole = parseLink(link().fragment(id, pageInLink(page().get())));
  const values = new Map(whole.figures.get(id));
  if (hide.size > 0) values.set(hideKey, formatHidden(hide));
  else values.delete(hideKey);
  whole.figures.set(id, values);
  return location.href.replace(/#.*$/, '') + '#' + formatLink(whole);
}

/** The figure as an element of any page that has the book's script. */
export function elementCode({ name, attributes }: Lesson, hide: ReadonlySet<string>): string {
  const hidden = hide.size > 0 ? [[hideKey, formatHidden(hide)] as const] : [];
  const written = (key: string, value: string) => ` ${key}="${value.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')}"`;
  return attributes.map((values) => `<${name}${[...values, ...hidden].map(([key, value]) => written(key, value)).join('')}></${name}>`).join('\n');
}

/** The site's script for pages of others lies above this one. */
const script = () => `<script type="module" src="${new URL('../embed.js', import.meta.url).href}"></script>`;

export class LessonMaker extends LitElement {
  static override properties: PropertyDeclarations = { lesson: { attribute: false }, ticked: { state: true }, notice: { state: true } };

  declare lesson: Lesson;
  /** Names of the controls to hide; undefined until the reader ticks one. */
  declare ticked: ReadonlySet<string> | undefined;
  declare notice: string;

  constructor() {
    super();
    this.notice = '';
  }

  override createRenderRoot() {
    return this;
  }

  tick(name: string, on: boolean) {
    const next = new Set(this.ticked ?? this.lesson.hidden);
    if (on) next.add(name);
    else next.delete(name);
    this.ticked = next;
    this.notice = '';
  }

  async copy(field: string, said: string) {
    const input = this.querySelector<HTMLTextAreaElement>(`#${CSS.escape(field)}`)!;
    try {
      await navigator.clipboard.writeText(input.value);
      this.notice = said;
    } catch {
      input.select();
      this.notice = 'The browser did not allow copying. The text is selected.';
    }
  }

  override render(): TemplateResult {
    const { id, room, hidden } = this.lesson;
    const controls = controlsOf(room, id);
    const known = new Set(controls.map(({ name }) => name));
    const hide = new Set([...(this.ticked ?? hidden)].filter((name) => known.has(name)));
    const code = `${script()}\n${elementCode(this.lesson, hide)}`;
    return html`<fieldset class="maker-controls">
        <legend>Hide from the reader, who can bring everything back:</legend>
        ${controls.map((control) => this.choice(control, hide.has(control.name)))}
      </fieldset>
      ${isAway() ? nothing : this.field(`${id}-lesson-link`, 'A link to this figure as it is now', lessonLink(this.lesson, hide), 'Copy the link', 'The link is copied.')}
      ${this.field(`${id}-lesson-code`, 'For a page of your own', code, 'Copy the HTML', 'The HTML is copied.')}
      <p class="maker-notice" role="status">${this.notice}</p>`;
  }

  choice({ name, label }: Control, on: boolean): TemplateResult {
    return html`<label class="maker-choice"><input type="checkbox" name=${name} autocomplete="off" .checked=${on}
        @change=${(event: Event) => this.tick(name, (event.target as HTMLInputElement).checked)} /> ${label.charAt(0).toUpperCase() + label.slice(1)}</label>`;
  }

  field(id: string, label: string, value: string, copies: string, said: string): TemplateResult {
    return html`<div class="maker-field">
      <label class="label" for=${id}>${label}</label>
      <textarea class="field maker-text" id=${id} rows="2" readonly spellcheck="false" .value=${value}></textarea>
      <button type="button" class="button button-quiet" @click=${() => void this.copy(id, said)}>${copies}</button>
    </div>`;
  }
}

if (!customElements.get('lesson-maker')) customElements.define('lesson-maker', LessonMaker);
