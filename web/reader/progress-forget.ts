// "Forget my answers and progress", in the settings. It asks once more before it does.

import { forget, keeps } from './memory.ts';

/** What is forgotten; depth, theme and counting base stay. */
const kinds = ['answer', 'right', 'numbers', 'read'];

/** `room` holds the button that asks. */
export function startForgetting(room: HTMLElement): void {
  const ask = room.querySelector('button')!;
  if (!keeps()) {
    const said = document.querySelector('.keeps-nothing') !== null;
    return room.replaceChildren(said ? '' : 'This browser keeps nothing for the book: answers last until this page is closed.');
  }
  const sure = document.createElement('div');
  sure.setAttribute('role', 'group');
  sure.setAttribute('aria-labelledby', 'forget-sure');
  const question = document.createElement('p');
  question.id = 'forget-sure';
  question.textContent = 'Forget every answer and what you have read, in all chapters, on this device?';
  const done = document.createElement('p');
  done.setAttribute('role', 'status');
  done.className = 'forget-done';
  const close = (words: string) => {
    sure.remove();
    ask.hidden = false;
    done.textContent = words;
    ask.focus();
  };
  const yes = button('Forget', 'button', () => {
    forget(kinds);
    document.dispatchEvent(new Event('lookback-forgotten'));
    close('Forgotten.');
  });
  const no = button('Keep', 'button button-quiet', () => close(''));
  sure.append(question, yes, ' ', no);
  room.append(done);
  ask.addEventListener('click', () => {
    done.textContent = '';
    ask.hidden = true;
    ask.after(sure);
    no.focus();
  });
}

function button(words: string, className: string, act: () => void): HTMLButtonElement {
  const made = document.createElement('button');
  Object.assign(made, { type: 'button', className, textContent: words });
  made.addEventListener('click', act);
  return made;
}
