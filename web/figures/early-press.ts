// What a reader does with the compiled picture before the first drawing takes its place: a button that was pressed is pressed
// there by its words, and what was opened is open again.

/** A button by its words, and which of those with the same words it is. */
export interface ButtonPlace {
  words: string;
  at: number;
}

const wordsOf = (button: Element) => button.getAttribute('aria-label') ?? button.textContent!.trim();
const buttonsWith = (root: Element, words: string) => [...root.querySelectorAll('button')].filter((button) => wordsOf(button) === words);

export function placeOf(root: Element, button: HTMLButtonElement): ButtonPlace {
  const words = wordsOf(button);
  return { words, at: buttonsWith(root, words).indexOf(button) };
}

export function buttonAt(root: Element, { words, at }: ButtonPlace): HTMLButtonElement | undefined {
  return buttonsWith(root, words)[at];
}

/** What folds, by its class: the words of its summary may be others in the live figure. */
const foldsWith = (root: Element, name: string) => [...root.querySelectorAll('details')].filter(({ className }) => className === name);

/** The open ones: the class, and which of those that have it. */
export function openedIn(root: Element): [string, number][] {
  return [...root.querySelectorAll<HTMLDetailsElement>('details[open]')].map((fold) => [fold.className, foldsWith(root, fold.className).indexOf(fold)]);
}

export function openAgain(root: Element, opened: readonly [string, number][]): void {
  for (const [name, at] of opened) {
    const fold = foldsWith(root, name)[at];
    if (fold && !fold.open) fold.open = true;
  }
}
