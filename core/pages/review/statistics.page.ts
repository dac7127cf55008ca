/** Shows how often each answer was given, when, and where respondents stopped, to the members of the organization. */
import { withCounters } from '#core/counts/counters.ts';
import type { Ports } from '#core/db/ports.ts';
import type { CountQuery } from '#core/exports/counts-model.ts';
import { openStructure } from '#core/forms/open.ts';
import { formatCalendarDate, formatNumber } from '#core/schema/format.ts';
import type { Structure } from '#core/structure/structure.ts';
import { getTraits } from '#core/structure/types/traits.ts';
import type { CountedNumbers } from '#core/table/statistics.ts';
import { completionRate } from '#core/table/statistics-data.ts';
import { findTables, listLabels, listColumns as listTableColumns } from '../fields/grid-groups.ts';
import { pointLabel } from '../fields/point-label.ts';
import { type PageContext, renderTime } from '../shell/context.ts';
import { member } from '../shell/declare-page.ts';
import type { FormHead } from '../shell/form-frame.ts';
import { type Html, html } from '../shell/html.ts';
import { definePage } from '../shell/page.ts';
import { getReviewTexts } from '../text/review.ts';
import { getStatisticsTexts } from '../text/statistics.ts';
import type { StatisticsText } from '../text/statistics-en.ts';
import { type BarRow, barTable, columnChart, formatShare } from './chart.ts';
import { nameChoices } from './columns.ts';
import { activeFilters } from './filter.ts';
import { loadReviewHead, reviewLayout } from './header.ts';
import { answersAddress, type ListAddress, listHref, parseListAddress } from './list-address.ts';
import {
  type CountOfAll,
  countButton,
  countedAsOf,
  countHref,
  countProgress,
  loadCountOfAll,
  toCountQuery,
  whilePending,
} from './statistics-count.ts';
import {
  loadStatisticsPage,
  QUESTIONS_OF_PAGE,
  type StatisticsPage,
  type StatisticsRequest,
  showCounted,
} from './statistics-data.ts';

const openCounted = withCounters(openStructure);

export const page = definePage({
  name: 'statistics',
  audience: 'reviewers',
  path: '/review/{formId}/statistics',
  access: member,
  needs: ['table:read', 'table:list', 'exports:read'],
  open: openCounted,
  show: async ({ app, gate, structure, counters, caller, query, context }) => {
    const { timeZone } = context;
    const address = { ...parseListAddress(gate.formId, query, timeZone), part: 'statistics' as const };
    const request = { structure, counters, address, timeZone, from: query.get('questions') ?? '' };
    const isOfAll = query.get('all') === '1' && !address.isFiltering;
    const asked = { userId: caller.id, query: toCountQuery(structure, address, timeZone) };
    const [head, shown] = await Promise.all([
      loadReviewHead(app, gate),
      isOfAll ? loadOfAll(app, request, asked) : loadStatisticsPage(app, request).then((data) => ({ data })),
    ]);
    return {
      html:
        'data' in shown
          ? renderStatisticsPage(context, head, shown.data, await loadFilterForm(context, shown.data))
          : renderCounting(context, head, address, shown.ofAll),
    };
  },
  post: {
    access: member,
    needs: ['table:read', 'table:list', 'table:write'],
    open: openStructure,
    actions: {
      countAll: async ({ app, gate, structure, caller, query, context }) => {
        const address = { ...parseListAddress(gate.formId, query, context.timeZone), part: 'statistics' as const };
        const asked = { userId: caller.id, query: toCountQuery(structure, address, context.timeZone) };
        await (await import('#core/exports/counts.ts')).requestCount(app, { structure, ...asked });
        return { location: countHref(address) };
      },
    },
  },
});

/** Loads what the job of the reader has counted, or how far it is; without a job the page as it is otherwise. */
async function loadOfAll(
  app: Pick<Ports, 'table' | 'bucket' | 'now'>,
  request: StatisticsRequest,
  asked: { userId: string; query: CountQuery },
): Promise<{ data: StatisticsPage } | { ofAll: CountOfAll }> {
  const ofAll = await loadCountOfAll(app, request.structure, asked);
  if (!ofAll) return { data: await loadStatisticsPage(app, request) };
  const { count, result } = ofAll;
  return result ? { data: { ...showCounted(result, request), ofAll: count, counters: request.counters } } : { ofAll };
}

/** Renders how far a job is that counts the statistics of an address. */
function renderCounting(context: PageContext, head: FormHead, address: ListAddress, ofAll: CountOfAll): Html {
  const texts = getStatisticsTexts(context);
  return reviewLayout(context, head, {
    current: 'statistics',
    isTab: true,
    title: texts.title,
    width: 'wide',
    main: html`<div${whilePending(ofAll)}>${countProgress(context, address, ofAll)}</div>
<p><a href="${listHref({ ...address, isFiltering: false })}">${texts.all.back}</a></p>`,
  });
}

type Statistics = StatisticsPage['statistics'];

type Question = Statistics['questions'][number];

/** Further rows are folded away. */
const MAX_VISIBLE_ROWS = 12;

const divide = (count: number, all: number): number => (all === 0 ? 0 : Math.min(count / all, 1));

/** Renders the open filter, which few requests show. */
const loadFilterForm = async (
  context: PageContext,
  { structure, address, facets, columns }: StatisticsPage,
): Promise<Html | undefined> =>
  facets && (await import('./filter-form.ts')).filterForm(context, structure, address, { ...facets, columns });

/** Renders the charts of a form, of all responses or of those that match a filter. `filterForm`: the open filter. */
function renderStatisticsPage(
  context: PageContext,
  head: FormHead,
  data: StatisticsPage,
  filterForm: Html | undefined,
): Html {
  const texts = getStatisticsTexts(context);
  const { structure, address, statistics, facets, ofAll } = data;
  const isEmpty = statistics.startedCount === 0;
  return reviewLayout(context, head, {
    current: 'statistics',
    isTab: true,
    title: texts.title,
    width: 'wide',
    main: html`${ofAll && html`<div data-live>`}<div class="review-title"><p class="muted">${texts.counts(statistics.submittedCount, statistics.startedCount)}</p></div>
${
  isEmpty
    ? html`<div class="empty"><p>${texts.none}</p></div>`
    : html`<div class="table-tools">${activeFilters(context, structure, address)}
${!facets && html`<a class="button secondary statistics-tools" href="${listHref(address, { isFiltering: true })}#filter">${getReviewTexts(context).filter.open}</a>`}</div>
${filterForm}
${scope(context, texts, data)}
${statistics.countedResponses > 0 && [completion(texts, statistics), overTime(context, texts, statistics)]}
${!statistics.matches && sections(texts, statistics)}
${statistics.countedResponses > 0 && questions(context, texts, data)}`
}${ofAll && html`</div>`}`,
  });
}

/** Renders which responses the statistics are of, and the button that has all counted if they are of some or come from counters. */
function scope(context: PageContext, texts: StatisticsText, data: StatisticsPage): Html {
  const { statistics, address, ofAll, counters } = data;
  const { matches, isCounting, timeToComplete, countedResponses } = statistics;
  const { part: _, ...table } = address;
  const isOfSome = matches ? !matches.isComplete : isCounting || timeToComplete.readCount < countedResponses;
  const text = matches?.isComplete ? texts.matches : texts.matchesOfNewest;
  return html`${!matches && isCounting && html`<p class="notice" role="status">${texts.counting}</p>`}${
    matches &&
    html`<p class="${matches.isComplete ? 'match-count' : 'notice warning'}" role="status">${matches.isComplete && matches.count === 0 ? texts.noMatch : text(matches.count)} <a href="${listHref({ ...table, isFiltering: false })}">${texts.toTable}</a></p>`
  }${ofAll ? countedAsOf(context, address, { count: ofAll, counters }) : isOfSome && countButton(context, address)}`;
}

/** Formats a day, a month, a year or a month of any year. */
function periodText(context: PageContext, texts: StatisticsText, period: string): string {
  const { questions } = texts;
  if (period.startsWith('<')) return questions.earlier;
  if (period.startsWith('>')) return questions.later;
  const [, year, month, day] = /^(?:(\d{4})(?:-|$))?(\d\d)?(?:-(\d\d))?$/.exec(period) ?? [];
  const parts = { hasYear: year !== undefined, hasMonth: month !== undefined, hasDay: day !== undefined };
  return formatCalendarDate(context, `${year ?? '2000'}-${month ?? '01'}-${day ?? '01'}`, parts);
}

const TIME_UNITS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const;

/** Formats a duration in the largest unit of which it has one. */
function formatDuration({ completion: text }: StatisticsText, seconds: number): string {
  const [unit, length] = TIME_UNITS.find(([, each]) => seconds >= each) ?? (['second', 1] as const);
  return text.duration(formatNumber(seconds / length, unit === 'second' ? 0 : 1), unit);
}

/** Renders how many finish what they start, of all responses, and how long they take; each with what it is of. */
function completion(texts: StatisticsText, statistics: Statistics): Html {
  const { completion: text } = texts;
  const { matches, startedCount, timeToComplete } = statistics;
  const { medianSeconds, readCount } = timeToComplete;
  const rate = matches ? null : completionRate(statistics);
  return html`<dl class="figures">${
    rate !== null &&
    html`<div><dt>${text.rate}</dt><dd>${formatShare(rate)} <span class="muted small">${text.ofStarted(startedCount)}</span></dd></div>`
  }${
    medianSeconds !== null &&
    html`<div><dt>${text.time}</dt><dd>${formatDuration(texts, medianSeconds)} <span class="muted small">${(readCount < statistics.countedResponses ? text.ofNewest : text.ofAll)(readCount)}</span></dd></div>`
  }</dl>`;
}

function overTime(
  context: PageContext,
  texts: StatisticsText,
  { overTime: { unit, timeZone, periods } }: Statistics,
): Html {
  const { time } = texts;
  const name = (period: string | undefined): string => periodText(context, texts, period ?? '');
  const highest = periods.reduce((a, b) => (b.count > a.count ? b : a), { period: '', count: 0 });
  return html`<section class="card statistic" aria-labelledby="over-time">
<h2 id="over-time">${time.title}</h2>
<p class="muted small">${time[unit](timeZone)} ${highest.count > 0 && time.highest(highest.count, name(highest.period))}</p>
${columnChart(
  periods.map(({ count }) => count),
  [name(periods[0]?.period), name(periods.at(-1)?.period)],
)}
<details class="chart-table"><summary>${time.table}</summary>${barTable({
    caption: time.caption,
    heads: [time.period, texts.count],
    rows: periods.map(({ period, count }) => ({
      label: name(period),
      share: divide(count, highest.count),
      numbers: [formatNumber(count)],
    })),
  })}</details>
</section>`;
}

function sections(texts: StatisticsText, statistics: Statistics): Html {
  const { sections: text } = texts;
  const { countedDrafts, startedCount, submittedCount } = statistics;
  // Of the drafts only the newest are read.
  const started = countedDrafts + submittedCount;
  const rows = statistics.sections.map(
    ({ title, reachedCount, stoppedCount }): BarRow => ({
      label: title || text.untitled,
      share: divide(reachedCount, started),
      numbers: [formatNumber(reachedCount), formatShare(divide(reachedCount, started)), formatNumber(stoppedCount)],
    }),
  );
  const submitted = {
    label: text.submitted,
    share: divide(submittedCount, started),
    numbers: [formatNumber(submittedCount), formatShare(divide(submittedCount, started)), '–'],
  };
  return html`<section class="card statistic" aria-labelledby="sections">
<h2 id="sections">${text.title}</h2>
<p class="hint">${text.hint}${started < startedCount && ` ${text.drafts(countedDrafts)}`}</p>
${barTable({
  caption: text.caption,
  heads: [text.section, text.reached, texts.share, text.stopped],
  rows: [...rows, submitted],
  showsHeads: true,
})}
</section>`;
}

function questions(context: PageContext, texts: StatisticsText, data: StatisticsPage): Html {
  const { questions: text } = texts;
  const { statistics, address, from } = data;
  const all = statistics.questions.length;
  const questionsOfPage = statistics.questions.slice(from, from + QUESTIONS_OF_PAGE);
  const link = (index: number, label: string): Html => {
    const href = data.ofAll ? countHref(address) : listHref(address, { isFiltering: false });
    return html`<a class="button secondary" href="${href}${href.includes('?') ? '&' : '?'}questions=${index + 1}#answers">${label}</a>`;
  };
  return html`<h2 id="answers">${text.title}</h2>
${all > QUESTIONS_OF_PAGE && html`<p class="muted">${text.range(from + 1, from + questionsOfPage.length, all)}</p>`}
${groupTables(data.structure, questionsOfPage).map((group) => (group.length > 1 ? tableCard(context, data, group) : group.map((question) => questionCard(context, data, question))))}
<div class="actions paging">
${from > 0 && link(Math.max(from - QUESTIONS_OF_PAGE, 0), text.previous)}
${from + QUESTIONS_OF_PAGE < all && link(from + QUESTIONS_OF_PAGE, text.next)}
</div>`;
}

function questionCard(
  context: PageContext,
  { structure, statistics, address }: StatisticsPage,
  question: Question,
): Html {
  const texts = getStatisticsTexts(context);
  const { questions: text } = texts;
  const { column, askedCount, answeredCount, choices, scale, dates, numbers, newest } = question;
  const id = `q-${column.id}`;
  const named = choices && nameChoices(context, structure, column.id, choices);
  return html`<section class="card statistic" aria-labelledby="${id}">
<h3 id="${id}" dir="auto">${column.title}</h3>
<p class="muted small">${askedCount === 0 ? text.notAsked : text.asked(answeredCount, askedCount)}</p>
${
  askedCount > 0 && [
    named &&
      (getTraits(column.type).isOrdered ? ranking(context, question, named) : selections(context, question, named)),
    scale && points(context, question, scale),
    dates && dates.length > 0 && datesChart(context, question, dates),
    numbers && numberFigures(context, column, numbers),
    newest && answeredCount > 0 && newestAnswers(context, structure.formId, { newest, read: statistics.readForTexts }),
    answeredCount > 0 &&
      html`<p><a class="all-answers" href="${listHref(answersAddress(address, column.id))}">${text.all}<span class="visually-hidden">: ${column.title}</span></a></p>`,
  ]
}
</section>`;
}

/** Groups the questions that respondents see as one table. */
function groupTables({ sections }: Structure, shown: readonly Question[]): Question[][] {
  const tables = new Map(sections.flatMap(({ questions: ofSection }) => [...findTables(ofSection)]));
  const groups: Question[][] = [];
  for (const question of shown) {
    const last = groups.at(-1);
    const table = tables.get(question.column.id);
    if (last && table && tables.get(last.at(-1)?.column.id ?? '') === table) last.push(question);
    else groups.push([question]);
  }
  return groups;
}

/** A darker cell has a larger share: of these, the shares begin at 1/8, 3/8, 5/8 and 7/8. */
const SHADES = 4;

/** Renders questions that offer the same as one table: a row for each, with how often each answer was given, and its share. */
function tableCard(context: PageContext, { address }: StatisticsPage, group: readonly Question[]): Html {
  const { questions: text } = getStatisticsTexts(context);
  const [first] = group;
  const labels = (first?.column.question && listLabels(first.column.question)) ?? [];
  const hasMean = group.some(({ scale }) => scale);
  const cell = ({ answeredCount }: Question, count: number): Html => {
    const share = divide(count, answeredCount);
    return html`<td class="number" data-shade="${Math.round(share * SHADES)}">${formatNumber(count)} <span class="small">${answeredCount > 0 && formatShare(share)}</span></td>`;
  };
  const row = (question: Question): Html => {
    const { column, askedCount, answeredCount, choices = [], scale } = question;
    const counts = new Map([
      ...choices.map(({ choiceId, count }) => [choiceId, count] as const),
      ...(scale?.points ?? []).map(({ value, count }) => [String(value), count] as const),
    ]);
    const columns = (column.question && listTableColumns(column.question)) ?? [];
    return html`<tr><th scope="row"><span id="q-${column.id}" dir="auto">${column.title}</span>${answeredCount > 0 && html` <a class="all-answers small" href="${listHref(answersAddress(address, column.id))}">${text.all}<span class="visually-hidden">: ${column.title}</span></a>`}</th>
${columns.map(({ value }) => cell(question, counts.get(value) ?? 0))}${hasMean && html`<td class="number">${scale?.mean == null ? '–' : decimal(scale.mean)}</td>`}
<td class="number muted">${askedCount === 0 ? '–' : text.of(answeredCount, askedCount)}</td></tr>`;
  };
  const id = `table-${first?.column.id}`;
  return html`<section class="card statistic" aria-labelledby="${id}">
<h3 id="${id}" dir="auto">${text.table(group.length, first?.column.title ?? '')}</h3>
<p class="muted small">${text.tableBase}</p>
<div class="matrix dense" role="group" aria-label="${text.tableCaption}" tabindex="0"><table><caption class="visually-hidden">${text.tableCaption}</caption>
<thead><tr><th scope="col">${text.question}</th>${labels.map((label) => html`<th scope="col" class="number" dir="auto">${label}</th>`)}${hasMean && html`<th scope="col" class="number">${text.mean}</th>`}<th scope="col" class="number">${text.answered}</th></tr></thead>
<tbody>${group.map(row)}</tbody></table></div>
</section>`;
}

type Choices = NonNullable<Question['choices']>;

/** Renders a row with a count, and its share of all. */
const countRow = (label: string, count: number, all: number): BarRow => ({
  label,
  share: divide(count, all),
  numbers: [formatNumber(count), formatShare(divide(count, all))],
});

/** Renders how many of those who have answered have selected each choice. */
function selections(
  context: PageContext,
  { column, answeredCount, removedChoicesCount = 0 }: Question,
  choices: Choices,
): Html {
  const { questions: text, count, share } = getStatisticsTexts(context);
  const rows = choices.map((choice) => countRow(choice.name, choice.count, answeredCount));
  return html`${base(context, answeredCount)}
${folded(context, { caption: text.choices(column.title), heads: [text.choice, count, share], rows })}
${removedChoicesCount > 0 && html`<p class="muted small">${text.removed(removedChoicesCount)}</p>`}`;
}

/** Says next to the bars of what number their shares are. */
const base = (context: PageContext, answeredCount: number): Html | false =>
  answeredCount > 0 && html`<p class="muted small">${getStatisticsTexts(context).questions.base(answeredCount)}</p>`;

const decimal = (value: number): string => formatNumber(value, 2);

/** Renders the choices of a ranking; the better the mean place, the longer the bar. */
function ranking(context: PageContext, { column }: Question, choices: Choices): Html {
  const { questions: text, count } = getStatisticsTexts(context);
  const rows = choices.map(
    ({ name, count: number, meanPlace = null }): BarRow => ({
      label: name,
      share: meanPlace === null ? 0 : divide(choices.length + 1 - meanPlace, choices.length),
      numbers: [meanPlace === null ? '–' : decimal(meanPlace), formatNumber(number)],
    }),
  );
  const heads = [text.choice, text.meanPlace, count] as const;
  return folded(context, { caption: text.ranking(column.title), heads, rows, showsHeads: true });
}

/** Renders numbers with their names; none that is not known. */
function figures(named: readonly [name: string, value: number | null][], unit = ''): Html | false {
  const known = named.flatMap(([name, value]) => (value === null ? [] : [{ name, value }]));
  const space = unit === '' ? '' : ' ';
  return (
    known.length > 0 &&
    html`<dl class="figures">${known.map(({ name, value }) => html`<div><dt>${name}</dt><dd>${decimal(value)}${space}${unit}</dd></div>`)}</dl>`
  );
}

/** Renders the mean of all numbers, and what is known of those that were read. */
function numberFigures(context: PageContext, { question }: Question['column'], numbers: CountedNumbers): Html {
  const { questions: text } = getStatisticsTexts(context);
  const { count, mean, readCount, min, max, median } = numbers;
  const unit = question?.text?.unit ?? '';
  const ofRead: [string, number | null][] = [
    [text.least, min],
    [text.median, median],
    [text.greatest, max],
  ];
  return html`${figures([[text.mean, mean], ...(readCount < count ? [] : ofRead)], unit)}
${readCount > 0 && readCount < count && html`<p class="muted small">${text.ofNewest(readCount)}</p>${figures(ofRead, unit)}`}`;
}

/** Renders the distribution of the points of a scale, with their mean and median. */
function points(
  context: PageContext,
  { column, answeredCount }: Question,
  scale: NonNullable<Question['scale']>,
): Html {
  const { questions: text, count, share } = getStatisticsTexts(context);
  const rows = scale.points.map((point) =>
    countRow(pointLabel(point.value, column.question?.scale), point.count, answeredCount),
  );
  return html`${figures([
    [text.mean, scale.mean],
    [text.median, scale.median],
  ])}
${base(context, answeredCount)}
${folded(context, { caption: text.points(column.title), heads: [text.point, count, share], rows })}`;
}

function datesChart(
  context: PageContext,
  { column, answeredCount }: Question,
  dates: NonNullable<Question['dates']>,
): Html {
  const texts = getStatisticsTexts(context);
  const { questions: text, count, share } = texts;
  const rows = dates.map((date) => countRow(periodText(context, texts, date.period), date.count, answeredCount));
  const chart = { caption: text.dates(column.title), heads: [text.date, count, share] as const, rows };
  const columns = dates.length > MAX_VISIBLE_ROWS ? listColumnsOf(dates) : undefined;
  if (!columns) return html`${base(context, answeredCount)}${folded(context, chart)}`;
  return html`${base(context, answeredCount)}
${columnChart(columns, [rows[0]?.label ?? '', rows.at(-1)?.label ?? ''])}
<details class="chart-table"><summary>${texts.time.table}</summary>${barTable(chart)}</details>`;
}

/** More columns would be thinner than a line. */
const MAX_COLUMNS = 240;

/**
 * Counts each month, or year, from the first to the last, also those without dates; undefined if they are not one line of time,
 * or too many.
 */
function listColumnsOf(dates: NonNullable<Question['dates']>): number[] | undefined {
  const places = dates.map(({ period }) => {
    const [, year, month] = /^(\d{4})(?:-(\d\d))?$/.exec(period) ?? [];
    if (year === undefined) return undefined;
    return month === undefined ? Number(year) : 12 * Number(year) + Number(month);
  });
  const [first, last] = [places[0], places.at(-1)];
  if (first === undefined || last === undefined || places.includes(undefined)) return undefined;
  const counts = new Map(dates.map(({ count }, index) => [places[index], count]));
  const length = last - first + 1;
  return length > MAX_COLUMNS ? undefined : Array.from({ length }, (_, index) => counts.get(first + index) ?? 0);
}

/** Renders a chart; rows beyond the first are folded away. */
function folded(context: PageContext, chart: Parameters<typeof barTable>[0]): Html {
  const rest = chart.rows.slice(MAX_VISIBLE_ROWS);
  return html`${barTable({ ...chart, rows: chart.rows.slice(0, MAX_VISIBLE_ROWS) })}
${rest.length > 0 && html`<details class="chart-table"><summary>${getStatisticsTexts(context).more(rest.length)}</summary>${barTable({ ...chart, rows: rest })}</details>`}`;
}

function newestAnswers(
  context: PageContext,
  formId: string,
  { newest, read }: { newest: NonNullable<Question['newest']>; read: number },
): Html {
  const { questions: text } = getStatisticsTexts(context);
  if (newest.length === 0) return html`<p class="muted small">${text.noNewest(read)}</p>`;
  return html`<p class="muted small">${text.newest(read)}</p>
<ul class="newest">${newest.map(
    ({ responseId, submittedAt, text: answer, files }) =>
      html`<li><p dir="auto">${files ? files.map((file) => html`<a href="/files/${file.fileId}" dir="auto">${file.originalFilename}</a> `) : answer}</p><a class="small" href="/review/${formId}/r/${responseId}">${renderTime(context, submittedAt)}</a></li>`,
  )}</ul>`;
}
