/** The statistics over all responses that a job counts: the button that asks for them, their progress, and as of when they are. */
import type { Counters } from '#core/counts/counters.ts';
import type { Ports } from '#core/db/ports.ts';
import type { Count, CountQuery } from '#core/exports/counts-model.ts';
import { formatNumber } from '#core/schema/format.ts';
import type { Structure } from '#core/structure/structure.ts';
import type { LoadedStatistics } from '#core/table/statistics-data.ts';
import { listColumns } from '#core/table/table.ts';
import { type PageContext, renderTime } from '../shell/context.ts';
import { attribute, type Html, html } from '../shell/html.ts';
import { getReviewTexts } from '../text/review.ts';
import { getStatisticsTexts } from '../text/statistics.ts';
import { type ListAddress, listHref, toTableQuery } from './list-address.ts';

/** The job of the reader that counts what the page is about; `result`: of one that is done. */
export type CountOfAll = { count: Count; result: LoadedStatistics | undefined };

/** Returns what a job counts for an address. A filter of a question that is gone filters nothing. */
export function toCountQuery(structure: Structure, address: ListAddress, timeZone: string): CountQuery {
  const known = new Set(listColumns(structure).map(({ id }) => id));
  const { sort: _sort, filters, ...query } = toTableQuery(address);
  return { ...query, filters: filters.filter(({ questionId }) => known.has(questionId)), timeZone };
}

/** Builds the address of the statistics that the job of the reader counts. */
export function countHref(address: ListAddress): string {
  const href = listHref({ ...address, isFiltering: false });
  return `${href}${href.includes('?') ? '&' : '?'}all=1`;
}

/** Loads the job of the reader that counts what is at an address; undefined for none, and for one of something else. */
export async function loadCountOfAll(
  app: Pick<Ports, 'table' | 'bucket' | 'now'>,
  structure: Structure,
  asked: { userId: string; query: CountQuery },
): Promise<CountOfAll | undefined> {
  // Few requests show what was counted.
  const [{ loadOwnCount, loadResult }, { isSameCount }] = await Promise.all([
    import('#core/exports/counts.ts'),
    import('#core/exports/counts-model.ts'),
  ]);
  const count = await loadOwnCount(app, { formId: structure.formId, userId: asked.userId });
  if (!count || !isSameCount(count, asked)) return undefined;
  if (count.state !== 'DONE') return { count, result: undefined };
  const result = count.structureVersion === structure.version ? await loadResult(app, count) : undefined;
  return result && { count, result };
}

/** Renders the button that has all responses counted. */
export const countButton = (context: PageContext, address: ListAddress, isAgain = false): Html => {
  const { all } = getStatisticsTexts(context);
  return html`<form method="post" action="${listHref(address, { isFiltering: false })}" data-once><button class="secondary">${isAgain ? all.again : all.count}</button></form>`;
};

const REFRESH_SECONDS = 2;

/** The attributes of what updates itself until a job has ended. */
export const whilePending = ({ count: { state } }: CountOfAll): Html =>
  html` data-live${attribute('data-pending', (state === 'QUEUED' || state === 'RUNNING') && REFRESH_SECONDS)}`;

/** Renders how far a job is, or why it has failed. */
export function countProgress(context: PageContext, address: ListAddress, { count }: CountOfAll): Html {
  const { all } = getStatisticsTexts(context);
  const { state, processed, total, reason } = count;
  const { job } = getReviewTexts(context);
  if (state === 'FAILED') {
    const why = reason === undefined || reason === 'too_large' ? all.tooLarge : job.reasons[reason];
    return html`<p class="notice warning" role="status">${all.failed} ${why}</p>${countButton(context, address, true)}`;
  }
  const counted = formatNumber(processed);
  return html`<div class="card" role="status"><h2>${all.title}</h2>
<p>${all.lead}</p>
<progress class="job-progress" aria-label="${all.progress}" max="${total ?? 1}"${attribute('value', total === null ? undefined : processed)}></progress>
<p class="muted">${state === 'QUEUED' ? job.starts : total === null ? job.counted(counted) : job.of(counted, formatNumber(total))}</p></div>
<noscript><p><a class="button secondary" href="${countHref(address)}">${job.refresh}</a></p></noscript>`;
}

/** Renders as of when statistics are that a job has counted, and whether something has changed since. */
export function countedAsOf(
  context: PageContext,
  address: ListAddress,
  { count, counters }: { count: Count; counters: Counters | undefined },
): Html {
  const { all } = getStatisticsTexts(context);
  const hasChanged = count.changes === null || counters?.changes !== count.changes;
  return html`<p class="muted">${all.asOf} ${renderTime(context, count.createdAt)}. ${hasChanged && all.changed}</p>${countButton(context, address, true)}`;
}
