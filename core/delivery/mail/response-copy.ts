/** The mail with a copy of a submitted response: the sections and answers of its path, as HTML and as text. Pure. */
import { html } from 'hono/html';
import type { MailContent } from '#core/delivery/ports.ts';
import type { Form } from '#core/forms/model.ts';
import type { Current } from '#core/responses/changes.ts';
import type { StoredAnswer } from '#core/responses/model.ts';
import { previewOf } from '#core/responses/preview.ts';
import type { Language } from '#core/schema/language.ts';
import { attachedFiles } from '#core/structure/answer-content.ts';
import { button, document, lines, type Markup, row, STYLES } from './layout.ts';
import { type MailTexts, mailTexts } from './texts.ts';

type Copy = {
  form: Pick<Form, 'title' | 'dressing' | 'messageAfterSubmission'>;
  /** The submitted response, with the structure of its form. */
  current: Current;
  /** The address of the page that shows the response. */
  link: string;
  language: Language;
};

type Answered = { question: string; answer: string | null };
type Section = { title: string; answers: readonly Answered[] };

/** The mail of a submitted response. */
export function responseCopy({ form, current, link, language }: Copy): MailContent {
  const texts = mailTexts(language);
  const sections = sectionsOf(current, texts);
  const submitted = texts.time(new Date(current.response.submittedAt ?? current.response.updatedAt));
  const introduction = texts.responseIntroduction(submitted);
  const closing = form.messageAfterSubmission?.trim() ?? '';
  const rows = [
    row(html`<h1 class="ink" style="${STYLES.title}">${form.title}</h1>`, 28),
    row(html`<p class="ink" style="${STYLES.text}">${introduction}</p>`, 12),
    ...(closing === '' ? [] : [row(html`<p class="ink" style="${STYLES.text}">${lines(closing)}</p>`)]),
    ...sections.flatMap((section) => sectionRows(section, texts)),
    row(button(texts.openResponse, link, texts), 28),
  ];
  return {
    subject: texts.responseSubject(form.title),
    html: document({ language, title: form.title, color: form.dressing.color, rows, reason: texts.responseReason }),
    text: [
      form.title,
      '',
      introduction,
      ...(closing === '' ? [] : ['', closing]),
      ...sections.flatMap((section) => sectionLines(section, texts)),
      '',
      `${texts.openResponse}: ${link}`,
      '',
      '-- ',
      texts.responseReason,
      '',
    ].join('\n'),
  };
}

/** The sections on the path with their questions, answered or not; removed questions if they were answered. */
const sectionsOf = (current: Current, texts: MailTexts): Section[] =>
  previewOf(current, undefined)
    .sections.filter(({ progress, answerDetails }) => progress !== 'SKIPPED' && answerDetails.length > 0)
    .map(({ title, answerDetails }) => ({
      title,
      answers: answerDetails.map(({ question, payload }) => ({
        question: question.title,
        answer: payload && displayOf(payload, texts),
      })),
    }));

/** An answer as text: its display value, and for files a line for each. */
function displayOf({ answer, displayValue }: StoredAnswer, texts: MailTexts): string {
  const files = attachedFiles({ type: answer.questionType, value: answer.value });
  if (files.length === 0) return displayValue;
  return files.map((file) => `${file.originalFilename} (${texts.fileSize(file.size)})`).join('\n');
}

const sectionRows = ({ title, answers }: Section, texts: MailTexts): Markup[] => [
  row(
    html`<div class="line" style="border-top:1px solid #d5dce3;padding-top:20px"><h2 class="ink" style="${STYLES.section}">${title}</h2></div>`,
    24,
  ),
  ...answers.map(({ question, answer }) =>
    row(html`<p class="soft" style="${STYLES.label}">${question}</p>
${
  answer === null
    ? html`<p class="soft" style="${STYLES.empty}">${texts.notAnswered}</p>`
    : html`<p class="ink" style="${STYLES.text}">${lines(answer)}</p>`
}`),
  ),
];

const sectionLines = ({ title, answers }: Section, texts: MailTexts): string[] => [
  '',
  `## ${title}`,
  ...answers.flatMap(({ question, answer }) => [
    '',
    question,
    ...(answer ?? texts.notAnswered).split(/\r\n|\r|\n/).map((line) => `  ${line}`),
  ]),
];
