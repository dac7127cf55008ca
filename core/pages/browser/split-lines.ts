/** Several lines that are pasted into the empty title of a new question become questions of its kind, if the person agrees. */
import { type Editing, formOf, readBody, readTexts, showStored } from './editing.ts';
import { parsePage } from './next-page.ts';
import { fill } from './texts.ts';

/**
 * Lists the lines of a text of which questions can be made: none for a question that needs more than a title, such as a choice that
 * is not there yet. Those that can be rows of one table become that.
 */
export function linesOf(editing: Editing, title: HTMLInputElement, text: string): string[] {
  const form = formOf(editing);
  const { value, selectionStart, selectionEnd } = title;
  const isReplaced = value.trim() === '' || (selectionStart === 0 && selectionEnd === value.length);
  if (!form || title.id !== 'title' || !isReplaced || editing.row.dataset.new === undefined) return [];
  const needsMore = [...form.querySelectorAll<HTMLInputElement>('[name="choice.name"]')];
  if (needsMore.length > 0 && needsMore.every((name) => name.value.trim() === '')) return [];
  const lines = text.split(/\r\n|\r|\n/).map((line) => line.trim());
  const titles = lines.filter((line) => line !== '');
  const { split, splitRows } = readTexts();
  const asked = fill(form.querySelector('[name="grid"]') ? splitRows : split, { n: titles.length });
  return titles.length > 1 && confirm(asked) ? titles : [];
}

/** Stores a question for each line above the row, in order. Returns the lines that could not be stored. */
export async function storeLines(editing: Editing, lines: readonly string[]): Promise<readonly string[]> {
  const form = formOf(editing);
  const body = form && readBody(form, 'save');
  for (const [index, title] of lines.entries()) {
    const id = crypto.randomUUID();
    for (const [name, value] of Object.entries({ title, id })) body?.set(name, value);
    if (index > 0 && form?.querySelector('[name="grid"]')) body?.set('grid', 'on');
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
