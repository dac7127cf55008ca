/** The page on which a form is deleted by typing its title. */
import { countForList } from '#core/counts/counters.ts';
import type { Form } from '#core/forms/model.ts';
import type { PageContext } from '../shell/context.ts';
import { errorSummary, pageTitle, textField } from '../shell/controls.ts';
import { type FormHead, loadFormHead } from '../shell/form-frame.ts';
import { type Html, html } from '../shell/html.ts';
import { getBuilderTexts } from '../text/builder.ts';
import { builderLayout, buildHref } from './frame.ts';

type Deletion = { head: FormHead; counts: { submitted: number; drafts: number } };

/** Reads what the page shows in addition to the form: its organization, and how many responses are deleted with it. */
export async function loadDeletion(app: Parameters<typeof loadFormHead>[0], form: Form): Promise<Deletion> {
  const [head, counts] = await Promise.all([loadFormHead(app, form), countForList(app.table, form.id)]);
  return { head, counts };
}

/** The page, again with the error after a wrong title. */
export function renderFormDeletionPage(context: PageContext, { head, counts }: Deletion, error?: string): Html {
  const texts = getBuilderTexts(context).delete;
  const { form } = head;
  const href = buildHref(form.id);
  return builderLayout(context, head, {
    current: 'build',
    title: pageTitle(context, texts.title(form.title), error !== undefined),
    main: html`<div data-confirmation>${errorSummary(context, error === undefined ? [] : [{ target: 'title', message: error }])}
<h1>${texts.title(form.title)}</h1>
<p>${texts.lead}</p>
<p>${texts.extent(context.t.home.responses(counts.submitted, counts.drafts))}</p>
<form method="post" action="${href}/delete" class="card" novalidate data-once data-disposable>
${textField(context, { name: 'title', label: texts.typeTitle(form.title), value: '', error, isExact: true, required: true })}
<p class="actions"><button class="danger">${texts.submit}</button><a class="button secondary" href="${href}" data-cancel>${context.t.shell.cancel}</a></p>
</form></div>`,
  });
}
