/** The page on which a form is created: empty, from a template, from another form, or from a file. */

import type { Account } from '#core/accounts/model.ts';
import type { Table } from '#core/db/table.ts';
import { listTemplates } from '#core/definitions/templates.ts';
import { type FormEntry, listFormEntries } from '#core/forms/lists.ts';
import { FormStatus } from '#core/forms/model.ts';
import type { StoredOrganization } from '#core/organizations/store.ts';
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
import { type Html, html } from '../shell/html.ts';
import { layout, type OtherOrganizations } from '../shell/layout.ts';
import { loadWithOthers } from '../shell/organization-switch.ts';
import { getBuilderTexts } from '../text/builder.ts';

type NewForm = {
  newId: string;
  title: string;
  /** The id of the form that was chosen to be copied. */
  formId?: string;
  errors: { title?: string | undefined; form?: string | undefined; file?: string | undefined };
  faults?: FileFaults;
};

/** All faults of a file by their place, and what is to be said about others. */
export type FileFaults = { lines: readonly string[]; notes: readonly string[] };

/** An organization with its newest forms, and the other organizations of the reader. */
type Owner = { org: StoredOrganization; otherOrganizations: OtherOrganizations; forms: readonly FormEntry[] };

/** The faults of a file that are shown at once; further ones are folded. */
const SHOWN_FAULTS = 50;

/** The forms that are offered to be copied; others are copied from the list of all forms. */
const MAX_FORMS = 20;

/** Reads an organization with its newest forms and the organizations to which its reader can switch, in one round trip. Throws 404 when it was deleted. */
export async function loadOwner(table: Table, orgId: string, account: Account | undefined): Promise<Owner> {
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
export function renderNewFormPage(
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
