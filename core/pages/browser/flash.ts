/**
 * The message about what was just done: it is announced, not repeated by a reload, and goes when it is dismissed or old, or its
 * reader goes on. What it says is also seen in the page.
 */
import { announce, prepareAnnouncer } from './announce.ts';

/** A message that was on the page for this long was seen. */
const SEEN_MS = 2_000;
/** A message covers the page no longer than this, unless somebody is at it. */
const SHOWN_MS = 3_000;
/** Screen readers notice a change of a live region that exists. */
const ANNOUNCE_MS = 100;

let timer: ReturnType<typeof setTimeout> | undefined;

/** Announces the message of the page, and soon removes it from the address. */
export function showFlash(): void {
  clearTimeout(timer);
  const flash = document.querySelector<HTMLElement>('[data-flash][role="status"]');
  if (!flash) return;
  flash.querySelector('button')?.removeAttribute('hidden');
  placeFlash();
  prepareAnnouncer();
  setTimeout(() => announce(flash.querySelector('p')?.textContent ?? ''), ANNOUNCE_MS);
  timer = setTimeout(() => {
    forgetDone();
    timer = setTimeout(() => hide(flash), SHOWN_MS);
  }, SEEN_MS);
}

/** Hides the message, which was announced; the page keeps its room, so nothing moves. */
function hide(flash: HTMLElement): void {
  if (flash.matches(':hover, :focus-within')) timer = setTimeout(() => hide(flash), SHOWN_MS);
  else flash.dataset.old = '';
}

/** Shows the message at the other edge of the window while the focused element would be behind it. */
function placeFlash(): void {
  const flash = document.querySelector<HTMLElement>('[data-flash]:not([data-old])');
  const focused = document.activeElement;
  if (!flash || !focused || focused === document.body || flash.contains(focused) || focused.matches('main')) return;
  const [covers, covered] = [flash.getBoundingClientRect(), focused.getBoundingClientRect()];
  if (
    covers.top < covered.bottom &&
    covered.top < covers.bottom &&
    covers.left < covered.right &&
    covered.left < covers.right
  )
    flash.toggleAttribute('data-above');
}

/**
 * Hides the message with the next press or edit, and removes it when its button or Escape is pressed; the focus then moves to
 * the content. Keeps it off the focused element.
 */
export function dismissFlash(): void {
  for (const event of ['focusin', 'scroll', 'resize']) addEventListener(event, placeFlash, { passive: true });
  for (const event of ['pointerdown', 'input', 'keydown']) {
    document.addEventListener(event, (pressed) => {
      const { target } = pressed;
      const flash = document.querySelector<HTMLElement>('[data-flash][role="status"]');
      const isPress = !(pressed instanceof KeyboardEvent) || pressed.key === 'Enter' || pressed.key === ' ';
      if (flash && isPress && target instanceof Node && !flash.contains(target)) flash.dataset.old = '';
    });
  }
  document.addEventListener('click', ({ target }) => {
    const flash = target instanceof Element && target.closest('[data-dismiss]')?.closest('[data-flash]');
    if (flash) dismiss(flash);
  });
  document.addEventListener('keydown', ({ key, target }) => {
    const flash = target instanceof Element && key === 'Escape' ? target.closest('[data-flash]') : null;
    if (flash) dismiss(flash);
  });
}

function dismiss(flash: Element): void {
  flash.remove();
  forgetDone();
  document.querySelector('main')?.focus({ preventScroll: true });
}

/** Removes what was done from the address, so that a reload does not say it again. */
function forgetDone(): void {
  const url = new URL(location.href);
  url.searchParams.delete('done');
  if (url.href !== location.href) history.replaceState(history.state, '', url);
}
