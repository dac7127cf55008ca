/** Earlier answers in texts: what is put in, what stays as it was written, and what an answer can never do. */
import { describe, expect, test } from 'vitest';
import { renderResponseCopy } from '#core/mail/response-mail.ts';
import type { Answers } from '#core/responses/answers.ts';
import { newResponse } from '#core/responses/edits.ts';
import { listAnsweredSections } from '#core/responses/preview.ts';
import { MAX_RECALLED, recallFrom, recallInDocument } from '#core/responses/recall.ts';
import { renderHtml } from '#core/rich-text/html.ts';
import { renameInTexts, splitAtNames } from '#core/structure/names.ts';
import { findQuestion, type Structure } from '#core/structure/structure.ts';
import { listTextWarnings } from '#core/structure/text-warnings.ts';
import type { AnswerContent } from '#core/structure/types/content.ts';
import { doc, p, text } from '#test/support/rich-text.ts';
import { form, id, question, section } from '#test/support/workflow.ts';

const TIME = '2026-05-01T12:00:00.000Z';

/** a (p: who, q: file) → b (r: colour) → end; the texts of b name all of them. */
function structureWith(title: string): Structure {
  const built = form('a', [
    section('a', 'b', [
      { ...question('p'), name: 'Who' },
      { ...question('q'), name: 'file', type: 'UPLOAD_FILE' },
    ]),
    section('b', 'end', [{ ...question('r'), name: 'colour', title }]),
  ]);
  return built;
}
function answersOf(contents: Record<string, AnswerContent>): Answers {
  const times = { createdAt: TIME, updatedAt: TIME };
  return Object.fromEntries(Object.entries(contents).map(([name, content]) => [id(name), { ...content, ...times }]));
}
const current = (title: string, contents: Record<string, AnswerContent>) => ({
  structure: structureWith(title),
  response: { ...newResponse(id('response'), id('form'), id('user'), TIME), answers: { ...answersOf(contents) } },
});
const short = (value: string): AnswerContent => ({ type: 'SHORT_TEXT', value });

/** The title of the question of the second section, as its respondent reads it. */
const shown = (title: string, contents: Record<string, AnswerContent>) =>
  listAnsweredSections(current(title, contents))[1]?.questions[0]?.question.title;

describe('a title', () => {
  test.for<[string, string, Record<string, AnswerContent>, string]>([
    ['has the answer, whatever the case of the name', 'Hi {{WHO}}, {{ who }}!', { p: short('Ann') }, 'Hi Ann, Ann!'],
    ['has nothing for a missing answer', 'Hi {{who}}!', {}, 'Hi !'],
    [
      'keeps a name that no question has',
      'Hi {{whom}} {{}} {{1}} {who}',
      { p: short('Ann') },
      'Hi {{whom}} {{}} {{1}} {who}',
    ],
    ['has nothing of its own section', '{{colour}}', { r: short('red') }, ''],
    ['never has uploads', '{{file}}', { q: { type: 'UPLOAD_FILE', value: [], display: 'secret.pdf' } }, ''],
    ['expands no answer again', '{{who}}', { p: short('{{who}} {{colour}}') }, '{{who}} {{colour}}'],
    ['has one line', '{{who}}', { p: short('a\nb\r\n\u202ec\u0000d') }, 'a b c d'],
  ])('%s', ([, title, contents, expected]) => expect(shown(title, contents)).toBe(expected));

  test('has at most 200 characters of an answer, whole ones', () => {
    const found = shown('{{who}}', { p: short('😀'.repeat(300)) }) ?? '';
    expect([...found]).toHaveLength(MAX_RECALLED);
    expect(found.endsWith('😀…')).toBe(true);
  });
});

test('a document has the answer in its texts and in place of its variables, and never as markup', () => {
  const recall = recallFrom(current('', { p: short('<img src=x> {{who}} **b**') }), [id('a')]);
  const variable = { type: 'variable', attrs: { name: 'who' }, marks: [{ type: 'bold' }] };
  const document = doc(p(text('Hi {{who}}, '), variable as never, text(' {{nobody}}')));
  expect(renderHtml(recallInDocument(document, recall))).toBe(
    '<p>Hi &lt;img src=x&gt; {{who}} **b**, <strong>&lt;img src=x&gt; {{who}} **b**</strong> {{nobody}}</p>',
  );
  // What is stored stays as it is.
  expect(renderHtml(document)).toBe('<p>Hi {{who}}, <strong>{{who}}</strong> {{nobody}}</p>');
});

test('a text is split in linear time, and is whole again', () => {
  const many = '{{'.repeat(20_000) + '{{a}}'.repeat(2_000);
  const parts = splitAtNames(many);
  expect(parts.map((part) => ('text' in part ? part.text : part.written)).join('')).toBe(many);
  expect(parts.filter((part) => 'name' in part)).toHaveLength(2_000);
});

test('a name that changes is changed in the titles and descriptions of the form', () => {
  const before = structureWith('{{who}} {{Whom}}');
  const described: Structure = {
    ...before,
    nodes: before.nodes.map((node) => (node.id === id('b') ? { ...node, label: 'For {{ WHO }}' } : node)),
    sections: before.sections.map((each) => ({ ...each, description: doc(p(text('{{who}}'))) })),
  };
  const after = renameInTexts(described, new Map([['who', 'person']]));
  expect(findQuestion(after, id('r'))?.question.title).toBe('{{person}} {{Whom}}');
  expect(after.nodes.find((node) => node.id === id('b'))?.label).toBe('For {{person}}');
  expect(after.sections.map(({ description }) => renderHtml(description))).toEqual([
    '<p>{{person}}</p>',
    '<p>{{person}}</p>',
  ]);
});

test('the copy by mail has answers in its subject and closing message, but no link that an answer made', () => {
  const answered = current('How, {{who}}?', { p: short('<b>{{who}}</b> https://evil.example/') });
  const {
    subject,
    html,
    text: plain,
  } = renderResponseCopy({
    form: {
      title: 'Survey of {{who}}',
      dressing: { color: '#1d5fa8' },
      messageAfterSubmission: 'Bye {{who}} https://example.org/{{who}}',
    },
    organization: 'Rivers',
    current: answered,
    link: 'https://forms.example/r/1',
    language: 'en',
    timeZone: 'UTC',
  });
  expect(subject).toContain('Survey of <b>{{who}}</b> https://evil.example/');
  expect(html).toContain('Bye &lt;b&gt;{{who}}&lt;/b&gt; https://evil.example/ <a');
  expect(html).toContain('href="https://example.org/{{who}}"');
  expect(html).not.toContain('href="https://evil.example/"');
  expect(html).toContain('How, &lt;b&gt;{{who}}&lt;/b&gt; https://evil.example/?');
  expect(plain).toContain('Bye <b>{{who}}</b> https://evil.example/ https://example.org/{{who}}');
});

test('of names in texts that stand for nothing, the first 100 are listed', () => {
  const named = structureWith(Array.from({ length: 150 }, (_, index) => `{{n${index}}}`).join(''));
  const warnings = listTextWarnings(named);
  expect(warnings).toHaveLength(100);
  expect(warnings.at(-1)).toMatchObject({ kind: 'unknownName', name: 'n99' });
});
