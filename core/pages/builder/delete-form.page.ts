/** Says what is lost with a form, before it is deleted. Deletes a form whose title was typed. */
import { countForList } from '#core/counts/counters.ts';
import { deleteForm } from '#core/deletion/marks.ts';
import type { Form } from '#core/forms/model.ts';
import { openForm } from '#core/forms/open.ts';
import type { PageContext } from '../shell/context.ts';
import { errorSummary, pageTitle, textField } from '../shell/controls.ts';
import { LIST } from '../shell/declare-page.ts';
import { type FormHead, loadFormHead } from '../shell/form-frame.ts';
import { type Html, html } from '../shell/html.ts';
import { definePage } from '../shell/page.ts';
import { getBuilderTexts } from '../text/builder.ts';
import { builderLayout, buildHref } from './frame.ts';

const formDeleter = { credential: 'user', target: 'form', roles: ['admin', 'creator'] } as const;

export const page = definePage({
  name: 'deleteForm',
  audience: 'builders',
  path: '/build/{formId}/delete',
  access: formDeleter,
  needs: LIST,
  open: openForm,
  show: async ({ app, form, context }) => ({
    html: renderFormDeletionPage(context, await loadDeletion(app, form)),
  }),
  post: {
    access: formDeleter,
    needs: [...LIST, 'table:write'],
    open: openForm,
    actions: {
      deleteForm: async ({ app, form, posted, context }) => {
        const deletion = await loadDeletion(app, form);
        if (posted.fields.get('title')?.trim() !== form.title.trim()) {
          return {
            html: renderFormDeletionPage(context, deletion, getBuilderTexts(context).delete.titleWrong),
            status: 400,
          };
        }
        await deleteForm(app, form);
        return { location: `/o/${deletion.head.organization.slug}` };
      },
    },
  },
});

type Deletion = { head: FormHead; counts: { submitted: number; drafts: number } };

/** Reads what the page shows in addition to the form: its organization, and how many responses are deleted with it. */
async function loadDeletion(app: Parameters<typeof loadFormHead>[0], form: Form): Promise<Deletion> {
  const [head, counts] = await Promise.all([loadFormHead(app, form), countForList(app.table, form.id)]);
  return { head, counts };
}

/** The page, again with the error after a wrong title. */
function renderFormDeletionPage(context: PageContext, { head, counts }: Deletion, error?: string): Html {
  const texts = getBuilderTexts(context).delete;
  const { form } = head;
  const href = buildHref(form.id);
  return builderLayout(context, head, {
    current: 'overview',
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
