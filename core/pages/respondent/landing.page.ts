/** Shows a form to its respondents before they start. */
import { type Caller, type Opener, parsePathId } from '#core/access/access.ts';
import { keys } from '#core/db/keys.ts';
import type { Table } from '#core/db/table.ts';
import { signCoverUrl } from '#core/forms/cover.ts';
import { type Gate, parseGate } from '#core/forms/gate.ts';
import type { Form } from '#core/forms/model.ts';
import { type OpenedForm, openHead, takesGuest } from '#core/forms/open.ts';
import { openToShow } from '#core/forms/show.ts';
import { signVisit } from '#core/identity/guest-limits.ts';
import { loadOrganization } from '#core/organizations/store.ts';
import { Problem } from '#core/problems/problems.ts';
import { isOwner } from '#core/responses/change.ts';
import { MAX_GUEST_RESPONSES, MAX_OWN_RESPONSES } from '#core/responses/model.ts';
import { loadFormPlaces } from '#core/responses/places-left.ts';
import { listOwnEntries, loadResponses, type ResponseEntry } from '#core/responses/store.ts';
import { loadStructure } from '#core/structure/store.ts';
import { formVisitor } from '../shell/declare-page.ts';
import { newFormField } from '../shell/new-id.ts';
import { definePage } from '../shell/page.ts';
import { isPrefillTooLarge, listPrefillFields, signInHref } from '../shell/prefill-link.ts';
import { guestLink } from './guest-link.ts';
import { renderLandingPage } from './landing.ts';
import { addressHref, codeHref } from './secret-page.ts';

type OpenedWithGate = OpenedForm & { gate: Gate | undefined };

/** Opens a form with its gate, which has the version of its structure. */
const openWithGate: Opener<OpenedWithGate> = async (call) => {
  const { opened, rest } = await openHead(call, [keys.formGate(parsePathId(call.params, 'formId'))]);
  return { ...opened, resource: { ...opened.resource, gate: parseGate(rest[0]) } };
};

const openShown = openToShow(openWithGate, ({ form }) => form);

/** `opened`: undefined for somebody who first goes to `entry`. `guest`: of this browser, beside an account. */
type Landing = { opened: OpenedWithGate | undefined; guest: Caller | undefined; entry: string | undefined };

/** Opens the form, or for somebody without a credential only where they type a code or an address. */
const open: Opener<Landing> = async (call) => {
  const { guest } = call;
  try {
    const { resource, ...rest } = await openShown(call);
    return { ...rest, resource: { opened: resource, guest, entry: findEntry(resource.form) } };
  } catch (error) {
    const isHidden = error instanceof Problem && error.status === 404 && call.user?.guestOf !== undefined;
    const entry = isHidden ? await findEntryOf(call.app.table, call.params.formId ?? '') : undefined;
    if (entry === undefined) throw error;
    return { resource: { opened: undefined, guest, entry }, roles: [] };
  }
};

/** Finds where the guests of a form type their code or address; undefined for one that asks for neither. */
function findEntry({ id, audience }: Pick<Form, 'id' | 'audience'>): string | undefined {
  if (audience === 'INVITED') return codeHref(id);
  return audience === 'EMAIL' ? addressHref(id) : undefined;
}

async function findEntryOf(table: Table, formId: string): Promise<string | undefined> {
  const [item] = await table.read([keys.formGate(formId)]);
  const gate = parseGate(item);
  return gate?.formId === formId && gate.status === 'PUBLISHED'
    ? findEntry({ id: formId, audience: gate.audience })
    : undefined;
}

export const page = definePage({
  name: 'landing',
  audience: 'respondents',
  path: '/f/{formId}',
  access: formVisitor,
  needs: ['table:read', 'table:list', 'covers:read', 'states:sign'],
  open,
  show: async ({ app, opened, guest, entry, isStranger, query, context, params }) => {
    if (!opened) return { location: entry ?? `/f/${params.formId}` };
    const { form, gate } = opened;
    // Where only guests with an invitation or an address respond, the guest of this browser does, whoever is signed in.
    const reader = entry !== undefined && guest?.invited ? guest : opened.caller;
    const [responses, organization, cached, places] = await Promise.all([
      isStranger ? [] : listResponses(app.table, reader, form.id),
      loadOrganization(app.table, form.orgId, 'eventual'),
      gate && loadStructure(app.table, form.id, gate.structureVersion),
      loadFormPlaces(app, form),
    ]);
    const answers = withInvited(listPrefillFields(query), reader);
    const done = query.get('done');
    const link = reader.guestOf !== undefined && responses.length > 0 && (await guestLink(app, reader, form.id));
    return {
      html: renderLandingPage(context, {
        form,
        responses: responses.map((entry) => ({ ...entry, isHidden: !isOwner(reader, entry) })),
        mayStart: mayStart(form, reader, responses),
        placesLeft: places?.taken === undefined ? undefined : Math.max(0, places.max - places.taken),
        newId: newFormField(app),
        hasDeletedDraft: done === 'draftDeleted',
        prefill: isPrefillTooLarge(answers) ? 'too-large' : answers,
        entry:
          entry === undefined || takesGuest(form.audience, reader) || reader.mayOnlyFinish
            ? undefined
            : { href: entry, asksForAddress: form.audience === 'EMAIL' },
        hasMailedLink: done === 'linkMailed',
        hasSaved: done === 'saved',
        guest:
          reader.guestOf === undefined
            ? undefined
            : {
                signIn: reader.invited ? undefined : signInHref(context.path),
                email: reader.invited?.email,
                link: link || undefined,
                visit: isStranger ? await signVisit(app, form.id) : undefined,
                isForgotten: done === 'forgotten',
              },
        organization: organization?.name,
        sectionCount: cached?.structure.sections.length,
        // A picture of the API needs a credential.
        coverUrl: isStranger && form.coverImage !== null ? await signCoverUrl(app, form) : undefined,
      }),
    };
  },
});

/** Lists the responses of a reader, newest first: those of an invited guest as they are, others as the index knows them. */
async function listResponses(table: Table, { id, invited }: Caller, formId: string): Promise<ResponseEntry[]> {
  // Indexes lag: a response may briefly have two entries.
  if (!invited) return listOwnEntries(table, id, 2 * MAX_OWN_RESPONSES, formId);
  const responses = await loadResponses(table, invited.responseIds);
  return responses.toSorted((a, b) => (a.createdAt < b.createdAt ? 1 : -1));
}

/** Whether a reader may start a response, as far as it is known. */
function mayStart(
  { oncePerPerson, audience }: Form,
  caller: Caller,
  responses: readonly Pick<ResponseEntry, 'progress'>[],
): boolean {
  const { guestOf } = caller;
  if (guestOf !== undefined && !takesGuest(audience, caller)) return false;
  if (oncePerPerson) return responses.length === 0;
  if (guestOf === undefined) return responses.length < MAX_OWN_RESPONSES;
  return responses.length < MAX_GUEST_RESPONSES && !responses.some(({ progress }) => progress === 'DRAFT');
}

/** Adds the answers with which an invited guest begins to those of the link, which go first. */
function withInvited(answers: [string, string][], { invited }: Caller): [string, string][] {
  const names = new Set(answers.map(([name]) => name));
  return [...answers, ...Object.entries(invited?.prefill ?? {}).filter(([name]) => !names.has(name))];
}
