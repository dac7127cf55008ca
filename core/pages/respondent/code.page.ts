/**
 * Takes the code of an invitation. A link that carries it leads to the page without it, so that it stays in no history and is sent to
 * nobody; opening a link changes nothing, because somebody else may have sent it: the button makes this browser that of the guest.
 */
import type { Gate } from '#core/forms/gate.ts';
import { admitInvited, guestCookies, openToGuests } from '#core/identity/guests.ts';
import type { IdentityPorts } from '#core/identity/ports.ts';
import { setCookie } from '#core/identity/sessions.ts';
import { loadOrganization } from '#core/organizations/store.ts';
import type { Problem } from '#core/problems/problems.ts';
import type { PageContext } from '../shell/context.ts';
import { errorSummary, pageTitle, textField } from '../shell/controls.ts';
import { anybody } from '../shell/declare-page.ts';
import { html } from '../shell/html.ts';
import { layout } from '../shell/layout.ts';
import { definePage } from '../shell/page.ts';
import type { PageResult } from '../shell/result.ts';
import { closedNotice, describeClosed } from './closed.ts';
import { codeHref, SECRET_PAGE } from './secret-page.ts';

/** The cookie with the code of a link, for the page to which the link leads. */
const CODE_COOKIE = 'invitation_code';
const CODE_SECONDS = 600;
/** Longer texts are no codes. */
const MAX_CODE = 100;

export const page = definePage({
  name: 'code',
  audience: 'respondents',
  path: '/f/{formId}/code',
  access: anybody,
  needs: ['table:read'],
  open: openToGuests,
  show: async ({ app, gate, query, readCookie, context }): Promise<PageResult> => {
    const { formId } = gate;
    const code = query.get('code');
    if (code === null) return renderCodePage(app, context, { gate, code: readCookie(CODE_COOKIE) ?? '' });
    const cookies = [codeCookie(app, formId, code.slice(0, MAX_CODE))];
    return { headers: SECRET_PAGE, cookies, location: codeHref(formId) };
  },
  post: {
    access: anybody,
    needs: ['table:read', 'table:list', 'table:write', 'tokens:sign'],
    open: openToGuests,
    actions: {
      enter: async ({ app, posted: { fields }, readGuestCookies, gate, codeKey }) => {
        const code = (fields.get('code') ?? '').slice(0, MAX_CODE);
        const admitted = await admitInvited(app, { gate, codeKey }, code);
        const cookies = guestCookies(app, admitted, readGuestCookies(), fields.has('keep'));
        return {
          headers: SECRET_PAGE,
          cookies: [...cookies, codeCookie(app, gate.formId, '')],
          location: `/f/${gate.formId}`,
        };
      },
    },
    explain: async ({ app, gate, posted: { fields }, context }, problem) =>
      [400, 429].includes(problem.status)
        ? renderCodePage(app, context, { gate, code: fields.get('code') ?? '', problem })
        : undefined,
  },
});

const codeCookie = ({ config }: Pick<IdentityPorts, 'config'>, formId: string, value: string): string =>
  setCookie(config.cookies, {
    name: CODE_COOKIE,
    value,
    path: codeHref(formId),
    maxAgeSeconds: value === '' ? 0 : CODE_SECONDS,
    sameSite: 'lax',
  });

type CodePage = { gate: Gate; code: string; problem?: Problem };

/** Names who asks: the title of the form is for those who are let in. */
async function renderCodePage(
  { table }: Pick<IdentityPorts, 'table'>,
  context: PageContext,
  { gate, code, problem }: CodePage,
): Promise<PageResult> {
  const { code: texts, keep } = context.t.guest;
  const organization = (await loadOrganization(table, gate.orgId, 'eventual'))?.name;
  const closed = describeClosed(context, gate);
  const error = problem && (problem.status === 429 ? texts.tooMany : texts.wrong);
  return {
    headers: SECRET_PAGE,
    ...(problem && { status: problem.status }),
    html: layout(context, {
      title: pageTitle(context, texts.title, error !== undefined),
      kind: 'message',
      main: html`<div class="card">${errorSummary(context, error === undefined ? [] : [{ target: 'code', message: error }])}
<h1>${texts.title}</h1>
${closed && closedNotice(closed)}
<p dir="auto">${texts.lead(organization)} ${closed ? texts.closedLead : texts.noAccount}</p>
<form method="post" action="${codeHref(gate.formId)}" novalidate data-once>
${textField(context, { name: 'code', label: texts.label, hint: texts.hint, value: code, error, isExact: true, required: true })}
<label class="choice"><input type="checkbox" name="keep" value="on">${keep}</label>
<div class="actions"><button>${texts.submit}</button></div>
</form></div>`,
    }),
  };
}
