/**
 * Shows the title and description of a section for editing. Changes the title and description of a section
 * (`do=save`), or moves it.
 */
import { editForm, type OpenedEditedForm, openEditedSection, reloadEdited, tryEditForm } from '#core/forms/edited.ts';
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
import { attribute, type Html, html } from '../shell/html.ts';
import { definePage, type PageRequest } from '../shell/page.ts';
import type { PageResult } from '../shell/result.ts';
import {
  checkFields,
  listOverwrittenFields,
  readFields,
  renderEach,
  renderFields,
  showFields,
} from '../shell/typed-fields.ts';
import { type Refused, saveTyped, seenHash } from '../shell/typed-form.ts';
import { getEditorTexts } from '../text/editor.ts';
import { getQuestionsTexts } from '../text/questions.ts';
import { hashSection } from './content-hash.ts';
import { earlierNames } from './earlier-names.ts';
import { renderSectionParts } from './editor.ts';
import { builderLayout, withDone } from './frame.ts';
import { isOfEditor, openedRow, rowTool } from './opened-row.ts';
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
  open: openEditedSection,
  show: async ({ app, gate, stored, params, query, context }) => {
    if (!mayEditQuestions(gate)) return { location: questionsHref(gate.formId) };
    const { structure } = stored;
    const section = requireTitled(structure, params.sectionId);
    const data = { gate, structure, section, typed: showFields(SECTION, section, context) };
    if (isOfEditor(query)) return { html: renderSectionPart(context, data) };
    return { html: renderSectionEditorPage(context, await loadGateHead(app, gate), data) };
  },
  post: {
    access: member,
    needs: [...LIST, 'table:write'],
    maxFormBytes: QUESTION_BYTES,
    open: openEditedSection,
    byDefault: 'save',
    actions: {
      save: async (request) => {
        const { app, gate, edited, stored, caller, params, posted, context } = request;
        const { structure } = stored;
        const locked = showLocked(request);
        if (locked) return locked;
        const readSection = (current: Structure) => requireTitled(current, params.sectionId);
        const section = readSection(structure);
        const typed = readFields(SECTION, posted.fields, section);
        const checked = checkFields(context, SECTION, SectionPatch(), { typed, stored: section });
        if ('errors' in checked) return showTyped(request, structure, { errors: checked.errors, status: 400 });
        let saved = structure;
        const result = await saveTyped({
          fields: posted.fields,
          contentHash: (current: Structure) => hashSection(readSection(current)),
          listOverwritten: (current: Structure) =>
            listOverwrittenFields(context, SECTION, { typed, stored: readSection(current) }),
          reload: async () => (await reloadEdited(app, gate.formId)).structure,
          render: (current: Structure, refused: Refused<NonNullable<SectionPage['errors']>>) =>
            showTyped(request, current, refused),
          explain: (problem) => explainEdit(context, problem, getQuestionsTexts(context).edit.refused),
          save: (requireSeen) =>
            editForm(app, { gate, edited, caller }, (current) => {
              const next = updateSection(current, section.id, checked.patch, app.now().toISOString());
              requireSeen(current, next);
              saved = next;
              return { next, body: withDone(questionsHref(gate.formId), 'saved') };
            }),
        });
        if (!('location' in result) || !isOfEditor(posted.fields)) return result;
        const shown = readSection(saved);
        const data = { gate, structure: saved, section: shown, typed: showFields(SECTION, shown, context) };
        return { html: renderSectionPart(context, data) };
      },
      move: async (request) => {
        const { app, gate, edited, caller, params, posted, context } = request;
        const locked = showLocked(request);
        if (locked) return locked;
        const after = posted.fields.get('place') ?? '';
        const result = await tryEditForm(app, { gate, edited, caller }, (current) => {
          const next = after === '' ? current : moveSection(current, params.sectionId, after);
          const done = asksTooEarly(current, next) ? 'sectionMovedFaulty' : 'sectionMoved';
          return { next, body: { location: `${withDone(questionsHref(gate.formId), done)}#s-${params.sectionId}` } };
        });
        if (!(result instanceof Problem)) return result;
        const { edit, section: texts } = getQuestionsTexts(context);
        const newest = (await reloadEdited(app, gate.formId)).structure;
        // With 400, the section that was chosen was deleted meanwhile.
        const refused =
          result.status === 400
            ? { errors: { place: texts.placeGone }, status: 409 }
            : explainEdit(context, result, edit.refused);
        const typed = showFields(SECTION, requireTitled(newest, params.sectionId), context);
        return showTyped(request, newest, { typed, ...refused });
      },
      preview: async (request) => showLocked(request) ?? showTyped(request, request.stored.structure, {}),
      replace: async (request) => {
        const { structure } = request.stored;
        const section = requireTitled(structure, request.params.sectionId);
        const typed = readFields(SECTION, request.posted.fields, section);
        const changes = { typed: { ...typed, description: replacementFor(section.description) } };
        return showLocked(request) ?? showTyped(request, structure, changes);
      },
    },
  },
});

type SectionRequest = OpenedEditedForm & Pick<PageRequest<'{sectionId}'>, 'app' | 'params' | 'posted' | 'context'>;

/** Shows what was typed again, beside what is stored. */
async function showTyped(
  { app, gate, stored, params, posted: { fields }, context }: SectionRequest,
  structure: Structure,
  { status = 200, ...changes }: Partial<SectionPage> & { status?: number },
): Promise<PageResult> {
  const section = requireTitled(structure, params.sectionId);
  const typed = readFields(SECTION, fields, requireTitled(stored.structure, params.sectionId));
  const data = { gate, structure, section, typed, seen: fields.get('hash'), ...changes };
  return isOfEditor(fields)
    ? { html: renderSectionPart(context, data), status }
    : { html: renderSectionEditorPage(context, await loadGateHead(app, gate), data), status };
}

/** Shows what was typed, with the reason, if the form must not be edited. */
function showLocked(request: SectionRequest): Promise<PageResult> | undefined {
  const refusal = lockedText(request.context, request.gate);
  return refusal === undefined ? undefined : showTyped(request, request.stored.structure, { refusal, status: 409 });
}

/** Finds a section with its title. Throws 404 when it was deleted. */
const requireTitled = (structure: Structure, sectionId: string): TitledSection => ({
  ...requireSection(structure, sectionId),
  title: sectionTitle(structure, sectionId),
});

/** Renders a section as the editor has it: its head, opened, and its line in the outline. */
function renderSectionPart(context: PageContext, page: SectionPage): Html {
  const texts = getEditorTexts(context);
  const { gate, structure, section, typed, errors = {}, overwritten, refusal } = page;
  const { id } = section;
  const href = sectionHref(gate.formId, id);
  const { title, description } = renderEach(context, SECTION, { typed, stored: section, errors, action: href });
  const open = openedRow(context, {
    ...{ href, overwritten, refusal },
    hidden: { hash: seenHash(hashSection(section), page) },
    fields: html`${title}
<details class="field"${attribute('open', typed.description !== '' || errors.description !== undefined)}><summary>${texts.description}</summary>${description}</details>
${earlierNames(context, structure, id)}`,
    tools: html`${rowTool(`copy-section:${id}`, texts.copy)}${rowTool(`section-up:${id}`, texts.up, 'up')}${rowTool(`section-down:${id}`, texts.down, 'down')}
<a class="button quiet" href="${href}/delete" data-dialog>${texts.remove}</a>
<a class="button quiet" href="${href}/rules">${getQuestionsTexts(context).rules.title}</a>
<a class="button quiet" href="${href}">${texts.page}</a>`,
  });
  return renderSectionParts(context, { formId: gate.formId, structure, isEditable: true }, section, open);
}

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
    current: 'edit',
    title: pageTitle(context, title || list.untitled, faults.length > 0),
    main: html`${errorSummary(context, faults)}
${refusal !== undefined && html`<div class="notice warning" role="alert" tabindex="-1" data-error-summary><p>${refusal}</p></div>`}
${overwritten.length > 0 && conflictNotice(context, { values: overwritten, reload: href })}
<p><a class="back" href="${questionsHref(gate.formId)}#s-${section.id}">${list.title}</a></p>
<h1>${texts.title}</h1>
<form method="post" action="${href}" class="card" novalidate data-once>
${enterSaves(context)}${hiddenFields({ hash: seenHash(hashSection(section), page) })}
${renderFields(context, SECTION, { typed, stored: section, errors, action: href })}${earlierNames(context, structure, section.id)}<p class="actions"><button>${context.t.shell.save}</button></p>
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
