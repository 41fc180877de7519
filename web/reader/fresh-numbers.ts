// Exercises that can be asked with other numbers: drawn here, answered by the core, and kept on the device, so that a
// reader who comes back finds the numbers of the answer.

import type { LessonName } from '../engine/types.ts';
import { formats } from '../marks/formats.ts';
import { plain } from '../marks/number.ts';
import { drawFresh, parseFresh } from '../state/fresh.ts';
import { at } from '../state/pointer.ts';
import { engine } from './engine.ts';
import { pageName, recall, remember } from './memory.ts';

/** Brings back the numbers of the last visit, and lets `other` draw new ones. `begun` hears that the question is new. */
export async function startFresh(question: HTMLElement, field: HTMLInputElement, other: HTMLButtonElement, begun: () => void, failed: (sentence: string) => void): Promise<void> {
  const { fresh = '', lesson = '', input = '{}', at: place = '' } = question.dataset;
  const key = `numbers.${pageName()}.${question.id}`;
  const ranges = parseFresh(fresh);

  const ask = async (drawn: unknown) => {
    const answer = await engine().lesson(lesson as LessonName, drawn as never);
    field.dataset['answer'] = String(at(answer, place));
    for (const number of question.querySelectorAll<HTMLElement>('[data-of], [data-as]')) {
      const { of, at: pointer = '', as = 'number' } = number.dataset;
      number.textContent = of ? plain(at(drawn, of) as number) : formats[as]!(at(answer, pointer) as number);
    }
    const right = question.querySelector('.right-answer .num');
    const unit = question.querySelector('.unit')?.textContent;
    if (right) right.textContent = `${plain(at(answer, place) as number)}${unit ? `\u00a0${unit}` : ''}`;
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
  try {
    if (kept) await ask(JSON.parse(kept));
  } catch {
    // What was kept is of no use; the numbers of the page stand.
  }
}
