/** Shows a chosen look while one chooses it. Without scripts, a button shows it. */
import { apiFetch } from './api-fetch.ts';

/** How long the person has chosen nothing before the service is asked. */
const PAUSE_MS = 250;

/** The style element of the colour and the fonts of a page; that of the list of fonts stays as it is. */
const DRESSING = 'style[nonce]:not([data-font-samples])';

export function showLooks(): void {
  document.addEventListener('click', ({ target }) => {
    const color = target instanceof Element ? target.closest<HTMLElement>('[data-color]')?.dataset.color : undefined;
    if (color !== undefined) enterColor(color);
  });
  document.addEventListener('input', ({ target }) => {
    if (target instanceof HTMLInputElement && target.matches('[data-picker]')) enterColor(target.value);
  });
  // The policy of the page forbids new style elements, but not sheets that a script of the page makes.
  const sheet = new CSSStyleSheet();
  document.adoptedStyleSheets.push(sheet);
  const stored = document.querySelector<HTMLStyleElement>(DRESSING);
  let timer: ReturnType<typeof setTimeout> | undefined;
  let newest = '';
  document.addEventListener('input', ({ target }) => {
    const form = target instanceof Element ? target.closest<HTMLFormElement>('form[data-look]') : null;
    if (!form) return;
    clearTimeout(timer);
    timer = setTimeout(() => void show(form), PAUSE_MS);
  });
  const show = async (form: HTMLFormElement): Promise<void> => {
    const fields = [...new FormData(form)].map(([name, value]): [string, string] => [name, String(value)]);
    const address = `${form.action}?${new URLSearchParams(fields)}`;
    newest = address;
    const response = await apiFetch(address, {}).catch(() => undefined);
    if (!response?.ok || newest !== address) return;
    const fresh = new DOMParser().parseFromString(await response.text(), 'text/html');
    const styles = fresh.querySelector(DRESSING)?.textContent ?? '';
    if (stored) stored.disabled = true;
    // The person waits for the font to see it.
    await sheet.replace(styles.replaceAll('font-display:optional', 'font-display:swap'));
    const swatches = fresh.querySelector('[data-swatches]');
    if (swatches) document.querySelector('[data-swatches]')?.replaceChildren(...swatches.childNodes);
  };
}

/** Writes a colour into its field, as if it was typed. */
function enterColor(color: string): void {
  const field = document.querySelector<HTMLInputElement>('form[data-look] #color');
  if (!field) return;
  field.value = color;
  field.dispatchEvent(new Event('input', { bubbles: true }));
}

/** Shows the swatches, which need scripts; the picker begins with the colour of the field. */
export function showPalette(): void {
  const palette = document.querySelector<HTMLElement>('[data-palette]');
  if (!palette) return;
  palette.hidden = false;
  const color = document.querySelector<HTMLInputElement>('form[data-look] #color')?.value ?? '';
  const picker = palette.querySelector<HTMLInputElement>('[data-picker]');
  if (picker && /^#[\da-f]{6}$/i.test(color)) picker.defaultValue = color;
}
