// Exercises that can be asked with other numbers: drawn here, answered by the core, and kept on the device, so that a
// reader who comes back finds the numbers of the answer.

import { formats } from '../marks/formats.ts';
import { plain } from '../marks/number.ts';
import { drawFresh, parseFresh } from '../state/fresh.ts';
import { at } from '../state/pointer.ts';
import { askCore, redraw } from './checking.ts';
import { engine } from './engine.ts';
import { pageName, recall, remember } from './memory.ts';

/**
 * Brings back the numbers of the last visit, and lets `other` draw new ones. `begun` hears that the question is new. False
 * when the numbers of the last visit could not be brought back, so that its answer fits no longer.
 */
export async function startFresh(question: HTMLElement, field: HTMLInputElement, other: HTMLButtonElement, begun: () => void, failed: (sentence: string) => void): Promise<boolean> {
  const { fresh = '', lesson = '', input = '{}', at: place = '' } = question.dataset;
  const key = `numbers.${pageName()}.${question.id}`;
  const ranges = parseFresh(fresh);

  const ask = async (drawn: unknown) => {
    const { answer, truth } = await askCore(engine(), { lesson, at: place }, drawn);
    field.dataset['answer'] = String(truth);
    for (const number of question.querySelectorAll<HTMLElement>('[data-of], [data-as]')) {
      const { of, at: pointer = '', as = 'number' } = number.dataset;
      number.textContent = of ? plain(at(drawn, of) as number) : formats[as]!(at(answer, pointer) as number);
    }
    const right = question.querySelector('.right-answer .num');
    const unit = question.querySelector('.unit')?.textContent;
    if (right) right.textContent = `${plain(truth)}${unit ? `\u00a0${unit}` : ''}`;
  };

  other.addEventListener('click', async () => {
    other.disabled = true;
    try {
      const drawn = drawFresh(JSON.parse(input), ranges, Math.random);
      await ask(drawn);
      remember(key, JSON.stringify(drawn));
      begun();
      field.focus();
    } catch (problem) {
      failed((problem as Error).message);
    } finally {
      other.disabled = false;
    }
  });

  const kept = recall(key);
  if (!kept) return true;
  try {
    const drawn = redraw(JSON.parse(input), ranges, JSON.parse(kept));
    if (drawn === null) return false;
    await ask(drawn);
    return true;
  } catch {
    return false; // the numbers of the page stand
  }
}
