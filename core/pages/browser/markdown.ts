/** Buttons and keys that write Markdown around the selection of a text field. Without scripts there are none. */

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
  document.addEventListener('keydown', (event) => {
    const { target: area } = event;
    const tool = event.ctrlKey || event.metaKey ? KEYS[event.key.toLowerCase()] : undefined;
    if (!tool || event.shiftKey || event.altKey) return;
    if (!(area instanceof HTMLTextAreaElement) || area.readOnly || !area.closest('[data-markdown]')) return;
    event.preventDefault();
    write(area, tool);
  });
}

export function showToolbars(): void {
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
function insert(area: HTMLTextAreaElement, text: string): void {
  if (!document.execCommand('insertText', false, text)) area.setRangeText(text);
}
