/** Renders all answers of a response, to check before the submit and to read afterwards. */
import type { Gate } from '#core/forms/gate.ts';
import type { Form } from '#core/forms/model.ts';
import type { Missing } from '#core/responses/answers.ts';
import type { Response } from '#core/responses/model.ts';
import type { ResponseSection } from '#core/responses/preview.ts';
import type { Question } from '#core/structure/question-model.ts';
import { renderAnswer } from '../fields/answer-text.ts';
import { controlId } from '../fields/control.ts';
import type { PageContext } from '../shell/context.ts';
import { type Html, html } from '../shell/html.ts';

export type CheckPage = {
  gate: Gate;
  response: Response;
  sections: readonly ResponseSection[];
  /** What keeps the response from being submitted. */
  missing: readonly Missing[];
  /** The form accepts no answers now: they can only be read. */
  isClosed: boolean;
  /** The reader has pressed the button when the form was closed already. */
  wasTooLate: boolean;
  /** The reader has pressed the button: what is missing takes the focus. */
  wasSubmitted: boolean;
  /** The response was submitted, and became a draft again just before. */
  wasWithdrawn: boolean;
  /** What has no place left: the form, or the choices of some questions; undefined for a form that is closed. */
  full: { form: Pick<Form, 'closedMessage'> | undefined; questions: readonly Question[] } | undefined;
  /** The reader has pressed the button when no place was left. */
  wasFull: boolean;
  /** The address of the last section of the path, to which the page leads back; undefined where nothing can be changed. */
  back: string | undefined;
};

type AnswerList = Pick<CheckPage, 'response' | 'sections' | 'missing'> & { mayChange: boolean; headingLevel: 2 | 3 };

/** Renders the answers by section, each with a link to change it. */
export function answerList(
  context: PageContext,
  { response, sections, missing, mayChange, headingLevel }: AnswerList,
): Html {
  return html`${sections.map(
    ({ id: sectionId, title, questions }) => html`<section class="answers">
${headingLevel === 2 ? html`<h2 dir="auto">${title}</h2>` : html`<h3 dir="auto">${title}</h3>`}
<dl>${questions.map(({ question, answer }) => {
      const link = `/r/${response.id}/s/${sectionId}?from=check#${controlId(question)}`;
      const isMissing = missing.some((found) => found.question?.id === question.id);
      return html`<div class="answer${isMissing && ' missing'}" id="a-${question.id}" tabindex="-1"><dt dir="auto">${question.title}</dt>
<dd>${answer ? renderAnswer(context, question, answer) : html`<span class="muted">${context.t.check.none}</span>`}</dd>
${mayChange && html`<dd class="change"><a href="${link}">${answer ? context.t.check.change : context.t.check.answer}<span class="visually-hidden"> ${question.title}</span></a></dd>`}</div>`;
    })}</dl>
</section>`,
  )}`;
}
