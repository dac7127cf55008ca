/**
 * Creates a form: empty, from a template, from another form of the organization, or from the definition in a file. A second
 * press leads to the form of the first one.
 */
import { builderPages } from '#core/api/builder-pages.ts';
import { copyTitle, duplicateForm, importForm, loadCompleteForm } from '#core/definitions/copies.ts';
import { FormDefinition, nameMarkFault } from '#core/definitions/model.ts';
import { findReferenceFaults } from '#core/definitions/references.ts';
import { buildTemplate } from '#core/definitions/templates.ts';
import { FormInput } from '#core/forms/model.ts';
import { createForm } from '#core/forms/service.ts';
import { parseJsonText, validatePart } from '#core/http/request.ts';
import { openOrganization } from '#core/organizations/service.ts';
import { type FileFaults, loadOwner, renderNewFormPage } from '#core/pages/builder/create.ts';
import { buildHref, withDone } from '#core/pages/builder/frame.ts';
import { readNewFormId } from '#core/pages/shell/new-id.ts';
import { page } from '#core/pages/shell/page.ts';
import { getBuilderTexts } from '#core/pages/text/builder.ts';
import { importFaultText } from '#core/pages/text/import-faults.ts';
import { type Fault, MAX_FAULTS, Problem, placeInBody, problems } from '#core/problems/problems.ts';
import { sha256 } from '#core/schema/hash.ts';
import { isId } from '#core/schema/schema.ts';

type Refusal = { errors: { title?: string; form?: string; file?: string }; faults?: FileFaults };

export const handler = page(
  builderPages.createForm,
  openOrganization,
  async ({ app, orgId, account, caller, posted, context }) => {
    if (!account) throw problems.unauthorized();
    const { create: texts } = getBuilderTexts(context);
    const title = (posted.fields.get('title') ?? '').trim();
    const newId = readNewFormId(posted.fields, caller, app);
    const formId = posted.fields.get('form') ?? '';
    const render = async (refused: Refusal, status: 400 | 413 = 400) => ({
      html: renderNewFormPage(context, await loadOwner(app.table, orgId, account), {
        newId: newId.field,
        title,
        formId,
        ...refused,
      }),
      status,
    });
    const refuseTooLarge = (place: 'form' | 'file') => (error: unknown) => {
      if (!isTooLarge(error)) throw error;
      return render({ errors: { [place]: texts.tooLarge } }, 413);
    };
    const created = (form: { id: string }, done: 'created' | 'duplicated' = 'created') => ({
      location: withDone(buildHref(form.id), done),
    });
    const owner = (content: readonly unknown[]) => ({ id: newId.derive(content), orgId, creator: account });
    const action = posted.fields.get('do') ?? 'empty';
    if (action.startsWith('template:')) {
      const template = buildTemplate(action.slice('template:'.length), context.language);
      if (!template) throw problems.notFound();
      return created((await importForm(app, template.form, owner([action]))).body);
    }
    if (action === 'copy') {
      const complete = isId(formId) ? await loadCompleteForm(app.table, orgId, formId) : undefined;
      if (!complete) return render({ errors: { form: texts.formMissing } });
      const source = owner([action, formId, complete.form.version, complete.structure.version]);
      const copy = { ...source, title: copyTitle(complete.form.title, getBuilderTexts(context).copyOf) };
      return duplicateForm(app, complete, copy).then(({ body }) => created(body, 'duplicated'), refuseTooLarge('form'));
    }
    if (action !== 'file') {
      const input = FormInput().safeParse({ title, visibility: 'PRIVATE', allowEditResponse: true });
      if (!input.success) return render({ errors: { title: texts.titleInvalid } });
      return created((await createForm(app, { ...owner(['empty', title]), input: input.data })).body);
    }
    const file = posted.files.find(({ name }) => name === 'file');
    if (!file) return render({ errors: { file: texts.fileMissing } });
    const refuse = (faults: readonly Fault[], more: readonly string[] = []) => {
      const listed = faults.slice(0, MAX_FAULTS);
      const lines = listed.map((fault) => `${placeInBody(fault)}: ${importFaultText(context.language, fault)}`);
      const notes = [...(listed.length === MAX_FAULTS ? [texts.faultsCut(MAX_FAULTS)] : []), ...more];
      return render({ errors: { file: texts.fileInvalid }, faults: { lines, notes } });
    };
    const importFile = async (json: unknown) => {
      if (json === undefined) return render({ errors: { file: texts.fileNoJson } });
      const definition = validatePart('body', FormDefinition(), json);
      if ('faults' in definition) {
        const references = findReferenceFaults(json, definition.faults);
        const faults = [...definition.faults.map(nameMarkFault), ...(references ?? [])];
        return refuse(faults, references ? [] : [texts.referencesLater]);
      }
      try {
        return created((await importForm(app, definition.value.form, owner([action, sha256(file.bytes, 'hex')]))).body);
      } catch (error) {
        if (!(error instanceof Problem) || error.errors.length === 0) throw error;
        return refuse(error.errors);
      }
    };
    return parseJson(Buffer.from(file.bytes).toString()).then(importFile).catch(refuseTooLarge('file'));
  },
);

const isTooLarge = (error: unknown): boolean => error instanceof Problem && error.code === 'content_too_large';

/** Parses the JSON of a file; undefined for what the API would not take either. Throws 413 for too many values. */
async function parseJson(text: string): Promise<unknown> {
  try {
    return parseJsonText(text);
  } catch (error) {
    if (isTooLarge(error)) throw error;
    return undefined;
  }
}
