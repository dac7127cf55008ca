/**
 * Ends the mails of an organization to an address, or those about new responses to a form to a member. The link only asks, because
 * programs open links in mails. A program of mail may POST to it at a press on "unsubscribe" (RFC 8058), from another site, without
 * cookies, and follows no redirect.
 */
import type { Opener } from '#core/access/access.ts';
import { keys } from '#core/db/keys.ts';
import type { Table } from '#core/db/table.ts';
import { parseGate } from '#core/forms/gate.ts';
import type { IdentityPorts } from '#core/identity/ports.ts';
import type { EndableMail } from '#core/identity/tokens.ts';
import { unsubscribe } from '#core/organizations/guest-mails.ts';
import { endNotices } from '#core/organizations/notices.ts';
import { loadOrganization } from '#core/organizations/store.ts';
import { problems } from '#core/problems/problems.ts';
import type { PageContext } from '../shell/context.ts';
import { anybody, READ, WRITE } from '../shell/declare-page.ts';
import { html } from '../shell/html.ts';
import { layout } from '../shell/layout.ts';
import { definePage } from '../shell/page.ts';
import { SECRET_PAGE } from './secret-page.ts';

/** `sender`: the name of the organization or the title of the form; undefined when it was deleted. */
type OpenedMail = { mail: EndableMail; sender: string | undefined };

/** Opens the link in a mail. Throws 404 for one that is not of this service, or older than a year. */
const open: Opener<OpenedMail, IdentityPorts> = async ({ rawQuery, app }) => {
  const mail = await app.tokens.verifyUnsubscribe(new URLSearchParams(rawQuery).get('mail') ?? '', app.now());
  if (!mail) throw problems.notFound();
  return { resource: { mail, sender: await loadSender(app.table, mail) }, roles: [] };
};

async function loadSender(table: Table, mail: EndableMail): Promise<string | undefined> {
  if ('orgId' in mail) return (await loadOrganization(table, mail.orgId))?.name;
  const [gate] = await table.read([keys.formGate(mail.formId)]);
  return parseGate(gate)?.title;
}

/** Returns what the page says of a mail. */
const pickTexts = ({ t: { unsubscribe: texts } }: PageContext, mail: EndableMail) =>
  'orgId' in mail ? texts : { ...texts, ...texts.notices };

export const page = definePage({
  name: 'unsubscribe',
  audience: 'respondents',
  path: '/unsubscribe',
  access: anybody,
  needs: READ,
  open,
  show: async ({ mail, sender, query, context }) => {
    const texts = pickTexts(context, mail);
    const action = `/unsubscribe?${new URLSearchParams({ mail: query.get('mail') ?? '' })}`;
    return renderMessage(context, texts.title, [
      html`<p>${texts.lead(sender)}</p>`,
      html`<form method="post" action="${action}"><div class="actions"><button>${texts.confirm}</button></div></form>`,
    ]);
  },
  post: {
    access: anybody,
    needs: WRITE,
    fromOtherSites: true,
    open,
    actions: {
      unsubscribe: async ({ app, mail, sender, context }) => {
        await ('orgId' in mail ? unsubscribe(app, mail) : endNotices(app, mail));
        const texts = pickTexts(context, mail);
        return renderMessage(context, texts.doneTitle, [html`<p role="status">${texts.done(sender)}</p>`]);
      },
    },
  },
});

const renderMessage = (context: PageContext, title: string, content: readonly ReturnType<typeof html>[]) => ({
  headers: SECRET_PAGE,
  html: layout(context, { title, kind: 'message', main: html`<div class="card"><h1>${title}</h1>${content}</div>` }),
});
