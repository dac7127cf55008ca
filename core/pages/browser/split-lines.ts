/** Several lines that are pasted into the empty title of a new question become questions of its kind, if the person agrees. */
import { type Editing, findMissing, formOf, readBody, readTexts, showStored } from './editing.ts';
import { parsePage } from './next-page.ts';
import { fill } from './texts.ts';

/** Lists the lines of a text of which questions can be made: none for a question that needs more than a title. */
export function linesOf(editing: Editing, title: HTMLInputElement, text: string): string[] {
  const form = formOf(editing);
  if (!form || title.id !== 'title' || title.value.trim() !== '' || editing.row.dataset.new === undefined) return [];
  if (findMissing(form) !== 'noTitle' || form.querySelector('.choice-row')) return [];
  const lines = text.split(/\r\n|\r|\n/).map((line) => line.trim());
  const titles = lines.filter((line) => line !== '');
  return titles.length > 1 && confirm(fill(readTexts().split, { n: titles.length })) ? titles : [];
}

/** Stores a question for each line above the row, in order. Returns the lines that could not be stored. */
export async function storeLines(editing: Editing, lines: readonly string[]): Promise<readonly string[]> {
  const form = formOf(editing);
  const body = form && readBody(form, 'save');
  for (const [index, title] of lines.entries()) {
    const id = crypto.randomUUID();
    for (const [name, value] of Object.entries({ title, id })) body?.set(name, value);
    const page = body && (await store(form.getAttribute('action') ?? '', body));
    const stored = page?.querySelector<HTMLElement>('[data-row]');
    if (!body || !page || !stored) return lines.slice(index);
    const row = document.importNode(stored, true);
    row.querySelector('.canvas-open')?.remove();
    editing.row.before(row);
    showStored(row, page);
    body.set('after', row.dataset.id ?? '');
  }
  return [];
}

async function store(action: string, body: URLSearchParams): Promise<Document | undefined> {
  const headers = { accept: 'application/json, text/html' };
  const response = await fetch(action, { method: 'POST', body, headers }).catch(() => undefined);
  return response?.ok ? parsePage(await response.text()) : undefined;
}
