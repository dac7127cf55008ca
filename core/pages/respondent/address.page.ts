/**
 * Takes the address of somebody who begins a form by a mailed link, and tells them to look into their mail. What it says does not depend on
 * whether the address is known.
 */
import type { Gate } from '#core/forms/gate.ts';
import { mailGuestLink, openToGuests } from '#core/identity/guests.ts';
import type { IdentityPorts } from '#core/identity/ports.ts';
import { setCookie } from '#core/identity/sessions.ts';
import { Email } from '#core/invitations/model.ts';
import { loadOrganization } from '#core/organizations/store.ts';
import { type Problem, problems } from '#core/problems/problems.ts';
import { loadFormPlaces } from '#core/responses/places-left.ts';
import { GUEST_LINK_DAYS, MAX_GUEST_LINKS } from '#core/schema/limits.ts';
import type { PageContext } from '../shell/context.ts';
import { errorSummary, pageTitle, textField } from '../shell/controls.ts';
import { anybody } from '../shell/declare-page.ts';
import { html } from '../shell/html.ts';
import { layout } from '../shell/layout.ts';
import { definePage } from '../shell/page.ts';
import { signInHref } from '../shell/prefill-link.ts';
import type { PageResult } from '../shell/result.ts';
import { closedNotice, describeClosed } from './closed.ts';
import { privacyLine } from './guest-link.ts';
import { addressHref, SECRET_PAGE } from './secret-page.ts';
import { waitForTurn } from './waiting.ts';

/** The cookie with the address that was typed last, for the page that says where the link was sent. */
const ADDRESS_COOKIE = 'typed_address';
const ADDRESS_SECONDS = 600;

/** Opens a form that asks for an address. Throws 401 like `openToGuests`, also for a form that does not. */
const open: typeof openToGuests = async (call) => {
  const opened = await openToGuests(call);
  if (opened.resource.gate.audience !== 'EMAIL') throw problems.unauthorized();
  return opened;
};

export const page = definePage({
  name: 'address',
  audience: 'respondents',
  path: '/f/{formId}/address',
  access: anybody,
  needs: ['table:read'],
  open,
  show: async ({ app, gate, query, readCookie, context }): Promise<PageResult> => {
    const typed = decodeURIComponent(readCookie(ADDRESS_COOKIE) ?? '');
    return query.get('done') === 'sent' && typed !== ''
      ? renderSentPage(context, { gate, email: typed })
      : renderAddressPage(context, { ...(await loadHead(app, gate)), email: typed });
  },
  post: {
    access: anybody,
    needs: ['table:read', 'table:write', 'states:sign'],
    open,
    actions: {
      ask: async ({ app, gate, posted: { fields }, context }) => {
        const email = parseAddress(fields);
        // The title of the form is for those who are let in.
        const waitingPage = { action: addressHref(gate.formId), texts: context.t.guest.address.waiting };
        const wait = { context, isProofNeeded: true, page: waitingPage };
        const waiting = await waitForTurn(app, gate.formId, fields, wait);
        if (waiting) return { ...waiting, headers: SECRET_PAGE };
        await mailGuestLink(app, gate.formId, email);
        return {
          headers: SECRET_PAGE,
          cookies: [addressCookie(app, gate.formId, email)],
          location: `${addressHref(gate.formId)}?done=sent`,
        };
      },
    },
    explain: async ({ app, gate, posted: { fields }, context }, problem) =>
      problem.status === 400
        ? renderAddressPage(context, { ...(await loadHead(app, gate)), email: fields.get('email') ?? '', problem })
        : undefined,
  },
});

/** Reads the posted address. Throws 400 for a text that is not one. */
function parseAddress(fields: URLSearchParams): string {
  const { data } = Email().safeParse((fields.get('email') ?? '').trim());
  if (data === undefined) throw problems.invalid([{ pointer: '/body/email', detail: 'must be an e-mail address' }]);
  return data;
}

const addressCookie = ({ config }: Pick<IdentityPorts, 'config'>, formId: string, value: string): string =>
  setCookie(config.cookies, {
    name: ADDRESS_COOKIE,
    value: encodeURIComponent(value),
    path: addressHref(formId),
    maxAgeSeconds: ADDRESS_SECONDS,
    sameSite: 'lax',
  });

/**
 * Loads who asks for the address, and whether all places are taken: whoever gives it should know. Anybody with an address is let in, so
 * the latter is told to nobody who could not know it.
 */
async function loadHead({ table }: Pick<IdentityPorts, 'table'>, gate: Gate) {
  const [organization, places] = await Promise.all([
    loadOrganization(table, gate.orgId, 'eventual'),
    loadFormPlaces({ table }, { ...gate, id: gate.formId }),
  ]);
  const isFull = places?.taken !== undefined && places.taken >= places.max;
  return { gate, organization: organization?.name, isFull };
}

type AddressPage = {
  gate: Gate;
  organization: string | undefined;
  isFull: boolean;
  email: string;
  problem?: Problem;
};

function renderAddressPage(context: PageContext, data: AddressPage): PageResult {
  const { gate, organization, email, problem } = data;
  const { landing } = context.t;
  const { formId } = gate;
  const { address: texts } = context.t.guest;
  // Whoever has begun before the form was closed finds the answers again.
  const closed = describeClosed(context, gate);
  const isFull = !closed && data.isFull;
  const error = problem && texts.wrong;
  return {
    headers: SECRET_PAGE,
    ...(problem && { status: problem.status }),
    html: layout(context, {
      title: pageTitle(context, texts.title, error !== undefined),
      kind: 'message',
      main: html`<div class="card">${errorSummary(context, error === undefined ? [] : [{ target: 'email', message: error }])}
<h1>${texts.title}</h1>
${closed && closedNotice(closed)}
${isFull && html`<div class="notice"><h2>${landing.full}</h2><p>${landing.fullHint}</p></div>`}
<p dir="auto">${closed || isFull ? texts.closedLead : texts.lead(organization)}</p>
<form method="post" action="${addressHref(formId)}" novalidate data-once>
${textField(context, { name: 'email', type: 'email', label: texts.label, hint: texts.hint, value: email, error, isExact: true, required: true, autocomplete: 'email' })}
<div class="actions"><button>${texts.submit}</button></div>
</form>
<p class="muted small">${texts.signInHint} <a href="${signInHref(`/f/${formId}`)}">${context.t.guest.signIn}</a></p>
${privacyLine(context, formId)}</div>`,
    }),
  };
}

/** Renders where the link was sent, if one was, and what to do when none comes. */
const renderSentPage = (context: PageContext, { gate, email }: Pick<AddressPage, 'gate' | 'email'>): PageResult => {
  const { formId } = gate;
  const { address: texts } = context.t.guest;
  const closed = describeClosed(context, gate);
  return {
    headers: SECRET_PAGE,
    html: layout(context, {
      title: texts.sentTitle,
      kind: 'message',
      main: html`<div class="card"><h1>${texts.sentTitle}</h1>
${closed && closedNotice(closed)}
<p>${closed ? texts.sentClosed : texts.sentTo} <strong class="address" dir="ltr">${email}</strong></p>
<p>${texts.sentHint(GUEST_LINK_DAYS)}</p>
<h2>${texts.nothing}</h2>
<p>${texts.nothingHint(MAX_GUEST_LINKS)}</p>
<form method="post" action="${addressHref(formId)}" data-once><input type="hidden" name="email" value="${email}">
<div class="actions"><button class="secondary">${texts.again}</button><a class="button quiet" href="${addressHref(formId)}">${texts.other}</a></div>
</form></div>`,
    }),
  };
};
