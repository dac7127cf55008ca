/** The pages that say what is lost before a question, a section or a condition is deleted. */
import type { AnswerCounts } from '#core/counts/lost-answers.ts';
import type { Gate } from '#core/forms/gate.ts';
import { listLinkTargets } from '#core/structure/path.ts';
import type { Question } from '#core/structure/question-model.ts';
import { conditionNumbers, readNode } from '#core/structure/rules.ts';
import type { StoredStructure } from '#core/structure/store.ts';
import { type PlacedQuestion, type Section, type Structure, sectionTitle } from '#core/structure/structure.ts';
import type { PageContext } from '../shell/context.ts';
import type { FormHead } from '../shell/form-frame.ts';
import { type Html, html } from '../shell/html.ts';
import { getQuestionsTexts } from '../text/questions.ts';
import { builderLayout } from './frame.ts';
import { listDependents, questionHref, sectionHref } from './questions.ts';
import { describeRules, describeRulesOn, nodeName } from './rule-words.ts';
import { nodeHref } from './rules.ts';

type Removal = {
  current?: 'questions' | 'rules';
  title: string;
  losses: readonly (string | Html)[];
  href: string;
  submit: string;
};

const removalPage = (
  context: PageContext,
  head: FormHead,
  { current = 'questions', title, losses, href, submit }: Removal,
): Html =>
  builderLayout(context, head, {
    current,
    title,
    main: html`<div data-confirmation><h1>${title}</h1>
${losses.filter((loss) => loss !== '').map((loss) => (typeof loss === 'string' ? html`<p>${loss}</p>` : loss))}
<form method="post" action="${href}/delete" data-once>
<p class="actions"><button class="danger">${submit}</button><a class="button secondary" href="${href}" data-cancel>${context.t.shell.cancel}</a></p>
</form></div>`,
  });

type Deleted = { gate: Gate; stored: StoredStructure; counts: AnswerCounts };

/** Counts the answers to a question: exactly, or as far as it is known. */
function answersTo(
  context: PageContext,
  { id }: Question,
  { stored: { answered }, counts }: Deleted,
): string | undefined {
  const { remove: texts } = getQuestionsTexts(context);
  const { questions, submittedCount, draftCount } = counts;
  if (!answered.ids.has(id)) return undefined;
  if (!questions) return texts.answersOfMany(submittedCount + draftCount);
  const { answers } = questions.get(id) ?? { answers: 0 };
  return answers === 0 ? undefined : texts.answers(answers);
}

/** Says which rules ask for questions. */
function lostRules(context: PageContext, structure: Structure, questions: readonly Question[]): string | Html {
  const { remove: texts } = getQuestionsTexts(context);
  const sentences = questions.flatMap(({ id }) => describeRulesOn(context, structure, id));
  if (sentences.length === 0) return '';
  return html`<p>${texts.rules(sentences.length)}</p><ul>${sentences.map((sentence) => html`<li>${sentence}</li>`)}</ul>`;
}

/** Renders the page on which a question is deleted. */
export function renderQuestionRemovalPage(
  context: PageContext,
  head: FormHead,
  { placed, ...deleted }: Deleted & { placed: PlacedQuestion },
): Html {
  const { remove: texts } = getQuestionsTexts(context);
  const { gate, stored } = deleted;
  const { structure } = stored;
  const { id, title } = placed.question;
  const answers = answersTo(context, placed.question, deleted);
  const dependents = listDependents(structure, id);
  return removalPage(context, head, {
    title: texts.question(title),
    losses: [
      answers === undefined ? texts.unanswered : `${answers} ${texts.answersStay}`,
      lostRules(context, structure, [placed.question]),
      dependents.length > 0 ? texts.sources(dependents.map((question) => question.title).join(', ')) : '',
    ],
    href: questionHref(gate.formId, id),
    submit: texts.submitQuestion,
  });
}

/** Renders the page on which a section is deleted. */
export function renderSectionRemovalPage(
  context: PageContext,
  head: FormHead,
  { section, ...deleted }: Deleted & { section: Section },
): Html {
  const { remove: texts, list } = getQuestionsTexts(context);
  const { gate, stored } = deleted;
  const { structure } = stored;
  const answered = section.questions.flatMap((question) => {
    const answers = answersTo(context, question, deleted);
    return answers === undefined ? [] : [{ title: question.title, answers }];
  });
  const dependents = section.questions
    .flatMap(({ id }) => listDependents(structure, id))
    .filter((dependent) => !section.questions.includes(dependent));
  return removalPage(context, head, {
    title: texts.section(sectionTitle(structure, section.id) || list.untitled),
    losses: [
      texts.questions(section.questions.length, answered.length),
      answered.length === 0
        ? ''
        : html`<ul>${answered.map(({ title, answers }) => html`<li>${list.quote(title)}: ${answers}</li>`)}</ul><p>${texts.answersStay}</p>`,
      lostRules(context, structure, section.questions),
      dependents.length > 0 ? texts.sectionSources(dependents.map(({ title }) => title).join(', ')) : '',
      texts.path,
    ],
    href: sectionHref(gate.formId, section.id),
    submit: texts.submitSection,
  });
}

/** Renders the page on which a condition is deleted that is in no list of rules. */
export function renderConditionRemovalPage(
  context: PageContext,
  head: FormHead,
  { gate, structure, nodeId }: { gate: Gate; structure: Structure; nodeId: string },
): Html {
  const { remove: texts } = getQuestionsTexts(context);
  const leading = structure.nodes.filter((node) => node.id !== nodeId && listLinkTargets(node).includes(nodeId));
  const rules = readNode(structure, nodeId);
  const names = leading.map(({ id }) => nodeName(context, structure, id)).join(texts.separator);
  return removalPage(context, head, {
    current: 'rules',
    title: texts.condition(conditionNumbers(structure).get(nodeId) ?? 0),
    losses: [
      ...(rules ? describeRules(context, structure, rules) : []),
      leading.length === 0
        ? texts.nothingLeads
        : texts.leads(names, nodeName(context, structure, rules?.otherwise === nodeId ? undefined : rules?.otherwise)),
    ],
    href: nodeHref(gate.formId, nodeId),
    submit: texts.submitCondition,
  });
}
