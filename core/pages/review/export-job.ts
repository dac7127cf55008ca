/** An export job: its progress, which updates itself, and the link to its file. */
import { availableUntil, type ExportView } from '#core/review/export-model.ts';
import { number } from '#core/schema/format.ts';
import { time } from '../format.ts';
import { attribute, type Html, html } from '../html.ts';
import { layout } from '../layout.ts';
import { reviewText } from '../text/review.ts';
import type { View } from '../view.ts';

/** Seconds until the page is shown anew: by its scripts in place, without scripts as a whole. */
const REFRESH_SECONDS = 2;

/** The page. `title` is that of the form. */
export function exportJobPage(view: View, { title, job }: { title: string; job: ExportView }): Html {
  const { job: text } = reviewText(view);
  const isPending = job.state === 'QUEUED' || job.state === 'RUNNING';
  return layout(view, {
    title: `${text.title[job.state]} · ${title}`,
    kind: 'message',
    head: isPending ? html`<noscript><meta http-equiv="refresh" content="${REFRESH_SECONDS}"></noscript>` : undefined,
    showsTimes: job.state === 'DONE',
    main: html`<p class="review-form"><a href="/review/${job.formId}">${title}</a></p>
<div class="card" role="status" data-live${attribute('data-pending', isPending && REFRESH_SECONDS)}>
<h1>${text.title[job.state]}</h1>
${isPending ? progress(view, job) : outcome(view, job)}
</div>
<p><a href="/review/${job.formId}/export">${text.back}</a></p>`,
  });
}

function progress(view: View, { state, processed, total }: ExportView): Html {
  const { job: text } = reviewText(view);
  const counted = number(view, processed);
  return html`<p>${text.lead}</p>
<progress class="job-progress" aria-label="${text.progress}" max="${total ?? 1}"${attribute('value', total === null ? undefined : processed)}></progress>
<p class="muted">${state === 'QUEUED' ? text.starts : total === null ? text.counted(counted) : text.of(counted, number(view, total))}</p>`;
}

function outcome(view: View, job: ExportView): Html {
  const { job: text, exports } = reviewText(view);
  if (job.state === 'DONE') {
    return html`<p>${text.ready(job.processed)}</p>
<p>${text.until} ${time(view, availableUntil(job))}</p>
<p><a class="button large" href="/review/${job.formId}/export/${job.id}/file">${exports.download}</a></p>`;
  }
  const reason = job.state === 'EXPIRED' || !job.reason ? text.expired : text.reasons[job.reason];
  return html`<p>${reason}</p><p><a class="button" href="/review/${job.formId}/export">${text.again}</a></p>`;
}
