/** Forms that are made from another form or from a definition, and definitions of forms. */

import { type Opener, pathId } from '#core/access/access.ts';
import type { Account } from '#core/accounts/model.ts';
import { formKey, keys } from '#core/db/keys.ts';
import type { ChangePorts } from '#core/db/ports.ts';
import type { Form, FormInput, FormView } from '#core/forms/model.ts';
import { type OpenedForm, openHead } from '#core/forms/open.ts';
import { createForm, type NewContent } from '#core/forms/service.ts';
import { problems } from '#core/problems/problems.ts';
import { characters } from '#core/schema/schema.ts';
import { structureOf } from '#core/structure/store.ts';
import type { Structure } from '#core/structure/structure.ts';
import type { Views } from '#core/views/model.ts';
import { createViews, viewsOf } from '#core/views/views.ts';
import { checkedContent } from './check.ts';
import { type Content, contentOf, formOfContent, rekeyed } from './content.ts';
import { type DefinitionForm, definitionOf, type FormDefinition, NEUTRAL_KEY } from './model.ts';

/** A form with all that a copy takes over. */
export type CompleteForm = { form: Form; structure: Structure; views: Views };

type Created = Promise<{ body: FormView; etag: number }>;

const MAX_TITLE_CHARACTERS = 200;
const COPY_SUFFIX = '的副本';

/**
 * Creates a DRAFT copy of a form: settings, structure, views, highlight and cover, but not its spreadsheet, times and
 * responses. Throws like `createForm`.
 */
export function duplicateForm(
  app: ChangePorts,
  { form, structure, views }: CompleteForm,
  { orgId, creator, title }: { orgId: string; creator: Account; title: string | null | undefined },
): Created {
  const input = { ...settingsOf(form), title: title ?? copyTitle(form.title), coverImage: form.coverImage };
  const content = contentOf(structure, views);
  return createForm(app, {
    orgId,
    creator,
    input,
    content: (formId, now) => newContent(rekeyed(content, formKey(form.id), formKey(formId)), formId, now),
    coverOrgId: form.orgId,
  });
}

/** The definition of a form. */
export const exportDefinition = ({ form, structure, views }: CompleteForm): FormDefinition => {
  const {
    nodes,
    sections,
    highlight,
    views: kept,
  } = rekeyed(contentOf(structure, views), formKey(form.id), NEUTRAL_KEY);
  return definitionOf({
    ...settingsOf(form),
    nodes: [...nodes],
    sections: sections.map(({ questions, ...section }) => ({ ...section, questions: [...questions] })),
    highlight,
    views: kept.map((view) => ({ ...view, columns: [...view.columns] })),
  });
};

/** Creates a DRAFT form from a definition. Throws 400 with a pointer for each fault, and like `createForm`. */
export function importForm(
  app: ChangePorts,
  definition: DefinitionForm,
  { orgId, creator }: { orgId: string; creator: Account },
): Created {
  const content = checkedContent(definition);
  return createForm(app, {
    orgId,
    creator,
    input: definition,
    content: (formId, now) => newContent(rekeyed(content, NEUTRAL_KEY, formKey(formId)), formId, now),
  });
}

function newContent(content: Content, formId: string, now: string): NewContent {
  const { structure, views } = formOfContent(content, formId, now);
  return { structure, also: views.views.length > 0 ? [createViews(views)] : [] };
}

/** The settings that a copy takes over. */
const settingsOf = (form: Form) =>
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

/** The title of a copy, cut so that it is no longer than a title may be. */
function copyTitle(title: string): string {
  const room = MAX_TITLE_CHARACTERS - characters(COPY_SUFFIX);
  return [...title].slice(0, room).join('') + COPY_SUFFIX;
}

// Opener of a form with everything that a copy or a definition of it contains, for the members of its organization.

/** The form of `{formId}` with its structure and views, in one round trip. */
export const openCompleteForm: Opener<OpenedForm & { complete: CompleteForm }> = async (call) => {
  const formId = pathId(call.params, 'formId');
  const { opened, rest } = await openHead(call, [keys.formStructure(formId), keys.formViews(formId)]);
  const structure = structureOf(rest[0]);
  if (!structure) throw problems.notFound();
  const complete = { form: opened.resource.form, structure, views: viewsOf(rest[1], formId) };
  return { ...opened, resource: { ...opened.resource, complete } };
};
