/** The export: columns to choose, and the earlier exports. */
import type { Gate } from '#core/forms/gate.ts';
import type { ExportView } from '#core/review/export-model.ts';
import type { View as TableView } from '#core/review/view-model.ts';
import { dateTime, number } from '#core/schema/format.ts';
import type { Structure } from '#core/structure/structure.ts';
import { errorSummary, fieldError, titleWith } from '../error-summary.ts';
import { time } from '../format.ts';
import { attribute, type Html, html } from '../html.ts';
import { layout } from '../layout.ts';
import { reviewText } from '../text/review.ts';
import type { View } from '../view.ts';
import { columnChoice, columnsOfView, questionIdsIn } from './columns.ts';
import { reviewHeader } from './header.ts';

export type ExportsPage = {
  gate: Gate;
  structure: Structure;
  views: readonly TableView[];
  /** The view whose columns are chosen at first; all columns without one. */
  current: TableView | undefined;
  /** There are submitted responses. */
  hasResponses: boolean;
  earlier: readonly ExportView[];
  /** The form was sent without a column. */
  isEmpty: boolean;
};

/** The page. */
export function exportsPage(view: View, data: ExportsPage): Html {
  const { exports } = reviewText(view);
  const { gate, structure, isEmpty } = data;
  const errors = isEmpty ? [{ target: 'columns', message: exports.noneChosen }] : [];
  return layout(view, {
    title: titleWith(view, `${exports.title} · ${gate.title}`, isEmpty),
    kind: 'review',
    width: 'wide',
    showsTimes: data.earlier.length > 0,
    main: html`${reviewHeader(view, gate, 'export')}
${errorSummary(view, errors)}
<div class="review-title"><h1>${exports.title}</h1></div>
<div class="beside"><div>
${questionIdsIn(structure).length === 0 ? html`<div class="empty"><p>${exports.empty}</p></div>` : columnForm(view, data)}
</div>
<section class="review-aside" aria-labelledby="earlier"><h2 id="earlier">${exports.earlier}</h2>
${earlierExports(view, data)}
</section></div>`,
  });
}

function columnForm(view: View, { gate, structure, views, current, hasResponses, isEmpty }: ExportsPage): Html {
  const { exports } = reviewText(view);
  const chosen = isEmpty
    ? []
    : current
      ? columnsOfView(structure, current).map(({ id }) => id)
      : questionIdsIn(structure);
  const address = `/review/${gate.formId}/export`;
  const preset = (href: string, name: string, isCurrent: boolean): Html =>
    html`<li><a class="chip" href="${href}"${attribute('aria-current', isCurrent && 'true')}><span class="chip-text">${name}</span></a></li>`;
  return html`<p class="lead">${exports.lead}</p>
<p class="hint">${hasResponses ? exports.large : exports.emptyResponses}</p>
${
  views.length > 0 &&
  html`<div class="presets"><p id="presets">${exports.columnsOf}</p><ul class="chips" aria-labelledby="presets">${preset(address, exports.allQuestions, !current)}${views.map(
    ({ id, title }) => preset(`${address}?view=${id}`, title, id === current?.id),
  )}</ul></div>`
}
<form method="post" action="${address}">
${columnChoice(view, structure, {
  legend: exports.columns,
  chosen: new Set(chosen),
  error: fieldError(view, 'columns', isEmpty ? exports.noneChosen : undefined),
})}
<div class="actions"><button class="large">${exports.download}</button></div>
</form>`;
}

function earlierExports(view: View, { gate, earlier }: ExportsPage): Html {
  const { exports } = reviewText(view);
  if (earlier.length === 0) return html`<p class="muted">${exports.earlierNone}</p>`;
  return html`<ul class="rows">${earlier.map((job) => {
    const { id, state, processed, createdAt } = job;
    const tone = { QUEUED: 'active', RUNNING: 'active', DONE: 'good', FAILED: 'bad', EXPIRED: '' }[state];
    return html`<li><div class="row-text"><h3><a class="row-link" href="/review/${gate.formId}/export/${id}"><span class="visually-hidden">${exports.file}: </span>${time(view, createdAt)}</a></h3>
<p class="muted small">${exports.rows}: ${number(view, processed)}</p></div>
<div class="row-side"><span class="tag ${tone}">${exports.states[state]}</span>${
      job.downloadUrl !== undefined &&
      html`<a class="button secondary" href="/review/${gate.formId}/export/${id}/file">${exports.get}<span class="visually-hidden"> ${exports.of(dateTime(view, createdAt))}</span></a>`
    }</div></li>`;
  })}</ul>
<p class="muted small">${exports.earlierNone}</p>`;
}
