/** Shows a form to its respondents before they start. */
import { type Opener, parsePathId } from '#core/access/access.ts';
import { keys } from '#core/db/keys.ts';
import { signCoverUrl } from '#core/forms/cover.ts';
import { type Gate, parseGate } from '#core/forms/gate.ts';
import { type OpenedForm, openHead } from '#core/forms/open.ts';
import { openToShow } from '#core/forms/show.ts';
import { signVisit } from '#core/identity/guest-limits.ts';
import { loadOrganization } from '#core/organizations/store.ts';
import { MAX_GUEST_RESPONSES, MAX_OWN_RESPONSES } from '#core/responses/model.ts';
import { listOwnEntries } from '#core/responses/store.ts';
import { loadStructure } from '#core/structure/store.ts';
import { formVisitor } from '../shell/declare-page.ts';
import { newFormField } from '../shell/new-id.ts';
import { definePage } from '../shell/page.ts';
import { isPrefillTooLarge, listPrefillFields, signInHref } from '../shell/prefill-link.ts';
import { guestLink } from './guest-link.ts';
import { renderLandingPage } from './landing.ts';

/** Opens a form with its gate, which has the version of its structure. */
const openWithGate: Opener<OpenedForm & { gate: Gate | undefined }> = async (call) => {
  const { opened, rest } = await openHead(call, [keys.formGate(parsePathId(call.params, 'formId'))]);
  return { ...opened, resource: { ...opened.resource, gate: parseGate(rest[0]) } };
};

const open = openToShow(openWithGate, ({ form }) => form);

export const page = definePage({
  name: 'landing',
  audience: 'respondents',
  path: '/f/{formId}',
  access: formVisitor,
  needs: ['table:read', 'table:list', 'covers:read', 'states:sign'],
  open: open,
  show: async ({ app, caller, isStranger, form, gate, query, context }) => {
    const [responses, organization, cached] = await Promise.all([
      // Indexes lag: a response may briefly have two entries.
      isStranger ? [] : listOwnEntries(app.table, caller.id, 2 * MAX_OWN_RESPONSES, form.id),
      loadOrganization(app.table, form.orgId, 'eventual'),
      gate && loadStructure(app.table, form.id, gate.structureVersion),
    ]);
    const answers = listPrefillFields(query);
    const prefill = isPrefillTooLarge(answers) ? 'too-large' : answers;
    const done = query.get('done');
    const hasDraft = responses.some(({ progress }) => progress === 'DRAFT');
    const mayStart = context.isGuest
      ? !hasDraft && responses.length < MAX_GUEST_RESPONSES
      : responses.length < MAX_OWN_RESPONSES;
    const started = { responses, mayStart, newId: newFormField(app), hasDeletedDraft: done === 'draftDeleted' };
    const guest = context.isGuest && {
      signIn: signInHref(context.path),
      link: responses.length > 0 ? await guestLink(app, caller, form.id) : undefined,
      visit: isStranger ? await signVisit(app, form.id) : undefined,
      isForgotten: done === 'forgotten',
    };
    // A picture of the API needs a credential.
    const coverUrl = isStranger && form.coverImage !== null ? await signCoverUrl(app, form) : undefined;
    const sectionCount = cached?.structure.sections.length;
    const texts = { organization: organization?.name, sectionCount, guest: guest || undefined, coverUrl };
    return { html: renderLandingPage(context, { form, ...started, prefill, ...texts }) };
  },
});
