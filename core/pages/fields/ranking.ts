/**
 * RANKING: two lists with buttons that move a choice. Each button submits the form; the scripts of the page move the
 * choice in place, and let it be dragged by its handle.
 */
import type { Choice } from '#core/structure/types/choices.ts';
import type { PageContext } from '../shell/context.ts';
import { attribute, type Html, html } from '../shell/html.ts';
import { icon } from '../shell/icons.ts';
import { multipleChoice, otherText } from './choices.ts';
import { controlId, type Field, findOtherChoice } from './control.ts';
import type { FieldType } from './type.ts';

export type RankMove = 'add' | 'up' | 'down' | 'remove';

export const ranking: FieldType = {
  ...multipleChoice,
  render: rankingControl,
  required: 'ranking',
  invalid: ({ t }) => t.section.invalid.ranking,
};

/** Renders the lists of ranked and other choices. */
function rankingControl(context: PageContext, field: Field): Html {
  const { question, state } = field;
  const { choices = [] } = question;
  const { section } = context.t;
  if (choices.length === 0) return html`<p class="empty" id="${controlId(question)}">${section.noChoices}</p>`;
  const ranked = state.values.flatMap((id) => choices.find((choice) => choice.id === id) ?? []);
  const unranked = choices.filter((choice) => !ranked.includes(choice));
  return html`<div class="ranking" data-ranking id="${controlId(question)}" tabindex="-1">
<p class="hint">${section.rankingHint}</p>
<ol class="ranked" aria-label="${section.ranked}" data-empty="${section.rankedEmpty}">${ranked.map((choice) => rankedItem(context, field, choice))}</ol>
${findOtherChoice(question) && html`<div class="other-of-ranking">${otherText(context, field)}</div>`}
<ul class="unranked" aria-label="${section.unranked}">${unranked.map((choice) => unrankedItem(context, field, choice))}</ul>
</div>`;
}

const moveButton = (context: PageContext, { question, state }: Field, { id, name }: Choice, move: RankMove): Html => {
  const { section } = context.t;
  const leadsNoFurther = (move === 'up' && state.values[0] === id) || (move === 'down' && state.values.at(-1) === id);
  return html`<button class="secondary icon" name="do" value="rank:${move}:${question.id}:${id}" formnovalidate data-move="${move}"${attribute('aria-disabled', leadsNoFurther && 'true')} aria-label="${section.rankMoves[move](name)}">${icon(move === 'remove' ? 'close' : move)}</button>`;
};

/** Both kinds of items have all buttons; the style sheet shows those of the list that an item is in. */
const listItem = (context: PageContext, field: Field, choice: Choice, hidden: Html): Html =>
  html`<li data-choice="${choice.id}"${attribute('data-other-choice', choice.isOther)}>${hidden}<span class="rank-handle" aria-hidden="true" data-handle></span><span class="rank-name" dir="auto">${choice.name === '' ? context.t.section.other : choice.name}</span>
<span class="rank-buttons">${(['up', 'down', 'remove', 'add'] as const).map((move) => moveButton(context, field, choice, move))}</span></li>`;

const rankedItem = (context: PageContext, field: Field, choice: Choice): Html =>
  listItem(context, field, choice, html`<input type="hidden" name="q.${field.question.id}" value="${choice.id}">`);

const unrankedItem = (context: PageContext, field: Field, choice: Choice): Html =>
  listItem(context, field, choice, html``);

/** Moves a choice. Returns the new order. */
export function moveChoice(values: readonly string[], id: string, move: RankMove): string[] {
  const index = values.indexOf(id);
  const otherIds = values.filter((choiceId) => choiceId !== id);
  if (move === 'remove') return otherIds;
  if (move === 'add') return [...otherIds, id];
  return otherIds.toSpliced(Math.max(0, index + (move === 'up' ? -1 : 1)), 0, id);
}
