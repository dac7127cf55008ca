/** What the forms of authors refuse: what is half typed or another value than it looks is never stored as something else. */
import { describe, expect, test } from 'vitest';
import { type Built, newCast, newForm } from '#test/support/fixtures.ts';
import { fieldsOf, fillIn, pagesOf, textOf } from '#test/support/pages.ts';

const cast = await newCast();

const uploadFile = { allowedFileTypes: ['PDF' as const], maxFileAmount: 1, maxFileSizeLimit: 1_048_576 };
const date = { hasYear: true, hasMonth: true, hasDay: true, minDate: '2020-01-01', maxDate: '2030-01-01' };

const form = await newForm(
  cast.alice,
  cast.slug,
  [
    [
      { type: 'UPLOAD_FILE', uploadFile },
      { type: 'DATE', date },
      { type: 'DATE', date: { hasYear: true, hasMonth: true, hasDay: false } },
    ],
    [],
  ],
  { publish: false },
);
type Fields = readonly (readonly [string, string])[];
type Field = {
  path: string;
  /** What is posted for a typed text. */
  fields: (text: string) => Fields;
  /** The texts that are refused, with the words of the page. */
  refused: Readonly<Record<string, string>>;
  taken: readonly string[];
};

const { formId, sectionIds, questionIds } = form satisfies Built;
const [first = '', second = ''] = sectionIds;
const [files = '', day = '', month = ''] = questionIds;
const build = `/build/${formId}`;
const named = (name: string) => (text: string) => [[name, text]] as const;
const rule = (questionId: string, kind: string) => (text: string) =>
  [
    ['rule.id', ''],
    ['rule.question', questionId],
    ['rule.test', kind],
    ['rule.text', text],
    ['rule.target', second],
    ['otherwise', second],
  ] as const;

const NUMBER = ['', '0', '-1', '1e0', '0x1', '1.0', '1,5', '+1', '１', 'x'];
const all = (texts: readonly string[], words: string) => Object.fromEntries(texts.map((text) => [text, words]));

const TIME = {
  '2031-01-01': 'Enter the time too',
  '2031-01': 'Enter a date and a time, in hours and minutes',
  '2031--01T10:00': 'Enter the month too',
  '-01-01T10:00': 'Enter the year too',
  '2031-01-T10:00': 'Enter the day too',
  '10:00': 'Enter a date and a time, in hours and minutes',
  '31-01-01T10:00': 'The year must have four digits',
  '0031-01-01T10:00': 'The year must have four digits',
  '2031-13-01T10:00': 'The month must be a number from 1 to 12',
  '2031-01-32T10:00': 'The day must be a number from 1 to 31',
  '2031-02-29T10:00': 'This day does not exist',
  '2031-01-01T24:00': 'Enter a date and a time, in hours and minutes',
  '2031-01-01T10': 'Enter a date and a time, in hours and minutes',
  '2031-01-01T10:00:59': 'Enter a date and a time, in hours and minutes',
  '2031-01-01T10:00Z': 'Enter a date and a time, in hours and minutes',
  '1.1.2031 10:00': 'Enter a date and a time, in hours and minutes',
};
const DAY = {
  '2026': 'Enter a date',
  '2026-05': 'Enter a date',
  '2026--01': 'Enter the month too',
  '--01': 'Enter the year and the month too',
  '26-05-01': 'The year must have four digits',
  '0026-05-01': 'The year must have four digits',
  '2026-5-1': 'Enter a date',
  '2026-13-01': 'The month must be a number from 1 to 12',
  '2026-02-30': 'This day does not exist',
  '1.5.2026': 'Enter a date',
};

const FIELDS: Record<string, Field> = {
  'time of opening': {
    path: `${build}/settings`,
    fields: named('publishTime'),
    refused: TIME,
    taken: ['2031-01-01T10:00', '2031-01-01T10:00:00', ''],
  },
  'time of closing': {
    path: `${build}/settings`,
    fields: named('deadline'),
    refused: TIME,
    taken: ['2031-01-01T10:00', ''],
  },
  'first day': {
    path: `${build}/q/${day}`,
    fields: named('date-minDate'),
    refused: { ...DAY, '2031-01-01': 'It must not be after the last date' },
    taken: ['2026-05-01', ''],
  },
  'last day': { path: `${build}/q/${day}`, fields: named('date-maxDate'), refused: DAY, taken: ['2026-05-01', ''] },
  'number of files': {
    path: `${build}/q/${files}`,
    fields: named('uploadFile-maxFileAmount'),
    refused: all([...NUMBER, '11'], 'Enter a number from 1 to 10'),
    taken: ['1', '10', ' 2 '],
  },
  'size of files': {
    path: `${build}/q/${files}`,
    fields: named('uploadFile-maxFileSizeLimit'),
    refused: all(
      ['', '0', '0.0000001', '-1', '1e0', '0x1', '1,5', '+1', '.5', '１', '10.1', 'Infinity'],
      'Enter a size of at most 10 MB',
    ),
    taken: ['1', '0.5', '10'],
  },
  'section of a question': {
    path: `${build}/questions/order`,
    fields: named(`s.${day}`),
    refused: all(['', '0', '3', '1e0', '0x1', '1.0', '１'], 'Enter the number of a section, from 1 to 2'),
    taken: ['1', '2'],
  },
  'number of a question': {
    path: `${build}/questions/order`,
    fields: named(`n.${day}`),
    refused: all(NUMBER, 'Enter a number from 1'),
    taken: ['1', '3'],
  },
  'day of a rule': {
    path: `${build}/s/${first}/rules?as=rows`,
    fields: rule(day, 'on'),
    refused: all(['2026', '2026-05', '26-05-01', '2026-02-30'], 'Enter a date, a year or a month'),
    taken: ['2026-05-01', '2026-5-1'],
  },
  'year of a rule': {
    path: `${build}/s/${first}/rules?as=rows`,
    fields: rule(day, 'year'),
    refused: all(['26', '2026-05', '2026-05-01', '20266'], 'Enter a date, a year or a month'),
    taken: ['2026'],
  },
  'month of a rule': {
    path: `${build}/s/${first}/rules?as=rows`,
    fields: rule(day, 'month'),
    refused: all(['2026', '26-05', '2026-05-01', '13'], 'Enter a date, a year or a month'),
    taken: ['2026-05', '5'],
  },
  'date without a day of a rule': {
    path: `${build}/s/${first}/rules?as=rows`,
    fields: rule(month, 'on'),
    refused: all(['2026', '2026-05-01', '26-05'], 'Enter a date, a year or a month'),
    taken: ['2026-05'],
  },
  'prefilled day': {
    path: `${build}/share`,
    fields: named(`q.${day}`),
    refused: all(['26-05-01', '0026-05-01', '2026-05', '2031-01-01'], 'not a valid answer'),
    taken: ['2026-05-01'],
  },
  colour: {
    path: `${build}/look`,
    fields: named('color'),
    refused: all(['12345', '#12345', 'red', '#12345g'], 'colour'),
    taken: ['#123456'],
  },
};

/** The page of links makes one; others save. */
const actionOf = (path: string): string => (path.endsWith('/share') ? 'prefillLink' : 'save');

describe('a form of authors refuses, and keeps as it was typed,', () => {
  test.for(
    Object.entries(FIELDS).flatMap(([name, { refused }]) => Object.keys(refused).map((text) => [name, text] as const)),
  )('%s: “%s”', async ([name, text]) => {
    const { path, fields, refused } = FIELDS[name] as Field;
    const response = await fillIn(cast.alice, path, fields(text), actionOf(path));
    const html = await response.text();
    expect([response.status, textOf(html)]).toEqual([400, expect.stringContaining(refused[text] ?? '')]);
    // The form of links is the second one of its page.
    const form = path.endsWith('/share') ? html.replace(/(<main.*?)<form.*?<\/form>/s, '$1') : html;
    expect(fieldsOf(form)).toEqual(expect.arrayContaining([...fields(text)]));
  });

  test.for(
    Object.entries(FIELDS).flatMap(([name, { taken }]) => taken.map((text) => [name, text] as const)),
  )('but not %s: “%s”', async ([name, text]) => {
    const { path, fields } = FIELDS[name] as Field;
    expect((await fillIn(cast.alice, path, fields(text), actionOf(path))).status).toBe(
      path.endsWith('/share') ? 200 : 303,
    );
  });
});

test('browsers check a form with dates, of which they would send half a one as none', async () => {
  const pages = pagesOf(cast.alice);
  for (const path of [
    `${build}/settings`,
    `${build}/q/${day}`,
    `${build}/s/${first}/new?type=DATE`,
    `${build}/share`,
  ]) {
    const html = await pages.show(path);
    const forms = html.match(/<form .*?<\/form>/gs)?.filter((each) => /type="date/.test(each)) ?? [];
    expect([path, forms.length]).toEqual([path, 1]);
    expect(forms.join('')).not.toMatch(/ novalidate|<(?:input|textarea|select)[^>]* (?:required|min|max|pattern)/);
  }
});
