/** A question of every type, empty, answered, with an error and with a conflict, as respondents see it. */
import type { Field } from '#core/pages/fields/control.ts';
import { questionField } from '#core/pages/fields/field.ts';
import { renderFields } from '#core/pages/fields/grid.ts';
import { faultText } from '#core/pages/fields/invalid.ts';
import { toFieldState } from '#core/pages/fields/state.ts';
import type { PageContext } from '#core/pages/shell/context.ts';
import { type Html, html } from '#core/pages/shell/html.ts';
import type { Answer } from '#core/responses/model.ts';
import type { Question } from '#core/structure/question-model.ts';

const STATES = ['empty', 'answered', 'error', 'conflict'] as const;
const TIME = '2026-05-01T12:00:00.000Z';

const CHOICES = [
  { id: 'a', name: 'Loch Ness', description: 'It is deep' },
  { id: 'b', name: 'Windermere' },
  { id: 'c', name: '', isOther: true },
];

type Sample = Pick<Question, 'type'> & Partial<Question> & { answered: Partial<Answer> };

const ids = (...value: string[]) => ({ value, names: value.map(() => 'Loch Ness') });

const SAMPLES: readonly Sample[] = [
  { type: 'SHORT_TEXT', answered: { value: 'Ann' } },
  {
    type: 'SHORT_TEXT',
    text: { format: 'NUMBER', min: 1, max: 120, decimals: 1, unit: 'kg' },
    answered: { value: '7.5' },
  },
  { type: 'SHORT_TEXT', text: { format: 'TIME' }, answered: { value: '09:30' } },
  { type: 'LONG_TEXT', answered: { value: 'Two\nlines' } },
  { type: 'HYPERLINK', answered: { value: 'https://example.org' } },
  { type: 'SINGLE_CHOICE', choices: CHOICES, answered: ids('a') },
  {
    type: 'MULTIPLE_CHOICE',
    choices: CHOICES,
    selection: { min: 1, max: 2 },
    answered: { ...ids('a', 'c'), otherText: 'Como' },
  },
  { type: 'DETAILED_MULTIPLE_CHOICE', choices: CHOICES, answered: ids('a') },
  { type: 'DROPDOWN', choices: CHOICES, answered: ids('b') },
  { type: 'RANKING', choices: CHOICES, answered: ids('b', 'a') },
  {
    type: 'DATE',
    date: { hasYear: true, hasMonth: true, hasDay: true, minDate: '2026-01-01' },
    answered: { display: '2026-05-01' },
  },
  { type: 'DATE', date: { hasYear: true, hasMonth: true, hasDay: false }, answered: { display: '2026-05' } },
  {
    type: 'LINEAR_SCALE',
    scale: { minVal: 0, maxVal: 10, minValueLabel: 'Never', maxValueLabel: 'Always' },
    answered: { value: 7 },
  },
  { type: 'RATING', scale: { minVal: 1, maxVal: 5, icon: 'star' }, answered: { value: 4 } },
  {
    type: 'UPLOAD_FILE',
    uploadFile: { allowedFileTypes: ['PNG'], maxFileAmount: 2, maxFileSizeLimit: 1_000_000 },
    answered: { value: [] },
  },
  { type: 'OAUTH_CONNECT', oauthConnect: 'PROVIDER_ONE', answered: { value: { username: 'ann' } } as Partial<Answer> },
];

const AGREEMENT = [
  { id: 'x', name: 'Agree' },
  { id: 'y', name: 'Disagree' },
];
/** Rows of a table, one with an error. */
const grid = (context: PageContext): Field[] =>
  (['empty', 'answered', 'error'] as const).map((state) =>
    toField(
      context,
      { type: 'SINGLE_CHOICE', choices: AGREEMENT, grid: true, answered: ids('x') },
      `grid-${state}`,
      state,
    ),
  );

/** Renders the section of the page. */
export const questionStates = (context: PageContext): Html =>
  html`<section class="section-heading dressed" aria-label="Questions"><h2>Questions</h2><form action="/styles" novalidate>${SAMPLES.flatMap(
    (sample, index) =>
      STATES.map((state) => questionField(context, toField(context, sample, `${index}-${state}`, state))),
  )}${renderFields(context, grid(context))}</form></section>`;

function toField(
  context: PageContext,
  { answered, ...sample }: Sample,
  id: string,
  state: (typeof STATES)[number],
): Field {
  const question: Question = {
    id,
    title: `${sample.type}, ${state}`,
    description: null,
    required: false,
    createdAt: TIME,
    updatedAt: TIME,
    ...sample,
  };
  const content = { type: sample.type, value: null, createdAt: TIME, updatedAt: TIME, ...answered };
  const answer = state === 'answered' ? (content as Answer) : undefined;
  return {
    question,
    answer,
    state: toFieldState(question, answer),
    isOptional: state === 'empty',
    responseId: 'none',
    ...(state === 'error' && { error: faultText(context, question) }),
    ...(state === 'conflict' && { conflict: { text: 'Theirs', baseHash: 'none' } }),
  };
}
