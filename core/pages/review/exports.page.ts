/**
 * Shows the columns to export and the earlier exports. Exports submitted responses: a few directly as a file, many as
 * a job whose progress is shown.
 */
import type { Caller, Role } from '#core/access/access.ts';
import type { Ports } from '#core/db/ports.ts';
import { type ExportJob, exportFileName, stateAt } from '#core/exports/model.ts';
import { ExportInput, type ExportOptions, FORMAT_NAMES, FORMATS, toExportOptions } from '#core/exports/options.ts';
import { canExportDirectly, listExportJobs, requestExport } from '#core/exports/service.ts';
import { requireWritable, writeSmallExport } from '#core/exports/write.ts';
import { contentDisposition } from '#core/files/download.ts';
import type { Gate } from '#core/forms/gate.ts';
import { countUpTo } from '#core/responses/store.ts';
import { formatNumber } from '#core/schema/format.ts';
import type { Structure } from '#core/structure/structure.ts';
import { listColumns, pickColumns, type TableColumn } from '#core/table/table.ts';
import type { SavedView, Views } from '#core/views/model.ts';
import { listViewColumns, openViews } from '#core/views/views.ts';
import { type PageContext, renderTime } from '../shell/context.ts';
import { errorSummary, fieldError, pageTitle } from '../shell/controls.ts';
import { COLUMNS_BYTES, member } from '../shell/declare-page.ts';
import type { FormHead } from '../shell/form-frame.ts';
import { attribute, type Html, html } from '../shell/html.ts';
import { definePage } from '../shell/page.ts';
import { getReviewTexts } from '../text/review.ts';
import { columnChoice, listQuestionIds } from './columns.ts';
import { activeFilters } from './filter.ts';
import { loadReviewHead, reviewLayout } from './header.ts';
import { type ListAddress, listHref, parseListAddress, toTableQuery, viewAddress } from './list-address.ts';
import { readSelected } from './selection.ts';

export const page = definePage({
  name: 'exports',
  audience: 'reviewers',
  path: '/review/{formId}/export',
  access: member,
  needs: ['table:read', 'table:list'],
  open: openViews,
  show: async ({ app, gate, structure, views, caller, roles, query, context }) => {
    const address = parseExportAddress(gate.formId, query, context.timeZone);
    const opened = { gate, structure, views, caller, roles };
    const [head, data] = await Promise.all([
      loadReviewHead(app, gate),
      loadExportsPage(app, opened, { address, isEmpty: false }),
    ]);
    return { html: renderExportsPage(context, head, data) };
  },
  post: {
    access: member,
    needs: ['table:read', 'table:list', 'table:write'],
    maxFormBytes: COLUMNS_BYTES,
    open: openViews,
    actions: {
      requestExport: async ({ app, gate, structure, views, caller, roles, posted, query, context }) => {
        const address = parseExportAddress(gate.formId, query, context.timeZone);
        const columns = chooseColumns(structure, views, address, posted.fields.getAll('column'));
        if (columns.length === 0) {
          const opened = { gate, structure, views, caller, roles };
          const [head, data] = await Promise.all([
            loadReviewHead(app, gate),
            loadExportsPage(app, opened, { address, isEmpty: true }),
          ]);
          return { html: renderExportsPage(context, head, data), status: 400 };
        }
        const { title, formId } = gate;
        const options = readOptions(posted.fields, structure, address);
        const source = { title, structure, columns, options, publicUrl: app.config.publicUrl };
        requireWritable(source);
        const bytes = (await canExportDirectly(app, formId, options)) ? await writeSmallExport(app, source) : undefined;
        if (bytes) {
          const { format = 'XLSX' } = options;
          const disposition = contentDisposition(exportFileName(title, format));
          return { file: { bytes, contentType: FORMATS[format].contentType, disposition } };
        }
        const job = await requestExport(app, { gate, structure, columns, options, userId: caller.id });
        return { location: `/review/${formId}/export/${job.id}` };
      },
    },
  },
});

/** Reads the address of the page: which of the responses it is about. */
function parseExportAddress(formId: string, query: URLSearchParams, timeZone: string): ListAddress {
  const selected = readSelected(query);
  return {
    ...parseListAddress(formId, query, timeZone),
    part: 'export',
    ...(selected.length > 0 && { selected }),
  };
}

/**
 * Returns the chosen columns: those of the view in its order, then the others in the order of the form. A question that was
 * deleted meanwhile is left out.
 */
function chooseColumns(
  structure: Structure,
  { views }: Views,
  { viewId }: ListAddress,
  chosen: readonly string[],
): TableColumn[] {
  const view = views.find(({ id }) => id === viewId);
  const isChosen = new Set(chosen);
  const ids = new Set([...(view?.columns ?? []), ...listQuestionIds(structure)]);
  return pickColumns(
    structure,
    [...ids].filter((id) => isChosen.has(id)),
  );
}

/** Reads how the responses at an address are to be exported. A filter of a question that is gone filters nothing. */
function readOptions(fields: URLSearchParams, structure: Structure, address: ListAddress): ExportOptions {
  const known = new Set(listQuestionIds(structure));
  const { sort: _sort, filters, ...query } = toTableQuery(address);
  const format = ExportInput().shape.format.safeParse(fields.get('format'));
  return toExportOptions({
    ...query,
    filters: filters.filter(({ questionId }) => known.has(questionId)),
    responseIds: address.selected && [...address.selected],
    format: format.success ? format.data : undefined,
    columnPerChoice: fields.get('columnPerChoice') === 'on',
    // People look responses up by it. Programs, whose columns are agreed, ask for it.
    reference: true,
  });
}

type ExportsPage = {
  gate: Gate;
  /** Which responses are exported. */
  address: ListAddress;
  structure: Structure;
  views: readonly SavedView[];
  /** The view whose columns are chosen at first; all columns without one. */
  current: SavedView | undefined;
  /** There are submitted responses. */
  hasResponses: boolean;
  earlier: readonly ExportJob[];
  /** The form was sent without a column. */
  isEmpty: boolean;
};

/** Renders the page on which columns are chosen, with the earlier exports. */
function renderExportsPage(context: PageContext, head: FormHead, data: ExportsPage): Html {
  const { exports } = getReviewTexts(context);
  const { structure, isEmpty } = data;
  const errors = isEmpty ? [{ target: 'columns', message: exports.noneChosen }] : [];
  return reviewLayout(context, head, {
    current: 'export',
    isTab: true,
    title: pageTitle(context, exports.title, isEmpty),
    width: 'wide',
    main: html`${errorSummary(context, errors)}
<div class="beside"><div>
${listQuestionIds(structure).length === 0 ? html`<div class="empty"><p>${exports.empty}</p></div>` : columnForm(context, data)}
</div>
<section class="review-aside" aria-labelledby="earlier"><h2 id="earlier">${exports.earlier}</h2>
${earlierExports(context, data)}
</section></div>`,
  });
}

/** Above so many columns the button is also above them, where it is seen. */
const MANY_COLUMNS = 12;

function columnForm(
  context: PageContext,
  { address, structure, views, current, hasResponses, isEmpty }: ExportsPage,
): Html {
  const { exports } = getReviewTexts(context);
  const chosen = isEmpty
    ? []
    : current
      ? listViewColumns(structure, current).map(({ id }) => id)
      : listQuestionIds(structure);
  const preset = (view: SavedView | undefined, name: string): Html =>
    html`<li><a class="chip" href="${listHref(viewAddress(address, { left: current, view }, context.timeZone))}"${attribute('aria-current', view?.id === current?.id && 'true')}><span class="chip-text" dir="auto">${name}</span></a></li>`;
  const hasFiles = listColumns(structure).some(({ type }) => type === 'UPLOAD_FILE');
  const download = html`<div class="actions"><button class="large">${exports.download}</button></div>`;
  return html`<p class="lead">${exports.lead}</p>
<p class="hint">${hasResponses ? exports.large : exports.emptyResponses}</p>
${
  views.length > 0 &&
  html`<div class="presets"><p id="presets">${exports.columnsOf}</p><ul class="chips" aria-labelledby="presets">${preset(undefined, exports.allQuestions)}${views.map((view) => preset(view, view.title))}</ul></div>`
}
${address.selected && html`<p class="notice">${exports.ofSelected(address.selected.length)} <a href="${listHref({ ...address, selected: [] })}">${exports.ofAll}</a></p>`}
${activeFilters(context, structure, address)}
<form method="post" action="${listHref(address)}" data-disposable>
<div class="field"><label for="format">${exports.format}</label><select id="format" name="format">${FORMAT_NAMES.filter((name) => name !== 'ZIP' || hasFiles).map((name) => html`<option value="${name}">${exports.formats[name]}</option>`)}</select></div>
<label class="column-option"><input type="checkbox" name="columnPerChoice" aria-describedby="per-choice-hint"><span>${exports.columnPerChoice}</span></label>
<p class="hint" id="per-choice-hint">${exports.columnPerChoiceHint}</p>
${listQuestionIds(structure).length > MANY_COLUMNS && download}
${columnChoice(context, structure, {
  legend: exports.columns,
  chosen: new Set(chosen),
  error: fieldError(context, 'columns', isEmpty ? exports.noneChosen : undefined),
})}
${download}
</form>`;
}

function earlierExports(context: PageContext, { gate, earlier }: ExportsPage): Html {
  const { exports } = getReviewTexts(context);
  if (earlier.length === 0) return html`<p class="muted">${exports.keptFor}</p>`;
  return html`<ul class="rows">${earlier.map((job) => {
    const { id, processed, createdAt } = job;
    const state = stateAt(job, context.now);
    const tone = { QUEUED: 'active', RUNNING: 'active', DONE: 'good', FAILED: 'bad', EXPIRED: '' }[state];
    return html`<li><div class="row-text"><h3><a class="row-link" href="/review/${gate.formId}/export/${id}"><span class="visually-hidden">${exports.file}: </span><span id="export-${id}">${renderTime(context, createdAt)}</span></a></h3>
<p class="muted small">${exports.rows}: ${formatNumber(processed)}</p></div>
<div class="row-side"><span class="tag ${tone}">${exports.states[state]}</span>${
      state === 'DONE' &&
      html`<a class="button secondary" id="get-${id}" href="/review/${gate.formId}/export/${id}/file" aria-labelledby="get-${id} export-${id}">${exports.get}</a>`
    }</div></li>`;
  })}</ul>
<p class="muted small">${exports.keptFor}</p>`;
}

// Reads what the export page shows.

/** Earlier exports on the page. */
const MAX_EARLIER = 20;

type Opened = { gate: Gate; structure: Structure; views: Views; caller: Caller; roles: readonly Role[] };

/** Loads the data of the page: admins see all exports of the form, other members their own. */
async function loadExportsPage(
  app: Pick<Ports, 'table'>,
  { gate, structure, views: { views }, caller, roles }: Opened,
  { address, isEmpty }: { address: ListAddress; isEmpty: boolean },
): Promise<ExportsPage> {
  const userId = roles.includes('admin') ? undefined : caller.id;
  const [{ jobs: earlier }, submitted] = await Promise.all([
    listExportJobs(app.table, gate.formId, { limit: MAX_EARLIER, after: undefined, userId }),
    countUpTo(app.table, gate.formId, 'SUBMITTED', 1),
  ]);
  const current = views.find(({ id }) => id === address.viewId);
  return { gate, address, structure, views, current, hasResponses: submitted > 0, earlier, isEmpty };
}
