/** What the pages of reviewers are made of: the search, the filter with its facets, and the table of responses. */
import { activeFilters } from '#core/pages/review/filter.ts';
import { filterForm } from '#core/pages/review/filter-form.ts';
import { parseListAddress } from '#core/pages/review/list-address.ts';
import { searchForm } from '#core/pages/review/order.ts';
import { paging, responseTable } from '#core/pages/review/table.ts';
import type { PageContext } from '#core/pages/shell/context.ts';
import { type Html, html } from '#core/pages/shell/html.ts';
import type { Answer } from '#core/responses/model.ts';
import { listColumns } from '#core/table/table.ts';
import { STRUCTURE, TIME } from './builder.ts';

const dates = { createdAt: TIME, updatedAt: TIME };
const CHOSEN: Answer = { ...dates, type: 'SINGLE_CHOICE', value: ['a'], names: ['Loch Ness'] };
const WRITTEN: Answer = { ...dates, type: 'SHORT_TEXT', value: 'It is deep. '.repeat(30) };

const ROWS = [
  { name: 'Ann of the Lakes', emails: ['ann@example.org'], answers: [CHOSEN, WRITTEN] },
  { name: '', emails: [], answers: [undefined, undefined] },
].map(({ name, emails, answers }, index) => ({
  id: `response-${index}`,
  respondent: { id: `person-${index}`, name, username: '', emails },
  submittedAt: TIME,
  answers,
}));

/** Renders the section of the page. */
export function reviewParts(context: PageContext): Html {
  const columns = listColumns(STRUCTURE);
  const address = {
    ...parseListAddress('form', new URLSearchParams({ q: 'ann' }), context.timeZone),
    filters: [{ questionId: 'choice', answers: [{ option: 'a' }] }],
    sort: { questionId: 'choice', descending: true },
  };
  const table = {
    structure: STRUCTURE,
    address: { ...address, page: { after: 'response' } },
    columns,
    allColumns: columns.length + 1,
    rows: ROWS,
    current: undefined,
    mayDelete: true,
    mayResend: true,
    isTooLargeToSort: false,
    previous: 'previous',
    next: 'next',
    matches: { count: 120, isComplete: true },
    counts: { draftCount: 0, submittedCount: 120, counting: false },
  };
  const value = (matchValue: string, displayValue: string, count: number) => ({
    matchValue,
    displayValue,
    count,
    selected: matchValue === 'a',
  });
  const [choice, text] = columns.map((column) => ({ column, isTruncated: false, unlisted: undefined }));
  const facets = [
    choice && {
      ...choice,
      values: [value('a', 'Loch Ness', 2), value('b', 'Windermere', 1)],
      unlisted: 'removed' as const,
    },
    text && { ...text, values: [value('Deep', 'Deep', 2)], isTruncated: true },
  ].filter((facet) => facet !== undefined);
  return html`<section class="section-heading" aria-label="Responses"><h2>Responses</h2>
${searchForm(context, table)}
<div class="table-tools">${activeFilters(context, STRUCTURE, address)}</div>
${filterForm(context, STRUCTURE, address, { facets, isComplete: false, columns })}
${responseTable(context, table)}
${paging(context, table)}</section>`;
}
