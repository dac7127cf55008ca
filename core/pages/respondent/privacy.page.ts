/** Says what is stored of whoever responds to a form, for whom and how long: what `docs/operate/privacy.md` says to operators. */
import { type Opener, parsePathId } from '#core/access/access.ts';
import { keys } from '#core/db/keys.ts';
import { type Gate, parseGate } from '#core/forms/gate.ts';
import { loadStructureFor, openGateToRespond } from '#core/forms/open.ts';
import { takesFiles } from '#core/identity/guest-limits.ts';
import { loadOrganization } from '#core/organizations/store.ts';
import { Problem } from '#core/problems/problems.ts';
import { GUEST_DRAFT_DAYS } from '#core/schema/limits.ts';
import type { Structure } from '#core/structure/structure.ts';
import type { PageContext } from '../shell/context.ts';
import { formVisitor } from '../shell/declare-page.ts';
import { type Html, html } from '../shell/html.ts';
import { layout } from '../shell/layout.ts';
import { definePage } from '../shell/page.ts';

/**
 * Opens the form to whoever may see it, and to everybody while it asks them for a code or an address: they learn what is stored before
 * they give it.
 */
const open: Opener<{ gate: Gate }> = async (call) => {
  try {
    const { resource, ...rest } = await openGateToRespond(call);
    return { ...rest, resource: { gate: resource.gate } };
  } catch (error) {
    const formId = parsePathId(call.params, 'formId');
    const [item] = await call.app.table.read([keys.formGate(formId)]);
    const gate = parseGate(item);
    const asks = gate?.formId === formId && gate.status === 'PUBLISHED' && gate.audience !== 'ACCOUNT';
    if (!(error instanceof Problem && error.status === 404 && asks)) throw error;
    return { resource: { gate }, roles: [] };
  }
};

export const page = definePage({
  name: 'privacy',
  audience: 'respondents',
  path: '/f/{formId}/privacy',
  access: formVisitor,
  needs: ['table:read', 'table:list'],
  open,
  show: async ({ app, gate, context }) => {
    const [organization, { structure }] = await Promise.all([
      loadOrganization(app.table, gate.orgId, 'eventual'),
      loadStructureFor(app.table, gate),
    ]);
    const facts = { gate, structure, organization: organization?.name, hasAccount: !context.isGuest };
    return { html: renderPrivacyPage(context, facts) };
  },
});

type Facts = {
  gate: Gate;
  structure: Structure;
  /** The name of the organization; undefined when it is being deleted. */
  organization: string | undefined;
  /** The reader is signed in. */
  hasAccount: boolean;
};

function renderPrivacyPage(context: PageContext, facts: Facts): Html {
  const { t } = context;
  const texts = t.guest.privacy;
  return layout(context, {
    title: texts.title,
    kind: 'message',
    main: html`<article class="card"><h1>${texts.title}</h1>
<p dir="auto">${texts.lead(facts.organization)}</p>
<dl class="facts">${listFacts(context, facts).map(([name, fact]) => html`<dt>${name}</dt><dd>${fact}</dd>`)}</dl>
<p class="actions"><a class="button secondary" href="/f/${facts.gate.formId}">${texts.back}</a></p></article>`,
  });
}

/** Lists what is stored, each with how long. */
function listFacts({ t }: PageContext, { gate, structure, hasAccount }: Facts): (readonly [string, string])[] {
  const { privacy: texts } = t.guest;
  const { audience, sendResponseEmail, noticesWithAnswers, spreadsheetId, oncePerPerson } = gate;
  const isByAccount = audience === 'ACCOUNT' || (hasAccount && audience === 'ANYONE');
  const isNamed = audience === 'EMAIL' || audience === 'INVITED';
  const asksForCopy = structure.sections.some(({ questions }) => questions.some(({ text }) => text?.sendCopy === true));
  const claim = isNamed ? texts.onceOfGuest : texts.onceOfAccount;
  const once = gate.retentionDays === null ? claim : `${claim} ${texts.onceStays}`;
  return [
    [texts.who, isByAccount ? texts.ACCOUNT : texts[audience]],
    [texts.answers, texts.answersKept(gate.draftDays ?? (isByAccount ? null : GUEST_DRAFT_DAYS), gate.retentionDays)],
    ...(takesFiles(structure) ? [[texts.files, texts.filesHint] as const] : []),
    [texts.times, texts.timesHint],
    ...(oncePerPerson ? [[texts.once, once] as const] : []),
    ...(sendResponseEmail && (isByAccount || isNamed) ? [[texts.mail, texts.mailHint] as const] : []),
    ...(asksForCopy && !isByAccount ? [[texts.confirmation, texts.confirmationHint] as const] : []),
    ...(noticesWithAnswers ? [[texts.notices, texts.noticesHint] as const] : []),
    ...(spreadsheetId === null ? [] : [[texts.spreadsheet, texts.spreadsheetHint] as const]),
    ...(isByAccount ? [] : [[texts.device, texts.deviceHint] as const]),
    [texts.copies, texts.copiesHint],
    [texts.deletion, isByAccount ? texts.deletionOfAccount : texts.deletionHint],
  ];
}
