/** Creates forms from another form or from a definition, and exports definitions of forms. */

import { type Opener, parsePathId } from '#core/access/access.ts';
import type { Account } from '#core/accounts/model.ts';
import { formKey, type Key, keys } from '#core/db/keys.ts';
import type { ChangePorts } from '#core/db/ports.ts';
import type { Item } from '#core/db/table.ts';
import type { Form, FormDocument } from '#core/forms/model.ts';
import { type OpenedForm, openHead } from '#core/forms/open.ts';
import { createForm, type NewContent } from '#core/forms/service.ts';
import { MAX_TITLE, pickCopied } from '#core/forms/settings.ts';
import { parseForm } from '#core/forms/store.ts';
import { problems } from '#core/problems/problems.ts';
import { countCharacters } from '#core/schema/schema.ts';
import { parseStructure } from '#core/structure/store.ts';
import { createHighlight, type Highlighted, parseHighlight } from '#core/table/highlight.ts';
import type { Views } from '#core/views/model.ts';
import { createViews, parseViews } from '#core/views/views.ts';
import { checkDefinition } from './check.ts';
import { buildFormContent, type Content, extractContent, rekeyContent } from './content.ts';
import { buildDefinition, type DefinitionForm, type FormDefinition, NEUTRAL_KEY } from './model.ts';

/** A form with all that a copy takes over. */
export type CompleteForm = Highlighted & { form: Form; views: Views };

type CreatedForm = Promise<{ body: FormDocument; etag: number }>;

/**
 * Creates a DRAFT copy of a form: settings, structure, views, highlight and cover, but not its spreadsheet, times and
 * responses. Throws like `createForm`.
 */
export function duplicateForm(
  app: ChangePorts,
  { form, ...complete }: CompleteForm,
  { id, orgId, creator, title }: { id?: string; orgId: string; creator: Account; title: string | null | undefined },
): CreatedForm {
  const input = { ...pickCopied(form), title: title ?? copyTitle(form.title), coverImage: form.coverImage };
  const content = extractContent(complete);
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
export const exportDefinition = ({ form, ...complete }: CompleteForm): FormDefinition => {
  const {
    nodes,
    sections,
    highlight,
    views: contentViews,
  } = rekeyContent(extractContent(complete), formKey(form.id), NEUTRAL_KEY);
  return buildDefinition({
    ...pickCopied(form),
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
  const { highlight } = content;
  return {
    structure,
    also: [
      ...(views.views.length > 0 ? [createViews(views)] : []),
      ...(highlight ? [createHighlight(formId, highlight)] : []),
    ],
  };
}

/** Builds the title of a copy, cut to the longest allowed title. */
export function copyTitle(title: string, copyOf = (original: string) => `${original}的副本`): string {
  const room = MAX_TITLE - countCharacters(copyOf(''));
  return copyOf([...title].slice(0, room).join(''));
}

// Opener of a form with everything that a copy or a definition of it contains, for the members of its organization.

/** Opens the form of `{formId}` with its structure and views, in one round trip. */
export const openCompleteForm: Opener<OpenedForm & { complete: CompleteForm }> = async (call) => {
  const formId = parsePathId(call.params, 'formId');
  const { opened, rest } = await openHead(call, contentKeys(formId));
  const complete = parseComplete(opened.resource.form, rest);
  if (!complete) throw problems.notFound();
  return { ...opened, resource: { ...opened.resource, complete } };
};

/** Reads a form of an organization with its structure and views; undefined if there is none with the id. */
export async function loadCompleteForm(
  table: ChangePorts['table'],
  orgId: string,
  formId: string,
): Promise<CompleteForm | undefined> {
  const [headItem, ...rest] = await table.read([keys.formHead(formId), ...contentKeys(formId)]);
  const form = parseForm(headItem, formId);
  return form?.orgId === orgId ? parseComplete(form, rest) : undefined;
}

const contentKeys = (formId: string): Key[] => [
  keys.formStructure(formId),
  keys.formHighlight(formId),
  keys.formViews(formId),
];

function parseComplete(
  form: Form,
  [structureItem, highlightItem, viewsItem]: readonly (Item | undefined)[],
): CompleteForm | undefined {
  const structure = parseStructure(structureItem);
  const highlight = parseHighlight(highlightItem);
  return structure && { form, structure, highlight, views: parseViews(viewsItem, form.id) };
}
