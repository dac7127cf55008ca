/** Buttons and keys that write Markdown, or a name, at the selection of a text field. Without scripts there are none. */

/** What a tool writes before and after the selection. */
const AROUND: Readonly<Record<string, readonly [before: string, after: string]>> = {
  bold: ['**', '**'],
  italic: ['*', '*'],
  underline: ['++', '++'],
  strike: ['~~', '~~'],
  link: ['[', '](https://)'],
};
/** What a tool writes before every line of the selection. */
const BEFORE_LINES: Readonly<Record<string, string>> = { list: '- ', heading: '## ' };
const KEYS: Readonly<Record<string, string>> = { b: 'bold', i: 'italic', k: 'link' };

export function handleMarkdown(): void {
  document.addEventListener('click', ({ target }) => {
    const button = target instanceof Element ? target.closest<HTMLElement>('[data-tool]') : null;
    const area = button?.closest('[data-markdown]')?.querySelector('textarea');
    if (area) write(area, button?.dataset.tool ?? '');
  });
  // The tools are there while the text has the focus: a press on one of them leaves it there, also where buttons take none.
  document.addEventListener('mousedown', (event) => {
    if (event.target instanceof Element && event.target.closest('[data-tool]')) event.preventDefault();
  });
  document.addEventListener('keydown', (event) => {
    const { target: area } = event;
    const tool = event.ctrlKey || event.metaKey ? KEYS[event.key.toLowerCase()] : undefined;
    if (!tool || event.shiftKey || event.altKey) return;
    if (!(area instanceof HTMLTextAreaElement) || area.readOnly || !area.closest('[data-markdown]')) return;
    event.preventDefault();
    write(area, tool);
  });
}

type TextControl = HTMLInputElement | HTMLTextAreaElement;

/** Writes names where the cursor was last in the same form: in its title or its explanation, at first in the title. */
export function handleNames(): void {
  let last: TextControl | undefined;
  const isText = (target: unknown): target is TextControl =>
    (target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement) &&
    ['title', 'description'].includes(target.name);
  document.addEventListener('focusin', ({ target }) => {
    if (isText(target)) last = target;
  });
  document.addEventListener('click', ({ target }) => {
    const button = target instanceof Element ? target.closest<HTMLButtonElement>('[data-insert]') : null;
    if (!button) return;
    const control = last?.form === button.form ? last : button.form?.elements.namedItem('title');
    if (!isText(control)) return;
    control.focus();
    insert(control, button.dataset.insert ?? '');
  });
}

export function showToolbars(): void {
  for (const button of document.querySelectorAll<HTMLElement>('button[data-insert]')) button.hidden = false;
  for (const toolbar of document.querySelectorAll<HTMLElement>('[data-markdown] .toolbar')) {
    toolbar.hidden = toolbar.closest('[data-markdown]')?.querySelector('textarea')?.readOnly !== false;
  }
}

function write(area: HTMLTextAreaElement, tool: string): void {
  area.focus();
  const { value, selectionStart: start, selectionEnd: end } = area;
  const around = AROUND[tool];
  if (around) {
    const [before, after] = around;
    insert(area, before + value.slice(start, end) + after);
    // The address of a link is typed next, of an empty selection its text.
    const address = start + before.length + (end - start) + 2;
    if (tool === 'link' && end > start) area.setSelectionRange(address, address + 'https://'.length);
    else area.setSelectionRange(start + before.length, end + before.length);
    return;
  }
  const mark = BEFORE_LINES[tool] ?? '';
  const lineStart = value.lastIndexOf('\n', start - 1) + 1;
  const lines = value.slice(lineStart, end).split('\n');
  area.setSelectionRange(lineStart, end);
  insert(area, lines.map((line) => mark + line).join('\n'));
}

/** Replaces the selection so that the browser can undo it. */
function insert(area: TextControl, text: string): void {
  if (!document.execCommand('insertText', false, text)) area.setRangeText(text);
}
