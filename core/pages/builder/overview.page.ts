/**
 * Shows what a form has and what it lacks. Publishes, closes, archives, unarchives or duplicates a form: `do` says
 * which, `to` the list that archives it.
 */
import type { Opener, Role } from '#core/access/access.ts';
import { countForList } from '#core/counts/counters.ts';
import { keys } from '#core/db/keys.ts';
import type { CompleteForm } from '#core/definitions/copies.ts';
import { openFormWithQuestions } from '#core/forms/edited.ts';
import { type FormState, getFormState } from '#core/forms/gate.ts';
import type { Form } from '#core/forms/model.ts';
import type { OpenedForm } from '#core/forms/open.ts';
import { archiveForm, closeForm, publishForm, unarchiveForm } from '#core/forms/status.ts';
import { loadNewestUndo, offeredUndo } from '#core/forms/undo.ts';
import { requireMembership } from '#core/organizations/service.ts';
import { problems } from '#core/problems/problems.ts';
import { countFailedMails, MAX_FAILED_COUNTED } from '#core/responses/failed-count.ts';
import { type Going, loadGoing } from '#core/responses/going.ts';
import { formatDay } from '#core/schema/format.ts';
import { parseChanges } from '#core/structure/changes.ts';
import type { Structure } from '#core/structure/structure.ts';
import { type PageContext, renderTime } from '../shell/context.ts';
import { addDone, selectField, shareLink } from '../shell/controls.ts';
import { LIST, member } from '../shell/declare-page.ts';
import { renderDressing } from '../shell/dressing.ts';
import type { FormFields } from '../shell/form-fields.ts';
import { type FormHead, loadFormHead } from '../shell/form-frame.ts';
import { type Html, html } from '../shell/html.ts';
import { newFormField, readNewFormId } from '../shell/new-id.ts';
import { definePage } from '../shell/page.ts';
import { parseReturnPath } from '../shell/result.ts';
import { getBuilderTexts } from '../text/builder.ts';
import { type Checks, checkList, listChecks, listFaults, listSettingWarnings } from './check-list.ts';
import { editorScript, renderEditor } from './editor.ts';
import { builderLayout, buildHref, withDone } from './frame.ts';
import { listObstacles, obstacleNotice } from './obstacles.ts';
import { mayEditQuestions } from './questions.ts';
import { undoForm } from './undo.ts';

/** Only a copy needs all of a form, which is loaded when the page is posted. */
const openComplete: Opener<OpenedForm & { complete: CompleteForm }> = async (call) =>
  (await import('#core/definitions/copies.ts')).openCompleteForm(call);

export const page = definePage({
  name: 'overview',
  audience: 'builders',
  path: '/build/{formId}',
  access: member,
  needs: LIST,
  open: openFormWithQuestions,
  show: async ({ app, form, structure, live, hasChanges, roles, caller, query, context }) => {
    const [head, counts, failedMails, going, kept] = await Promise.all([
      loadFormHead(app, form),
      countForList(app.table, form.id),
      countFailedMails(app.table, form.id, form),
      loadGoing(app, form.id, form),
      loadNewestUndo(app.table, form.id, app.now()),
    ]);
    const offered = mayEditQuestions(form) ? offeredUndo(structure, kept) : undefined;
    const undo = offered && caller && undoForm(form.id, offered, caller);
    const data = {
      form,
      structure,
      live,
      hasChanges,
      counts,
      failedMails,
      going,
      roles,
      undo,
      newId: newFormField(app),
      sectionId: query.get('s'),
    };
    return { html: renderOverviewPage(context, head, data) };
  },
  post: {
    access: member,
    needs: [...LIST, 'table:write', 'covers:read', 'covers:write'],
    creates: ['duplicate'],
    open: openComplete,
    actions: {
      publish: async ({ app, complete: { form, structure }, caller, context }) => {
        await publishForm(app, { form, structure }, caller.id);
        const isAnswerable = listObstacles(form, structure, context.now).length === 0;
        return { location: withDone(buildHref(form.id), isAnswerable ? 'published' : 'publishedUnanswerable') };
      },
      close: async ({ app, complete: { form }, caller }) => {
        await closeForm(app, form, caller.id);
        return { location: withDone(buildHref(form.id), 'closed') };
      },
      archive: async (request) => {
        requireAdmin(request.roles);
        await archiveForm(request.app, request.complete.form, request.caller.id);
        return { location: addDone(pathBack(request), 'archived') };
      },
      unarchive: async (request) => {
        requireAdmin(request.roles);
        await unarchiveForm(request.app, request.complete.form, request.caller.id);
        return { location: addDone(pathBack(request), 'unarchived') };
      },
      duplicate: async ({ app, complete, account, caller, posted, context }) => {
        if (!account?.onboarded) throw problems.onboardingRequired();
        const { copyTitle, duplicateForm } = await import('#core/definitions/copies.ts');
        const { form, structure } = complete;
        // A list has one field for the copies of all its forms.
        const slug = posted.fields.get('organization');
        const orgId = slug ? await requireMembership(app.table, slug, account) : form.orgId;
        const content = [form.id, form.version, structure.version, orgId];
        const id = readNewFormId(posted.fields, caller, app).derive(content);
        const title = copyTitle(form.title, getBuilderTexts(context).copyOf);
        const { body } = await duplicateForm(app, complete, { id, orgId, creator: account, title });
        return { location: withDone(buildHref(body.id), 'duplicated') };
      },
    },
    explain: async ({ app, complete: { form, structure }, roles, context }, { status, code }) => {
      if (status !== 400) return undefined;
      const { refused } = getBuilderTexts(context).overview;
      const refusal = Object.entries(refused).find(([each]) => each === code)?.[1] ?? refused.other;
      const [head, counts, [item]] = await Promise.all([
        loadFormHead(app, form),
        countForList(app.table, form.id),
        app.table.read([keys.formChanges(form.id)]),
      ]);
      const changes = parseChanges(item);
      const edited = {
        structure: changes?.structure ?? structure,
        live: structure,
        hasChanges: changes !== undefined,
      };
      const data = { form, ...edited, counts, roles, newId: newFormField(app), refusal };
      return { html: renderOverviewPage(context, head, data), status: 400 };
    },
  },
});

function requireAdmin(roles: readonly Role[]): void {
  if (!roles.includes('admin')) throw problems.forbidden('This action is only for: admins of the organization.');
}

/** The page to which its reader returns: a list of forms, if the button was there. */
function pathBack({ complete, posted, context }: ArchiveRequest): string {
  const to = posted.fields.get('to');
  return to === null ? buildHref(complete.form.id) : parseReturnPath(to, context.publicUrl);
}

type ArchiveRequest = { complete: { form: Form }; posted: FormFields; context: PageContext };

type Overview = {
  form: Form;
  /** What is edited: the changes if there are any. */
  structure: Structure;
  /** What respondents see. */
  live: Structure;
  /** Whether there are changes that are not published yet. */
  hasChanges: boolean;
  /** The responses to the form. */
  counts: { drafts: number; submitted: number };
  /** How many mails of submissions could not be sent, up to 100; undefined if they are not counted. */
  failedMails?: number;
  /** How many responses are deleted next for their age; undefined for none. */
  going?: Going | undefined;
  roles: readonly Role[];
  newId: string;
  /** The form that undoes the last edit; its button is in the bar of the editor. */
  undo?: Html | undefined;
  /** The section that the canvas of a long form shows. */
  sectionId?: string | null;
  /** Why the last action was refused. */
  refusal?: string | undefined;
};

/** Renders what a form has and lacks, with the buttons that its status allows. */
function renderOverviewPage(context: PageContext, head: FormHead, page: Overview): Html {
  const { overview: texts } = getBuilderTexts(context);
  const {
    form,
    structure,
    roles,
    newId,
    hasChanges,
    counts,
    failedMails = 0,
    going,
    refusal,
    sectionId = null,
    undo,
  } = page;
  const isAdmin = roles.includes('admin');
  const mayDelete = isAdmin || roles.includes('creator');
  const href = buildHref(form.id);
  const state = getFormState(form, context.now);
  // Of a draft, changes without a difference are closed first, too.
  const mayPublish = head.differenceCount !== undefined || (hasChanges && form.status === 'DRAFT');
  const faults = form.status === 'DRAFT' && !hasChanges ? listFaults(context, structure) : [];
  return builderLayout(context, head, {
    current: 'edit',
    title: form.title,
    width: 'wide',
    head: html`${renderDressing(form.dressing, context.nonce, '.canvas')}${editorScript()}`,
    main: html`${refusal !== undefined && html`<div class="notice warning" role="alert" tabindex="-1" data-error-summary><p>${refusal}</p></div>`}
${mayPublish && html`<div class="notice warning"><p>${texts.changes}</p><p class="actions"><a class="button" href="${href}/changes">${texts.review}</a></p></div>`}
<h1 class="visually-hidden">${form.title}</h1>
${publishFaults(context, faults, refusal !== undefined)}
${renderEditor(context, { formId: form.id, structure, isEditable: mayEditQuestions(form), newId, sectionId })}
${undo}
<div class="overview">
<p><a href="/review/${form.id}">${texts.counts(counts.submitted, counts.drafts)}</a></p>
${failedMails > 0 && html`<p class="notice warning"><a href="/review/${form.id}/failed">${texts.failedMails(failedMails, failedMails === MAX_FAILED_COUNTED)}</a></p>`}
${going && html`<p class="muted small">${texts.going(going.count, formatDay(context, going.at), going.isMore)}</p>`}
<h2${faults.length === 0 && html` id="publish"`} tabindex="-1">${texts.tasks}</h2>
${tasks(context, page, state)}
${form.status !== 'ARCHIVED' && obstacleNotice(context, listObstacles(form, structure, context.now))}
${mainAction(context, page, state)}
<details class="card section-heading"><summary>${texts.more}</summary>
${renderDuplication(context, head, newId)}
<p class="hint">${texts.versionsHint}</p><p><a class="button secondary" href="${href}/versions">${texts.versions}</a></p>
<p class="hint">${texts.exportHint}</p><p><a class="button secondary" href="${href}/definition" download>${texts.export}</a></p>
${
  isAdmin &&
  (form.status === 'ARCHIVED'
    ? action(href, { name: 'unarchive', label: texts.unarchive })
    : action(href, { name: 'archive', label: texts.archive, hint: texts.archiveHint }))
}
${mayDelete && html`<p><a class="button danger" href="${href}/delete" data-dialog>${texts.delete}</a></p>`}
</details>
</div>`,
  });
}

/**
 * Says what prevents publishing, each with a link to where it is corrected: *Publish* leads here, and only then it is shown. It stands
 * above the editor, because there is nothing to do below it yet.
 */
const publishFaults = (context: PageContext, faults: Checks['faults'], isRefused: boolean): Html =>
  html`<div class="publish-faults${isRefused && ' refused'}"${
    faults.length > 0 && html` id="publish" tabindex="-1" role="group" aria-labelledby="publish-faults-title"`
  }>${
    faults.length > 0 &&
    html`<div class="error-summary"><h2 id="publish-faults-title">${getBuilderTexts(context).overview.notYet(faults.length)}</h2>
<ul>${faults.map(({ href, text }) => html`<li><a href="${href}">${text}</a></li>`)}</ul></div>`
  }</div>`;

/** A list of tasks: what is ready, what is missing for publishing, and what can be chosen. */
function tasks(context: PageContext, { form, structure, live }: Overview, state: FormState): Html {
  const { overview: texts } = getBuilderTexts(context);
  const href = buildHref(form.id);
  const count = structure.sections.reduce((sum, { questions }) => sum + questions.length, 0);
  const { faults, warnings } = listChecks(context, structure);
  const selectChecks = (page: 'questions' | 'rules'): Checks => ({
    faults: faults.filter((check) => check.page === page),
    warnings: warnings.filter((check) => check.page === page),
  });
  const ofQuestions = selectChecks('questions');
  const ofRules = selectChecks('rules');
  const ofSettings = { faults: [], warnings: listSettingWarnings(context, form, { structure, live }) };
  const hasEnded = listObstacles(form, structure, context.now).includes('deadlinePassed');
  const rows = [
    {
      name: html`<a href="${href}/questions">${texts.questions}</a>`,
      detail: html`${count === 0 ? texts.noQuestions : texts.questionCount(count, structure.sections.length)}${checkList(context, ofQuestions)}`,
      state: count > 0 && ofQuestions.faults.length === 0 ? 'ready' : 'missing',
    },
    {
      name: html`<a href="${href}/rules">${texts.path}</a>`,
      detail: html`${faults.length === 0 && texts.pathReady}${checkList(context, ofRules)}`,
      state: ofRules.faults.length === 0 ? 'ready' : 'missing',
    },
    {
      name: html`<a href="${href}/settings">${texts.settings}</a>`,
      detail: html`${texts.settingsState[form.visibility]}${hasEnded && html` · ${texts.settingsClosed}`}${checkList(context, ofSettings)}`,
      state: hasEnded ? (form.status === 'DRAFT' ? 'missing' : 'closed') : 'ready',
    },
    {
      name: html`<a href="${href}/look">${texts.look}</a>`,
      detail: html`${texts.lookState(form.dressing.color !== undefined, form.coverImage !== null)}`,
      state: 'optional',
    },
    {
      name: html`<a href="${href}/share">${context.t.form.share}</a>`,
      detail: html`${texts.shareState[state]}`,
      state: state === 'open' || state === 'not-yet' ? 'ready' : 'closed',
    },
  ] as const;
  const tone = { ready: ' good', missing: ' bad', optional: '', closed: '' };
  return html`<ul class="rows tasks">${rows.map(
    ({ name, detail, state: taskState }) =>
      html`<li><div class="row-text"><h3>${name}</h3><div class="muted small">${detail}</div></div><div class="row-side"><span class="tag${tone[taskState]}">${texts[taskState]}</span></div></li>`,
  )}</ul>`;
}

/** What an author most likely does next. A draft with changes is not published without them: they come first. */
function mainAction(
  context: PageContext,
  { form, structure, hasChanges }: Overview,
  state: FormState,
): Html | undefined {
  const { overview: texts } = getBuilderTexts(context);
  const { status, publishTime, visibility } = form;
  const href = buildHref(form.id);
  if (status === 'DRAFT') {
    if (hasChanges) return html`<p class="hint">${texts.changesFirst}</p>`;
    const isMain = structure.sections.some(({ questions }) => questions.length > 0);
    const opensLater = publishTime !== null && publishTime > context.now.toISOString();
    return html`<p>${texts.publishDoes[visibility]} ${opensLater && html`${texts.opensLater} ${renderTime(context, publishTime, 'zone')}. `}${texts.publishLater}</p>
${action(href, { name: 'publish', label: texts.publish, isMain })}`;
  }
  if (status === 'ARCHIVED') return undefined;
  return html`${shareLink(context, form.id)}
<p class="actions"><a class="button" href="${href}/share">${context.t.form.share}</a></p>
${state === 'open' && action(href, { name: 'close', label: texts.close, hint: texts.closeHint })}
${state === 'not-yet' && publishTime !== null && html`<p class="hint">${texts.notOpenYet} ${renderTime(context, publishTime, 'zone')}</p>`}`;
}

/** Copies the form, into another organization of the reader if they choose one. */
function renderDuplication(
  context: PageContext,
  { form, organization, otherOrganizations }: FormHead,
  newId: string,
): Html {
  const { overview: texts } = getBuilderTexts(context);
  const others = (otherOrganizations?.links ?? []).map(({ href, name }) => ({
    value: href.replace('/o/', ''),
    label: name,
  }));
  const options = [{ value: organization.slug, label: organization.name }, ...others];
  return html`<form method="post" action="${buildHref(form.id)}" data-once data-disposable><input type="hidden" name="id" value="${newId}">
${others.length > 0 && selectField(context, { name: 'organization', label: texts.duplicateTo, value: organization.slug, options })}
<p class="actions"><button name="do" value="duplicate" class="secondary">${texts.duplicate}</button></p></form>
<p class="hint">${texts.duplicateHint}</p>`;
}

type Action = { name: string; label: string; hint?: string; isMain?: boolean };

const action = (href: string, { name, label, hint, isMain = false }: Action): Html =>
  html`<form method="post" action="${href}" class="actions" data-once><button name="do" value="${name}"${!isMain && html` class="secondary"`}>${label}</button></form>
${hint !== undefined && html`<p class="hint">${hint}</p>`}`;
