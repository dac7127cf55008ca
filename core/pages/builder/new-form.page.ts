/**
 * Shows the ways to create a form; people without a username choose one first. Creates a form: empty, from a template,
 * from another form of the organization, or from the definition in a file. A second press leads to the form of the
 * first one.
 */
import type { Account } from '#core/accounts/model.ts';
import { MAX_BODY_BYTES } from '#core/api/declare.ts';
import type { Table } from '#core/db/table.ts';
import { copyTitle, duplicateForm, importForm, loadCompleteForm } from '#core/definitions/copies.ts';
import { FormDefinition, nameMarkFault } from '#core/definitions/model.ts';
import { findReferenceFaults } from '#core/definitions/references.ts';
import { buildTemplate, listTemplates } from '#core/definitions/templates.ts';
import { type FormEntry, listFormEntries } from '#core/forms/lists.ts';
import { FormInput, FormStatus } from '#core/forms/model.ts';
import { createForm } from '#core/forms/service.ts';
import { parseJsonText, validatePart } from '#core/http/request.ts';
import { openOrganization } from '#core/organizations/service.ts';
import type { StoredOrganization } from '#core/organizations/store.ts';
import { type Fault, MAX_FAULTS, Problem, placeInBody, problems } from '#core/problems/problems.ts';
import { sha256 } from '#core/schema/hash.ts';
import { isId } from '#core/schema/schema.ts';
import type { PageContext } from '../shell/context.ts';
import {
  errorSummary,
  type FieldError,
  fieldError,
  hiddenFields,
  pageTitle,
  selectField,
  textField,
} from '../shell/controls.ts';
import { LIST, memberOfOrganization } from '../shell/declare-page.ts';
import { type Html, html } from '../shell/html.ts';
import { layout, type OtherOrganizations } from '../shell/layout.ts';
import { newFormField, readNewFormId } from '../shell/new-id.ts';
import { loadWithOthers } from '../shell/organization-switch.ts';
import { definePage } from '../shell/page.ts';
import { getBuilderTexts } from '../text/builder.ts';
import { importFaultText } from '../text/import-faults.ts';
import { buildHref, withDone } from './frame.ts';

export const page = definePage({
  name: 'newForm',
  audience: 'builders',
  path: '/o/{slug}/new',
  get: {
    access: memberOfOrganization,
    needs: LIST,
    open: openOrganization,
    show: async ({ app, orgId, account, context }) => {
      if (!account?.onboarded) return { location: `/onboarding?to=${encodeURIComponent(context.path)}` };
      const owner = await loadOwner(app.table, orgId, account);
      return { html: renderNewFormPage(context, owner, { newId: newFormField(app), title: '', errors: {} }) };
    },
  },
  post: {
    access: { ...memberOfOrganization, onboarded: true },
    needs: [...LIST, 'table:write', 'covers:read', 'covers:write'],
    maxFormBytes: MAX_BODY_BYTES,
    creates: ['empty form', 'form from a template', 'copy of a form', 'form from a file'],
    open: openOrganization,
    actions: {
      createForm: async ({ app, orgId, account, caller, posted, context }) => {
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
          return duplicateForm(app, complete, copy).then(
            ({ body }) => created(body, 'duplicated'),
            refuseTooLarge('form'),
          );
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
            return created(
              (await importForm(app, definition.value.form, owner([action, sha256(file.bytes, 'hex')]))).body,
            );
          } catch (error) {
            if (!(error instanceof Problem) || error.errors.length === 0) throw error;
            return refuse(error.errors);
          }
        };
        return parseJson(Buffer.from(file.bytes).toString()).then(importFile).catch(refuseTooLarge('file'));
      },
    },
  },
});

type Refusal = { errors: { title?: string; form?: string; file?: string }; faults?: FileFaults };

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

type NewForm = {
  newId: string;
  title: string;
  /** The id of the form that was chosen to be copied. */
  formId?: string;
  errors: { title?: string | undefined; form?: string | undefined; file?: string | undefined };
  faults?: FileFaults;
};

/** All faults of a file by their place, and what is to be said about others. */
type FileFaults = { lines: readonly string[]; notes: readonly string[] };

/** An organization with its newest forms, and the other organizations of the reader. */
type Owner = { org: StoredOrganization; otherOrganizations: OtherOrganizations; forms: readonly FormEntry[] };

/** The faults of a file that are shown at once; further ones are folded. */
const SHOWN_FAULTS = 50;

/** The forms that are offered to be copied; others are copied from the list of all forms. */
const MAX_FORMS = 20;

/** Reads an organization with its newest forms and the organizations to which its reader can switch, in one round trip. Throws 404 when it was deleted. */
async function loadOwner(table: Table, orgId: string, account: Account | undefined): Promise<Owner> {
  const [found, { entries }] = await Promise.all([
    loadWithOthers(table, orgId, Object.keys(account?.memberships ?? {})),
    listFormEntries(table, orgId, { limit: MAX_FORMS, after: undefined, status: FormStatus().options }),
  ]);
  return { ...found, forms: entries };
}

/**
 * Renders the ways to a new form: empty, from a template, as a copy, from a file with its faults. All are one form, so that
 * what was typed for one of them stays when another one is refused.
 */
function renderNewFormPage(
  context: PageContext,
  { org: { name, slug }, otherOrganizations, forms }: Owner,
  { newId, title, formId = '', errors, faults }: NewForm,
): Html {
  const texts = getBuilderTexts(context).create;
  const summary = (['title', 'form', 'file'] as const).flatMap((target): FieldError[] => {
    const message = errors[target];
    return message === undefined ? [] : [{ target, message }];
  });
  return layout(context, {
    title: pageTitle(context, texts.title, summary.length > 0),
    frame: { crumbs: [{ href: `/o/${slug}`, name }], organizations: otherOrganizations },
    main: html`${errorSummary(context, summary)}
<h1>${texts.title}</h1>
<form method="post" action="/o/${slug}/new" enctype="multipart/form-data" novalidate data-once>
${hiddenFields({ id: newId })}
<div class="card">
${textField(context, { name: 'title', label: texts.formTitle, hint: texts.titleHint, value: title, error: errors.title, required: true, autofocus: summary.length === 0 })}
<p class="actions"><button name="do" value="empty">${texts.submit}</button></p>
</div>
<h2 class="section-heading" id="templates">${texts.templates}</h2>
<ul class="rows">${listTemplates(context.language).map(
      (template) =>
        html`<li><div class="row-text"><h3>${template.title}</h3><p class="muted small">${template.about}</p></div><div class="row-side"><button class="secondary" name="do" value="template:${template.id}">${texts.use}<span class="visually-hidden"> ${template.title}</span></button></div></li>`,
    )}</ul>
${
  forms.length > 0 &&
  html`<h2 class="section-heading">${texts.copy}</h2>
<div class="card">
${selectField(context, { name: 'form', label: texts.chooseForm, hint: texts.copyHint, value: formId, error: errors.form, options: forms.map((form) => ({ value: form.id, label: form.title })) })}
<p class="actions"><button class="secondary" name="do" value="copy">${texts.copySubmit}</button><a class="button secondary" href="/o/${slug}">${texts.otherForms}</a></p>
</div>`
}
<h2 class="section-heading">${texts.file}</h2>
<div class="card">
<div class="field${errors.file !== undefined && ' invalid'}"><label for="file">${texts.chooseFile}</label>
<p class="hint" id="file-hint">${texts.fileHint}</p>
${fieldError(context, 'file', errors.file)}
${faults && faultList(context, faults)}
<input class="file" type="file" id="file" name="file" accept="application/json,.json" required aria-describedby="file-hint"></div>
<p class="actions"><button class="secondary" name="do" value="file">${texts.submit}</button></p>
</div>
</form>`,
  });
}

function faultList(context: PageContext, { lines: faults, notes }: FileFaults): Html {
  const list = (lines: readonly string[]): Html =>
    html`<ul class="faults">${lines.map((fault) => html`<li>${fault}</li>`)}</ul>`;
  const further = faults.slice(SHOWN_FAULTS);
  const { moreFaults } = getBuilderTexts(context).create;
  return html`${list(faults.slice(0, SHOWN_FAULTS))}
${further.length > 0 && html`<details><summary>${moreFaults(further.length)}</summary>${list(further)}</details>`}
${notes.map((note) => html`<p>${note}</p>`)}`;
}
