/** Sends the invitations to a form by mail, after a preview, and reminds guests of them. Shows how far that is, and why it is paused. */
import { openGate } from '#core/forms/open.ts';
import {
  countRecipients,
  loadSendingState,
  type SendingState,
  sendInvitations,
  stopSending,
} from '#core/invitations/sending.ts';
import { SendingInput } from '#core/invitations/sending-model.ts';
import { renderInvitationMail } from '#core/mail/invitation-text.ts';
import { resumeGuestMails } from '#core/organizations/guest-mails.ts';
import { Problem } from '#core/problems/problems.ts';
import { formatDateTime } from '#core/schema/format.ts';
import { MAX_MAIL_SUBJECT, MAX_MAIL_TEXT } from '#core/schema/limits.ts';
import { type PageContext, renderTime } from '../shell/context.ts';
import {
  errorSummary,
  type FieldError,
  hiddenFields,
  pageTitle,
  radioField,
  textArea,
  textField,
} from '../shell/controls.ts';
import { DETAILS_BYTES, LIST, member } from '../shell/declare-page.ts';
import { type FormHead, loadGateHead } from '../shell/form-frame.ts';
import { type Html, html } from '../shell/html.ts';
import { newFormField, readNewId } from '../shell/new-id.ts';
import { definePage, type PageRequest } from '../shell/page.ts';
import type { PageResult } from '../shell/result.ts';
import { getBuilderTexts } from '../text/builder.ts';
import { builderLayout, withDone } from './frame.ts';
import { invitationMailsHref, invitationsHref } from './invitations.ts';

const adminOfForm = { credential: 'user', target: 'form', roles: ['admin'] } as const;

type Opened = Awaited<ReturnType<typeof openGate>>['resource'];
type Request = Pick<PageRequest<'/build/{formId}/invitation-mails'>, 'app' | 'roles' | 'context'> & Opened;

/** The posted fields as they are typed; the lines of a text as browsers show them. */
type Typed = { to: string; subject: string; text: string };

const readTyped = (fields: URLSearchParams): Typed => ({
  to: fields.get('to') ?? 'ALL',
  subject: fields.get('subject')?.trim() ?? '',
  text: (fields.get('text') ?? '').replaceAll('\r\n', '\n').trim(),
});

export const page = definePage({
  name: 'invitationMails',
  audience: 'builders',
  path: '/build/{formId}/invitation-mails',
  access: member,
  needs: LIST,
  open: openGate,
  show: (request) => show(request, {}),
  post: {
    access: adminOfForm,
    needs: [...LIST, 'table:write'],
    maxFormBytes: DETAILS_BYTES,
    open: openGate,
    byDefault: 'preview',
    actions: {
      preview: async (request) => {
        const { field } = readNewId(request.posted.fields, request.caller, request.app);
        const typed = readTyped(request.posted.fields);
        const checked = checkTyped(request.context, typed);
        if ('errors' in checked) return show(request, { typed, id: field, errors: checked.errors });
        return showPreview(request, checked.input, field);
      },
      edit: (request) =>
        show(request, {
          typed: readTyped(request.posted.fields),
          id: readNewId(request.posted.fields, request.caller, request.app).field,
        }),
      send: async (request) => {
        const { app, gate, caller, posted, context } = request;
        const { field, derive } = readNewId(posted.fields, caller, app);
        const typed = readTyped(posted.fields);
        const checked = checkTyped(context, typed);
        if ('errors' in checked) return show(request, { typed, id: field, errors: checked.errors });
        // A second press finds what the first one has begun.
        await sendInvitations(app, gate, checked.input, derive([gate.formId, checked.input]));
        return { location: withDone(invitationMailsHref(gate.formId), 'invitationsSent') };
      },
      stop: async ({ app, gate }) => {
        await stopSending(app, gate.formId).catch(ignoreNotFound);
        return { location: withDone(invitationMailsHref(gate.formId), 'sendingStopped') };
      },
      resume: async ({ app, gate }) => {
        const { organization } = await loadSendingState(app, gate);
        await resumeGuestMails(app, organization);
        return { location: withDone(invitationMailsHref(gate.formId), 'mailsResumed') };
      },
    },
    // The page says why nothing can be sent now, beside what was typed.
    explain: (request, { code, status }) =>
      ['too_many_requests', 'delivery_under_way', 'mails_paused', 'form_not_open', 'invalid_request'].includes(code)
        ? show(request, { typed: readTyped(request.posted.fields), status })
        : undefined,
  },
});

function ignoreNotFound(error: unknown): void {
  if (!(error instanceof Problem && error.code === 'not_found')) throw error;
}

/** Checks what was typed. */
function checkTyped(context: PageContext, typed: Typed): { input: SendingInput } | { errors: FieldError[] } {
  const read = SendingInput().safeParse(typed);
  if (read.success) return { input: read.data };
  const texts = getBuilderTexts(context).sending;
  const wrong = new Set(read.error.issues.map(({ path: [name] }) => String(name)));
  const messages: Record<string, string> = {
    to: texts.toInvalid,
    subject: texts.subjectInvalid(MAX_MAIL_SUBJECT),
    text: texts.textInvalid(MAX_MAIL_TEXT),
  };
  return { errors: [...wrong].map((target) => ({ target, message: messages[target] ?? '' })) };
}

type Shown = { typed?: Typed; id?: string; errors?: readonly FieldError[]; status?: number };

async function show({ app, gate, roles, context }: Request, shown: Shown): Promise<PageResult> {
  const [head, state] = await Promise.all([loadGateHead(app, gate), loadSendingState(app, gate)]);
  const { errors = [], status = errors.length > 0 ? 400 : 200 } = shown;
  const id = shown.id ?? newFormField(app);
  const typed = shown.typed ?? firstText(context, state, gate);
  const data = { state, typed, id, errors, isAdmin: roles.includes('admin') };
  return { html: renderSendingPage(context, head, data), status };
}

/** The text that is offered: the last one, to those who have not answered, or a first one. */
function firstText(context: PageContext, { sending }: SendingState, { title, deadline }: Opened['gate']): Typed {
  const texts = getBuilderTexts(context).sending;
  if (sending) return { to: 'NOT_ANSWERED', subject: texts.reminderSubject(sending.subject), text: sending.text };
  const until = deadline === null ? null : formatDateTime(context, deadline, 'zone');
  return { to: 'ALL', subject: [...title].slice(0, MAX_MAIL_SUBJECT).join(''), text: texts.firstText(until) };
}

type SendingPage = {
  state: SendingState;
  typed: Typed;
  id: string;
  errors: readonly FieldError[];
  isAdmin: boolean;
};

function renderSendingPage(context: PageContext, head: FormHead, data: SendingPage): Html {
  const { state, typed, id, errors, isAdmin } = data;
  const texts = getBuilderTexts(context).sending;
  const href = invitationMailsHref(head.form.id);
  const errorOf = (name: string) => errors.find(({ target }) => target === name)?.message;
  return builderLayout(context, head, {
    current: 'share',
    title: pageTitle(context, texts.title, errors.length > 0),
    main: html`${errorSummary(context, errors)}
<h1>${texts.title}</h1>
<p>${texts.lead}</p>
${pausedNotice(context, href, data)}
${lastSending(context, href, data)}
${
  state.obstacle !== null
    ? html`<div class="notice"><p>${obstacleText(context, state)}</p></div>`
    : isAdmin
      ? html`<form method="post" action="${href}" class="card section-heading" novalidate>
<h2>${state.sending ? texts.again : texts.first}</h2>
<input type="hidden" name="id" value="${id}">
${radioField(context, { name: 'to', label: texts.to, value: typed.to, error: errorOf('to'), options: (['ALL', 'NOT_ANSWERED'] as const).map((value) => ({ value, label: texts.toWhom[value] })) })}
<p class="hint">${texts.leftOut}</p>
${textField(context, { name: 'subject', label: texts.subject, value: typed.subject, error: errorOf('subject') })}
${textArea(context, { name: 'text', label: texts.text, hint: texts.textHint, value: typed.text, error: errorOf('text') })}
<p class="actions"><button name="do" value="preview">${texts.preview}</button></p></form>`
      : html`<div class="notice"><p>${texts.onlyAdmins}</p></div>`
}
<p class="muted">${texts.limit(state.mails.perDay, state.mails.today)}</p>
<p class="actions"><a class="button secondary" href="${invitationsHref(head.form.id)}">${getBuilderTexts(context).invitations.title}</a></p>`,
  });
}

/** Says why nothing can be sent now. */
function obstacleText(context: PageContext, { obstacle, sending }: SendingState): Html {
  const texts = getBuilderTexts(context).sending;
  const { obstacles } = texts;
  return obstacle === 'too-soon' && sending
    ? html`${obstacles['too-soon']} ${renderTime(context, sending.nextAt)}`
    : html`${obstacles[obstacle ?? 'nobody']}`;
}

/** Says why the mails of the organization are paused, and lets an admin resume them. */
function pausedNotice(context: PageContext, href: string, { state: { mails }, isAdmin }: SendingPage): Html | false {
  const texts = getBuilderTexts(context).sending;
  if (mails.pausedReason === null || mails.pausedAt === null) return false;
  return html`<div class="notice warning"><h2>${texts.paused}</h2>
<p>${texts.pausedReasons[mails.pausedReason](mails.bounced, mails.queued)} (${renderTime(context, mails.pausedAt)})</p>
${
  isAdmin
    ? html`<form method="post" action="${href}"><p class="actions"><button class="secondary" name="do" value="resume">${texts.resume}</button></p></form>`
    : html`<p>${texts.onlyAdminsResume}</p>`
}</div>`;
}

/** Says how far the last sending is. */
function lastSending(context: PageContext, href: string, { state: { sending }, isAdmin }: SendingPage): Html | false {
  const texts = getBuilderTexts(context).sending;
  if (!sending) return false;
  const { state, subject, to, queued, startedAt, continuesAt } = sending;
  return html`<section class="card section-heading"><h2>${texts.last}</h2>
<p><span class="tag${{ SENDING: ' active', DONE: ' good', STOPPED: '' }[state]}">${texts.states[state]}</span></p>
<dl class="facts"><dt>${texts.begun}</dt><dd>${renderTime(context, startedAt)}</dd>
<dt>${texts.to}</dt><dd>${texts.toWhom[to]}</dd><dt>${texts.subject}</dt><dd dir="auto">${subject}</dd>
<dt>${texts.queued}</dt><dd>${queued}</dd>
${continuesAt !== null && html`<dt>${texts.continues}</dt><dd>${renderTime(context, continuesAt)}</dd>`}</dl>
<p class="hint">${texts.states.hint}</p>
${isAdmin && state === 'SENDING' && html`<form method="post" action="${href}"><p class="hint">${texts.stopHint}</p><p class="actions"><button class="secondary" name="do" value="stop">${texts.stop}</button></p></form>`}</section>`;
}

/** A code that stands for those of the guests. */
const SAMPLE_CODE = '0000-XXXX-XXXX-XXX';

/** Shows the mail as guests get it, and to how many it goes, before it is sent. */
async function showPreview(request: Request, input: SendingInput, id: string): Promise<PageResult> {
  const { app, gate, context } = request;
  const [head, state, recipients] = await Promise.all([
    loadGateHead(app, gate),
    loadSendingState(app, gate),
    countRecipients(app, gate, input.to),
  ]);
  const { text } = renderInvitationMail({
    ...{ organization: state.organization.name, title: gate.title, subject: input.subject, text: input.text },
    ...{ code: SAMPLE_CODE, link: `${context.publicUrl}/f/${gate.formId}/code?code=${SAMPLE_CODE}` },
    ...{ unsubscribe: `${context.publicUrl}/unsubscribe?mail=…`, language: context.language },
  });
  const texts = getBuilderTexts(context).sending;
  const href = invitationMailsHref(gate.formId);
  const left = Math.max(0, state.mails.perDay - state.mails.today);
  return {
    html: builderLayout(context, head, {
      current: 'share',
      title: texts.previewTitle,
      main: html`<h1>${texts.previewTitle}</h1>
<p>${recipients === null ? texts.atMost(state.invited) : texts.recipients(recipients)}</p>
${(recipients ?? state.invited) > left && html`<div class="notice"><p>${texts.overLimit(left)}</p></div>`}
<section class="card"><dl class="facts"><dt>${texts.subject}</dt><dd dir="auto">${input.subject}</dd></dl>
<p class="pre-line" dir="auto">${text}</p></section>
<form method="post" action="${href}" data-once>${hiddenFields({ id, to: input.to, subject: input.subject, text: input.text })}
<div class="actions">${recipients !== 0 && html`<button name="do" value="send">${texts.send}</button>`}
<button class="secondary" name="do" value="edit">${texts.change}</button></div></form>`,
    }),
  };
}
