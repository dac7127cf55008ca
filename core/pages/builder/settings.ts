/** The settings of a form on one page: what was typed, what is valid of it, and what somebody else has stored. */

import type { Ports } from '#core/db/ports.ts';
import { type Form, FormPatch } from '#core/forms/model.ts';
import { loadRelated } from '#core/forms/related.ts';
import type { SpreadsheetStatus } from '#core/forms/spreadsheet-model.ts';
import { Problem } from '#core/problems/problems.ts';
import { formatCalendarDate, parseTimeZone } from '#core/schema/format.ts';
import type { SheetPorts } from '#core/sheets/port.ts';
import { verifySpreadsheet } from '#core/sheets/status.ts';
import { explainDate } from '../fields/date.ts';
import { type PageContext, renderTime } from '../shell/context.ts';
import {
  conflictNotice,
  enterSaves,
  errorSummary,
  type FieldError,
  hiddenFields,
  type Overwritten,
  pageTitle,
  radioField,
  switchField,
  textArea,
  textField,
} from '../shell/controls.ts';
import { type FormHead, loadFormHead } from '../shell/form-frame.ts';
import { type Html, html } from '../shell/html.ts';
import { hashContent, seenHash } from '../shell/typed-form.ts';
import { getBuilderTexts } from '../text/builder.ts';
import { getRichTextTexts } from '../text/rich-text.ts';
import { builderLayout, buildHref } from './frame.ts';
import { loadMarkdown } from './load-markdown.ts';
import { type LocalTimeFault, parseLocalTime, toLocalTime } from './local-time.ts';
import { explainMarkdown, readTyped, richTextField } from './rich-text-field.ts';

/** What was typed, as texts. `description` is undefined for one that stays, because Markdown does not express it. */
export type TypedSettings = {
  title: string;
  description: string | undefined;
  visibility: string;
  publishTime: string;
  deadline: string;
  allowEditResponse: boolean;
  sendResponseEmail: boolean;
  previewMessage: string;
  messageAfterSubmission: string;
  spreadsheetUrl: string;
};

export type SettingErrors = Partial<Record<keyof TypedSettings, string>>;

/**
 * Reads the zone in which the times of a posted form were typed: that of the browser, which its scripts name, or the
 * configured one. A name that is no zone is a fault of both times.
 */
export function readTimeZone(
  context: PageContext,
  fields: URLSearchParams,
): { timeZone: string; errors: SettingErrors } {
  const name = fields.get('timeZone') ?? '';
  const timeZone = name === '' ? context.timeZone : parseTimeZone(name);
  if (timeZone !== undefined) return { timeZone, errors: {} };
  const message = getBuilderTexts(context).settings.zoneUnknown(context.timeZone);
  return { timeZone: context.timeZone, errors: { publishTime: message, deadline: message } };
}

/** The stored settings as they are shown, with times of a zone. */
export const toTypedSettings = (form: Form, timeZone: string): TypedSettings => ({
  title: form.title,
  description: loadMarkdown().writeMarkdown(form.description),
  visibility: form.visibility,
  publishTime: form.publishTime === null ? '' : toLocalTime(form.publishTime, timeZone),
  deadline: form.deadline === null ? '' : toLocalTime(form.deadline, timeZone),
  allowEditResponse: form.allowEditResponse,
  sendResponseEmail: form.sendResponseEmail,
  previewMessage: form.previewMessage ?? '',
  messageAfterSubmission: form.messageAfterSubmission ?? '',
  spreadsheetUrl: form.spreadsheetUrl ?? '',
});

/** The settings of a posted form. */
export function parseTypedSettings(fields: URLSearchParams, form: Form): TypedSettings {
  const text = (name: string): string => fields.get(name) ?? '';
  return {
    title: text('title') === form.title ? form.title : text('title').trim(),
    description: readTyped(fields, 'description'),
    visibility: text('visibility'),
    publishTime: text('publishTime').trim(),
    deadline: text('deadline').trim(),
    allowEditResponse: fields.has('allowEditResponse'),
    sendResponseEmail: fields.has('sendResponseEmail'),
    previewMessage: text('previewMessage'),
    messageAfterSubmission: text('messageAfterSubmission'),
    spreadsheetUrl: text('spreadsheetUrl').trim(),
  };
}

/** Hashes the stored settings. */
export const hashSettings = (form: Form): string => hashContent([toTypedSettings(form, 'UTC'), form.description]);

/** The patch of an operation for what was typed in the zone of the context, with what has changed only; or the messages for what is not valid. */
export function checkSettings(
  context: PageContext,
  typed: TypedSettings,
  form: Form,
): { patch: FormPatch } | { errors: SettingErrors } {
  const texts = getBuilderTexts(context).settings;
  const { title: titleTexts } = { title: getBuilderTexts(context).create };
  const stored = toTypedSettings(form, context.timeZone);
  const errors: SettingErrors = {};
  const moment = (name: 'publishTime' | 'deadline'): string | null | undefined => {
    if (typed[name] === stored[name]) return undefined;
    if (typed[name] === '') return null;
    const parsed = parseLocalTime(typed[name], context.timeZone);
    if ('iso' in parsed) return parsed.iso;
    errors[name] = explainTime(context, typed[name], parsed.fault);
    return undefined;
  };
  const optional = (name: 'previewMessage' | 'messageAfterSubmission' | 'spreadsheetUrl') =>
    typed[name] === stored[name] ? undefined : typed[name] || null;
  const changes = {
    title: typed.title,
    description:
      typed.description === stored.description || typed.description === undefined
        ? undefined
        : loadMarkdown().parseMarkdown(typed.description),
    visibility: typed.visibility,
    publishTime: moment('publishTime'),
    deadline: moment('deadline'),
    allowEditResponse: typed.allowEditResponse,
    sendResponseEmail: typed.sendResponseEmail,
    previewMessage: optional('previewMessage'),
    messageAfterSubmission: optional('messageAfterSubmission'),
    spreadsheetUrl: optional('spreadsheetUrl'),
  };
  const unparsed = changes.description === undefined ? undefined : explainMarkdown(context, typed.description);
  if (unparsed !== undefined) errors.description = unparsed;
  const parsed = FormPatch().safeParse(changes);
  const messages: SettingErrors = {
    title: titleTexts.titleInvalid,
    description: texts.closingInvalid,
    visibility: texts.visibility,
    publishTime: texts.timeInvalid,
    deadline: texts.timeInvalid,
    previewMessage: texts.previewInvalid,
    messageAfterSubmission: texts.closingInvalid,
    spreadsheetUrl: texts.spreadsheetInvalid,
  };
  for (const { path } of parsed.error?.issues ?? []) {
    const name = path[0] as keyof TypedSettings;
    errors[name] ??= messages[name] ?? titleTexts.titleInvalid;
  }
  return parsed.success && Object.keys(errors).length === 0 ? { patch: parsed.data } : { errors };
}

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

/** Lists the stored settings that differ from the typed ones. */
export function listOverwritten(context: PageContext, form: Form, typed: TypedSettings): Overwritten[] {
  const { settings: texts, create } = getBuilderTexts(context);
  const theirs = toTypedSettings(form, context.timeZone);
  const labels: Record<keyof TypedSettings, string> = {
    title: create.formTitle,
    description: texts.description,
    visibility: texts.visibility,
    publishTime: texts.opens,
    deadline: texts.closes,
    allowEditResponse: texts.allowEdit,
    sendResponseEmail: texts.sendMail,
    previewMessage: texts.preview,
    messageAfterSubmission: texts.closing,
    spreadsheetUrl: texts.spreadsheet,
  };
  const show = (value: string | boolean | undefined): string =>
    typeof value === 'boolean' ? (value ? texts.on : texts.off) : (value ?? getRichTextTexts(context).otherProgram);
  return (Object.keys(labels) as (keyof TypedSettings)[])
    .filter((name) => typed[name] !== undefined && theirs[name] !== typed[name])
    .map((name) => {
      const value = theirs[name];
      if (name === 'visibility' && (value === 'PUBLIC' || value === 'PRIVATE')) {
        return { label: labels[name], theirs: texts.visibilityOptions[value] };
      }
      const isTime = (name === 'publishTime' || name === 'deadline') && value !== '';
      return { label: labels[name], theirs: isTime ? `${show(value)} (${context.timeZone})` : show(value) };
    });
}

/** Explains a problem of the whole: a spreadsheet of another organization, or a form that would close before it opens. */
export function explainSettings(
  context: PageContext,
  { code, status, errors }: Problem,
): { errors: SettingErrors; status: number } | undefined {
  const texts = getBuilderTexts(context).settings;
  if (code !== 'invalid_request') return undefined;
  return errors.some((fault) => fault.code === 'spreadsheet_taken')
    ? { errors: { spreadsheetUrl: texts.spreadsheetInvalid }, status }
    : { errors: { deadline: texts.closesTooEarly }, status };
}

export type SettingsPage = {
  form: Form;
  typed: TypedSettings;
  errors: SettingErrors;
  /** The hash of the posted form that is shown again. */
  seen?: string | null;
  overwritten?: readonly Overwritten[];
  spreadsheet: SpreadsheetStatus | null;
  /** The address with which a spreadsheet is shared; null without an account for spreadsheets. */
  sheetsEmail: string | null;
  check?: SpreadsheetCheck;
};

/** The result of a check of a spreadsheet. */
type SpreadsheetCheck = 'checkValid' | 'checkInvalid' | 'checkBusy';

/** Checks whether the service can write to a spreadsheet. */
export async function checkSpreadsheet(
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
export async function loadSettings(
  app: Pick<Ports, 'table'> & Pick<SheetPorts, 'sheets'>,
  form: Form,
): Promise<{ head: FormHead } & Pick<SettingsPage, 'spreadsheet' | 'sheetsEmail'>> {
  const [head, { statuses }, sheetsEmail] = await Promise.all([
    loadFormHead(app, form),
    loadRelated(app.table, [form]),
    app.sheets.email().catch(noAccount),
  ]);
  return { head, spreadsheet: statuses.get(form.id) ?? null, sheetsEmail };
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
export function renderFormSettingsPage(context: PageContext, head: FormHead, page: SettingsPage): Html {
  const texts = getBuilderTexts(context).settings;
  const { create } = getBuilderTexts(context);
  const { form, typed, errors, overwritten = [], spreadsheet, sheetsEmail, check } = page;
  const href = `${buildHref(form.id)}/settings`;
  const faults: FieldError[] = Object.entries(errors).map(([target, message]) => ({ target, message }));
  return builderLayout(context, head, {
    current: 'settings',
    title: pageTitle(context, texts.title, faults.length > 0),
    main: html`${errorSummary(context, faults)}
${overwritten.length > 0 && conflictNotice(context, { values: overwritten, reload: href })}
${check !== undefined && html`<div class="notice${check !== 'checkValid' && ' warning'}" role="alert" tabindex="-1" data-error-summary><p>${texts[check]}</p></div>`}
<h1>${texts.title}</h1>
<form method="post" action="${href}" class="card">
${enterSaves(context)}${hiddenFields({ hash: seenHash(hashSettings(form), page) })}<input type="hidden" name="timeZone" value="${context.isPosted ? context.timeZone : ''}" data-time-zone>
${textField(context, { name: 'title', label: create.formTitle, value: typed.title, error: errors.title, required: true })}
${richTextField(context, {
  name: 'description',
  label: texts.description,
  hint: texts.descriptionHint,
  value: typed.description,
  document: form.description,
  action: href,
  error: errors.description,
})}
${radioField(context, {
  name: 'visibility',
  label: texts.visibility,
  value: typed.visibility,
  error: errors.visibility,
  options: (['PUBLIC', 'PRIVATE'] as const).map((value) => ({ value, label: texts.visibilityOptions[value] })),
})}
${timeField(context, page, { name: 'publishTime', label: texts.opens })}
${timeField(context, page, { name: 'deadline', label: texts.closes })}
${switchField({ name: 'allowEditResponse', label: texts.allowEdit, hint: texts.allowEditHint, isOn: typed.allowEditResponse })}
${switchField({ name: 'sendResponseEmail', label: texts.sendMail, hint: texts.sendMailHint, isOn: typed.sendResponseEmail })}
${textField(context, { name: 'previewMessage', label: texts.preview, hint: texts.previewHint, value: typed.previewMessage, error: errors.previewMessage })}
${textArea(context, { name: 'messageAfterSubmission', label: texts.closing, hint: texts.closingHint, value: typed.messageAfterSubmission, error: errors.messageAfterSubmission })}
${textField(context, { name: 'spreadsheetUrl', label: texts.spreadsheet, hint: texts.spreadsheetHint(sheetsEmail), value: typed.spreadsheetUrl, error: errors.spreadsheetUrl, inputMode: 'url', isExact: true })}
${spreadsheet !== null && spreadsheetState(context, spreadsheet)}
<p class="actions"><button name="do" value="save">${context.t.shell.save}</button>${sheetsEmail !== null && html`<button class="secondary" name="do" value="check">${texts.check}</button>`}</p>
</form>`,
  });
}

/** A time in the zone that its hint names; the hint also has the stored moment. */
function timeField(
  context: PageContext,
  { form, typed, errors }: SettingsPage,
  { name, label }: { name: 'publishTime' | 'deadline'; label: string },
): Html {
  const { settings: texts } = getBuilderTexts(context);
  const moment = form[name];
  const hint = html`${texts.noLimit} ${texts.timeZone} <span data-zone-name>${context.timeZone}</span>${
    moment !== null && html` · ${texts.storedTime} ${renderTime(context, moment, 'zone')}`
  }`;
  const value = typed[name];
  return textField(context, { name, label, hint, value, moment, error: errors[name], type: 'datetime-local' });
}

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
