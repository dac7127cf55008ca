/**
 * Shows the form of a new organization; people without a username choose one first. Creates an organization and shows
 * it; a second press shows the one that the first press created.
 */
import { openAccount } from '#core/accounts/accounts.ts';
import { createOrganization, mayCreateOrganizations } from '#core/organizations/service.ts';
import { Problem } from '#core/problems/problems.ts';
import type { PageContext } from '../shell/context.ts';
import { errorSummary, hiddenFields, pageTitle } from '../shell/controls.ts';
import { DETAILS_BYTES, READ, signedInReader, WRITE } from '../shell/declare-page.ts';
import { type Html, html } from '../shell/html.ts';
import { layout } from '../shell/layout.ts';
import { readNewId } from '../shell/new-id.ts';
import { definePage } from '../shell/page.ts';
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
  get: {
    access: signedInReader,
    needs: READ,
    open: openAccount,
    show: async ({ app, account, context }) => {
      if (!account.onboarded) return { location: '/onboarding?to=%2Forgs%2Fnew' };
      const typed = { ...NO_DETAILS, slug: '' };
      return { html: renderNewOrganizationPage(context, { typed, errors: {}, newId: app.uuid() }) };
    },
  },
  post: {
    access: { credential: 'user', onboarded: true },
    needs: WRITE,
    maxFormBytes: DETAILS_BYTES,
    creates: ['organization'],
    open: openAccount,
    actions: {
      createOrganization: async ({ app, caller, posted, context }) => {
        const { create, settings } = getOrganizersTexts(context);
        const details = parsePostedDetails(posted.fields);
        const typed = { ...details, slug: details.slug || proposeSlug(details.name) };
        const newId = readNewId(posted.fields, caller, app);
        const renderErrors = (refused: { errors?: Record<string, string>; refusal?: string }) => ({
          html: renderNewOrganizationPage(context, { typed, errors: {}, newId: newId.field, ...refused }),
          status: 400,
        });
        if (!mayCreateOrganizations(app, caller))
          return { ...renderErrors({ refusal: create.operatorsOnly }), status: 403 };
        const checked = checkDetails(context, typed);
        if ('errors' in checked) return renderErrors({ errors: checked.errors });
        try {
          const { maxOrganizations } = app.config;
          const creation = { id: newId.derive(typed), creatorId: caller.id, maxOrganizations };
          const { body } = await createOrganization(app, creation, checked.input);
          return { location: withDone(organizationHref(body.slug), 'created') };
        } catch (error) {
          if (!(error instanceof Problem)) throw error;
          if (error.code === 'too_many_organizations') return renderErrors({ refusal: create.tooMany });
          if (error.code !== 'slug_taken') throw error;
          return renderErrors({ errors: { slug: settings.slugTaken } });
        }
      },
    },
  },
});

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
