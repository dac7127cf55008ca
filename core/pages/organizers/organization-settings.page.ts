/** Shows the settings of an organization with the history of its slug. Changes the settings of an organization. */
import type { SlugUsage } from '#core/organizations/model.ts';
import { openOrganization, updateOrganization } from '#core/organizations/service.ts';
import { listSlugUsages, loadOrganization, type StoredOrganization } from '#core/organizations/store.ts';
import { requireFound } from '#core/problems/problems.ts';
import { type PageContext, renderTime } from '../shell/context.ts';
import { conflictNotice, errorSummary, hiddenFields, type Overwritten, pageTitle } from '../shell/controls.ts';
import { adminOfOrganization, DETAILS_BYTES, LIST, memberOfOrganization } from '../shell/declare-page.ts';
import { type Html, html } from '../shell/html.ts';
import { definePage } from '../shell/page.ts';
import { type Refused, saveTyped, seenHash } from '../shell/typed-form.ts';
import { getOrganizersTexts } from '../text/organizers.ts';
import {
  checkDetails,
  type DetailErrors,
  detailFields,
  hashDetails,
  listOverwritten,
  parsePostedDetails,
  type TypedDetails,
  toFieldErrors,
  toTypedDetails,
} from './details.ts';
import {
  loadHead,
  type OrganizationHead,
  type OrganizationRequest,
  organizationHref,
  organizationLayout,
  withDone,
} from './frame.ts';

export const page = definePage({
  name: 'organizationSettings',
  audience: 'organizers',
  path: '/o/{slug}/settings',
  access: memberOfOrganization,
  needs: LIST,
  open: openOrganization,
  show: async (request) => show(request, {}),
  post: {
    access: adminOfOrganization,
    needs: [...LIST, 'table:write'],
    maxFormBytes: DETAILS_BYTES,
    open: openOrganization,
    actions: {
      save: async (request) => {
        const { app, orgId, posted, context } = request;
        const { fields } = posted;
        const reload = async () => requireFound(await loadOrganization(app.table, orgId));
        const org = await reload();
        const typed = { ...parsePostedDetails(fields, org), slug: fields.get('slug')?.trim() ?? '' };
        const render = async (stored: StoredOrganization, { status, ...refused }: Refused<DetailErrors>) => {
          const changes = { typed, seen: fields.get('hash'), ...refused };
          return { ...(await show(request, changes, stored)), status };
        };
        const checked = checkDetails(context, typed);
        if ('errors' in checked) return render(org, { errors: checked.errors, status: 400 });
        return saveTyped({
          fields,
          contentHash: hashDetails,
          listOverwritten: (current: StoredOrganization) => listOverwritten(context, current, typed),
          reload,
          render,
          explain: ({ code, status }) =>
            code === 'slug_taken'
              ? { errors: { slug: getOrganizersTexts(context).settings.slugTaken }, status }
              : undefined,
          save: async (requireSeen) => {
            const { slug } = await updateOrganization(app, org, checked.input, requireSeen);
            return withDone(`${organizationHref(slug)}/settings`, 'saved');
          },
        });
      },
    },
  },
});

type SettingsRequest = OrganizationRequest & { params: { slug: string } };

/** Loads and renders the settings. `stored`: the organization as it was read after an attempt to save it. */
async function show(
  { app, params, context, ...opened }: SettingsRequest,
  changes: Partial<SettingsPage>,
  stored?: StoredOrganization,
) {
  const [head, { items: usages }] = await Promise.all([
    loadHead(app, opened),
    listSlugUsages(app.table, stored?.slug ?? params.slug, { limit: MAX_USAGES, after: undefined }),
  ]);
  const org = stored ?? head.org;
  const data = { typed: toTypedDetails(org), errors: {}, usages, ...changes };
  return { html: renderSettingsPage(context, { ...head, org }, data) };
}

/** How many uses of a slug are shown. */
const MAX_USAGES = 20;

type SettingsPage = {
  typed: TypedDetails;
  errors: DetailErrors;
  /** Values that somebody else has stored since the form was shown. */
  overwritten?: readonly Overwritten[];
  /** The hash of the posted form that is shown again. */
  seen?: string | null;
  /** Who has used the slug, newest first. */
  usages: readonly SlugUsage[];
};

/** Renders the settings. Members who are not admins can only read them. */
function renderSettingsPage(context: PageContext, head: OrganizationHead, settings: SettingsPage): Html {
  const { settings: texts, readOnly } = getOrganizersTexts(context);
  const { typed, errors, overwritten = [], usages } = settings;
  const faults = toFieldErrors(errors, typed);
  const href = `${organizationHref(head.org.slug)}/settings`;
  return organizationLayout(context, head, {
    current: 'settings',
    isTab: true,
    title: pageTitle(context, texts.title, faults.length > 0),
    main: html`${errorSummary(context, faults)}
${overwritten.length > 0 && conflictNotice(context, { values: overwritten, reload: href })}
${!head.isAdmin && html`<p class="muted">${readOnly}</p>`}
<form method="post" action="${href}" class="card" novalidate>
${hiddenFields({ hash: seenHash(hashDetails(head.org), settings) })}
${detailFields(context, { typed, errors, hasSlug: true, hint: getOrganizersTexts(context).settings.descriptionHint, ownSlug: head.org.slug, readOnly: !head.isAdmin })}
${head.isAdmin && html`<p class="hint">${texts.slugWarning}</p><p class="actions"><button>${context.t.shell.save}</button></p>`}
</form>
${usages.length > 1 && html`<h2 class="section-heading">${texts.historyOf(head.org.slug)}</h2><ul class="rows">${usages.map((usage) => slugUsage(context, usage))}</ul>`}
${head.isAdmin && html`<p class="section-heading"><a class="button danger" href="${organizationHref(head.org.slug)}/delete">${texts.delete}</a></p>`}`,
  });
}

const slugUsage = (context: PageContext, { orgName, startedAt, endedAt }: SlugUsage): Html => {
  const { since, until } = getOrganizersTexts(context).settings;
  return html`<li><div class="row-text"><p dir="auto">${orgName}</p><p class="muted small">${since} ${renderTime(context, startedAt)}${
    endedAt !== null && html` ${until} ${renderTime(context, endedAt)}`
  }</p></div></li>`;
};
