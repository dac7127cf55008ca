/** Says while one types whether the address of an organization is free. Without scripts, saving says it. */
import { apiFetch } from './api-fetch.ts';
import { fill, type Texts } from './texts.ts';

/** How long the person has stopped typing before the service is asked. */
const PAUSE_MS = 400;

/** Says below a slug, while it is typed, whether it is available. */
export function checkSlugs(): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  document.addEventListener('input', ({ target: input }) => {
    const line = document.querySelector<HTMLElement>('[data-slug-status]');
    if (!line || !(input instanceof HTMLInputElement) || input.name !== 'slug') return;
    clearTimeout(timer);
    line.textContent = '';
    delete line.dataset.tone;
    const slug = input.value.trim();
    if (slug !== '' && slug !== line.dataset.own)
      timer = setTimeout(() => void showStatus(slug, input, line), PAUSE_MS);
  });
}

async function showStatus(slug: string, input: HTMLInputElement, line: HTMLElement): Promise<void> {
  const texts: Texts = JSON.parse(line.dataset.slugStatus ?? '{}');
  const status = await askStatus(slug).catch(() => undefined);
  // The person has typed on meanwhile.
  if (status === undefined || input.value.trim() !== slug) return;
  line.dataset.tone = status === 'available' ? 'good' : 'bad';
  line.textContent = fill(texts[status], { slug });
}

/** Whether a slug can be used; undefined if the service does not say. */
async function askStatus(slug: string): Promise<'available' | 'taken' | 'invalid' | undefined> {
  const response = await apiFetch(`/api/orgs/${encodeURIComponent(slug)}/status`, {});
  if (response.status === 400) return 'invalid';
  if (!response.ok) return undefined;
  const { available } = await response.json();
  return available ? 'available' : 'taken';
}
