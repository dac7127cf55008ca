/** Creates forms from another form or from a definition, and exports definitions of forms. */

import { type Opener, parsePathId } from '#core/access/access.ts';
import type { Account } from '#core/accounts/model.ts';
import { formKey, keys } from '#core/db/keys.ts';
import type { ChangePorts } from '#core/db/ports.ts';
import type { Form, FormDocument, FormInput } from '#core/forms/model.ts';
import { type OpenedForm, openHead } from '#core/forms/open.ts';
import { createForm, type NewContent } from '#core/forms/service.ts';
import { parseForm } from '#core/forms/store.ts';
import { problems } from '#core/problems/problems.ts';
import { countCharacters } from '#core/schema/schema.ts';
import { parseStructure } from '#core/structure/store.ts';
import type { Structure } from '#core/structure/structure.ts';
import type { Views } from '#core/views/model.ts';
import { createViews, parseViews } from '#core/views/views.ts';
import { checkDefinition } from './check.ts';
import { buildFormContent, type Content, extractContent, rekeyContent } from './content.ts';
import { buildDefinition, type DefinitionForm, type FormDefinition, NEUTRAL_KEY } from './model.ts';

/** A form with all that a copy takes over. */
export type CompleteForm = { form: Form; structure: Structure; views: Views };

type CreatedForm = Promise<{ body: FormDocument; etag: number }>;

const MAX_TITLE_CHARACTERS = 200;

/**
 * Creates a DRAFT copy of a form: settings, structure, views, highlight and cover, but not its spreadsheet, times and
 * responses. Throws like `createForm`.
 */
export function duplicateForm(
  app: ChangePorts,
  { form, structure, views }: CompleteForm,
  { id, orgId, creator, title }: { id?: string; orgId: string; creator: Account; title: string | null | undefined },
): CreatedForm {
  const input = { ...pickSettings(form), title: title ?? copyTitle(form.title), coverImage: form.coverImage };
  const content = extractContent(structure, views);
  return createForm(app, {
    id,
    orgId,
    creator,
    input,
    content: (formId, now) => newContent(rekeyContent(content, formKey(form.id), formKey(formId)), formId, now),
    coverOrgId: form.orgId,
  });
}

/** Exports the definition of a form; its ids have the neutral form key. */
export const exportDefinition = ({ form, structure, views }: CompleteForm): FormDefinition => {
  const {
    nodes,
    sections,
    highlight,
    views: contentViews,
  } = rekeyContent(extractContent(structure, views), formKey(form.id), NEUTRAL_KEY);
  return buildDefinition({
    ...pickSettings(form),
    nodes: [...nodes],
    sections: sections.map(({ questions, ...section }) => ({ ...section, questions: [...questions] })),
    highlight,
    views: contentViews.map((view) => ({ ...view, columns: [...view.columns] })),
  });
};

/** Creates a DRAFT form from a definition. Throws 400 with a pointer for each fault, and like `createForm`. */
export function importForm(
  app: ChangePorts,
  definition: DefinitionForm,
  { id, orgId, creator }: { id?: string; orgId: string; creator: Account },
): CreatedForm {
  const content = checkDefinition(definition);
  return createForm(app, {
    id,
    orgId,
    creator,
    input: definition,
    content: (formId, now) => newContent(rekeyContent(content, NEUTRAL_KEY, formKey(formId)), formId, now),
  });
}

function newContent(content: Content, formId: string, now: string): NewContent {
  const { structure, views } = buildFormContent(content, formId, now);
  return { structure, also: views.views.length > 0 ? [createViews(views)] : [] };
}

/** Picks the settings that a copy takes over. */
const pickSettings = (form: Form) =>
  ({
    title: form.title,
    visibility: form.visibility,
    allowEditResponse: form.allowEditResponse,
    description: form.description,
    previewMessage: form.previewMessage,
    messageAfterSubmission: form.messageAfterSubmission,
    sendResponseEmail: form.sendResponseEmail,
    dressing: form.dressing,
  }) satisfies Partial<FormInput>;

/** Builds the title of a copy, cut to the longest allowed title. */
export function copyTitle(title: string, copyOf = (original: string) => `${original}的副本`): string {
  const room = MAX_TITLE_CHARACTERS - countCharacters(copyOf(''));
  return copyOf([...title].slice(0, room).join(''));
}

// Opener of a form with everything that a copy or a definition of it contains, for the members of its organization.

/** Opens the form of `{formId}` with its structure and views, in one round trip. */
export const openCompleteForm: Opener<OpenedForm & { complete: CompleteForm }> = async (call) => {
  const formId = parsePathId(call.params, 'formId');
  const { opened, rest } = await openHead(call, [keys.formStructure(formId), keys.formViews(formId)]);
  const structure = parseStructure(rest[0]);
  if (!structure) throw problems.notFound();
  const complete = { form: opened.resource.form, structure, views: parseViews(rest[1], formId) };
  return { ...opened, resource: { ...opened.resource, complete } };
};

/** Reads a form of an organization with its structure and views; undefined if there is none with the id. */
export async function loadCompleteForm(
  table: ChangePorts['table'],
  orgId: string,
  formId: string,
): Promise<CompleteForm | undefined> {
  const itemKeys = [keys.formHead(formId), keys.formStructure(formId), keys.formViews(formId)];
  const [headItem, structureItem, viewsItem] = await table.read(itemKeys);
  const form = parseForm(headItem, formId);
  const structure = parseStructure(structureItem);
  return form?.orgId === orgId && structure ? { form, structure, views: parseViews(viewsItem, formId) } : undefined;
}
