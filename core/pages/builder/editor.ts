/**
 * The editor of a form: the outline of its sections and questions, and the canvas, on which they are as respondents see them.
 * A press on a question opens it in place; without scripts its page, which has the same fields.
 */
import { readOutline } from '#core/structure/gates.ts';
import { questionsByName, splitAtNames } from '#core/structure/names.ts';
import { sectionsInOrder } from '#core/structure/path.ts';
import type { Question } from '#core/structure/question-model.ts';
import { findWarnings, type Warning } from '#core/structure/rule-warnings.ts';
import { listGateQuestions, listRuleQuestions, readRules } from '#core/structure/rules.ts';
import { findQuestion, type Section, type Structure, sectionTitle } from '#core/structure/structure.ts';
import { listTextWarnings, type TextWarning } from '#core/structure/text-warnings.ts';
import { QUESTION_TYPES } from '#core/structure/types/traits.ts';
import type { Field } from '../fields/control.ts';
import { FIELDS } from '../fields/fields.ts';
import { findTables, listLabels } from '../fields/grid-groups.ts';
import { assetUrl } from '../shell/assets.ts';
import type { PageContext } from '../shell/context.ts';
import { hiddenFields } from '../shell/controls.ts';
import { attribute, type Html, html } from '../shell/html.ts';
import { icon } from '../shell/icons.ts';
import { getCheckListTexts } from '../text/check-list.ts';
import { getEditorTexts } from '../text/editor.ts';
import { getQuestionsTexts } from '../text/questions.ts';
import { listFaults, textWarning } from './check-list.ts';
import { buildHref } from './frame.ts';
import { KIND_WORDS } from './kind-words.ts';
import { PRESET_NAMES } from './presets.ts';
import { listConditionsOn, questionHref, questionsHref, sectionHref } from './questions.ts';
import { warningList } from './rule-warnings.ts';
import { describeGateOf, describeRules, followingItems, openFollowing } from './rule-words.ts';
import { drawTypeIcons, typeIcon } from './type-icons.ts';

/** Above this number of questions, the canvas has one section at a time. */
const MAX_QUESTIONS_SHOWN = 100;

type Edited = { formId: string; structure: Structure; isEditable: boolean };

/** `faults`: what prevents publishing, by the id of the section or question at which it is said. `odd`: names in titles. */
type Drawn = Edited & { faults: ReadonlyMap<string, readonly Html[]>; odd: readonly TextWarning[] };

/** Finds what is said on the canvas about what is edited. */
const drawn = (context: PageContext, edited: Edited): Drawn => ({
  ...edited,
  faults: placeFaults(context, edited.structure),
  odd: listTextWarnings(edited.structure),
});

/** A question with its section. `table`: the questions of the table of which it is a row. */
type Placed = { section: Section; question: Question; table?: readonly Question[] | undefined };

/** The scripts of the page. */
export const editorScript = (): Html => html`<script type="module" src="${assetUrl('editor.js')}"></script>`;

/** Renders the editor. `sectionId`: the section that a long form shows, by default the first; `newId`: of what its buttons add. */
export function renderEditor(
  context: PageContext,
  { newId, sectionId, ...form }: Edited & { newId: string; sectionId: string | null },
): Html {
  const edited = drawn(context, form);
  const texts = getEditorTexts(context);
  const { list, edit } = getQuestionsTexts(context);
  const { formId, structure, isEditable } = edited;
  const states = {
    ...texts.states,
    ...{ other: edit.other, otherName: edit.otherName, choiceUp: edit.choiceUp('{name}') },
    ...{ choiceDown: edit.choiceDown('{name}'), removeChoice: edit.removeChoice('{name}') },
  };
  const sections = sectionsInOrder(structure);
  const count = sections.reduce((sum, { questions }) => sum + questions.length, 0);
  const current = sections.find(({ id }) => id === sectionId) ?? sections[0];
  const shown = count > MAX_QUESTIONS_SHOWN && current ? [current] : sections;
  const start = structure.nodes.find(({ type }) => type === 'START');
  const last = sections.at(-1)?.id ?? start?.id;
  const describeFollowing = openFollowing(context, structure);
  const warnings = findWarnings(structure);
  const addSection =
    isEditable &&
    last !== undefined &&
    html`<p class="canvas-end"><button class="${sections.length > 0 && 'secondary'}" form="editor-actions" name="do" value="section:${last}"${attribute('data-first', sections.length === 0)}>${icon('add')}${sections.length === 0 ? texts.addFirst : list.addSection}</button></p>`;
  return html`<div class="editor" data-editor data-also="${questionsHref(formId)}" data-texts="${JSON.stringify(states)}" data-bytes="${JSON.stringify(structure).length}">
${drawTypeIcons()}
<div class="editor-bar dense"><button type="button" class="quiet outline-button" popovertarget="outline">${texts.outline}</button>
<a class="button quiet" href="${questionsHref(formId)}">${texts.list}</a>${isEditable && (['undo', 'redo'] as const).map((name) => html`<button type="button" class="quiet" data-history="${name}" title="${texts[name]}" aria-label="${texts[name]}" hidden>${icon(name)}</button>`)}<p class="save-state" data-save-state></p></div>
<nav class="editor-outline dense" id="outline" popover aria-label="${texts.outline}"><ol>${sections.map(
    (section) =>
      html`<li data-section="${section.id}"><div class="outline-head">${outlineSection(context, edited, section, shown)}${isEditable && outlineAdd(context, structure, section)}</div>
<ol>${section.questions.map((question) => outlineItem(context, edited, { section, question }, shown))}</ol></li>`,
  )}</ol></nav>
<div class="canvas">
${shown.length < sections.length && html`<p class="hint">${texts.otherSections}</p>`}
${shown.map((section) =>
  canvasSection(context, edited, section, {
    following: describeFollowing(section.id),
    warnings: warnings.filter((warning) => warning.sectionId === section.id),
  }),
)}
${sections.length === 0 && html`<p class="muted">${list.empty}</p>`}
${addSection}
</div>
${
  isEditable &&
  html`<form method="post" action="${questionsHref(formId)}" id="editor-actions" data-once data-disposable>${hiddenFields({ id: newId, stay: '' })}</form>
${typeMenu(context)}
${ruleMenu(context)}`
}
</div>`;
}

/** Finds what prevents publishing, by the section or question at which it is said. */
function placeFaults(context: PageContext, structure: Structure): Drawn['faults'] {
  const placed = listFaults(context, structure).flatMap(({ nodeId, href, text }) => {
    const id = /\/[qs]\/([^/]+)/.exec(href)?.[1] ?? nodeId;
    const said = html`<p class="error small"><a href="${href}">${text}</a></p>`;
    return id === undefined ? [] : [[id, said] as const];
  });
  return new Map([...Map.groupBy(placed, ([id]) => id)].map(([id, said]) => [id, said.map(([, text]) => text)]));
}

const faultMark = ({ faulty }: ReturnType<typeof getEditorTexts>): Html =>
  html` <span class="mark bad" title="${faulty}"><span class="visually-hidden">${faulty}</span></span>`;

/** The address of a section on the canvas, or of its page if the canvas shows another one. */
const canvasHref = (formId: string, shown: readonly Section[], sectionId: string): string =>
  `${shown.some(({ id }) => id === sectionId) ? '' : `${buildHref(formId)}?s=${sectionId}`}#s-${sectionId}`;

/** Renders the line of a section in the outline. */
function outlineSection(
  context: PageContext,
  { formId, structure, faults }: Drawn,
  { id }: Section,
  shown: readonly Section[],
): Html {
  const { list } = getQuestionsTexts(context);
  return html`<a class="outline-section" id="o-${id}" data-line href="${canvasHref(formId, shown, id)}" dir="auto">${sectionTitle(structure, id) || list.untitled}${faults.has(id) && faultMark(getEditorTexts(context))}</a>`;
}

/** Renders the button that adds a section behind one. */
function outlineAdd(context: PageContext, structure: Structure, { id }: Section): Html {
  const text = getEditorTexts(context).addSectionAfter(
    sectionTitle(structure, id) || getQuestionsTexts(context).list.untitled,
  );
  return html`<button class="quiet" form="editor-actions" name="do" value="section:${id}" title="${text}" aria-label="${text}">${icon('add')}</button>`;
}

/** Renders the line of a question in the outline. */
function outlineItem(
  context: PageContext,
  { formId, structure, isEditable, faults }: Drawn,
  { section, question }: Placed,
  shown: readonly Section[],
): Html {
  const texts = getEditorTexts(context);
  const { id, type, title, required } = question;
  const href = `${canvasHref(formId, shown, section.id).replace(/#.*/, '')}#q-${id}`;
  return html`<li id="o-${id}" data-line>${isEditable && html`<span class="outline-handle" data-handle aria-hidden="true">${icon('handle')}</span>`}<a href="${href}">${typeIcon(type)}<span class="outline-title" dir="auto">${title}</span>${required && html` <span class="mark" title="${texts.required}"><span class="visually-hidden">${texts.required}</span></span>`}${listConditionsOn(structure, id).length > 0 && html` <span class="mark rule" title="${texts.inRule}"><span class="visually-hidden">${texts.inRule}</span></span>`}${faults.has(id) && faultMark(texts)}</a></li>`;
}

type Rules = { following: readonly string[]; warnings: readonly Warning[] };

/** Renders a section of the canvas, with the sentences that say when it is shown and what follows. */
function canvasSection(context: PageContext, edited: Drawn, section: Section, rules: Rules): Html {
  const { list } = getQuestionsTexts(context);
  const texts = getEditorTexts(context);
  const { formId, structure, isEditable, faults } = edited;
  const title = sectionTitle(structure, section.id) || list.untitled;
  const tables = findTables(section.questions);
  return html`<div class="canvas-section dense" id="s-${section.id}" tabindex="-1" role="group" aria-label="${title}">
${canvasHead(context, edited, section)}
${faults.get(section.id)}
${gateLine(context, edited, section, title)}
${section.questions.length === 0 && html`<p class="muted">${list.noQuestions}</p>`}
<ol class="canvas-questions">${section.questions.map((question) => canvasQuestion(context, edited, { section, question, table: tables.get(question.id) }))}</ol>
${isEditable && html`<p class="canvas-end"><a class="button quiet" href="${sectionHref(formId, section.id)}/new" data-add>${icon('add')}${texts.addQuestion}<span class="visually-hidden"> ${list.to(title)}</span></a>${ruleLinks(context, edited, section, title)}</p>`}
${ruleLines(context, edited, section, rules)}
</div>`;
}

const rulesOf = (formId: string, { id }: Section): string => `${sectionHref(formId, id)}/rules`;

/** A button that changes rules with one press. */
const ruleButton = (action: string, { href, text }: { href: string; text: string }): Html =>
  html`<button class="quiet" form="editor-actions" formaction="${href}" name="do" value="${action}" title="${text}" aria-label="${text}">${icon('close')}</button>`;

/** Says when a section is shown, if it is not always. */
function gateLine(
  context: PageContext,
  { formId, structure, isEditable }: Drawn,
  section: Section,
  title: string,
): Html | undefined {
  const { rules: texts } = getEditorTexts(context);
  const [sentence] = describeGateOf(context, structure, section.id);
  if (sentence === undefined) return undefined;
  const href = rulesOf(formId, section);
  return html`<p class="canvas-rules small">${isEditable ? html`<a href="${href}#gate">${sentence}</a>` : sentence}${isEditable && ruleButton('show-always', { href, text: `${texts.always}${texts.of(title)}` })}</p>`;
}

/** Renders the links that open the menu of rules; without scripts, the page of the rules. */
function ruleLinks(
  context: PageContext,
  { formId, structure }: Drawn,
  section: Section,
  title: string,
): Html | undefined {
  const { rules: texts } = getEditorTexts(context);
  const href = rulesOf(formId, section);
  const isGated = readOutline(structure).gates.has(section.id);
  const link = (kind: 'show' | 'go', text: string): Html =>
    html`<a class="button quiet" href="${href}${kind === 'show' && '#gate'}" data-rule="${kind}">${text}<span class="visually-hidden">${texts.of(title)}</span></a>`;
  return html`<span class="canvas-rule-links">${listGateQuestions(structure, section.id).length > 0 && link('show', isGated ? texts.alsoIf : texts.showIf)}${listRuleQuestions(structure, section.id).length > 0 && readRules(structure, section.id) && link('go', texts.goIf)}</span>`;
}

/** Says what follows a section, a line each rule, with what is odd about it. */
function ruleLines(
  context: PageContext,
  { formId, structure, isEditable }: Drawn,
  section: Section,
  { following, warnings }: Rules,
): Html | undefined {
  const { rules: texts } = getEditorTexts(context);
  const list = readRules(structure, section.id);
  const href = rulesOf(formId, section);
  const others = warnings.filter(({ nodeId }) => !list?.rules.some((rule) => rule.nodeId === nodeId));
  const isGated = readOutline(structure).gates.has(section.id);
  const lines = list
    ? describeRules(context, structure, list).map((sentence, index) => {
        const nodeId = list.rules[index]?.nodeId;
        const odd = warnings.filter((warning) => nodeId !== undefined && warning.nodeId === nodeId);
        return html`<li>${sentence}${isEditable && nodeId !== undefined && ruleButton(`rule-drop:${nodeId}`, { href, text: `${texts.remove}${texts.of(sentence)}` })}${warningList(context, structure, odd)}</li>`;
      })
    : followingItems(context, following.slice(isGated ? 1 : 0));
  return html`<ul class="canvas-rules muted small plain">${lines}</ul>
${warningList(context, structure, others)}`;
}

/** Renders a title with the names of questions whose answers it shows, each as a chip; one that stands for nothing says why. */
function withNames(
  context: PageContext,
  { structure, odd }: Drawn,
  place: { sectionId: string; questionId?: string },
  title: string,
): Html {
  const question = (name: string) => questionsByName(structure).get(name.toLowerCase());
  const chip = (name: string, written: string): Html => {
    const warning = odd.find(
      (each) =>
        each.sectionId === place.sectionId &&
        each.questionId === place.questionId &&
        'name' in each &&
        each.name === name,
    );
    if (!warning) return html`<span class="recalled" title="${question(name)?.title}">${name}</span>`;
    const why = textWarning(getCheckListTexts(context), warning);
    return html`<span class="recalled odd" title="${why}">${written}<span class="visually-hidden"> (${why})</span></span>`;
  };
  return html`${splitAtNames(title).map((part) => ('text' in part ? part.text : chip(part.name, part.written)))}`;
}

/** Renders the head of a section of the canvas; `open`: its fields, if it is opened in place. */
function canvasHead(context: PageContext, edited: Drawn, { id }: Section, open?: Html): Html {
  const { formId, structure, isEditable } = edited;
  const untitled = getQuestionsTexts(context).list.untitled;
  const title = withNames(context, edited, { sectionId: id }, sectionTitle(structure, id) || untitled);
  return html`<div class="canvas-head" id="h-${id}" tabindex="-1" data-row="section" data-id="${id}">
<div class="canvas-closed"><h2>${isEditable ? html`<a href="${sectionHref(formId, id)}" data-edit dir="auto">${title}</a>` : html`<bdi>${title}</bdi>`}</h2></div>
${open}
<div class="canvas-foot"></div>
</div>`;
}

/** Renders a question of the canvas; `open`: its fields, if it is opened in place. */
function canvasQuestion(context: PageContext, edited: Drawn, { section, question, table }: Placed, open?: Html): Html {
  const texts = getEditorTexts(context);
  const { formId, structure, isEditable, faults } = edited;
  const { id, title, hidden } = question;
  const shown = withNames(context, edited, { sectionId: section.id, questionId: id }, title);
  const addHref = `${sectionHref(formId, section.id)}/new?after=${id}`;
  return html`<li class="canvas-question" id="q-${id}" tabindex="-1" data-row="question" data-id="${id}">
<div class="canvas-closed"><h3>${typeIcon(question.type)}${isEditable ? html`<a href="${questionHref(formId, id)}" data-edit dir="auto">${shown}</a>` : html`<bdi>${shown}</bdi>`}${question.required && html` <span class="mark" title="${texts.required}"><span class="visually-hidden">${texts.required}</span></span>`}${hidden && html` <span class="tag">${texts.hidden}</span>`}${table?.[0] === question && html` <span class="tag">${texts.table(table.length)}</span>`}</h3>
${table ? tableRow(question, table[0] === question) : html`<div class="canvas-control" inert>${inertControl(context, structure, question)}</div>`}${faults.get(id)}</div>
${open}
<div class="canvas-foot">${isEditable && html`<a class="canvas-add" href="${addHref}" data-add title="${texts.addAfter(title)}" aria-label="${texts.addAfter(title)}">${icon('add')}</a>`}</div>
</li>`;
}

/** Renders a row of a table as respondents see it: its columns, which the first row names. */
const tableRow = (question: Question, isFirst: boolean): Html =>
  html`<div class="canvas-table" inert>${(listLabels(question) ?? []).map((label) => html`<span>${isFirst && html`<span dir="auto">${label}</span>`}<span class="radio"></span></span>`)}</div>`;

/** Renders the control of a question as respondents see it; it belongs to no form, and its ids to no label. */
function inertControl(context: PageContext, structure: Structure, question: Question): Html {
  if (question.sourceId !== undefined) {
    const source = findQuestion(structure, question.sourceId)?.question;
    return html`<p class="muted">${getEditorTexts(context).choicesFrom(source?.title ?? '')}</p>`;
  }
  const field: Field = {
    question: { ...question, id: `canvas-${question.id}` },
    answer: undefined,
    state: { values: [], other: '' },
    // Without the button for no answer.
    isOptional: false,
    responseId: '',
    isPreview: true,
  };
  return FIELDS[question.type].render(context, field);
}

/** Renders the row and the line of a question that was opened or stored, for the scripts of the page. */
export function renderQuestionParts(context: PageContext, edited: Edited, placed: Placed, open: Html): Html {
  const parts = drawn(context, edited);
  const table = findTables(placed.section.questions).get(placed.question.id);
  return html`<ol>${canvasQuestion(context, parts, { ...placed, table }, open)}</ol>
<ol>${outlineItem(context, parts, placed, [placed.section])}</ol>`;
}

/** Like `renderQuestionParts`, for the head of a section. */
export function renderSectionParts(context: PageContext, edited: Edited, section: Section, open: Html): Html {
  const parts = drawn(context, edited);
  return html`${canvasHead(context, parts, section, open)}
${outlineSection(context, parts, section, [section])}`;
}

/** Renders the row of a question that is not stored yet. */
export const renderNewRow = (newId: string, open: Html): Html =>
  html`<ol><li class="canvas-question" id="q-new-${newId}" tabindex="-1" data-row="question" data-new><div class="canvas-closed"></div>
${open}
<div class="canvas-foot"></div></li></ol>`;

/** Renders the menu of kinds of questions, which scripts open. */
function typeMenu(context: PageContext): Html {
  const { create, types, presets } = getQuestionsTexts(context);
  const { menu: texts } = getEditorTexts(context);
  const kinds = [
    ...QUESTION_TYPES.map((type) => ({
      query: `type=${type}`,
      symbol: typeIcon(type),
      name: types[type],
      hint: create.typeHints[type],
      words: KIND_WORDS[type],
    })),
    ...PRESET_NAMES.map((preset) => ({
      query: `preset=${preset}`,
      symbol: icon('check'),
      name: presets[preset].name,
      hint: '',
      words: KIND_WORDS[preset],
    })),
    {
      query: 'declaration',
      symbol: icon('check'),
      name: presets.declaration.name,
      hint: presets.declaration.hint,
      words: KIND_WORDS.declaration,
    },
  ];
  return html`<dialog class="type-menu" id="type-menu" aria-label="${texts.label}">
<label class="visually-hidden" for="type-search">${texts.search}</label><input type="search" id="type-search" autocomplete="off" placeholder="${texts.search}" autofocus>
<ul class="dense">${kinds.map(({ query, symbol, name, hint, words }) => html`<li data-words="${words}"><button type="button" class="quiet" data-kind="${query}">${symbol}<span>${name}</span><span class="muted small">${hint}</span></button></li>`)}</ul>
<p class="muted" data-none hidden>${texts.none}</p>
</dialog>`;
}

/** Renders the menu of rules, which scripts fill and open. */
function ruleMenu(context: PageContext): Html {
  const { menu, rules: texts } = getEditorTexts(context);
  return html`<dialog class="type-menu" id="rule-menu" aria-label="${texts.menu}">
<p class="small" data-step="answer">${texts.answer}</p><p class="small" data-step="target" hidden>${texts.target}</p>
<label class="visually-hidden" for="rule-search">${menu.search}</label><input type="search" id="rule-search" autocomplete="off" placeholder="${menu.search}" autofocus>
<ul class="dense"></ul>
<p class="muted" data-none hidden>${texts.none}</p>
</dialog>`;
}
