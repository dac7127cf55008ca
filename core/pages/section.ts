/** The page of a section: its questions in one form that works without scripts. */
import type { Gate } from '#core/forms/gate.ts';
import type { Problem } from '#core/problems/problems.ts';
import type { Response } from '#core/responses/model.ts';
import { renderHtml } from '#core/rich-text/html.ts';
import type { RichText } from '#core/rich-text/model.ts';
import { errorSummary } from './error-summary.ts';
import { controlId, type Field } from './fields/control.ts';
import { questionField } from './fields/field.ts';
import { attribute, type Html, html, trusted } from './html.ts';
import { layout } from './layout.ts';
import type { ShownSection } from './navigation.ts';
import { problemText } from './problem.ts';
import type { View } from './view.ts';

type SectionPage = {
  gate: Gate;
  response: Response;
  section: ShownSection;
  description: RichText | null;
  fields: readonly Field[];
  /** The reader came from the list of all answers and returns there. */
  fromCheck: boolean;
  problem?: Problem | undefined;
  /** The provider of an account did not confirm who the respondent is. */
  connectionFailed?: boolean;
};

const FORM_ID = 'answers';

/** The page. */
export function sectionPage(view: View, page: SectionPage): Html {
  const { gate, response, section, description, fields, problem } = page;
  const { t } = view;
  const errors = fields.flatMap(({ question, error }) =>
    error === undefined ? [] : [{ target: controlId(question), message: `${question.title} – ${error}` }],
  );
  const title = section.title === '' ? gate.title : section.title;
  const hasFiles = fields.some(({ question }) => question.type === 'UPLOAD_FILE');
  return layout(view, {
    title: `${errors.length > 0 ? `${t.errors.prefix} ` : ''}${title} · ${gate.title}`,
    dressing: gate.dressing,
    kind: 'dressed',
    languageForm: FORM_ID,
    main: html`${progress(view, page)}
<form id="${FORM_ID}" method="post" action="/r/${response.id}/s/${section.id}" novalidate${attribute('enctype', hasFiles && 'multipart/form-data')} data-autosave data-texts="${JSON.stringify(t.scripts)}">
<button class="visually-hidden" name="do" value="next" tabindex="-1" aria-hidden="true">${t.shell.continue}</button>
${page.fromCheck && html`<input type="hidden" name="from" value="check">`}
${errorSummary(view, errors)}
${problem && problemNotice(problemText(view, problem))}
${page.connectionFailed && problemNotice(t.section.connectionFailed)}
${response.progress === 'SUBMITTED' && html`<div class="notice"><p>${t.section.editing}</p></div>`}
<h1>${title}</h1>
${description !== null && html`<div class="prose section-description">${trusted(renderHtml(description))}</div>`}
${fields.map((field) => questionField(view, field))}
${fields.length === 0 && html`<p class="muted">${t.section.noQuestions}</p>`}
${actions(view, page)}
</form>`,
  });
}

/** Where the reader is, and whether everything is saved. */
function progress({ t }: View, { gate, section }: SectionPage): Html {
  const { position, count } = section;
  return html`<div class="progress">
<p class="progress-text"><a href="/f/${gate.formId}">${gate.title}</a> <span class="muted">${t.section.step(position, count)}</span></p>
<p class="save-state" role="status" data-save-state></p>
<progress class="progress-bar" max="${count ?? position + 1}" value="${position - 1}" aria-hidden="true"></progress>
</div>`;
}

function actions({ t }: View, { response, section, fromCheck }: SectionPage): Html {
  const next = fromCheck || response.progress === 'SUBMITTED' ? t.section.saveAndReturn : t.shell.continue;
  return html`<div class="actions section-actions">
<button class="large" name="do" value="next">${next}</button>
${section.previousId !== undefined && html`<button class="secondary large" name="do" value="back" formnovalidate>${t.shell.back}</button>`}
<button class="quiet" name="do" value="save" formnovalidate>${t.section.saveForLater}</button>
</div>`;
}

function problemNotice({ title, detail }: { title: string; detail: string }): Html {
  return html`<div class="notice warning" role="alert" tabindex="-1" data-error-summary><h2>${title}</h2><p>${detail}</p></div>`;
}
