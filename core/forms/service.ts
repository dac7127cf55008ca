/** Presents forms with their creator and last editor, and creates them. */
import { type Account, presentShortUser } from '#core/accounts/model.ts';
import { objects } from '#core/db/bucket.ts';
import { change, type Decision } from '#core/db/change.ts';
import { formIdFrom, idWithin, keys } from '#core/db/keys.ts';
import type { ChangePorts, Ports } from '#core/db/ports.ts';
import type { Write, WriteRefused } from '#core/db/table.ts';
import { ensureExpiry } from '#core/jobs/expiry.ts';
import { checkNotBeingDeleted } from '#core/jobs/job.ts';
import { checkOrganization } from '#core/organizations/store.ts';
import { problems } from '#core/problems/problems.ts';
import { renderHtml } from '#core/rich-text/html.ts';
import { previewText } from '#core/rich-text/text.ts';
import { requireStructureFits } from '#core/structure/service.ts';
import { createStructure } from '#core/structure/store.ts';
import type { Structure } from '#core/structure/structure.ts';
import { newStructure } from '#core/structure/workflow-edits.ts';
import { copyCover } from './cover.ts';
import { newForm } from './edit.ts';
import { isOpen } from './gate.ts';
import { hasLimits, shortenedFrom } from './keeping.ts';
import type { Form, FormDocument, FormInput } from './model.ts';
import { loadRelated, type Related } from './related.ts';
import { pickSettings } from './settings.ts';
import { buildSpreadsheetStatus, moveOwnership } from './spreadsheet.ts';
import { getSpreadsheetId } from './spreadsheet-model.ts';
import { createFormWrites as formWrites, parseForm } from './store.ts';

/** The length of a preview message generated from the description, in graphemes. */
const PREVIEW_CHARACTERS = 25;

/** The reader of a form: an editor, or a respondent who may have started a response. */
export type FormReader = { editor: boolean; hasStarted: boolean; isGuest?: boolean };

/**
 * Presents a form to a reader. Respondents get no `spreadsheetUrl`, and `allowEditResponse` as it applies to them; guests get no
 * e-mail addresses.
 */
export function presentForm(form: Form, { people, statuses }: Related, reader: FormReader, now: Date): FormDocument {
  const mayEditResponse = form.allowEditResponse && isOpen(form, now) && reader.hasStarted;
  const presentPerson = (id: string) => ({
    ...presentShortUser(id, people.get(id)),
    ...(reader.isGuest && { emails: [] }),
  });
  return {
    ...pickSettings(form),
    id: form.id,
    descriptionHtml: renderHtml(form.description),
    previewMessage: form.previewMessage ?? previewText(form.description, PREVIEW_CHARACTERS),
    status: form.status,
    unitId: form.orgId,
    creator: presentPerson(form.creatorId),
    lastEditor: presentPerson(form.lastEditorId),
    messageAfterSubmission: form.messageAfterSubmission ?? '',
    spreadsheetUrl: reader.editor ? form.spreadsheetUrl : null,
    spreadsheet: reader.editor ? (statuses.get(form.id) ?? null) : null,
    allowEditResponse: reader.editor ? form.allowEditResponse : mayEditResponse,
    retentionFrom: reader.editor ? shortenedFrom(form, now) : null,
    createdAt: form.createdAt,
    updatedAt: form.updatedAt,
  };
}

type ReadPorts = Pick<Ports, 'table' | 'now'>;

export const EDITOR: FormReader = { editor: true, hasStarted: false };

/** Presents a form to its editors, as the result of an operation. */
export async function presentToEditor(
  { table, now }: ReadPorts,
  form: Form,
): Promise<{ body: FormDocument; etag: number }> {
  const related = await loadRelated(table, [form]);
  return { body: presentForm(form, related, EDITOR, now()), etag: form.version };
}

// Creates forms: settings, gate and first structure in one transaction with a check of the organization.

type FormResult = { body: FormDocument; etag: number };

/** What a new form has in addition to its settings: its structure, and further writes of the same transaction. */
export type NewContent = { structure: Structure; also: readonly Write[] };

/**
 * `content`: builds the content of the form; START and END by default. `coverOrgId`: the organization whose covers may be
 * copied; that of the new form by default.
 */
type NewForm = {
  /**
   * The id of the form, for a request that can come twice: the second one returns the form of the first. A form that was
   * deleted, or has the key of another one, is created with another id.
   */
  id?: string | undefined;
  orgId: string;
  creator: Account;
  input: FormInput;
  content?: (formId: string, now: string) => NewContent;
  coverOrgId?: string;
};

/** Throws 404 when the check was refused that the organization exists. */
function requireOrganization({ index }: WriteRefused): void {
  if (index === 0) throw problems.notFound();
}

/**
 * Creates a DRAFT form of an organization. `coverImage` may be the current cover of another form of the organization;
 * the new form gets a copy. Throws 400 for any other cover, for settings that contradict each other and for a spreadsheet
 * of another organization, 404 when the organization was deleted, 413 for content that is too large to be stored.
 */
export async function createForm(
  app: ChangePorts,
  { id: givenId, orgId, creator, input, content, coverOrgId = orgId }: NewForm,
): Promise<FormResult> {
  const createdAt = app.now();
  const now = createdAt.toISOString();
  const decide = async (freeId: string | undefined): Promise<Decision<FormResult>> => {
    const id = freeId ?? formIdFrom(app.uuid(), createdAt);
    const cover = input.coverImage ? objects.cover(id, app.uuid()) : null;
    const form = newForm(input, { id, orgId, userId: creator.id, now, cover });
    if (input.coverImage && cover) {
      await copyCover(app, { from: input.coverImage, to: cover, newFormId: id, orgId: coverOrgId });
    }
    const { structure, also } = content?.(id, now) ?? {
      structure: newStructure(id, { start: idWithin(id, app.uuid()), end: idWithin(id, app.uuid()) }),
      also: [],
    };
    requireStructureFits(structure);
    const related = {
      people: new Map([[creator.id, creator]]),
      statuses: new Map([[id, buildSpreadsheetStatus(form, undefined, undefined)]]),
    };
    const document = presentForm(form, related, EDITOR, createdAt);
    const ownershipWrites = await moveOwnership(app.table, { orgId, from: null, to: getSpreadsheetId(form) });
    const writes = [
      checkOrganization(orgId),
      ...formWrites(form),
      createStructure(structure),
      ...also,
      ...ownershipWrites,
      ...(freeId === undefined ? [] : [checkNotBeingDeleted(keys.formHead(id))]),
      ...(hasLimits(form) ? ensureExpiry(id, undefined, createdAt) : []),
    ];
    return { writes, result: { body: document, etag: form.version }, onRefused: requireOrganization };
  };
  // Decided again when another form changed the owner of the spreadsheet meanwhile, when a form of the same millisecond has
  // the same 12 random bits, or when the given id is in use or under deletion.
  return change<GivenId, FormResult>(app, {
    loaded: { freeId: givenId },
    reload: async () => (givenId === undefined ? {} : findUse(app, givenId)),
    decide: async ({ existing, freeId }) =>
      existing ? { writes: [], result: await presentToEditor(app, existing) } : decide(freeId),
  });
}

/** What a given id is used for: the form that has it, or nothing, so that it is free; neither for another use. */
type GivenId = { existing?: Form | undefined; freeId?: string | undefined };

async function findUse({ table }: Pick<Ports, 'table'>, id: string): Promise<GivenId> {
  const headKey = keys.formHead(id);
  const [head, deletion] = await table.read([headKey, keys.deletion(headKey)]);
  return { existing: parseForm(head, id), ...(head || deletion ? {} : { freeId: id }) };
}
