/** Conditions on the names of files and on a connected username. */
import { expect, test } from 'vitest';
import { app } from '#core/http/app.ts';
import { changeResponse, reopenResponse } from '#core/responses/change.ts';
import { setAnswer } from '#core/responses/edits.ts';
import type { AnswerContent } from '#core/structure/types/content.ts';
import { attached, PICTURES } from '#test/support/files.ts';
import { newCast, writingApp } from '#test/support/fixtures.ts';
import { branchedForm, preview, start } from '#test/support/responses.ts';

const cast = await newCast();

const TEXT = { type: 'SHORT_TEXT' } as const;
const FILE = { type: 'UPLOAD_FILE', uploadFile: PICTURES } as const;
const CONNECT = { type: 'OAUTH_CONNECT', oauthConnect: 'PROVIDER_ONE' } as const;

/** A form that goes one way or the other by a pattern on its first question, and a response of dave's to it. */
async function branching(first: typeof FILE | typeof CONNECT, pattern: string) {
  const { alice, dave, slug } = cast;
  const form = await branchedForm({ person: alice, slug }, { first: [first], yes: [TEXT], no: [TEXT] }, { pattern });
  const responseId = await start(dave, form.formId);
  /** The branch of the response; null while it waits at the condition. */
  const way = async (): Promise<'yes' | 'no' | null> => {
    const { sections } = await preview(dave, form.formId, responseId);
    const isOn = (index: number) => sections.find(({ id }) => id === form.sectionIds[index])?.progress !== 'SKIPPED';
    if (isOn(1)) return 'yes';
    return isOn(2) ? 'no' : null;
  };
  return { ...form, responseId, way };
}

test.for([
  ['\\.pdf\\.txt$', ['river.pdf.txt'], 'yes'],
  ['^lake', ['river.txt', 'lake.txt'], 'yes'],
  ['river.*lake', ['river.txt', 'lake.txt'], 'no'],
  ['river\\.txt, ', ['river.txt', 'lake.txt'], 'no'],
  ['file\\(s\\)|bytes', ['river.txt'], 'no'],
  ['^evil', ['river\nevil.txt'], 'no'],
  ['river$', ['river\nevil.txt'], 'no'],
  ['^river\\nevil\\.txt$', ['river\nevil.txt'], 'yes'],
  ['^(?:[^x]|x)*\\.txt$', [`${'x'.repeat(400)}.txt`], 'yes'],
  ['河', ['大河.txt'], 'yes'],
] as const)('the pattern %j on files %j leads to %s', async ([pattern, names, expected]) => {
  const { responseId, asked: questionId, way } = await branching(FILE, pattern);
  expect(await way()).toBeNull();
  await attached(cast.dave, { responseId, questionId }, ...names);
  expect(await way()).toBe(expected);
});

test('deleting a file changes the branch, and without any the response waits at the condition', async () => {
  const { responseId, asked: questionId, way } = await branching(FILE, 'lake');
  const [river = '', lake = ''] = await attached(cast.dave, { responseId, questionId }, 'river.txt', 'lake.txt');
  expect(await way()).toBe('yes');
  await cast.dave.client.files.deleteFile({ params: { fileId: lake } });
  expect(await way()).toBe('no');
  await cast.dave.client.files.deleteFile({ params: { fileId: river } });
  expect(await way()).toBeNull();
});

test.for([
  ['^octo$', 'octo', 'yes'],
  ['example\\.org|provider\\.example|PROVIDER_ONE|^42$', 'octo', 'no'],
  ['^cat$', 'octo\ncat', 'no'],
] as const)('the pattern %j on the account %j leads to %s', async ([pattern, username, expected]) => {
  const { responseId, asked: questionId, way } = await branching(CONNECT, pattern);
  expect(await way()).toBeNull();
  const picture = 'https://provider.example/42.png';
  const profile = { providerId: '42', email: 'octo@example.org', avatar_url: picture, avatarUrl: picture };
  const content: AnswerContent = { type: 'OAUTH_CONNECT', value: { provider: 'PROVIDER_ONE', username, ...profile } };
  const opened = await reopenResponse(app().table, responseId);
  await changeResponse(writingApp(), opened, (current, now) => ({
    next: setAnswer(current, questionId, content, now),
    body: undefined,
  }));
  expect(await way()).toBe(expected);
});
