/** Shows all answers to one question, newest first, of all submitted responses or of those that match a filter. */

import { loadListedUsers } from '#core/accounts/accounts.ts';
import type { ShortUser } from '#core/accounts/model.ts';
import type { Ports } from '#core/db/ports.ts';
import { openStructure } from '#core/forms/open.ts';
import { decodeCursor, encodeCursor } from '#core/http/cursors.ts';
import { problems } from '#core/problems/problems.ts';
import { countedAnswers } from '#core/responses/answers.ts';
import type { Answer } from '#core/responses/model.ts';
import { formatNumber } from '#core/schema/format.ts';
import type { Structure } from '#core/structure/structure.ts';
import { isChoiceType } from '#core/structure/types/traits.ts';
import { displayValue } from '#core/structure/types/types.ts';
import { listMatchingResponses } from '#core/table/list.ts';
import { countOtherTexts, type OtherText } from '#core/table/other-texts.ts';
import { listColumns, type TableColumn } from '#core/table/table.ts';
import { renderAnswer } from '../fields/answer-text.ts';
import { type PageContext, renderTime } from '../shell/context.ts';
import { member } from '../shell/declare-page.ts';
import type { FormHead } from '../shell/form-frame.ts';
import { type Html, html } from '../shell/html.ts';
import { definePage } from '../shell/page.ts';
import { getReviewTexts } from '../text/review.ts';
import { getStatisticsTexts } from '../text/statistics.ts';
import { columnTitle } from './columns.ts';
import { activeFilters } from './filter.ts';
import { loadReviewHead, personName, reviewLayout } from './header.ts';
import {
  answersAddress,
  identifyTable,
  type ListAddress,
  listHref,
  parseListAddress,
  responseHref,
  toTableQuery,
} from './list-address.ts';

export const page = definePage({
  name: 'answers',
  audience: 'reviewers',
  path: '/review/{formId}/q/{questionId}',
  access: member,
  needs: ['table:read', 'table:list'],
  open: openStructure,
  show: async ({ app, gate, structure, params, query, context }) => {
    const column = listColumns(structure).find(({ id }) => id === params.questionId);
    if (!column) throw problems.notFound();
    const address = answersAddress(parseListAddress(gate.formId, query, context.timeZone), column.id);
    const [head, answers] = await Promise.all([
      loadReviewHead(app, gate),
      loadAnswers(app, { structure, column, address }),
    ]);
    return { html: renderAnswersPage(context, head, { structure, column, address, ...answers }) };
  },
});

/** Answers of a page. */
const ROWS = 50;

type Listed = { id: string; submittedAt: string | null; respondent: ShortUser; answer: Answer };
type Answers = {
  listed: readonly Listed[];
  /** What was written behind "Other", on the first page; `isComplete`: in all responses that match. */
  others: readonly OtherText[];
  isComplete: boolean;
  /** The cursor of the next page; null at the end. */
  next: string | null;
};

async function loadAnswers(
  app: Pick<Ports, 'table' | 'now'>,
  { structure, column, address }: { structure: Structure; column: TableColumn; address: ListAddress },
): Promise<Answers> {
  const { id } = column;
  // A question that is gone filters nothing.
  const known = new Set(listColumns(structure).map((each) => each.id));
  const filters = address.filters.filter(({ questionId }) => known.has(questionId));
  const answered = { ...address, filters: [...filters, { questionId: id, isEmpty: false }] };
  const list = { answers: id, ...(identifyTable(answered) as object) };
  const after = address.page && 'after' in address.page ? decodeCursor(list, address.page.after) : undefined;
  const others = countOtherTexts();
  const countsOthers = after === undefined && isChoiceType(column.type);
  const found = await listMatchingResponses(app, structure, toTableQuery(answered), {
    ...{ limit: ROWS, after },
    ...(countsOthers && { countsAll: true }),
    onMatch: countsOthers ? (response) => others.add(countedAnswers({ response, structure })(id)) : undefined,
  });
  const findUser = await loadListedUsers(
    app,
    found.responses.map(({ userId }) => userId),
  );
  return {
    listed: found.responses.flatMap((response): Listed[] => {
      const answer = countedAnswers({ response, structure })(id);
      const { submittedAt, userId } = response;
      return answer ? [{ id: response.id, submittedAt, respondent: findUser(userId), answer }] : [];
    }),
    others: others.list(),
    isComplete: found.matches?.isComplete === true,
    next: found.last === null ? null : encodeCursor(list, found.last),
  };
}

type AnswersPage = Answers & { structure: Structure; column: TableColumn; address: ListAddress };

function renderAnswersPage(context: PageContext, head: FormHead, data: AnswersPage): Html {
  const { answers, table } = getReviewTexts(context);
  const { structure, column, address, listed, next } = data;
  const title = columnTitle(context, structure, column);
  const { part: _, ...rows } = { ...address, page: undefined };
  const isFirst = address.page === undefined;
  return reviewLayout(context, head, {
    current: 'statistics',
    title,
    width: 'list',
    main: html`<div class="review-title"><h1 dir="auto">${title}</h1></div>
<div class="table-tools">${activeFilters(context, structure, address)}
<a class="button quiet" href="${listHref({ ...rows, part: 'statistics' })}">${answers.toStatistics}</a>
<a class="button quiet" href="${listHref(rows)}">${getStatisticsTexts(context).toTable}</a></div>
${otherTexts(context, data)}
${
  listed.length === 0
    ? html`<div class="empty"><p>${next !== null ? table.noMatchYet : isFirst ? answers.none : table.endOfPages}</p></div>`
    : html`<ul class="rows answers">${listed.map((each) => answerRow(context, data, each))}</ul>`
}
<div class="actions paging">
${!isFirst && html`<a class="button secondary" href="${listHref({ ...address, page: undefined })}">${table.first}</a>`}
${next !== null && html`<a class="button secondary" href="${listHref(address, { page: { after: next } })}">${listed.length === 0 ? table.searchOn : table.next}</a>`}
</div>`,
  });
}

/** Renders what was written behind "Other", with the number of responses that have it. */
function otherTexts(context: PageContext, { others, isComplete }: AnswersPage): Html | undefined {
  const { answers } = getReviewTexts(context);
  if (others.length === 0) return undefined;
  const shown = others.slice(0, MAX_OTHERS);
  return html`<section class="card" aria-labelledby="others"><h2 id="others">${answers.others}</h2>
${!isComplete && html`<p class="hint">${answers.othersOfNewest}</p>`}
<ul>${shown.map(({ text, count }) => html`<li dir="auto">${text} <span class="muted">${formatNumber(count)}</span></li>`)}</ul>
${others.length > shown.length && html`<p class="muted small">${getStatisticsTexts(context).more(others.length - shown.length)}</p>`}</section>`;
}

/** Texts behind "Other" that are listed. */
const MAX_OTHERS = 100;

function answerRow(context: PageContext, { column, address }: AnswersPage, listed: Listed): Html {
  const { id, submittedAt, respondent, answer } = listed;
  const { part: _, ...rows } = address;
  return html`<li><div class="row-text">${
    column.question
      ? renderAnswer(context, column.question, answer)
      : html`<span class="pre-line" dir="auto">${displayValue(answer)}</span>`
  }
<p class="muted small"><a href="${responseHref(rows, id)}" dir="auto">${personName(context, respondent)}</a> ${submittedAt !== null && renderTime(context, submittedAt)}</p></div></li>`;
}
