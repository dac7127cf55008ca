/** Questions and answers of the demo form: data for `seed.ts`. */

import type { AnswerInput } from '#core/responses/model.ts';
import type { QuestionDocument, QuestionInput } from '#core/structure/question-model.ts';

type Kind = { type: QuestionInput['type']; title: string } & Partial<QuestionInput>;
const ask = (input: Kind): QuestionInput => ({ required: false, description: null, order: 1_000, ...input });

const FIRST_VISIT = 'Yes, my first time';

/** The closing message, with the answer to a question of the first section. */
export const DEMO_CLOSING = 'Thank you for your time, {{visitor}}!';

/** Three sections with all 13 question types, a number and an e-mail address; the second is for first-time visitors only. */
export const DEMO_SECTIONS: readonly { title: string; questions: readonly QuestionInput[] }[] = [
  {
    title: 'Your visit',
    questions: [
      ask({ type: 'SHORT_TEXT', title: 'What shall we call you?', name: 'visitor', required: true }),
      ask({ type: 'DATE', title: 'When did you come?', date: { hasYear: true, hasMonth: true, hasDay: true } }),
      ask({
        type: 'SHORT_TEXT',
        title: 'How many of you came?',
        text: { format: 'NUMBER', min: 1, max: 50, decimals: 0, unit: 'people' },
      }),
      ask({
        type: 'SINGLE_CHOICE',
        title: 'Was this your first visit?',
        required: true,
        choices: [{ name: FIRST_VISIT }, { name: 'No, I have been here before' }],
      }),
      ask({
        type: 'DROPDOWN',
        title: 'How did you get here?',
        choices: [
          { name: 'On foot' },
          { name: 'By bicycle' },
          { name: 'By bus or train' },
          { name: 'Otherwise', isOther: true },
        ],
      }),
    ],
  },
  {
    title: 'First impressions',
    questions: [
      ask({
        type: 'MULTIPLE_CHOICE',
        title: 'What did you see?',
        choices: [
          { name: 'Frogs' },
          { name: 'Herons' },
          { name: 'Dragonflies' },
          { name: 'Something else', isOther: true },
        ],
      }),
      ask({
        type: 'DETAILED_MULTIPLE_CHOICE',
        title: 'Which walks did you take?',
        choices: [
          { name: 'The bank', description: 'Two kilometres, level' },
          { name: 'The hill', description: 'Five kilometres, steep' },
        ],
      }),
      ask({
        type: 'RANKING',
        title: 'What should we improve first?',
        choices: [{ name: 'Paths' }, { name: 'Benches' }, { name: 'Signs' }],
      }),
      ask({
        type: 'LINEAR_SCALE',
        title: 'Would you come again?',
        scale: { minVal: 1, maxVal: 10, minValueLabel: 'Never', maxValueLabel: 'Tomorrow' },
      }),
    ],
  },
  {
    title: 'In closing',
    questions: [
      ask({ type: 'RATING', title: 'How was it?', required: true, scale: { minVal: 1, maxVal: 5, icon: 'star' } }),
      ask({ type: 'LONG_TEXT', title: 'What else should we know?' }),
      ask({ type: 'HYPERLINK', title: 'Have you written about it?' }),
      ask({
        type: 'UPLOAD_FILE',
        title: 'Will you share your pictures?',
        uploadFile: { allowedFileTypes: ['JPG', 'JPEG', 'PNG', 'PDF'], maxFileAmount: 5, maxFileSizeLimit: 10_485_759 },
      }),
      ask({ type: 'SHORT_TEXT', title: 'Where may we write to you?', text: { format: 'EMAIL' } }),
      ask({ type: 'OAUTH_CONNECT', title: 'Shall we link your account?', oauthConnect: 'PROVIDER_ONE' }),
    ],
  },
];

/** The pattern of the demo's condition: the choice for a first visit, as the pages of authors write it. */
export const firstVisitPattern = (question: QuestionDocument): string =>
  `^${question.choices?.find((choice) => choice.name === FIRST_VISIT)?.id}$`;

export type DemoAnswers = { visited: boolean; rating: number };

/** Answers to the demo form; `visited` means a first visit. */
export function answerDemoForm(
  questions: readonly QuestionDocument[],
  { visited, rating }: DemoAnswers,
): AnswerInput[] {
  const texts: Record<string, string> = visited
    ? { NUMBER: '4', EMAIL: 'dave@example.org', ANY: 'Dave' }
    : { NUMBER: '2', ANY: 'Chelsea' };
  const values: Record<string, (question: QuestionDocument) => AnswerInput['value'] | undefined> = {
    SHORT_TEXT: ({ text }) => texts[text?.format ?? 'ANY'],
    DATE: () => '2026-05-01',
    SINGLE_CHOICE: (question) => [question.choices?.[visited ? 0 : 1]?.id ?? ''],
    DROPDOWN: (question) => [question.choices?.at(visited ? 1 : 3)?.id ?? ''],
    RATING: () => rating,
    LONG_TEXT: () => 'The frogs were loud. 🐸\nWe liked it.',
    ...(visited
      ? {
          MULTIPLE_CHOICE: (question: QuestionDocument) =>
            (question.choices ?? []).slice(0, 2).map((choice) => choice.id),
          RANKING: (question: QuestionDocument) => (question.choices ?? []).map((choice) => choice.id).toReversed(),
          LINEAR_SCALE: () => 9,
        }
      : {}),
  };
  return questions.flatMap((question) => {
    const value = values[question.type]?.(question);
    if (value === undefined) return [];
    const other = question.choices?.find(
      (choice) => choice.isOther && Array.isArray(value) && value.some((id) => id === choice.id),
    );
    const input = { questionId: question.id, questionType: question.type, value };
    return [other ? { ...input, otherText: 'By canoe' } : input];
  });
}

/** A picture of one pixel. */
export const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
);
