/**
 * The script of the page for those who begin a form while many others do: it finds the number that the service asks for, and
 * sends the form. Without it, the reader waits and presses the button.
 */

/** The number of leading zero bits of the hash. */
const BITS = 16;

const form = document.querySelector<HTMLFormElement>('form[data-proof]');
if (form) void solve(form, form.dataset.proof ?? '');

async function solve(posted: HTMLFormElement, challenge: string): Promise<void> {
  const field = posted.elements.namedItem('solution');
  if (!(field instanceof HTMLInputElement) || !crypto.subtle) return;
  document.querySelector('[data-proof-working]')?.removeAttribute('hidden');
  document.querySelector('[data-proof-waiting]')?.setAttribute('hidden', '');
  const encoder = new TextEncoder();
  for (let number = 0; ; number += 1) {
    const hash = await crypto.subtle.digest('SHA-256', encoder.encode(`${challenge}.${number}`));
    if (new DataView(hash).getUint32(0) >>> (32 - BITS) !== 0) continue;
    field.value = String(number);
    posted.requestSubmit();
    return;
  }
}
