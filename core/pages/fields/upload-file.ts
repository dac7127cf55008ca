/** UPLOAD_FILE: a native file control and the attached files, each with a link and a button that removes it. */
import { MAX_BODY_BYTES } from '#core/api/declare.ts';
import { formatAlternatives, formatFileSize, formatList } from '#core/schema/format.ts';
import type { UploadedFile } from '#core/structure/types/content.ts';
import { FILE_KINDS, type FileType } from '#core/structure/types/file-types.ts';
import { attachedFiles, maxFileBytes, type UploadFile } from '#core/structure/types/upload-file.ts';
import type { PageContext } from '../shell/context.ts';
import { attribute, type Html, html } from '../shell/html.ts';
import { controlId, describedBy, type Field, invalidMark } from './control.ts';
import { fileLink } from './reading.ts';
import type { FieldType } from './type.ts';

export const uploadFile: FieldType = {
  render: fileControl,
  isSingle: () => true,
  sendsFiles: true,
  // Answers are made by uploads.
  toValue: () => null,
  required: 'files',
  invalid: (context, { uploadFile: options }) =>
    context.t.section.invalid.files(
      options?.maxFileAmount ?? 0,
      formatAlternatives(context, options?.allowedFileTypes ?? []),
      options ? formatMaxSize(context, options) : '',
    ),
};

/** Renders the control of files. With scripts, files are sent directly to storage. */
function fileControl(context: PageContext, field: Field): Html {
  const { question, responseId } = field;
  const { uploadFile: options } = question;
  if (!options) return html``;
  const { section } = context.t;
  const { allowedFileTypes, maxFileAmount } = options;
  const maxSize = formatMaxSize(context, options);
  const id = controlId(question);
  const hint = section.filesHint(maxFileAmount, maxSize, formatList(context, allowedFileTypes));
  return html`<p class="hint" id="${id}-hint">${hint}<noscript> ${section.filesTogether(formatFileSize(context, MAX_BODY_BYTES))}</noscript></p>
<ul class="files" data-files>${attachedFiles(field.answer).map((file) => fileRow(context, question.id, file))}</ul>
<input type="file" class="file" id="${id}" name="q.${question.id}"${attribute('multiple', maxFileAmount > 1)} accept="${listExtensions(allowedFileTypes)}" data-upload="/api/responses/${responseId}/questions/${question.id}/files" data-max="${maxFileAmount}" data-max-bytes="${maxFileBytes(options)}" data-max-size="${maxSize}" data-types="${formatAlternatives(context, allowedFileTypes)}"${describedBy({ ...field, hint })}${invalidMark(field)}>
<noscript><p class="actions"><button class="secondary" name="do" value="upload:${question.id}" formnovalidate>${section.upload}</button></p></noscript>`;
}

/** Says how large a file of a question may be. */
function formatMaxSize(context: PageContext, options: UploadFile): string {
  const { maxFileSizeLimit } = options;
  const { atMost, below } = context.t.section.fileSize;
  const size = formatFileSize(context, maxFileSizeLimit);
  return maxFileBytes(options) < maxFileSizeLimit ? below(size) : atMost(size);
}

const fileRow = (context: PageContext, questionId: string, file: UploadedFile): Html =>
  html`<li data-file="${file.fileId}">${fileLink(context, file)}
<button class="quiet" name="do" value="remove:${questionId}:${file.fileId}" formnovalidate data-remove>${context.t.section.remove}<span class="visually-hidden"> ${file.originalFilename}</span></button></li>`;

/** Lists the extensions that a file dialog offers. */
const listExtensions = (types: readonly FileType[]): string =>
  [...new Set(types.flatMap((type) => FILE_KINDS[type].extensions))].map((extension) => `.${extension}`).join(',');
