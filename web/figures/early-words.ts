// What a figure says before its first result: that its engine takes long to start, or that it could not be worked out.

import { lateSentence } from '../engine/late-start.ts';

/** Below the compiled picture, which is all there is to show; where there is nothing to say, what was said goes. */
export function sayEarly(room: HTMLElement, error: string, late: boolean, again: () => void): void {
  const message = room.querySelector('.figure-error') ?? document.createElement('p');
  if (error === '' && !late) return message.remove();
  message.className = 'figure-error';
  message.setAttribute('role', 'alert');
  message.textContent = error || `${lateSentence} `;
  if (!error) message.append(button(again));
  room.append(message);
}

function button(again: () => void): HTMLButtonElement {
  const made = document.createElement('button');
  made.type = 'button';
  made.className = 'button button-quiet';
  made.textContent = 'Try again';
  made.addEventListener('click', (event) => {
    event.stopPropagation(); // not a button of the picture
    again();
  });
  return made;
}
