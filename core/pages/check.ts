/** All answers of a response: to check before it is submitted, and to look at afterwards. */
import type { Gate } from '#core/forms/gate.ts';
import type { Response, ResponsePreview, StoredAnswer } from '#core/responses/model.ts';
import { attachedFiles } from '#core/structure/answer-content.ts';
import type { Choice, QuestionView } from '#core/structure/question-model.ts';
import { errorSummary } from './error-summary.ts';
import { controlId } from './fields/control.ts';
import { calendarDate, fileSize } from './format.ts';
import { type Html, html } from './html.ts';
import { layout } from './layout.ts';
import type { View } from './view.ts';

export type Check = {
  gate: Gate;
  response: Response;
  preview: ResponsePreview;
  /** The ids of questions that keep the response from being submitted; `''` for a fault of the form. */
  missing: readonly string[];
  /** The form takes no answers now: they can be read only. */
  isClosed: boolean;
  /** The reader has pressed the button: what is missing takes the focus. */
  wasSubmitted: boolean;
};

/** The page. */
export function checkPage(view: View, { gate, response, preview, missing, isClosed, wasSubmitted }: Check): Html {
  const { check } = view.t;
  const errors = missing.map((id) => ({
    target: id === '' ? 'main' : `a-${id}`,
    message: missingText(view, preview, id),
  }));
  return layout(view, {
    title: `${errors.length > 0 && wasSubmitted ? `${view.t.errors.prefix} ` : ''}${check.title} · ${gate.title}`,
    dressing: gate.dressing,
    kind: 'dressed',
    main: html`<p class="progress-text"><a href="/f/${gate.formId}">${gate.title}</a></p>
${wasSubmitted && errorSummary(view, errors)}
<h1>${check.title}</h1>
${isClosed ? closedNotice(view) : html`<p class="lead">${check.lead}</p>`}
${!wasSubmitted && errors.length > 0 && html`<div class="notice"><h2>${check.incomplete(errors.length)}</h2><ul>${errors.map(({ target, message }) => html`<li><a href="#${target}">${message}</a></li>`)}</ul></div>`}
${answerList(view, { response, preview, missing, mayChange: !isClosed, headingLevel: 2 })}
${!isClosed && html`<form method="post" action="/r/${response.id}/submit" data-once><div class="actions section-actions"><button class="large">${check.submit}</button></div></form>`}`,
  });
}

function closedNotice({ t }: View): Html {
  const { title, detail } = t.problem.form_not_open;
  return html`<div class="notice"><h2>${title}</h2><p>${detail}</p></div>`;
}

function missingText({ t }: View, preview: ResponsePreview, id: string): string {
  const questions = preview.sections.flatMap(({ answerDetails }) => answerDetails);
  const found = questions.find(({ question }) => question.id === id);
  if (!found) return t.check.faulty;
  return `${found.question.title} – ${found.payload ? t.check.invalid : t.check.unanswered}`;
}

type AnswerList = Pick<Check, 'response' | 'preview' | 'missing'> & { mayChange: boolean; headingLevel: 2 | 3 };

/** The answers by section, each with a link to change it. */
export function answerList(view: View, { response, preview, missing, mayChange, headingLevel }: AnswerList): Html {
  const sections = preview.sections.filter(({ progress }) => progress !== 'SKIPPED');
  return html`${sections.map(
    ({ id: sectionId, title, answerDetails }) => html`<section class="answers">
${headingLevel === 2 ? html`<h2>${title}</h2>` : html`<h3>${title}</h3>`}
<dl>${answerDetails.map(({ question, payload }) => {
      const link = `/r/${response.id}/s/${sectionId}?from=check#${controlId(question)}`;
      const isMissing = missing.includes(question.id);
      return html`<div class="answer${isMissing && ' missing'}" id="a-${question.id}" tabindex="-1"><dt>${question.title}</dt>
<dd>${payload ? answerText(view, question, payload) : html`<span class="muted">${view.t.check.none}</span>`}</dd>
${mayChange && html`<dd class="change"><a href="${link}">${payload ? view.t.check.change : view.t.check.answer}<span class="visually-hidden"> ${question.title}</span></a></dd>`}</div>`;
    })}</dl>
</section>`,
  )}`;
}

/** An answer as text; files as links, a ranking as a list. */
export function answerText(
  view: View,
  { type, choices, scale }: QuestionView,
  { answer, displayValue }: StoredAnswer,
): Html {
  if (type === 'UPLOAD_FILE') {
    const files = attachedFiles({ type, value: answer.value });
    return html`<ul class="plain">${files.map(
      ({ fileId, originalFilename, size }) =>
        html`<li><a href="/files/${fileId}">${originalFilename}</a> <span class="muted">${fileSize(view, size)}</span></li>`,
    )}</ul>`;
  }
  if (type === 'RANKING' && Array.isArray(answer.value)) {
    return html`<ol class="plain">${answer.value.map((id) => html`<li>${nameOf(choices, id, answer.otherText)}</li>`)}</ol>`;
  }
  if (type === 'DATE' && /^\d{4}-\d{2}-\d{2}$/.test(displayValue)) return html`${calendarDate(view, displayValue)}`;
  if (scale && typeof answer.value === 'number') return html`${view.t.section.ratingOf(answer.value, scale.maxVal)}`;
  return html`<span class="pre-line">${displayValue}</span>`;
}

const nameOf = (choices: readonly Choice[] = [], id: unknown, otherText = ''): string => {
  const choice = choices.find((each) => each.id === id);
  return (choice?.isOther && otherText) || choice?.name || String(id);
};
