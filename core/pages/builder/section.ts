/** The page of a section, and the page on which the kind of a new question is chosen. */

import type { Gate } from '#core/forms/gate.ts';
import type { Section } from '#core/structure/structure.ts';
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
  textField,
} from '../shell/controls.ts';
import type { FormHead } from '../shell/form-frame.ts';
import { type Html, html } from '../shell/html.ts';
import { getQuestionsText } from '../text/questions.ts';
import { builderLayout } from './frame.ts';
import { loadMarkdown } from './load-markdown.ts';
import { PRESET_NAMES } from './presets.ts';
import { questionsHref, sectionHref } from './questions.ts';
import { richTextField } from './rich-text-field.ts';
import { sectionStamp } from './stamp.ts';

/** What was typed. `description` is undefined for one that the page cannot edit. */
export type TypedSection = { title: string; description: string | undefined };

type SectionPage = {
  gate: Gate;
  section: Section;
  /** The stored title. */
  title: string;
  typed: TypedSection;
  errors?: { title?: string | undefined; description?: string | undefined };
  overwritten?: readonly Overwritten[];
};

/** The fields of a stored section. */
export const toTypedSection = (title: string, { description }: Section): TypedSection => ({
  title,
  description: loadMarkdown().writeMarkdown(description),
});

/** Lists what somebody else has stored since the form was made. */
export function listOverwritten(context: PageContext, stored: TypedSection, typed: TypedSection): Overwritten[] {
  const { section: texts } = getQuestionsText(context);
  return [
    ...(stored.title === typed.title ? [] : [{ label: texts.name, theirs: stored.title }]),
    ...(stored.description === typed.description
      ? []
      : [{ label: texts.description, theirs: stored.description ?? texts.descriptionElsewhere }]),
  ];
}

/** Renders the page of a section. */
export function sectionPage(context: PageContext, head: FormHead, page: SectionPage): Html {
  const { section: texts, list } = getQuestionsText(context);
  const { gate, section, title, typed, errors = {}, overwritten = [] } = page;
  const href = sectionHref(gate.formId, section.id);
  const faults = (['title', 'description'] as const).flatMap((target): FieldError[] => {
    const message = errors[target];
    return message === undefined ? [] : [{ target, message }];
  });
  return builderLayout(context, head, {
    current: 'questions',
    title: pageTitle(context, title || list.untitled, faults.length > 0),
    main: html`${errorSummary(context, faults)}
${overwritten.length > 0 && conflictNotice(context, { values: overwritten, reload: href })}
<p><a class="back" href="${questionsHref(gate.formId)}#s-${section.id}">${list.title}</a></p>
<h1>${texts.title}</h1>
<form method="post" action="${href}" class="card" novalidate data-once>
${enterSaves(context)}${hiddenFields({ stamp: sectionStamp(title, section) })}
${textField(context, { name: 'title', label: texts.name, hint: texts.nameHint, value: typed.title, error: errors.title })}
${
  typed.description === undefined
    ? html`<p class="hint">${texts.descriptionElsewhere}</p>`
    : richTextField(context, {
        name: 'description',
        label: texts.description,
        hint: texts.descriptionHint,
        value: typed.description,
        error: errors.description,
      })
}
<p class="actions"><button>${context.t.shell.save}</button></p>
</form>
<p class="actions section-heading"><a class="button secondary" href="${href}/new">${list.addQuestion}</a><a class="button danger" href="${href}/delete">${texts.remove}</a></p>`,
  });
}

/** Renders the page on which the kind of a new question is chosen. */
export function questionKindPage(
  context: PageContext,
  head: FormHead,
  { gate, section, title }: Pick<SectionPage, 'gate' | 'section' | 'title'>,
): Html {
  const { create: texts, types, presets, list } = getQuestionsText(context);
  const href = `${sectionHref(gate.formId, section.id)}/new`;
  const kind = (query: string, name: string, hint: string | undefined): Html =>
    html`<li><a class="tile" href="${href}?${query}"><strong>${name}</strong>${hint !== undefined && html`<span class="muted small">${hint}</span>`}</a></li>`;
  return builderLayout(context, head, {
    current: 'questions',
    title: texts.title,
    main: html`<p><a class="back" href="${questionsHref(gate.formId)}#s-${section.id}">${title || list.untitled}</a></p>
<h1>${texts.title}</h1>
<p>${texts.lead}</p>
<h2>${texts.types}</h2>
<ul class="tiles">${QUESTION_TYPES.map((type) => kind(`type=${type}`, types[type], texts.typeHints[type]))}</ul>
<h2 class="section-heading">${texts.presets}</h2>
<ul class="tiles">${PRESET_NAMES.map((preset) => kind(`preset=${preset}`, presets[preset].name, undefined))}</ul>`,
  });
}
