/**
 * How answers are read: links, lists and pictures where an answer is more than its text. Apart from the controls, so that
 * pages that only show answers do not load these.
 */
import type { Answer } from '#core/responses/model.ts';
import { formatFileSize } from '#core/schema/format.ts';
import type { QuestionType } from '#core/structure/question-model.ts';
import { isIds, type UploadedFile } from '#core/structure/types/content.ts';
import { displayValue } from '#core/structure/types/types.ts';
import { attachedFiles } from '#core/structure/types/upload-file.ts';
import type { PageContext } from '../shell/context.ts';
import { type Html, html } from '../shell/html.ts';
import type { PageQuestion } from './control.ts';

type Reading = {
  /** Renders an answer for reading; undefined if its text is all. */
  read: (context: PageContext, question: PageQuestion, answer: Answer) => Html | undefined;
  /** Renders a cell of the table of responses; by default `shown`, which is the text of the answer, cut if it is long. */
  cell?: (answer: Answer, text: string) => Html;
};

const choices: Reading = { read: renderUnnamedChoices };

const ranking: Reading = {
  read: ({ t }, _question, answer) => {
    const names = displayValue(answer).split(' > ');
    // If a name contains the separator, the counts differ and the text is shown as it is.
    return Array.isArray(answer.value) && answer.value.length === names.length
      ? html`<ol class="plain">${names.map((name) => html`<li dir="auto">${name || t.section.other}</li>`)}</ol>`
      : undefined;
  },
};

const hyperlink: Reading = {
  read: (_context, _question, answer) => renderWebAddress(displayValue(answer)),
  cell: (answer, text) => renderWebAddress(displayValue(answer), text),
};

const files: Reading = {
  read: (context, _question, answer) =>
    html`<ul class="plain">${attachedFiles(answer).map((file) => html`<li>${fileLink(context, file)}</li>`)}</ul>`,
  cell: (answer) =>
    html`<span class="cell-files">${attachedFiles(answer).map((file) =>
      isPicture(file)
        ? pictureLink(file, { width: 48, height: 48 })
        : html`<a href="/files/${file.fileId}" dir="auto">${file.originalFilename}</a>`,
    )}</span>`,
};

const account: Reading = {
  read: ({ connectTitles }, _question, { value }) => {
    if (typeof value !== 'object' || !('provider' in value)) return undefined;
    const service = connectTitles[value.provider];
    return service === undefined ? undefined : html`<bdi>${value.username}</bdi> <span class="muted">${service}</span>`;
  },
};

/** The types whose answers are read as more than their text. */
export const READINGS: Readonly<Partial<Record<QuestionType, Reading>>> = {
  SINGLE_CHOICE: choices,
  MULTIPLE_CHOICE: choices,
  DROPDOWN: choices,
  DETAILED_MULTIPLE_CHOICE: choices,
  RANKING: ranking,
  HYPERLINK: hyperlink,
  UPLOAD_FILE: files,
  OAUTH_CONNECT: account,
};

/** Renders the names of selected choices if one of them has none; a choice of an earlier version has its id only. */
function renderUnnamedChoices({ t }: PageContext, question: PageQuestion, answer: Answer): Html | undefined {
  const { choices: offered = [] } = question;
  const { value, otherText: text = '' } = answer;
  if (!isIds(value) || !offered.some(({ id, name }) => name === '' && value.includes(id))) return undefined;
  const names = value.map((selectedId) => {
    const choice = offered.find(({ id }) => id === selectedId);
    return choice ? (choice.isOther && text) || choice.name || t.section.other : selectedId;
  });
  return html`<span class="pre-line" dir="auto">${names.join(', ')}</span>`;
}

/** Renders a web address that somebody entered as a link marked as user content. `text` is the text of the link. */
const renderWebAddress = (address: string, text = address): Html =>
  /^https?:\/\//i.test(address)
    ? html`<a href="${address}" rel="nofollow noopener ugc">${text}</a>`
    : html`<span class="pre-line" dir="auto">${text}</span>`;

/** Renders the link to an uploaded file, with its size. */
export const fileLink = (context: PageContext, { fileId, originalFilename: name, size }: UploadedFile): Html =>
  html`<a href="/files/${fileId}" dir="auto">${name}</a> <span class="muted">${formatFileSize(context, size)}</span>`;

/** Pictures that browsers show without running anything in them: no SVG. */
const PICTURE_TYPES = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);

/** Whether browsers show a file as a picture. */
export const isPicture = ({ contentType }: UploadedFile): boolean => PICTURE_TYPES.has(contentType);

/** Renders a picture in a box of a fixed size, so that nothing moves while it loads; it leads to the file. */
export const pictureLink = (
  { fileId, originalFilename: name }: UploadedFile,
  { width, height }: { width: number; height: number },
): Html =>
  html`<a href="/files/${fileId}"><img src="/files/${fileId}" alt="${name}" width="${width}" height="${height}" loading="lazy" decoding="async"></a>`;
