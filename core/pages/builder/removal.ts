/** The pages that say what is lost before a question, a section or a condition is deleted. */
import type { AnswerCounts } from '#core/counts/lost-answers.ts';
import type { Gate } from '#core/forms/gate.ts';
import type { Question } from '#core/structure/question-model.ts';
import type { StoredStructure } from '#core/structure/store.ts';
import type { Structure } from '#core/structure/structure.ts';
import type { PageContext } from '../shell/context.ts';
import type { FormHead } from '../shell/form-frame.ts';
import { type Html, html } from '../shell/html.ts';
import { getQuestionsTexts } from '../text/questions.ts';
import { builderLayout } from './frame.ts';
import { describeRulesOn } from './rule-words.ts';

type Removal = {
  current?: 'edit' | 'rules';
  title: string;
  losses: readonly (string | Html)[];
  href: string;
  submit: string;
};

export const removalPage = (
  context: PageContext,
  head: FormHead,
  { current = 'edit', title, losses, href, submit }: Removal,
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

export type Deleted = { gate: Gate; stored: StoredStructure; counts: AnswerCounts };

/** Counts the answers to a question: exactly, or as far as it is known. */
export function answersTo(
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
export function lostRules(context: PageContext, structure: Structure, questions: readonly Question[]): string | Html {
  const { remove: texts } = getQuestionsTexts(context);
  const sentences = questions.flatMap(({ id }) => describeRulesOn(context, structure, id));
  if (sentences.length === 0) return '';
  return html`<p>${texts.rules(sentences.length)}</p><ul>${sentences.map((sentence) => html`<li>${sentence}</li>`)}</ul>`;
}
