/**
 * Ends the mails of an organization to an address. The link only asks, because programs open links in mails. A program of mail may POST
 * to it at a press on "unsubscribe" (RFC 8058), from another site, without cookies, and follows no redirect.
 */
import type { Opener } from '#core/access/access.ts';
import type { IdentityPorts } from '#core/identity/ports.ts';
import type { MailOfOrganization } from '#core/identity/tokens.ts';
import { unsubscribe } from '#core/organizations/guest-mails.ts';
import { loadOrganization } from '#core/organizations/store.ts';
import { problems } from '#core/problems/problems.ts';
import type { PageContext } from '../shell/context.ts';
import { anybody, READ, WRITE } from '../shell/declare-page.ts';
import { html } from '../shell/html.ts';
import { layout } from '../shell/layout.ts';
import { definePage } from '../shell/page.ts';
import { SECRET_PAGE } from './secret-page.ts';

/** `organization`: its name; undefined when it was deleted. */
type OpenedMail = { mail: MailOfOrganization; organization: string | undefined };

/** Opens the link in a mail. Throws 404 for one that is not of this service, or older than a year. */
const open: Opener<OpenedMail, IdentityPorts> = async ({ rawQuery, app }) => {
  const mail = await app.tokens.verifyUnsubscribe(new URLSearchParams(rawQuery).get('mail') ?? '', app.now());
  if (!mail) throw problems.notFound();
  const organization = (await loadOrganization(app.table, mail.orgId))?.name;
  return { resource: { mail, organization }, roles: [] };
};

export const page = definePage({
  name: 'unsubscribe',
  audience: 'respondents',
  path: '/unsubscribe',
  access: anybody,
  needs: READ,
  open,
  show: async ({ organization, query, context }) => {
    const texts = context.t.unsubscribe;
    const action = `/unsubscribe?${new URLSearchParams({ mail: query.get('mail') ?? '' })}`;
    return renderMessage(context, texts.title, [
      html`<p>${texts.lead(organization)}</p>`,
      html`<form method="post" action="${action}"><div class="actions"><button>${texts.confirm}</button></div></form>`,
    ]);
  },
  post: {
    access: anybody,
    needs: WRITE,
    fromOtherSites: true,
    open,
    actions: {
      unsubscribe: async ({ app, mail, organization, context }) => {
        await unsubscribe(app, mail);
        const texts = context.t.unsubscribe;
        return renderMessage(context, texts.doneTitle, [html`<p role="status">${texts.done(organization)}</p>`]);
      },
    },
  },
});

const renderMessage = (context: PageContext, title: string, content: readonly ReturnType<typeof html>[]) => ({
  headers: SECRET_PAGE,
  html: layout(context, { title, kind: 'message', main: html`<div class="card"><h1>${title}</h1>${content}</div>` }),
});
