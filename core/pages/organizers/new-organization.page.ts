/**
 * Shows the form of a new organization; people without a username choose one first. Creates an organization and shows
 * it, or with `for` the page of a new form in it; a second press shows the one that the first press created.
 */
import type { Caller } from '#core/access/access.ts';
import { openAccount } from '#core/accounts/accounts.ts';
import { createOrganization, mayCreateOrganizations } from '#core/organizations/service.ts';
import type { PageContext } from '../shell/context.ts';
import { errorSummary, hiddenFields, pageTitle } from '../shell/controls.ts';
import { DETAILS_BYTES, READ, signedInReader, WRITE } from '../shell/declare-page.ts';
import { type Html, html } from '../shell/html.ts';
import { layout } from '../shell/layout.ts';
import { readNewId } from '../shell/new-id.ts';
import { definePage, type PageRequest } from '../shell/page.ts';
import type { PageResult } from '../shell/result.ts';
import { getOrganizersTexts } from '../text/organizers.ts';
import {
  checkDetails,
  type DetailErrors,
  detailFields,
  NO_DETAILS,
  parsePostedDetails,
  type TypedDetails,
  toFieldErrors,
} from './details.ts';
import { organizationHref, withDone } from './frame.ts';

export const page = definePage({
  name: 'newOrganization',
  audience: 'organizers',
  path: '/orgs/new',
  access: signedInReader,
  needs: READ,
  open: openAccount,
  show: async ({ app, account, context }) => {
    if (!account.onboarded) return { location: '/onboarding?to=%2Forgs%2Fnew' };
    const typed = { ...NO_DETAILS, slug: '' };
    return { html: renderNewOrganizationPage(context, { typed, errors: {}, newId: app.uuid() }) };
  },
  post: {
    access: { credential: 'user', onboarded: true },
    needs: WRITE,
    maxFormBytes: DETAILS_BYTES,
    creates: ['organization'],
    open: openAccount,
    actions: {
      createOrganization: async (request) => {
        const { app, caller, context } = request;
        const { typed, newId } = readOrganization(request);
        if (!mayCreateOrganizations(app, caller))
          return showRefused(request, { refusal: getOrganizersTexts(context).create.operatorsOnly, status: 403 });
        const isOnTheWay = request.posted.fields.has('for');
        const id = newId.derive(typed);
        // Nobody chose the address of one that is made on the way to a form: a part of the id keeps it free.
        const slug = isOnTheWay ? [typed.slug.slice(0, 48), id.slice(0, 8)].filter(Boolean).join('-') : typed.slug;
        const checked = checkDetails(context, { ...typed, slug });
        if ('errors' in checked) return showRefused(request, { errors: checked.errors });
        const creation = { id, creatorId: caller.id, maxOrganizations: app.config.maxOrganizations };
        const { body } = await createOrganization(app, creation, checked.input);
        const href = organizationHref(body.slug);
        return { location: isOnTheWay ? `${href}/new` : withDone(href, 'created') };
      },
    },
    explain: async (request, { code }) => {
      const { create, settings } = getOrganizersTexts(request.context);
      if (code === 'too_many_organizations') return showRefused(request, { refusal: create.tooMany });
      return code === 'slug_taken' ? showRefused(request, { errors: { slug: settings.slugTaken } }) : undefined;
    },
  },
});

type PostedOrganization = Pick<PageRequest<'/orgs/new'>, 'app' | 'posted' | 'context'> & { caller: Caller };

/** What was typed for a new organization. */
function readOrganization({ app, caller, posted: { fields } }: PostedOrganization) {
  const details = parsePostedDetails(fields);
  const typed = { ...details, slug: details.slug || proposeSlug(details.name) };
  return { typed, newId: readNewId(fields, caller, app) };
}

function showRefused(
  request: PostedOrganization,
  { status = 400, ...refused }: Partial<Pick<NewOrganizationPage, 'errors' | 'refusal'>> & { status?: number },
): PageResult {
  const { typed, newId } = readOrganization(request);
  const data = { typed, errors: {}, newId: newId.field, ...refused };
  return { html: renderNewOrganizationPage(request.context, data), status };
}

/** Makes the slug of a name: its Latin letters without accents, its digits and hyphens; empty if it has none. */
const proposeSlug = (name: string): string =>
  (
    name
      .normalize('NFKD')
      .replaceAll(/\p{M}/gu, '')
      .toLowerCase()
      .match(/[a-z0-9]+/g) ?? []
  )
    .join('-')
    .slice(0, 64);

type NewOrganizationPage = { typed: TypedDetails; errors: DetailErrors; newId: string; refusal?: string | undefined };

/** Renders the page that creates an organization. With `newId`, a second press opens the one that the first created. */
function renderNewOrganizationPage(context: PageContext, { typed, errors, newId, refusal }: NewOrganizationPage): Html {
  const texts = getOrganizersTexts(context).create;
  const faults = toFieldErrors(errors, typed);
  return layout(context, {
    title: pageTitle(context, texts.title, faults.length > 0),
    frame: { crumbs: [] },
    main: html`${errorSummary(context, faults)}
${refusal !== undefined && html`<div class="notice warning" role="alert"><p>${refusal}</p></div>`}
<h1>${texts.title}</h1>
<p class="lead">${texts.lead}</p>
<form method="post" action="/orgs/new" class="card" novalidate data-once>
${hiddenFields({ id: newId })}
${detailFields(context, { typed, errors, hasSlug: true, hint: getOrganizersTexts(context).settings.descriptionHint, autofocus: faults.length === 0 && refusal === undefined })}
<p class="actions"><button>${texts.submit}</button></p>
</form>`,
  });
}
