/**
 * Shows the settings of a form with the state of its spreadsheet. Changes the settings of a form (`do=save`), also to
 * write failed rows of its spreadsheet again (`do=repeat`), or checks its spreadsheet (`do=check`).
 */
import type { Caller, Role } from '#core/access/access.ts';
import type { Ports } from '#core/db/ports.ts';
import { SHORTENING_SECONDS, shortenedFrom, shortens } from '#core/forms/keeping.ts';
import { type Form, FormPatch } from '#core/forms/model.ts';
import { type OpenedForm, openForm } from '#core/forms/open.ts';
import { loadRelated } from '#core/forms/related.ts';
import type { SpreadsheetStatus } from '#core/forms/spreadsheet-model.ts';
import { reloadForm } from '#core/forms/store.ts';
import { Problem } from '#core/problems/problems.ts';
import { countSubmittedUntil } from '#core/responses/going.ts';
import { type FormPlaces, loadFormPlaces } from '#core/responses/places-left.ts';
import { formatCalendarDate, parseTimeZone, timeAfter } from '#core/schema/format.ts';
import { GUEST_DRAFT_DAYS } from '#core/schema/limits.ts';
import type { SheetPorts } from '#core/sheets/port.ts';
import { verifySpreadsheet } from '#core/sheets/status.ts';
import { explainDate } from '../fields/date.ts';
import { type PageContext, renderTime } from '../shell/context.ts';
import {
  conflictNotice,
  enterSaves,
  errorSummary,
  hiddenFields,
  type Overwritten,
  pageTitle,
  textField,
} from '../shell/controls.ts';
import { LIST, member } from '../shell/declare-page.ts';
import { type FormHead, loadFormHead } from '../shell/form-frame.ts';
import { type Html, html } from '../shell/html.ts';
import { type LocalTimeFault, parseLocalTime, toLocalTime } from '../shell/local-time.ts';
import { definePage, type PageRequest } from '../shell/page.ts';
import type { PageResult } from '../shell/result.ts';
import {
  checkFields,
  choice,
  type FieldErrors,
  line,
  listFieldErrors,
  listLabels,
  listOverwrittenFields,
  number,
  readFields,
  renderFields,
  showFields,
  type Typed,
  type TypedField,
  toggle,
} from '../shell/typed-fields.ts';
import { hashContent, type Refused, saveTyped, seenHash } from '../shell/typed-form.ts';
import { getBuilderTexts } from '../text/builder.ts';
import { builderLayout, buildHref, withDone } from './frame.ts';
import { replacementFor, richText } from './rich-text-field.ts';

/** A description of 64 KB and the other texts, percent-encoded. */
const SETTINGS_BYTES = 262_144;

export const page = definePage({
  name: 'formSettings',
  audience: 'builders',
  path: '/build/{formId}/settings',
  access: member,
  needs: [...LIST, 'sheets:call'],
  open: openForm,
  show: async ({ app, form, context }) => {
    const { head, ...spreadsheet } = await loadSettings(app, form);
    const typed = showFields(SETTINGS, form, context);
    return { html: renderFormSettingsPage(context, head, { form, typed, errors: {}, ...spreadsheet }) };
  },
  post: {
    access: member,
    needs: [...LIST, 'table:write', 'sheets:call'],
    maxFormBytes: SETTINGS_BYTES,
    open: openForm,
    byDefault: 'save',
    labels: (context) => listLabels(context, SETTINGS),
    actions: {
      save: (request) => save(request, 'saved'),
      repeat: (request) => save(request, 'rowsRepeated'),
      takeBack: async ({ app, form, caller, roles }) => {
        const { takeBack } = await import('#core/forms/cover.ts');
        await takeBack(app, form, { userId: caller.id, roles });
        return { location: withDone(`${buildHref(form.id)}/settings`, 'saved') };
      },
      preview: (request) => showTyped(request, {}),
      replace: (request) => {
        const { typed } = readSettings(request);
        return showTyped(request, { typed: { ...typed, description: replacementFor(request.form.description) } });
      },
      check: async (request) => {
        const { spreadsheetUrl } = readSettings(request).typed;
        return showTyped(request, { check: await checkSpreadsheet(request.app, request.caller.id, spreadsheetUrl) });
      },
    },
  },
});

type SettingsRequest = OpenedForm & Pick<PageRequest<'/'>, 'app' | 'posted' | 'context'>;

/** What was typed, with the zone in which times were typed. */
function readSettings({ form, posted: { fields }, context }: SettingsRequest) {
  const { timeZone, errors } = readTimeZone(context, fields);
  return { typed: readFields(SETTINGS, fields, form), context: { ...context, timeZone }, errors };
}

/** Shows what was typed again, beside what is stored. */
async function showTyped(
  request: SettingsRequest,
  { status = 200, ...changes }: Partial<SettingsPage> & { status?: number },
  form = request.form,
): Promise<PageResult> {
  const { typed, context, errors } = readSettings(request);
  const { head, ...spreadsheet } = await loadSettings(request.app, form);
  const data = { form, typed, errors, seen: request.posted.fields.get('hash'), ...spreadsheet, ...changes };
  return { html: renderFormSettingsPage(context, head, data), status };
}

async function save(
  request: SettingsRequest & { caller: Caller; roles: readonly Role[] },
  done: 'saved' | 'rowsRepeated',
) {
  const { app, form, caller, roles, posted } = request;
  const { typed, context, errors } = readSettings(request);
  if (Object.keys(errors).length > 0) return showTyped(request, { status: 400 });
  const checked = checkFields(context, SETTINGS, FormPatch(), { typed, stored: form });
  if ('errors' in checked) return showTyped(request, { errors: checked.errors, status: 400 });
  const { retentionDays = form.retentionDays, draftDays = form.draftDays } = checked.patch;
  const days = { retentionDays, draftDays };
  if (shortens(days, form)) {
    const confirmed = `${retentionDays} ${draftDays}`;
    if (!roles.includes('admin') && !roles.includes('creator')) {
      const message = getBuilderTexts(context).settings.notMayShorten;
      const name = retentionDays === form.retentionDays ? 'draftDays' : 'retentionDays';
      return showTyped(request, { errors: { [name]: message }, status: 403 });
    }
    if (posted.fields.get('confirmed') !== confirmed)
      return confirmShortening(request, days, { confirmed, action: done === 'saved' ? 'save' : 'repeat' });
  }
  // Setting the same spreadsheet again repeats what has failed.
  const repeated = done === 'rowsRepeated' ? { spreadsheetUrl: typed.spreadsheetUrl || null } : {};
  const { updateForm } = await import('#core/forms/cover.ts');
  return saveTyped({
    fields: posted.fields,
    contentHash: hashSettings,
    listOverwritten: (current: Form) => listOverwrittenFields(context, SETTINGS, { typed, stored: current }),
    reload: () => reloadForm(app, form.id),
    render: (stored: Form, refused: Refused<SettingErrors>) => showTyped(request, refused, stored),
    explain: (problem) => explainSettings(context, problem),
    save: async (requireSeen) => {
      await updateForm(app, form, { ...checked.patch, ...repeated }, { userId: caller.id, roles }, requireSeen);
      const { deadline } = checked.patch;
      const closes = typeof deadline === 'string' && deadline <= app.now().toISOString();
      return withDone(`${buildHref(form.id)}/settings`, closes && done === 'saved' ? 'savedClosed' : done);
    },
  });
}

/** How many responses that will go are counted. */
const MAX_GOING = 1_000;

/** Shows what goes when something is kept for a shorter time; what was typed is sent again by the button that confirms it. */
async function confirmShortening(
  { app, form, posted, context }: SettingsRequest,
  { retentionDays, draftDays }: Pick<Form, 'retentionDays' | 'draftDays'>,
  { confirmed, action }: { confirmed: string; action: 'save' | 'repeat' },
): Promise<PageResult> {
  const texts = getBuilderTexts(context).settings.shorten;
  const until = (days: number): string => timeAfter(app.now(), SHORTENING_SECONDS - days * 24 * 60 * 60);
  const [head, count] = await Promise.all([
    loadFormHead(app, form),
    retentionDays === null || retentionDays === form.retentionDays
      ? undefined
      : countSubmittedUntil(app.table, form.id, until(retentionDays), MAX_GOING + 1),
  ]);
  const sent = [...posted.fields].filter(([name]) => name !== 'do' && name !== 'confirmed');
  return {
    status: 409,
    html: builderLayout(context, head, {
      current: 'settings',
      title: texts.title,
      main: html`<div data-confirmation><h1>${texts.title}</h1>
${retentionDays !== null && count !== undefined && html`<p>${texts.responses(retentionDays, Math.min(count, MAX_GOING), count > MAX_GOING)}</p>`}
${draftDays !== form.draftDays && html`<p>${texts.drafts(draftDays ?? GUEST_DRAFT_DAYS)}</p>`}
<p>${texts.hint}</p>
<form method="post" action="${buildHref(form.id)}/settings" data-once>${sent.map(
        ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
      )}${hiddenFields({ confirmed })}
<p class="actions"><button class="danger" name="do" value="${action}">${texts.confirm}</button><button class="secondary" name="do" value="preview">${texts.back}</button></p>
</form></div>`,
    }),
  };
}

type BuilderTexts = ReturnType<typeof getBuilderTexts>;

/** The words of a field, from the texts of this page. */
const wordsOf =
  (pick: (texts: BuilderTexts['settings']) => { label: string; hint?: string; invalid?: string }) =>
  (context: PageContext) =>
    pick(getBuilderTexts(context).settings);

const onOff = (context: PageContext): { on: string; off: string } => getBuilderTexts(context).settings;

/** A moment as a local time of the zone that its hint names; the hint also has the stored moment. */
const moment = (
  get: (form: Form) => string | null,
  label: (texts: BuilderTexts['settings']) => string,
): TypedField<Form, string> => ({
  show: (form, { timeZone }) => {
    const time = get(form);
    return time === null ? '' : toLocalTime(time, timeZone);
  },
  read: (posted, name) => (posted.get(name) ?? '').trim(),
  parse: (context, typed) => {
    if (typed === '') return { value: null };
    const parsed = parseLocalTime(typed, context.timeZone);
    return 'iso' in parsed ? { value: parsed.iso } : { error: explainTime(context, typed, parsed.fault) };
  },
  words: wordsOf((texts) => ({ label: label(texts), invalid: texts.timeInvalid })),
  tell: ({ timeZone }, shown) => (shown === '' ? '' : `${shown} (${timeZone})`),
  render: (context, control, { typed: value, stored }) => {
    const { settings: texts } = getBuilderTexts(context);
    const time = get(stored);
    const hint = html`${texts.noLimit} ${texts.timeZone} <span data-zone-name>${context.timeZone}</span>${
      time !== null && html` · ${texts.storedTime} ${renderTime(context, time, 'zone')}`
    }`;
    return textField(context, { ...control, hint, value, moment: time, type: 'datetime-local' });
  },
});

/** The settings, in the groups and the order of the page. */
const GROUPS = {
  about: {
    title: line<Form>(
      ({ title }) => title,
      (context) => {
        const { formTitle: label, titleInvalid: invalid } = getBuilderTexts(context).create;
        return { label, invalid };
      },
      { required: true, trimmed: true },
    ),
    description: richText<Form>(
      ({ description }) => description,
      wordsOf(({ description: label, descriptionHint: hint, closingInvalid: invalid }) => ({ label, hint, invalid })),
    ),
    previewMessage: line<Form>(
      ({ previewMessage }) => previewMessage,
      wordsOf(({ preview: label, previewHint: hint, previewInvalid: invalid }) => ({ label, hint, invalid })),
    ),
  },
  access: {
    visibility: choice<Form, Form['visibility']>(
      ({ visibility }) => visibility,
      wordsOf(({ visibility }) => ({ label: visibility, invalid: visibility })),
      (context) => getBuilderTexts(context).settings.visibilityOptions,
    ),
    publishTime: moment(
      ({ publishTime }) => publishTime,
      ({ opens }) => opens,
    ),
    deadline: moment(
      ({ deadline }) => deadline,
      ({ closes }) => closes,
    ),
    maxResponses: number<Form>(
      ({ maxResponses }) => maxResponses,
      wordsOf(({ maxResponses: label, maxResponsesHint: hint, maxResponsesInvalid: invalid }) => ({
        label,
        hint,
        invalid,
      })),
      { optional: true },
    ),
    closedMessage: line<Form>(
      ({ closedMessage }) => closedMessage,
      wordsOf(({ closedMessage: label, closedMessageHint: hint, closingInvalid: invalid }) => ({
        label,
        hint,
        invalid,
      })),
      { long: true },
    ),
  },
  submitted: {
    allowEditResponse: toggle<Form>(
      ({ allowEditResponse }) => allowEditResponse,
      wordsOf(({ allowEdit: label, allowEditHint: hint }) => ({ label, hint })),
      onOff,
    ),
    sendResponseEmail: toggle<Form>(
      ({ sendResponseEmail }) => sendResponseEmail,
      wordsOf(({ sendMail: label, sendMailHint: hint }) => ({ label, hint })),
      onOff,
    ),
    messageAfterSubmission: line<Form>(
      ({ messageAfterSubmission }) => messageAfterSubmission,
      wordsOf(({ closing: label, closingHint: hint, closingInvalid: invalid }) => ({ label, hint, invalid })),
      { long: true },
    ),
  },
  kept: {
    retentionDays: number<Form>(
      ({ retentionDays }) => retentionDays,
      wordsOf(({ retentionDays: label, retentionDaysHint: hint, retentionDaysInvalid: invalid }) => ({
        label,
        hint,
        invalid,
      })),
      { optional: true },
    ),
    draftDays: number<Form>(
      ({ draftDays }) => draftDays,
      wordsOf(({ draftDays: label, draftDaysHint: hint, draftDaysInvalid: invalid }) => ({ label, hint, invalid })),
      { optional: true },
    ),
  },
  spreadsheet: {
    spreadsheetUrl: line<Form>(
      ({ spreadsheetUrl }) => spreadsheetUrl,
      wordsOf(({ spreadsheet: label, spreadsheetInvalid: invalid }) => ({ label, invalid })),
      { trimmed: true, exact: true, inputMode: 'url' },
    ),
  },
};

const SETTINGS = {
  ...GROUPS.about,
  ...GROUPS.access,
  ...GROUPS.submitted,
  ...GROUPS.kept,
  ...GROUPS.spreadsheet,
};

type TypedSettings = Typed<typeof SETTINGS>;

type SettingErrors = FieldErrors<typeof SETTINGS>;

/**
 * Reads the zone in which the times of a posted form were typed: that of the browser, which its scripts name, or the
 * configured one. A name that is no zone is a fault of both times.
 */
function readTimeZone(context: PageContext, fields: URLSearchParams): { timeZone: string; errors: SettingErrors } {
  const name = fields.get('timeZone') ?? '';
  const timeZone = name === '' ? context.timeZone : parseTimeZone(name);
  if (timeZone !== undefined) return { timeZone, errors: {} };
  const message = getBuilderTexts(context).settings.zoneUnknown(context.timeZone);
  return { timeZone: context.timeZone, errors: { publishTime: message, deadline: message } };
}

/** Hashes the stored settings. */
const hashSettings = (form: Form): string =>
  hashContent([showFields(SETTINGS, form, { timeZone: 'UTC' }), form.description]);

/** Says why a typed time is none, or none that is meant. */
function explainTime(context: PageContext, text: string, fault: LocalTimeFault): string {
  const { settings: texts } = getBuilderTexts(context);
  if (fault === 'invalid') {
    const [date = '', ...time] = text.split('T');
    const isDateOnly = /^\d{4}-\d{2}-\d{2}$/.test(date) && time.length === 0;
    return explainDate(context, date) ?? (isDateOnly ? texts.timeMissing : texts.timeInvalid);
  }
  return texts.timeUnclear[fault](text.slice(11, 16), formatCalendarDate(context, text.slice(0, 10)), context.timeZone);
}

/** Explains a problem of the whole: a spreadsheet of another organization, or a form that would close before it opens. */
function explainSettings(
  context: PageContext,
  { code, status, errors }: Problem,
): { errors: SettingErrors; status: number } | undefined {
  const texts = getBuilderTexts(context).settings;
  if (code !== 'invalid_request') return undefined;
  return errors.some((fault) => fault.code === 'spreadsheet_taken')
    ? { errors: { spreadsheetUrl: texts.spreadsheetInvalid }, status }
    : { errors: { deadline: texts.closesTooEarly }, status };
}

type SettingsPage = {
  form: Form;
  typed: TypedSettings;
  errors: SettingErrors;
  /** The hash of the posted form that is shown again. */
  seen?: string | null;
  overwritten?: readonly Overwritten[];
  spreadsheet: SpreadsheetStatus | null;
  /** The places of a form with a cap. */
  places: FormPlaces | undefined;
  /** The address with which a spreadsheet is shared; null without an account for spreadsheets. */
  sheetsEmail: string | null;
  check?: SpreadsheetCheck;
};

/** The result of a check of a spreadsheet. */
type SpreadsheetCheck = 'checkValid' | 'checkInvalid' | 'checkBusy';

/** Checks whether the service can write to a spreadsheet. */
async function checkSpreadsheet(
  app: Parameters<typeof verifySpreadsheet>[0],
  userId: string,
  url: string,
): Promise<SpreadsheetCheck> {
  try {
    return (await verifySpreadsheet(app, userId, url)) ? 'checkValid' : 'checkInvalid';
  } catch (error) {
    if (error instanceof Problem) return 'checkBusy';
    throw error;
  }
}

/** Reads what the page shows in addition to the form: its organization and the state of its spreadsheet. */
async function loadSettings(
  app: Pick<Ports, 'table'> & Pick<SheetPorts, 'sheets'>,
  form: Form,
): Promise<{ head: FormHead } & Pick<SettingsPage, 'spreadsheet' | 'sheetsEmail' | 'places'>> {
  const [head, { statuses }, sheetsEmail, places] = await Promise.all([
    loadFormHead(app, form),
    loadRelated(app.table, [form]),
    app.sheets.email().catch(noAccount),
    loadFormPlaces(app, form),
  ]);
  return { head, spreadsheet: statuses.get(form.id) ?? null, sheetsEmail, places };
}

/** Says how many places of a form are taken, or that they are being counted. */
const placesNotice = (context: PageContext, { taken, max }: FormPlaces): Html => {
  const { settings: texts } = getBuilderTexts(context);
  return html`<p class="muted">${taken === undefined ? texts.placesCounting : texts.placesTaken(taken, max)}</p>`;
};

/** Says from when something is kept for a shorter time, with the button that takes it back. */
function shorteningNotice(context: PageContext, form: Form): Html | undefined {
  const { settings: texts } = getBuilderTexts(context);
  const from = shortenedFrom(form, context.now);
  if (from === null) return undefined;
  return html`<div class="notice warning"><p>${texts.shorteningFrom} ${renderTime(context, from, 'zone')}. ${texts.shorteningHint}</p>
<form method="post" action="${buildHref(form.id)}/settings" data-once><p class="actions"><button class="secondary" name="do" value="takeBack">${texts.takeBack}</button></p></form></div>`;
}

/** Converts the problem of an installation without an account for spreadsheets to null. */
function noAccount(error: unknown): null {
  if (error instanceof Problem && error.code === 'spreadsheets_not_set_up') return null;
  throw error;
}

/**
 * Renders the form of all settings, each with its error, and with what somebody else has stored. Browsers check it: they would
 * send half a date as none.
 */
function renderFormSettingsPage(context: PageContext, head: FormHead, page: SettingsPage): Html {
  const texts = getBuilderTexts(context).settings;
  const { form, typed, errors, overwritten = [], spreadsheet, sheetsEmail, check } = page;
  const href = `${buildHref(form.id)}/settings`;
  const faults = listFieldErrors(context, SETTINGS, errors);
  const fields = { typed, stored: form, errors, action: href };
  return builderLayout(context, head, {
    current: 'settings',
    isTab: true,
    title: pageTitle(context, texts.title, faults.length > 0),
    main: html`${errorSummary(context, faults)}
${overwritten.length > 0 && conflictNotice(context, { values: overwritten, reload: href })}
${check !== undefined && html`<div class="notice${check !== 'checkValid' && ' warning'}" role="alert" tabindex="-1" data-error-summary><p>${texts[check]}</p></div>`}
${shorteningNotice(context, form)}
<div class="settings"><nav class="page-links" aria-label="${texts.groups.label}"><ul>${GROUP_NAMES.map((name) => html`<li><a href="#${name}">${texts.groups[name]}</a></li>`)}</ul></nav>
<form method="post" action="${href}">
${enterSaves(context)}${hiddenFields({ hash: seenHash(hashSettings(form), page) })}<input type="hidden" name="timeZone" value="${context.isPosted ? context.timeZone : ''}" data-time-zone>
${groupCard(context, 'about', renderFields(context, GROUPS.about, fields))}
${groupCard(context, 'access', html`${page.places && placesNotice(context, page.places)}${renderFields(context, GROUPS.access, fields)}`)}
${groupCard(context, 'submitted', renderFields(context, GROUPS.submitted, fields))}
${groupCard(context, 'kept', renderFields(context, GROUPS.kept, fields))}
${groupCard(
  context,
  'spreadsheet',
  html`${renderFields(context, GROUPS.spreadsheet, { ...fields, hints: { spreadsheetUrl: texts.spreadsheetHint(sheetsEmail) } })}${spreadsheet !== null && spreadsheetState(context, spreadsheet)}
${sheetsEmail !== null && html`<p class="actions"><button class="secondary" name="do" value="check">${texts.check}</button></p>`}`,
)}
<p class="actions"><button name="do" value="save">${context.t.shell.save}</button></p>
</form></div>`,
  });
}

const GROUP_NAMES = Object.keys(GROUPS) as (keyof typeof GROUPS)[];

/** Renders a group of settings; the links on top of the page lead to its heading. */
const groupCard = (context: PageContext, name: keyof typeof GROUPS, fields: Html): Html =>
  html`<section class="card" id="${name}" tabindex="-1" aria-labelledby="${name}-title"><h2 id="${name}-title">${getBuilderTexts(context).settings.groups[name]}</h2>
${fields}</section>`;

/** Says whether rows reach the spreadsheet and, if not, why; rows that were given up can be written again. */
function spreadsheetState(context: PageContext, { state, reason }: SpreadsheetStatus): Html {
  const { settings: texts } = getBuilderTexts(context);
  const words = html`<p>${texts.spreadsheetState[state]}${reason !== null && html` ${texts.spreadsheetReason[reason]}`}</p>`;
  if (state !== 'FAILED') return html`<div class="hint">${words}</div>`;
  // Rows of an address that is no spreadsheet are written when another address is saved.
  const canRepeat = reason !== 'no_google_spreadsheet';
  return html`<div class="notice warning">${words}${
    canRepeat &&
    html`<p class="actions"><button class="secondary" name="do" value="repeat">${texts.repeatRows}</button></p>`
  }</div>`;
}
