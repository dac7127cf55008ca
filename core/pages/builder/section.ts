/** The page of a section, and the page on which the kind of a new question is chosen. */

import type { Gate } from '#core/forms/gate.ts';
import { listLinkTargets, sectionsInOrder } from '#core/structure/path.ts';
import { requireSection } from '#core/structure/questions.ts';
import { findNode, type Section, type Structure, sectionTitle } from '#core/structure/structure.ts';
import { QUESTION_TYPES } from '#core/structure/types/traits.ts';
import type { PageContext } from '../shell/context.ts';
import {
  conflictNotice,
  enterSaves,
  errorSummary,
  type FieldError,
  hiddenFields,
  type Overwritten,
  pageTitle,
  selectField,
} from '../shell/controls.ts';
import type { FormHead } from '../shell/form-frame.ts';
import { type Html, html } from '../shell/html.ts';
import { type FieldErrors, line, renderFields, type Typed, type WordsOf } from '../shell/typed-fields.ts';
import { seenHash } from '../shell/typed-form.ts';
import { getQuestionsTexts } from '../text/questions.ts';
import { hashSection } from './content-hash.ts';
import { builderLayout } from './frame.ts';
import { PRESET_NAMES } from './presets.ts';
import { listConditionsOn, questionsHref, sectionHref } from './questions.ts';
import { richText } from './rich-text-field.ts';

/** A section with its title, which its node has. */
export type TitledSection = Section & { title: string };

/** Finds a section with its title. Throws 404 when it was deleted. */
export const requireTitled = (structure: Structure, sectionId: string): TitledSection => ({
  ...requireSection(structure, sectionId),
  title: sectionTitle(structure, sectionId),
});

const wordsOf =
  (pick: (texts: ReturnType<typeof getQuestionsTexts>['section']) => ReturnType<WordsOf>): WordsOf =>
  (context) =>
    pick(getQuestionsTexts(context).section);

/** The fields of a section. */
export const SECTION = {
  title: line<TitledSection>(
    ({ title }) => title,
    wordsOf(({ name: label, nameHint: hint, nameInvalid: invalid }) => ({ label, hint, invalid })),
    { keepsEmpty: true, trimmed: true },
  ),
  description: richText<TitledSection>(
    ({ description }) => description,
    wordsOf(({ description: label, descriptionHint: hint, descriptionInvalid: invalid }) => ({ label, hint, invalid })),
  ),
};

type SectionErrors = FieldErrors<typeof SECTION> & { place?: string };

export type SectionPage = {
  gate: Gate;
  structure: Structure;
  section: TitledSection;
  typed: Typed<typeof SECTION>;
  errors?: SectionErrors;
  /** The hash of the posted form that is shown again. */
  seen?: string | null;
  overwritten?: readonly Overwritten[];
  refusal?: string;
};

/** Renders the page of a section. */
export function renderSectionEditorPage(context: PageContext, head: FormHead, page: SectionPage): Html {
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

/** Renders the page on which the kind of a new question is chosen. */
export function renderQuestionKindPage(
  context: PageContext,
  head: FormHead,
  { gate, structure, section }: Pick<SectionPage, 'gate' | 'structure'> & { section: Section },
): Html {
  const { create: texts, types, presets, list } = getQuestionsTexts(context);
  const href = `${sectionHref(gate.formId, section.id)}/new`;
  const kind = (query: string, name: string, hint: string | undefined): Html =>
    html`<li><a class="tile" href="${href}?${query}#title"><strong>${name}</strong>${hint !== undefined && html`<span class="muted small">${hint}</span>`}</a></li>`;
  return builderLayout(context, head, {
    current: 'questions',
    title: texts.title,
    main: html`<p><a class="back" href="${questionsHref(gate.formId)}#s-${section.id}">${sectionTitle(structure, section.id) || list.untitled}</a></p>
<h1>${texts.title}</h1>
<p>${texts.lead}</p>
<h2>${texts.types}</h2>
<ul class="tiles">${QUESTION_TYPES.map((type) => kind(`type=${type}`, types[type], texts.typeHints[type]))}</ul>
<h2 class="section-heading">${texts.presets}</h2>
<ul class="tiles">${PRESET_NAMES.map((preset) => kind(`preset=${preset}`, presets[preset].name, undefined))}</ul>`,
  });
}
