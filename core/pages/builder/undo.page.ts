/** Undoes the deletion or move that the field `undo` names; a second press finds it undone. */
import type { Caller } from '#core/access/access.ts';
import { openEditedForm } from '#core/forms/edited.ts';
import { findUndo, type UndoOutcome, undoStoredEdit } from '#core/forms/undo.ts';
import { presentConflicts } from '#core/structure/publish.ts';
import type { PageContext } from '../shell/context.ts';
import { LIST, member } from '../shell/declare-page.ts';
import { type FormHead, loadGateHead } from '../shell/form-frame.ts';
import { type Html, html } from '../shell/html.ts';
import { definePage } from '../shell/page.ts';
import { getQuestionsTexts } from '../text/questions.ts';
import { getVersionsTexts } from '../text/versions.ts';
import { describePlace, namePlace } from './conflicts.ts';
import { builderLayout, buildHref, withDone } from './frame.ts';
import { mayEditQuestions, questionsHref } from './questions.ts';
import { rulesHref } from './rules.ts';
import { describeEdit } from './undo.ts';

export const page = definePage({
  name: 'undo',
  audience: 'authors',
  path: '/build/{formId}/undo',
  segmentsBelowPage: 1,
  post: {
    access: member,
    needs: [...LIST, 'table:write'],
    open: openEditedForm,
    actions: {
      undoEdit: async ({ app, gate, edited, caller, posted, context }) => {
        const list = questionsHref(gate.formId);
        if (!mayEditQuestions(gate)) return { location: list };
        const id = posted.fields.get('undo') ?? '';
        const loaded = await findUndo(app, gate.formId, id);
        const result = await undoStoredEdit(app, { gate, edited, caller }, { id, loaded });
        if (result.outcome === 'refused') {
          return { html: renderUndoRefusedPage(context, await loadGateHead(app, gate), result, caller), status: 409 };
        }
        if (result.outcome === 'gone') return { location: withDone(list, 'nothingToUndo') };
        // The editor shows rules, too.
        if (result.undo.kind === 'RULE' && posted.fields.get('stay') !== 'on')
          return { location: withDone(rulesHref(gate.formId), 'undone') };
        const [section] = result.undo.sections;
        const [question] = result.undo.questions;
        // A move changes the order of a section, or what leads to one.
        const linked = result.undo.nodes.find(({ before }) => before?.type === 'SECTION')?.id;
        const sectionId = section?.id ?? result.undo.orders[0]?.sectionId ?? linked;
        const anchor = question && !section ? `#q-${question.id}` : sectionId === undefined ? '' : `#s-${sectionId}`;
        const done = result.takenNames.length > 0 ? 'undoneUnnamed' : 'undone';
        return { location: `${withDone(list, done)}${anchor}` };
      },
    },
  },
});

/** Renders the page of an edit that cannot be undone, with what was edited since and what it was before. */
function renderUndoRefusedPage(
  context: PageContext,
  head: FormHead,
  { undo, conflicts, now, before }: Extract<UndoOutcome, { outcome: 'refused' }>,
  caller: Caller,
): Html {
  const { undo: texts } = getVersionsTexts(context);
  const places = presentConflicts(conflicts, { theirs: now, mine: before });
  return builderLayout(context, head, {
    current: 'edit',
    title: texts.refusedTitle,
    main: html`<div class="notice warning" role="alert" tabindex="-1" data-error-summary><p>${texts.refused}</p></div>
<h1>${texts.refusedTitle}</h1>
<p>${describeEdit(context, undo, caller)}</p>
${places.map(
  (place) => html`<h2 class="section-heading">${namePlace(context, now, place)}</h2>
<dl class="facts"><dt>${texts.now}</dt><dd>${describePlace(context, now, place, before)}</dd><dt>${texts.before}</dt><dd>${describePlace(context, before, place, now)}</dd></dl>`,
)}
<p class="actions"><a class="button" href="${buildHref(head.form.id)}/questions">${getQuestionsTexts(context).list.title}</a></p>`,
  });
}
