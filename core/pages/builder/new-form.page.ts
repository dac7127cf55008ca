/**
 * Shows the ways to create a form; people without a username choose one first. Creates a form: empty, from a template,
 * from another form of the organization, or from the definition in a file. A second press leads to the form of the
 * first one.
 */
import type { Caller } from '#core/access/access.ts';
import type { Account } from '#core/accounts/model.ts';
import { MAX_BODY_BYTES } from '#core/api/declare.ts';
import type { Table } from '#core/db/table.ts';
import { buildTemplate, listTemplates } from '#core/definitions/templates.ts';
import { type FormEntry, listFormEntries } from '#core/forms/lists.ts';
import { FormInput, FormStatus } from '#core/forms/model.ts';
import type { RequestApp } from '#core/http/app.ts';
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
import type { FormFields } from '../shell/form-fields.ts';
import { type Html, html } from '../shell/html.ts';
import { layout, type OtherOrganizations } from '../shell/layout.ts';
import { newFormField, readNewFormId } from '../shell/new-id.ts';
import { loadWithOthers } from '../shell/organization-switch.ts';
import { definePage } from '../shell/page.ts';
import type { PageResult } from '../shell/result.ts';
import { getBuilderTexts } from '../text/builder.ts';
import { importFaultText } from '../text/import-faults.ts';
import { buildHref, withDone } from './frame.ts';

export const page = definePage({
  name: 'newForm',
  audience: 'builders',
  path: '/o/{slug}/new',
  access: memberOfOrganization,
  needs: LIST,
  open: openOrganization,
  show: async ({ app, orgId, account, context }) => {
    if (!account?.onboarded) return { location: `/onboarding?to=${encodeURIComponent(context.path)}` };
    const owner = await loadOwner(app.table, orgId, account);
    return { html: renderNewFormPage(context, owner, { newId: newFormField(app), title: '', errors: {} }) };
  },
  post: {
    access: { ...memberOfOrganization, onboarded: true },
    needs: [...LIST, 'table:write', 'covers:read', 'covers:write'],
    maxFormBytes: MAX_BODY_BYTES,
    creates: ['empty form', 'form from a template', 'copy of a form', 'form from a file'],
    open: openOrganization,
    byDefault: 'empty',
    actions: {
      empty: async (request) => {
        const { app, posted, context } = request;
        const title = readTitle(posted);
        const input = FormInput().safeParse({ title, visibility: 'PRIVATE', allowEditResponse: true });
        if (!input.success)
          return showRefused(request, { errors: { title: getBuilderTexts(context).create.titleInvalid } });
        const { createForm } = await import('#core/forms/service.ts');
        return created(await createForm(app, { ...newForm(request, ['empty', title]), input: input.data }));
      },
      template: async (request) => {
        const { app, argument, context } = request;
        const template = buildTemplate(argument, context.language);
        if (!template) throw problems.notFound();
        const { importForm } = await import('#core/definitions/copies.ts');
        return created(await importForm(app, template.form, newForm(request, [`template:${argument}`])));
      },
      copy: async (request) => {
        const { app, orgId, posted, context } = request;
        const { copyOf, create } = getBuilderTexts(context);
        const { copyTitle, duplicateForm, loadCompleteForm } = await import('#core/definitions/copies.ts');
        const formId = readFormId(posted);
        const complete = isId(formId) ? await loadCompleteForm(app.table, orgId, formId) : undefined;
        if (!complete) return showRefused(request, { errors: { form: create.formMissing } });
        const source = newForm(request, ['copy', formId, complete.form.version, complete.structure.version]);
        const title = copyTitle(complete.form.title, copyOf);
        return created(await duplicateForm(app, complete, { ...source, title }), 'duplicated');
      },
      file: async (request) => {
        const { create: texts } = getBuilderTexts(request.context);
        const file = request.posted.files.find(({ name }) => name === 'file');
        if (!file) return showRefused(request, { errors: { file: texts.fileMissing } });
        const json = parseJson(Buffer.from(file.bytes).toString());
        if (json === undefined) return showRefused(request, { errors: { file: texts.fileNoJson } });
        const definition = await readDefinition(json);
        if ('faults' in definition)
          return refuseFile(request, definition.faults, definition.isComplete ? [] : [texts.referencesLater]);
        const { importForm } = await import('#core/definitions/copies.ts');
        try {
          const content = newForm(request, ['file', sha256(file.bytes, 'hex')]);
          return created(await importForm(request.app, definition.form, content));
        } catch (error) {
          if (!(error instanceof Problem) || error.errors.length === 0) throw error;
          return refuseFile(request, error.errors);
        }
      },
    },
    explain: (request, { code }) => {
      if (code !== 'content_too_large') return undefined;
      const place = request.posted.fields.get('do') === 'file' ? 'file' : 'form';
      return showRefused(request, { errors: { [place]: getBuilderTexts(request.context).create.tooLarge } }, 413);
    },
  },
});

type NewFormRequest = {
  app: RequestApp;
  orgId: string;
  account: Account | undefined;
  caller: Caller;
  posted: FormFields;
  context: PageContext;
};

const readTitle = ({ fields }: FormFields): string => (fields.get('title') ?? '').trim();
const readFormId = ({ fields }: FormFields): string => fields.get('form') ?? '';

const requireAccount = ({ account }: NewFormRequest): Account => {
  if (!account) throw problems.unauthorized();
  return account;
};

/** The new form, with an id that follows from the page and the content: a second press finds it again. */
const newForm = (request: NewFormRequest, content: readonly unknown[]) => ({
  id: readNewFormId(request.posted.fields, request.caller, request.app).derive(content),
  orgId: request.orgId,
  creator: requireAccount(request),
});

const created = ({ body }: { body: { id: string } }, done: 'created' | 'duplicated' = 'created'): PageResult => ({
  location: withDone(buildHref(body.id), done),
});

/** Shows the page again, with what was typed and chosen. */
async function showRefused(request: NewFormRequest, refused: Refusal, status = 400): Promise<PageResult> {
  const { app, orgId, caller, posted, context } = request;
  const owner = await loadOwner(app.table, orgId, requireAccount(request));
  const newId = readNewFormId(posted.fields, caller, app).field;
  const typed = { newId, title: readTitle(posted), formId: readFormId(posted) };
  return { html: renderNewFormPage(context, owner, { ...typed, ...refused }), status };
}

function refuseFile(request: NewFormRequest, faults: readonly Fault[], more: readonly string[] = []) {
  const { language } = request.context;
  const { faultsCut, fileInvalid } = getBuilderTexts(request.context).create;
  const listed = faults.slice(0, MAX_FAULTS);
  const lines = listed.map((fault) => `${placeInBody(fault)}: ${importFaultText(language, fault)}`);
  const notes = [...(listed.length === MAX_FAULTS ? [faultsCut(MAX_FAULTS)] : []), ...more];
  return showRefused(request, { errors: { file: fileInvalid }, faults: { lines, notes } });
}

type Refusal = { errors: { title?: string; form?: string; file?: string }; faults?: FileFaults };

/** Parses the JSON of a file; undefined for what the API would not take either. Throws 413 for too many values. */
function parseJson(text: string): unknown {
  try {
    return parseJsonText(text);
  } catch (error) {
    if (error instanceof Problem && error.code === 'content_too_large') throw error;
    return undefined;
  }
}

/** Checks a definition; `isComplete`: whether the faults include those of references. */
async function readDefinition(json: unknown) {
  const [{ FormDefinition, nameMarkFault }, { findReferenceFaults }] = await Promise.all([
    import('#core/definitions/model.ts'),
    import('#core/definitions/references.ts'),
  ]);
  const definition = validatePart('body', FormDefinition(), json);
  if (!('faults' in definition)) return { form: definition.value.form };
  const references = findReferenceFaults(json, definition.faults);
  return {
    faults: [...definition.faults.map(nameMarkFault), ...(references ?? [])],
    isComplete: references !== undefined,
  };
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
