/**
 * The highlighted question: a table whose rows hold the bars of a chart, for readers of either, and a form to highlight
 * another one.
 */

import { formatNumber } from '#core/schema/format.ts';
import type { Structure } from '#core/structure/structure.ts';
import { mayBeHighlighted } from '#core/structure/types/traits.ts';
import type { CountedHighlight } from '#core/table/counted-highlight.ts';
import { listColumns } from '#core/table/table.ts';
import type { PageContext } from '../shell/context.ts';
import { attribute, type Html, html } from '../shell/html.ts';
import { getReviewTexts } from '../text/review.ts';
import { getStatisticsTexts } from '../text/statistics.ts';
import { barTable, formatShare } from './chart.ts';
import { nameChoices } from './columns.ts';
import { buildListQuery, type ListAddress } from './list-address.ts';

type Choice = CountedHighlight['choices'][number];

/** Further choices are folded away. */
const MAX_VISIBLE_CHOICES = 6;

/** Renders the chart; nothing without a highlighted question. */
export function highlightChart(
  context: PageContext,
  structure: Structure,
  highlighted: CountedHighlight | undefined,
): Html | undefined {
  if (!highlighted || highlighted.choices.length === 0) return undefined;
  const { question, title, answeredCount, removedChoicesCount, isCounting } = highlighted;
  const choices = nameChoices(context, structure, question.id, highlighted.choices);
  const { highlight } = getReviewTexts(context);
  const { questions: statistics } = getStatisticsTexts(context);
  const rest = choices.slice(MAX_VISIBLE_CHOICES);
  return html`<section class="card highlight" aria-labelledby="highlight-title">
<h2 id="highlight-title" dir="auto">${title}</h2>
${isCounting && html`<p class="muted small">${highlight.counting}</p>`}
${answeredCount > 0 && html`<p class="muted small">${statistics.base(answeredCount)}</p>`}
${chartTable(context, title, choices.slice(0, MAX_VISIBLE_CHOICES), answeredCount)}
${rest.length > 0 && html`<details><summary>${highlight.more(rest.length)}</summary>${chartTable(context, title, rest, answeredCount)}</details>`}
${removedChoicesCount > 0 && html`<p class="muted small">${statistics.removed(removedChoicesCount)}</p>`}
</section>`;
}

const chartTable = (context: PageContext, title: string, choices: readonly Choice[], answeredCount: number): Html => {
  const { highlight } = getReviewTexts(context);
  return barTable({
    caption: highlight.caption(title),
    heads: [highlight.choice, highlight.count, highlight.share],
    rows: choices.map(({ name, count }) => {
      const share = answeredCount === 0 ? 0 : Math.min(count / answeredCount, 1);
      return {
        label: name,
        share,
        numbers: [formatNumber(count), formatShare(share)],
      };
    }),
  });
};

/** Renders the select of the highlighted question; nothing for a form without choice questions. */
export function highlightForm(
  context: PageContext,
  structure: Structure,
  address: ListAddress,
  highlighted: CountedHighlight | undefined,
): Html | undefined {
  const { highlight } = getReviewTexts(context);
  const questions = listColumns(structure).filter(({ question, type }) => question && mayBeHighlighted(type));
  if (questions.length === 0) return undefined;
  const currentId = highlighted?.question.id;
  const option = (id: string, title: string, isChosen: boolean): Html =>
    html`<option dir="auto" value="${id}"${attribute('selected', isChosen)}>${title}</option>`;
  return html`<details class="highlight-form"><summary>${currentId === undefined ? highlight.choose : highlight.change}</summary>
<form method="post" action="/review/${address.formId}/highlight${buildListQuery(address)}" data-once>
<div class="field"><label for="highlight-question">${highlight.question}</label>
<select id="highlight-question" name="question">${option('', highlight.none, currentId === undefined)}${questions.map(
    ({ id, title }) => option(id, title, id === currentId),
  )}</select></div>
<div class="actions"><button class="secondary">${highlight.apply}</button></div>
</form></details>`;
}
