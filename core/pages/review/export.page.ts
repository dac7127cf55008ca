/** Shows the progress of an export, and in the end the link to its file. */
import { availableUntil, type ExportJob, type ExportState, stateAt } from '#core/exports/model.ts';
import { openExport } from '#core/exports/service.ts';
import { problems } from '#core/problems/problems.ts';
import { formatNumber } from '#core/schema/format.ts';
import { type PageContext, renderTime } from '../shell/context.ts';
import { exporter } from '../shell/declare-page.ts';
import { attribute, type Html, html } from '../shell/html.ts';
import { layout } from '../shell/layout.ts';
import { definePage } from '../shell/page.ts';
import { getReviewTexts } from '../text/review.ts';

export const page = definePage({
  name: 'export',
  audience: 'reviewers',
  path: '/review/{formId}/export/{exportId}',
  access: exporter,
  needs: ['table:read'],
  open: openExport,
  show: async ({ job, params, context }) => {
    if (job.formId !== params.formId) throw problems.notFound();
    return { html: renderExportJobPage(context, job) };
  },
});

// An export job: its progress, which updates itself, and the link to its file.

/** Seconds until the scripts of the page refresh it in place. Without them a link does: a page that reloads itself disturbs its reader. */
const REFRESH_SECONDS = 2;

/** Renders the page of an export job. */
function renderExportJobPage(context: PageContext, job: ExportJob): Html {
  const { job: text } = getReviewTexts(context);
  const { title } = job;
  const state = stateAt(job, context.now);
  const isPending = state === 'QUEUED' || state === 'RUNNING';
  return layout(context, {
    title: `${text.title[state]} · ${title}`,
    kind: 'message',
    main: html`<p class="review-form"><a href="/review/${job.formId}" dir="auto">${title}</a></p>
<div class="card" role="status" data-live${attribute('data-pending', isPending && REFRESH_SECONDS)}>
<h1>${text.title[state]}</h1>
${isPending ? jobProgress(context, job) : jobOutcome(context, job, state)}
</div>
${isPending && html`<noscript><p><a class="button secondary" href="/review/${job.formId}/export/${job.id}">${text.refresh}</a></p></noscript>`}
<p><a href="/review/${job.formId}/export">${text.back}</a></p>`,
  });
}

function jobProgress(context: PageContext, { state, processed, total }: ExportJob): Html {
  const { job: text } = getReviewTexts(context);
  const counted = formatNumber(processed);
  return html`<p>${text.lead}</p>
<progress class="job-progress" aria-label="${text.progress}" max="${total ?? 1}"${attribute('value', total === null ? undefined : processed)}></progress>
<p class="muted">${state === 'QUEUED' ? text.starts : total === null ? text.counted(counted) : text.of(counted, formatNumber(total))}</p>`;
}

function jobOutcome(context: PageContext, job: ExportJob, state: ExportState): Html {
  const { job: text, exports } = getReviewTexts(context);
  if (state === 'DONE') {
    return html`<p>${text.ready(job.processed)}</p>
<p>${text.until} ${renderTime(context, availableUntil(job))}</p>
<p><a class="button large" href="/review/${job.formId}/export/${job.id}/file">${exports.download}</a></p>`;
  }
  const tooLarge = job.options?.format === 'ZIP' ? text.tooManyFiles : text.reasons.too_large;
  const reasons = { ...text.reasons, too_large: tooLarge };
  const reason = state === 'EXPIRED' || !job.reason ? text.expired : reasons[job.reason];
  return html`<p>${reason}</p><p><a class="button" href="/review/${job.formId}/export">${text.again}</a></p>`;
}
