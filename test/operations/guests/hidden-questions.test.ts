/** Hidden questions of invited guests: what the invitation says stands, whatever a client sends. */
import { expect, test } from 'vitest';
import { app } from '#core/http/app.ts';
import { loadResponses } from '#core/responses/store.ts';
import { expectProblem, newForm } from '#test/support/fixtures.ts';
import { guestWith, newInvitation } from '#test/support/invitations.ts';
import { castAt, choice, readQuestions, save, sent, start, text } from '#test/support/responses.ts';

const { alice, bob, slug } = await castAt();

/** A form with a hidden source, ward and score, and a question that is shown; with an invitation that says these. */
async function invited(prefill: (ids: string[]) => Record<string, string>) {
  const built = await newForm(
    alice,
    slug,
    [
      [
        { type: 'SHORT_TEXT', title: 'From', name: 'source', hidden: true },
        { type: 'SINGLE_CHOICE', title: 'Ward', name: 'ward', hidden: true, choices: [{ name: 'A' }, { name: 'B' }] },
        { type: 'LINEAR_SCALE', title: 'Score', hidden: true, scale: { minVal: 0, maxVal: 5 } },
        { type: 'SHORT_TEXT', title: 'Which lake?' },
      ],
    ],
    { audience: 'INVITED', visibility: 'PRIVATE' },
  );
  const { formId, questionIds } = built;
  const questions = await readQuestions(alice, formId);
  const { code } = await newInvitation({ formId, member: bob }, { prefill: prefill(questionIds) });
  return { ...built, questions, guest: await guestWith(formId, code) };
}

const valuesOf = async (responseId: string, ids: readonly string[]) => {
  const { answers } = (await loadResponses(app().table, [responseId]))[0] ?? {};
  return ids.map((id) => answers?.[id]?.value);
};

test('an invitation wins over what is sent, and answers what is not sent, of each type', async () => {
  const says = (ids: string[]) => ({
    'q.Source': 'poster',
    'q.ward': 'B',
    [`q.${ids[2]}`]: '4',
    [`q.${ids[3]}`]: 'Loch Ness',
  });
  for (const sends of ['other answers', 'nothing'] as const) {
    const { formId, questionIds, questions, guest } = await invited(says);
    const [source = '', ward = '', score = '', lake = ''] = questionIds;
    const wardQuestion = questions.find(({ id }) => id === ward);
    if (!wardQuestion) throw new Error('a question is missing');
    const answers =
      sends === 'nothing'
        ? []
        : [
            text(source, 'forged'),
            sent(ward, 'SINGLE_CHOICE', [choice(wardQuestion, 'A')]),
            sent(score, 'LINEAR_SCALE', 0),
            text(lake, 'Windermere'),
          ];
    const responseId = await start(guest, formId, answers);
    // A question that is shown begins as the guest says.
    const shown = sends === 'nothing' ? undefined : 'Windermere';
    const expected = ['poster', [choice(wardQuestion, 'B')], 4, shown];
    expect(await valuesOf(responseId, questionIds)).toEqual(expected);
    const changed = save(guest, responseId, [text(source, 'forged')]);
    expect(await expectProblem(changed)).toMatchObject({ status: 400 });
    expect(await valuesOf(responseId, questionIds)).toEqual(expected);
  }
});

test('an invitation that says nothing valid leaves hidden questions to what is sent', async () => {
  const { formId, questionIds, guest } = await invited((ids) => ({
    'q.ward': 'Z',
    [`q.${ids[2]}`]: '99',
  }));
  const [source = '', ward = '', score = ''] = questionIds;
  const responseId = await start(guest, formId, [text(source, 'mail')]);
  expect(await valuesOf(responseId, [source, ward, score])).toEqual(['mail', undefined, undefined]);
});

test('an invitation that names a question by its name and its id says the first of both', async () => {
  const { formId, questionIds, guest } = await invited((ids) => ({ 'q.source': 'poster', [`q.${ids[0]}`]: 'mail' }));
  const responseId = await start(guest, formId);
  expect(await valuesOf(responseId, questionIds.slice(0, 1))).toEqual(['poster']);
});
