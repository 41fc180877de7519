// A button of the compiled picture, which the first drawing replaces by another with the same words.

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
