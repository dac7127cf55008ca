/** The message that a form was not sent or not taken: the page stays, with what was typed. */
import type { Texts } from './texts.ts';

/** Shows the message; by default, that the form could not be sent. */
export function showFailure(reason?: string): void {
  const texts: Texts = JSON.parse(document.querySelector<HTMLElement>('[data-in-place]')?.dataset.inPlace ?? '{}');
  hideMessage();
  const flash = document.createElement('div');
  flash.className = 'flash bad';
  flash.dataset.flash = '';
  flash.setAttribute('role', 'alert');
  const text = document.createElement('p');
  text.textContent = reason ?? texts.notSent ?? '';
  const button = document.createElement('button');
  Object.assign(button, { type: 'button', className: 'quiet', textContent: texts.dismiss });
  button.dataset.dismiss = '';
  flash.append(text, button);
  (document.querySelector('dialog[open]') ?? document.querySelector('main'))?.append(flash);
}

/** Removes the message about what was done before. */
export function hideMessage(): void {
  for (const flash of document.querySelectorAll('[data-flash]')) flash.remove();
}
