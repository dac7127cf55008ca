/** Charts, drawn on the server: bars in the rows of a table, and columns over time with a table beside them. */
import { formatNumber } from '#core/schema/format.ts';
import { type Html, html } from '../shell/html.ts';

/** A row: its label, how much of the width its bar fills (0 to 1), and its numbers as text. */
export type BarRow = { label: string; share: number; numbers: readonly string[] };

type BarTable = {
  caption: string;
  /** Of the label, and of each number. */
  heads: readonly [label: string, ...numbers: string[]];
  rows: readonly BarRow[];
  /** Whether the heads are visible. They are for numbers that do not explain themselves. */
  showsHeads?: boolean;
};

/** Renders a table whose rows hold the bars of a chart, for readers of either. */
export const barTable = ({ caption, heads: [label, ...numbers], rows, showsHeads = false }: BarTable): Html =>
  html`<table class="chart${showsHeads && ' headed'}">
<caption class="visually-hidden">${caption}</caption>
<thead class="${showsHeads ? 'muted' : 'visually-hidden'}"><tr><th scope="col">${label}</th><td></td>${numbers.map((head) => html`<th scope="col" class="number">${head}</th>`)}</tr></thead>
<tbody>${rows.map(
    (row) =>
      html`<tr><th scope="row" dir="auto">${row.label}</th><td class="bar">${bar(row.share)}</td>${row.numbers.map(
        (number, index) => html`<td class="number${index > 0 && ' muted'}">${number}</td>`,
      )}</tr>`,
  )}</tbody>
</table>`;

/** A bar that fills its share of the width. */
const bar = (share: number): Html =>
  html`<svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true" focusable="false"><rect class="bar-track" width="100" height="10"/><rect class="bar-fill" width="${Math.round(share * 1_000) / 10}" height="10"/></svg>`;

/** Formats a share: "42%". */
export const formatShare = (share: number): string => `${formatNumber(share * 100)}%`;

const COLUMN_WIDTH = 10;
const COLUMN_GAP = 2;
const CHART_HEIGHT = 100;

/** Few columns are not drawn over the whole width. */
const FEW_COLUMNS = 12;

/** Renders a column for each count, in order, between two labels. What it shows stands in a table beside it. */
export function columnChart(counts: readonly number[], [first, last]: readonly [string, string]): Html {
  const highest = Math.max(...counts, 1);
  return html`<div class="column-chart${counts.length < FEW_COLUMNS && ' few'}" aria-hidden="true"><svg viewBox="0 0 ${counts.length * COLUMN_WIDTH} ${CHART_HEIGHT}" preserveAspectRatio="none" focusable="false">${counts.map(
    (count, index) => {
      const height = Math.round((count / highest) * CHART_HEIGHT * 10) / 10;
      return html`<rect class="bar-fill" x="${index * COLUMN_WIDTH + COLUMN_GAP / 2}" y="${CHART_HEIGHT - height}" width="${COLUMN_WIDTH - COLUMN_GAP}" height="${height}"/>`;
    },
  )}</svg>
<p class="muted small"><span>${first}</span>${counts.length > 1 && html`<span>${last}</span>`}</p></div>`;
}
