/** Files: a native file control and the attached files, each with a link and a button that removes it. */
import { formatAlternatives, formatFileSize, formatList } from '#core/schema/format.ts';
import { attachedFiles } from '#core/structure/types/content.ts';
import { FILE_KINDS, type FileType } from '#core/structure/types/file-types.ts';
import type { PageContext } from '../shell/context.ts';
import { attribute, type Html, html } from '../shell/html.ts';
import { controlId, describedBy, type Field, invalidMark } from './control.ts';

/** The largest sum of files in one form without scripts. */
const MAX_FORM_BYTES = 4_500_000;

/** Renders the control of files. With scripts, files are sent directly to storage. */
export function fileControl(context: PageContext, field: Field): Html {
  const { question, responseId } = field;
  const { uploadFile } = question;
  if (!uploadFile) return html``;
  const { section } = context.t;
  const { allowedFileTypes, maxFileAmount, maxFileSizeLimit } = uploadFile;
  const id = controlId(question);
  return html`<p class="hint" id="${id}-hint">${section.filesHint(maxFileAmount, formatFileSize(context, maxFileSizeLimit), formatList(context, allowedFileTypes))}<noscript> ${section.filesTogether(formatFileSize(context, MAX_FORM_BYTES))}</noscript></p>
<ul class="files" data-files>${attachedFiles(field.answer).map((file) => fileRow(context, question.id, file))}</ul>
<input type="file" class="file" id="${id}" name="q.${question.id}"${attribute('multiple', maxFileAmount > 1)} accept="${listExtensions(allowedFileTypes)}" data-upload="/api/responses/${responseId}/questions/${question.id}/files" data-max="${maxFileAmount}" data-max-bytes="${maxFileSizeLimit}" data-max-size="${formatFileSize(context, maxFileSizeLimit)}" data-types="${formatAlternatives(context, allowedFileTypes)}"${describedBy(field, true)}${invalidMark(field)}>
<noscript><p class="actions"><button class="secondary" name="do" value="upload:${question.id}" formnovalidate>${section.upload}</button></p></noscript>`;
}

const fileRow = (
  context: PageContext,
  questionId: string,
  { fileId, originalFilename: name, size }: { fileId: string; originalFilename: string; size: number },
): Html => html`<li data-file="${fileId}"><a href="/files/${fileId}">${name}</a> <span class="muted">${formatFileSize(context, size)}</span>
<button class="quiet" name="do" value="remove:${questionId}:${fileId}" formnovalidate data-remove>${context.t.section.remove}<span class="visually-hidden"> ${name}</span></button></li>`;

/** Lists the extensions that a file dialog offers. */
const listExtensions = (types: readonly FileType[]): string =>
  [...new Set(types.flatMap((type) => FILE_KINDS[type].extensions))].map((extension) => `.${extension}`).join(',');
