/** Publishes, closes, archives, unarchives or duplicates a form: `do` says which, `to` the list that archives it. */
import { builderPages } from '#core/api/builder-pages.ts';
import { countForList } from '#core/counts/counters.ts';
import { keys } from '#core/db/keys.ts';
import { copyTitle, duplicateForm, openCompleteForm } from '#core/definitions/copies.ts';
import { updateForm } from '#core/forms/cover.ts';
import { getFormState, requireOpen } from '#core/forms/gate.ts';
import { applyTransition, publishForm, withEditor } from '#core/forms/status.ts';
import { changeForm } from '#core/forms/store.ts';
import { requireMembership } from '#core/organizations/service.ts';
import { buildHref, withDone } from '#core/pages/builder/frame.ts';
import { listObstacles } from '#core/pages/builder/obstacles.ts';
import { renderOverviewPage } from '#core/pages/builder/overview.ts';
import { addDone } from '#core/pages/shell/controls.ts';
import { loadFormHead } from '#core/pages/shell/form-frame.ts';
import { newFormField, readNewFormId } from '#core/pages/shell/new-id.ts';
import { page } from '#core/pages/shell/page.ts';
import { parseReturnPath } from '#core/pages/shell/result.ts';
import { getBuilderTexts } from '#core/pages/text/builder.ts';
import { Problem, problems } from '#core/problems/problems.ts';
import { parseChanges } from '#core/structure/changes.ts';

export const handler = page(
  builderPages.changeStatus,
  openCompleteForm,
  async ({ app, complete, account, caller, roles, posted, context }) => {
    const { form, structure } = complete;
    const href = buildHref(form.id);
    const now = context.now.toISOString();
    const transition = (name: 'archive' | 'unarchive') => {
      if (!roles.includes('admin')) throw problems.forbidden('This action is only for: admins of the organization.');
      return changeForm(app, form, (current) => ({ next: withEditor(applyTransition(current, name), caller.id, now) }));
    };
    const to = posted.fields.get('to');
    const afterTransition = (done: 'archived' | 'unarchived'): string =>
      addDone(to === null ? href : parseReturnPath(to, context.publicUrl), done);
    try {
      switch (posted.fields.get('do')) {
        case 'publish':
          await publishForm(app, { form, structure }, caller.id);
          return {
            location: withDone(
              href,
              listObstacles(form, structure, context.now).length === 0 ? 'published' : 'publishedUnanswerable',
            ),
          };
        case 'close':
          if (getFormState(form, context.now) !== 'closed') {
            requireOpen(form, context.now);
            await updateForm(app, form, { deadline: now }, caller.id);
          }
          return { location: withDone(href, 'closed') };
        case 'archive':
          await transition('archive');
          return { location: afterTransition('archived') };
        case 'unarchive':
          await transition('unarchive');
          return { location: afterTransition('unarchived') };
        case 'duplicate': {
          if (!account?.onboarded) throw problems.onboardingRequired();
          // A list has one field for the copies of all its forms.
          const slug = posted.fields.get('organization');
          const orgId = slug ? await requireMembership(app.table, slug, account) : form.orgId;
          const id = readNewFormId(posted.fields, caller, app).derive([
            form.id,
            form.version,
            structure.version,
            orgId,
          ]);
          const title = copyTitle(form.title, getBuilderTexts(context).copyOf);
          const { body } = await duplicateForm(app, complete, { id, orgId, creator: account, title });
          return { location: withDone(buildHref(body.id), 'duplicated') };
        }
        default:
          throw problems.notFound();
      }
    } catch (error) {
      if (!(error instanceof Problem) || error.status !== 400) throw error;
      const { refused } = getBuilderTexts(context).overview;
      const refusal = Object.entries(refused).find(([code]) => code === error.code)?.[1] ?? refused.other;
      const [head, counts, [item]] = await Promise.all([
        loadFormHead(app, form),
        countForList(app.table, form.id),
        app.table.read([keys.formChanges(form.id)]),
      ]);
      const changes = parseChanges(item);
      const edited = { structure: changes?.structure ?? structure, hasChanges: changes !== undefined };
      const page = { form, ...edited, counts, roles, newId: newFormField(app), refusal };
      return { html: renderOverviewPage(context, head, page), status: 400 };
    }
  },
);
