// Guess first, and exercises: the answer waits until the reader has committed; then both stand on the screen. What was
// answered stays on the device.

import { isNear, readAnswer } from './checking.ts';
import { startFresh } from './fresh-numbers.ts';
import { pageName, recall, remember } from './memory.ts';

export function startQuestions(): void {
  for (const question of document.querySelectorAll<HTMLElement>('[data-question]')) {
    question.dataset['alive'] = 'yes';
    if (question.dataset['question'] === 'number') startNumber(question);
    else startChoice(question);
  }
}

interface Parts {
  answer: HTMLDetailsElement;
  commit: HTMLButtonElement;
  again: HTMLButtonElement;
  verdict: HTMLElement;
  /** Of what was answered, on the device. */
  key: string;
  /** Of whether it was right, for the page of contents. */
  rightKey: string;
}

function partsOf(question: HTMLElement, word: string): Parts {
  const answer = question.querySelector<HTMLDetailsElement>('.question-answer')!;
  const line = document.createElement('div');
  line.className = 'question-actions';
  const commit = button(word, 'button');
  const again = button('Answer again', 'button button-quiet');
  again.hidden = true;
  const verdict = document.createElement('p');
  verdict.className = 'verdict';
  verdict.setAttribute('role', 'status');
  line.append(commit, again, verdict);
  answer.before(line);
  return { answer, commit, again, verdict, key: `answer.${pageName()}.${question.id}`, rightKey: `right.${pageName()}.${question.id}` };
}

function button(word: string, className: string): HTMLButtonElement {
  const made = document.createElement('button');
  Object.assign(made, { type: 'button', className, textContent: word });
  return made;
}

function say(verdict: HTMLElement, words: string, kind: '' | 'is-right' | 'is-wrong'): void {
  verdict.textContent = words;
  verdict.className = `verdict ${kind}`.trim();
}

/** Once more from the beginning, when the reader has the device forget. */
function onForgotten(ask: () => void): void {
  document.addEventListener('lookback-forgotten', ask);
}

function setCommitted(question: HTMLElement, { answer, commit, again }: Parts, committed: boolean): void {
  if (committed) question.dataset['committed'] = 'yes';
  else delete question.dataset['committed'];
  answer.open = committed;
  commit.hidden = committed;
  again.hidden = !committed;
}

// ------------------------------------------------------------------------------------------------------------ choices

function startChoice(question: HTMLElement): void {
  const parts = partsOf(question, 'Commit');
  const choices = [...question.querySelectorAll<HTMLElement>('.choice')];
  const inputs = choices.map((choice) => choice.querySelector('input')!);
  const chosen = () => inputs.flatMap((input, at) => (input.checked ? [at] : []));

  const show = () => {
    const picked = chosen();
    choices.forEach((choice, at) => {
      const right = choice.dataset['right'] !== undefined;
      const mine = picked.includes(at);
      inputs[at]!.disabled = true;
      choice.classList.toggle('is-chosen', mine);
      choice.querySelector('.choice-verdict')!.textContent = verdictOf(right, mine);
    });
    const all = choices.every((choice, at) => (choice.dataset['right'] !== undefined) === picked.includes(at));
    say(parts.verdict, all ? 'Right.' : 'Not so.', all ? 'is-right' : 'is-wrong');
    remember(parts.rightKey, all ? 'yes' : '');
    setCommitted(question, parts, true);
  };

  const ask = () => {
    choices.forEach((choice, at) => {
      inputs[at]!.disabled = false;
      choice.classList.remove('is-chosen');
      choice.querySelector('.choice-verdict')!.textContent = '';
    });
    setCommitted(question, parts, false);
    parts.commit.disabled = chosen().length === 0;
    say(parts.verdict, '', '');
  };

  question.addEventListener('change', () => (parts.commit.disabled = chosen().length === 0));
  parts.commit.addEventListener('click', () => {
    remember(parts.key, chosen().join(','));
    show();
    parts.again.focus();
  });
  const askAgain = () => {
    remember(parts.key, '');
    remember(parts.rightKey, '');
    inputs.forEach((input) => (input.checked = false));
    ask();
  };
  parts.again.addEventListener('click', () => {
    askAgain();
    inputs[0]!.focus();
  });
  onForgotten(askAgain);

  const kept = (recall(parts.key) ?? '').split(',').filter(Boolean).map(Number);
  const known = kept.length > 0 && kept.length <= inputs.length && kept.every((at) => inputs[at] !== undefined);
  if (known) kept.forEach((at) => (inputs[at]!.checked = true));
  if (known) show();
  else ask();
}

function verdictOf(right: boolean, mine: boolean): string {
  if (right) return mine ? 'your answer, right' : 'right';
  return mine ? 'your answer' : '';
}

// ------------------------------------------------------------------------------------------------------------ numbers

function startNumber(question: HTMLElement): void {
  const parts = partsOf(question, 'Check');
  const field = question.querySelector<HTMLInputElement>('.answer-line input')!;
  const truth = () => Number(field.dataset['answer']); // fresh numbers bring another
  const tolerance = Number(field.dataset['tolerance']) || 0;

  const show = (typed: string) => {
    const right = isNear(typed, truth(), tolerance);
    const unit = question.querySelector('.unit')?.textContent ?? '';
    say(parts.verdict, right ? 'Right.' : `Not so: your answer is ${typed.trim().replaceAll('-', '\u2212')}${unit && ` ${unit}`}.`, right ? 'is-right' : 'is-wrong');
    remember(parts.rightKey, right ? 'yes' : '');
    field.readOnly = true;
    setCommitted(question, parts, true);
  };

  const commit = () => {
    if (Number.isNaN(readAnswer(field.value))) {
      say(parts.verdict, 'Type a number first, such as 0.5, 0,5 or 1/2.', 'is-wrong');
      return field.focus();
    }
    remember(parts.key, field.value);
    show(field.value);
    parts.again.focus();
  };
  parts.commit.addEventListener('click', commit);
  field.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || parts.commit.hidden) return;
    event.preventDefault(); // else the same key would press the button that gets the focus
    commit();
  });
  const askAgain = () => {
    remember(parts.key, '');
    remember(parts.rightKey, '');
    field.readOnly = false;
    field.value = '';
    say(parts.verdict, '', '');
    setCommitted(question, parts, false);
  };
  parts.again.addEventListener('click', () => {
    askAgain();
    field.focus();
  });
  onForgotten(askAgain);

  const restore = () => {
    const kept = recall(parts.key);
    if (kept === null || Number.isNaN(readAnswer(kept))) return;
    field.value = kept;
    show(kept);
  };
  if (!question.dataset['fresh']) return restore();
  const other = button('Other numbers', 'button button-quiet');
  parts.again.after(other);
  void startFresh(question, field, other, askAgain, (words) => say(parts.verdict, words, 'is-wrong')).then((fits) => fits && restore());
}
