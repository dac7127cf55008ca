/**
 * Shows the title and description of a section for editing. Changes the title and description of a section
 * (`do=save`), or moves it.
 */
import { editDraft, openDraftSection, reloadEdited, tryEditDraft } from '#core/forms/draft.ts';
import { Problem } from '#core/problems/problems.ts';
import { listLinkTargets, sectionsInOrder } from '#core/structure/path.ts';
import { requireSection, updateSection } from '#core/structure/questions.ts';
import { SectionPatch } from '#core/structure/section-model.ts';
import { asksTooEarly, moveSection } from '#core/structure/sections.ts';
import { findNode, type Structure, sectionTitle } from '#core/structure/structure.ts';
import type { PageContext } from '../shell/context.ts';
import {
  conflictNotice,
  enterSaves,
  errorSummary,
  type FieldError,
  hiddenFields,
  pageTitle,
  selectField,
} from '../shell/controls.ts';
import { LIST, member, QUESTION_BYTES } from '../shell/declare-page.ts';
import { type FormHead, loadGateHead } from '../shell/form-frame.ts';
import { type Html, html } from '../shell/html.ts';
import { definePage } from '../shell/page.ts';
import { checkFields, listOverwrittenFields, readFields, renderFields, showFields } from '../shell/typed-fields.ts';
import { saveTyped, seenHash } from '../shell/typed-form.ts';
import { getQuestionsTexts } from '../text/questions.ts';
import { hashSection } from './content-hash.ts';
import { builderLayout, withDone } from './frame.ts';
import {
  explainEdit,
  listConditionsOn,
  lockedText,
  mayEditQuestions,
  questionsHref,
  sectionHref,
} from './questions.ts';
import { replacementFor } from './rich-text-field.ts';
import { SECTION, type SectionPage, type TitledSection } from './section.ts';

export const page = definePage({
  name: 'editSection',
  audience: 'authors',
  path: '/build/{formId}/s/{sectionId}',
  access: member,
  needs: LIST,
  open: openDraftSection,
  show: async ({ app, gate, stored, params, context }) => {
    if (!mayEditQuestions(gate)) return { location: questionsHref(gate.formId) };
    const { structure } = stored;
    const section = requireTitled(structure, params.sectionId);
    const typed = showFields(SECTION, section, context);
    return {
      html: renderSectionEditorPage(context, await loadGateHead(app, gate), { gate, structure, section, typed }),
    };
  },
  post: {
    access: member,
    needs: [...LIST, 'table:write'],
    maxFormBytes: QUESTION_BYTES,
    open: openDraftSection,
    actions: {
      changeSection: async ({
        app,
        gate,
        draft,
        stored: { structure },
        caller,
        params: { sectionId },
        posted: { fields },
        context,
      }) => {
        const { edit, section: texts } = getQuestionsTexts(context);
        const list = questionsHref(gate.formId);
        const readSection = (current: Structure) => requireTitled(current, sectionId);
        const section = readSection(structure);
        const typed = readFields(SECTION, fields, section);
        const render = async (
          current: Structure,
          { status = 200, ...changes }: Partial<SectionPage> & { status?: number },
        ) => {
          const data = { gate, structure: current, section: readSection(current), typed };
          const head = await loadGateHead(app, gate);
          return {
            html: renderSectionEditorPage(context, head, { ...data, seen: fields.get('hash'), ...changes }),
            status,
          };
        };
        const locked = lockedText(context, gate);
        if (locked !== undefined) return render(structure, { refusal: locked, status: 409 });
        switch (fields.get('do')) {
          case 'move': {
            const after = fields.get('place') ?? '';
            const move = (current: Structure) => {
              const next = after === '' ? current : moveSection(current, sectionId, after);
              const done = asksTooEarly(current, next) ? 'sectionMovedFaulty' : 'sectionMoved';
              return { next, body: { location: `${withDone(list, done)}#s-${sectionId}` } };
            };
            const result = await tryEditDraft(app, { gate, draft, caller }, move);
            if (!(result instanceof Problem)) return result;
            const newest = (await reloadEdited(app, gate.formId)).structure;
            // With 400, the section that was chosen was deleted meanwhile.
            const refused =
              result.status === 400
                ? { errors: { place: texts.placeGone }, status: 409 }
                : explainEdit(context, result, edit.refused);
            return render(newest, { typed: showFields(SECTION, readSection(newest), context), ...refused });
          }
          case 'preview':
            return render(structure, {});
          case 'replace': {
            const description = replacementFor(section.description);
            return render(structure, { typed: { ...typed, description } });
          }
        }
        const checked = checkFields(context, SECTION, SectionPatch(), { typed, stored: section });
        if ('errors' in checked) return render(structure, { errors: checked.errors, status: 400 });
        return saveTyped({
          fields,
          contentHash: (current: Structure) => hashSection(readSection(current)),
          listOverwritten: (current: Structure) =>
            listOverwrittenFields(context, SECTION, { typed, stored: readSection(current) }),
          reload: async () => (await reloadEdited(app, gate.formId)).structure,
          render,
          explain: (problem) => explainEdit(context, problem, edit.refused),
          save: (requireSeen) =>
            editDraft(app, { gate, draft, caller }, (current) => {
              const next = updateSection(current, sectionId, checked.patch, app.now().toISOString());
              requireSeen(current, next);
              return { next, body: withDone(list, 'saved') };
            }),
        });
      },
    },
  },
});

/** Finds a section with its title. Throws 404 when it was deleted. */
const requireTitled = (structure: Structure, sectionId: string): TitledSection => ({
  ...requireSection(structure, sectionId),
  title: sectionTitle(structure, sectionId),
});

/** Renders the page of a section. */
function renderSectionEditorPage(context: PageContext, head: FormHead, page: SectionPage): Html {
  const { section: texts, list } = getQuestionsTexts(context);
  const { gate, structure, section, typed, errors = {}, overwritten = [], refusal } = page;
  const { title } = section;
  const href = sectionHref(gate.formId, section.id);
  const faults = (['title', 'description', 'place'] as const).flatMap((target): FieldError[] => {
    const message = errors[target];
    return message === undefined ? [] : [{ target, message }];
  });
  return builderLayout(context, head, {
    current: 'questions',
    title: pageTitle(context, title || list.untitled, faults.length > 0),
    main: html`${errorSummary(context, faults)}
${refusal !== undefined && html`<div class="notice warning" role="alert" tabindex="-1" data-error-summary><p>${refusal}</p></div>`}
${overwritten.length > 0 && conflictNotice(context, { values: overwritten, reload: href })}
<p><a class="back" href="${questionsHref(gate.formId)}#s-${section.id}">${list.title}</a></p>
<h1>${texts.title}</h1>
<form method="post" action="${href}" class="card" novalidate data-once>
${enterSaves(context)}${hiddenFields({ hash: seenHash(hashSection(section), page) })}
${renderFields(context, SECTION, { typed, stored: section, errors, action: href })}<p class="actions"><button>${context.t.shell.save}</button></p>
</form>
${placeForm(context, { href, structure, section, error: errors.place })}
<p class="actions section-heading"><a class="button secondary" href="${href}/new">${list.addQuestion}</a><a class="button danger" href="${href}/delete" data-dialog>${texts.remove}</a></p>`,
  });
}

/** Renders the form that moves a section, and what its move means for rules. */
function placeForm(
  context: PageContext,
  {
    href,
    structure,
    section: { id, questions },
    error,
  }: Pick<SectionPage, 'structure' | 'section'> & { href: string; error: string | undefined },
): Html {
  const { section: texts, list } = getQuestionsTexts(context);
  const leading = structure.nodes.filter((node) => listLinkTargets(node).includes(id));
  const current = leading.find(({ type }) => type !== 'CONDITION');
  const places = [
    ...(current ? [] : [{ value: '', label: texts.placeByRule }]),
    ...structure.nodes.filter(({ type }) => type === 'START').map((start) => ({ value: start.id, label: texts.first })),
    ...sectionsInOrder(structure)
      .filter((other) => other.id !== id)
      .map((other) => ({ value: other.id, label: texts.after(sectionTitle(structure, other.id) || list.untitled) })),
  ];
  const rulesTo = leading.filter(({ type }) => type === 'CONDITION').length;
  const rulesBehind = findNode(structure, findNode(structure, id)?.next ?? '')?.type === 'CONDITION';
  const rulesAsking = questions.reduce((sum, question) => sum + listConditionsOn(structure, question.id).length, 0);
  return html`<form method="post" action="${href}" class="card section-heading" data-once>
<h2>${texts.place}</h2>
<p>${texts.moveLead}</p>
<ul>${[rulesTo > 0 && texts.rulesTo(rulesTo), rulesBehind && texts.rulesBehind, rulesAsking > 0 && texts.rulesAsking(rulesAsking)].map((text) => text !== false && html`<li>${text}</li>`)}</ul>
<div class="with-button">${selectField(context, { name: 'place', label: texts.moveTo, value: current?.id ?? '', options: places, error })}
<button class="secondary" name="do" value="move">${texts.move}</button></div>
</form>`;
}
