/**
 * Every control of the editor, written out by hand: what a person does with it, and what is stored then. A control that is on a
 * page and not in this list fails a test.
 */
import type { Locator } from 'playwright-core';
import { expect } from 'vitest';
import type { RichText } from '#core/rich-text/model.ts';
import type { QuestionKind } from '#test/support/fixtures.ts';

/** What is done in an open row. `stored`: the members of the question, or of the section, that follow from it. */
export type Control = { use: (row: Locator) => Promise<unknown>; stored: object };
type Controls = Readonly<Record<string, Control>>;

/** A question or section with its controls by their names; a button by its name and its value, without a position. */
export type Kind = {
  base: QuestionKind | 'SECTION';
  isNew?: boolean;
  /** Each control is used in a visit of its own: they change the same. */
  isApart?: boolean;
  controls: Controls;
};

const field = (row: Locator, name: string) => row.locator(`[name="${name}"]`);
const fill = (name: string, value: string, stored: object): Control => ({
  use: (row) => field(row, name).fill(value),
  stored,
});
const choose = (name: string, value: string, stored: object): Control => ({
  use: (row) => field(row, name).selectOption(value),
  stored,
});
/** A box or a switch, which a label may cover. */
const tick = (name: string, stored: object): Control => ({ use: (row) => field(row, name).press('Space'), stored });
const press = (value: string, stored: object): Control => ({
  use: (row) => row.locator(`button[value="${value}"]`).click(),
  stored,
});

const paragraph = (text: string, marks: string[] = []): RichText => ({
  type: 'doc',
  content: [
    {
      type: 'paragraph',
      content: [{ type: 'text', text, ...(marks.length > 0 && { marks: marks.map((type) => ({ type })) }) }],
    },
  ],
});

/** Selects all of the description and presses a tool. */
const tool = (name: string, description: object): Control => ({
  use: async (row) => {
    await field(row, 'description').press('Control+a');
    await row.locator(`[data-tool="${name}"]`).click();
  },
  stored: { description },
});

const TITLE = { title: fill('title', 'Typed', { title: 'Typed' }) };
const DESCRIPTION = { description: fill('description', 'Deep', { description: paragraph('Deep') }) };
const COMMON = {
  ...TITLE,
  ...DESCRIPTION,
  required: tick('required', { required: true }),
  name: fill('name', 'depth', { name: 'depth' }),
};
const SHUFFLE = { shuffle: tick('shuffle', { shuffle: true }) };
const HIDDEN = { hidden: tick('hidden', { hidden: true }) };
const GRID = { grid: tick('grid', { grid: true }) };
const SELECTION = {
  'selection-min': fill('selection-min', '1', { selection: { min: 1 } }),
  'selection-max': fill('selection-max', '2', { selection: { max: 2 } }),
};
const LENGTHS = {
  'text-minLength': fill('text-minLength', '3', { text: { minLength: 3 } }),
  'text-maxLength': fill('text-maxLength', '30', { text: { maxLength: 30 } }),
};
const LABELS = {
  'scale-minValueLabel': fill('scale-minValueLabel', 'Low', { scale: { minValueLabel: 'Low' } }),
  'scale-maxValueLabel': fill('scale-maxValueLabel', 'High', { scale: { maxValueLabel: 'High' } }),
};
const CHOICE = {
  'choice.name': {
    use: (row: Locator) => field(row, 'choice.name').first().fill('First'),
    stored: { choices: [{ name: 'First' }, {}] },
  },
};
const LIMIT = {
  'choice.limit': {
    use: (row: Locator) => field(row, 'choice.limit').first().fill('5'),
    stored: { choices: [{ limit: 5 }, {}] },
  },
};
const TWO = [{ name: 'One' }, { name: 'Two' }];
const DETAILED = [
  { name: 'One', description: 'Of one' },
  { name: 'Two', description: 'Of two' },
];

export const KINDS: Readonly<Record<string, Kind>> = {
  'a short text': {
    base: { type: 'SHORT_TEXT' },
    controls: {
      ...COMMON,
      ...HIDDEN,
      ...LENGTHS,
      'text-format': choose('text-format', 'EMAIL', { text: { format: 'EMAIL' } }),
    },
  },
  'a number': {
    base: { type: 'SHORT_TEXT', text: { format: 'NUMBER' } },
    controls: {
      'text-min': fill('text-min', '1.5', { text: { min: 1.5 } }),
      'text-max': fill('text-max', '9.5', { text: { max: 9.5 } }),
      'text-decimals': fill('text-decimals', '2', { text: { decimals: 2 } }),
      'text-unit': fill('text-unit', 'km', { text: { unit: 'km' } }),
    },
  },
  'a pattern': {
    base: { type: 'SHORT_TEXT', text: { format: 'PATTERN', pattern: 'a+', hint: 'Some a' } },
    controls: {
      'text-pattern': fill('text-pattern', 'b+', { text: { pattern: 'b+' } }),
      'text-hint': fill('text-hint', 'Some b', { text: { hint: 'Some b' } }),
    },
  },
  'an address': {
    base: { type: 'SHORT_TEXT', text: { format: 'EMAIL' } },
    controls: { 'text-sendCopy': tick('text-sendCopy', { text: { sendCopy: true } }) },
  },
  'a type': {
    base: { type: 'SHORT_TEXT' },
    isApart: true,
    controls: { type: choose('type', 'RATING', { type: 'RATING', scale: { minVal: 1, maxVal: 5, icon: 'star' } }) },
  },
  'a long text': { base: { type: 'LONG_TEXT' }, controls: { ...COMMON, ...LENGTHS } },
  'a single choice': {
    base: { type: 'SINGLE_CHOICE', choices: TWO },
    controls: { ...COMMON, ...CHOICE, ...LIMIT, ...SHUFFLE, ...HIDDEN, ...GRID },
  },
  'the buttons of choices': {
    base: { type: 'DROPDOWN', choices: TWO },
    isApart: true,
    controls: {
      'do=choice-down': press('choice-down:0', { choices: [{ name: 'Two' }, { name: 'One' }] }),
      'do=choice-up': press('choice-up:1', { choices: [{ name: 'Two' }, { name: 'One' }] }),
      'do=choice-remove': press('choice-remove:0', { choices: [{ name: 'Two' }] }),
      'do=add-choice': {
        use: async (row) => {
          await row.locator('button[value="add-choice"]').click();
          await field(row, 'choice.name').last().fill('Three');
        },
        stored: { choices: [{ name: 'One' }, { name: 'Two' }, { name: 'Three' }] },
      },
      'do=add-other': press('add-other', { choices: [{ name: 'One' }, { name: 'Two' }, { isOther: true }] }),
    },
  },
  // Of a question that has choices, choosing a source would lose them, which is asked first.
  'a new list with a source': {
    base: { type: 'SINGLE_CHOICE', choices: TWO },
    isNew: true,
    controls: {
      ...TITLE,
      sourceId: {
        use: (row) => field(row, 'sourceId').selectOption({ label: 'Several' }),
        stored: { sourceId: expect.any(String) },
      },
    },
  },
  'several choices': {
    base: { type: 'MULTIPLE_CHOICE', choices: TWO },
    controls: { ...COMMON, ...CHOICE, ...LIMIT, ...SHUFFLE, ...SELECTION },
  },
  'a list': { base: { type: 'DROPDOWN', choices: TWO }, controls: { ...COMMON, ...CHOICE, ...LIMIT, ...SHUFFLE } },
  'choices with descriptions': {
    base: { type: 'DETAILED_MULTIPLE_CHOICE', choices: DETAILED },
    controls: {
      ...COMMON,
      ...CHOICE,
      ...LIMIT,
      ...SHUFFLE,
      ...SELECTION,
      'choice.description': {
        use: (row) => field(row, 'choice.description').first().fill('All of it'),
        stored: { choices: [{ description: 'All of it' }, {}] },
      },
    },
  },
  'a date': {
    base: { type: 'DATE', date: { hasYear: true, hasMonth: true, hasDay: true } },
    controls: {
      ...COMMON,
      'date-minDate': fill('date-minDate', '2026-01-02', { date: { minDate: '2026-01-02' } }),
      'date-maxDate': fill('date-maxDate', '2027-01-02', { date: { maxDate: '2027-01-02' } }),
    },
  },
  'a part of a date': {
    base: { type: 'DATE', date: { hasYear: true, hasMonth: true, hasDay: true } },
    isApart: true,
    controls: {
      'date-hasDay': tick('date-hasDay', { date: { hasDay: false } }),
      'date-hasYear': tick('date-hasYear', { date: { hasYear: false } }),
      'date-hasMonth': tick('date-hasMonth', { date: { hasMonth: false } }),
    },
  },
  'a file': {
    base: {
      type: 'UPLOAD_FILE',
      uploadFile: { allowedFileTypes: ['PDF'], maxFileAmount: 1, maxFileSizeLimit: 1_048_576 },
    },
    controls: {
      ...COMMON,
      'uploadFile-allowedFileTypes': {
        use: (row) => row.locator('[name="uploadFile-allowedFileTypes"][value="PNG"]').press('Space'),
        stored: { uploadFile: { allowedFileTypes: ['PDF', 'PNG'] } },
      },
      'uploadFile-maxFileAmount': fill('uploadFile-maxFileAmount', '3', { uploadFile: { maxFileAmount: 3 } }),
      'uploadFile-maxFileSizeLimit': fill('uploadFile-maxFileSizeLimit', '2', {
        uploadFile: { maxFileSizeLimit: 2_097_152 },
      }),
    },
  },
  'a scale': {
    base: { type: 'LINEAR_SCALE', scale: { minVal: 1, maxVal: 5 } },
    controls: {
      ...COMMON,
      ...HIDDEN,
      ...GRID,
      ...LABELS,
      'scale-minVal': choose('scale-minVal', '0', { scale: { minVal: 0 } }),
      'scale-maxVal': choose('scale-maxVal', '7', { scale: { maxVal: 7 } }),
      'scale-icon': choose('scale-icon', 'heart', { scale: { icon: 'heart' } }),
    },
  },
  'a rating': {
    base: { type: 'RATING', scale: { minVal: 1, maxVal: 5, icon: 'star' } },
    controls: {
      ...COMMON,
      ...LABELS,
      'scale-maxVal': choose('scale-maxVal', '7', { scale: { maxVal: 7 } }),
      'scale-icon': choose('scale-icon', 'heart', { scale: { icon: 'heart' } }),
    },
  },
  'a ranking': {
    base: { type: 'RANKING', choices: TWO },
    controls: { ...COMMON, ...CHOICE, ...SHUFFLE, ...SELECTION },
  },
  'an account': {
    base: { type: 'OAUTH_CONNECT', oauthConnect: 'PROVIDER_ONE' },
    controls: {
      ...COMMON,
      oauthConnect: choose('oauthConnect', 'PROVIDER_TWO', { oauthConnect: 'PROVIDER_TWO' }),
    },
  },
  'a link': { base: { type: 'HYPERLINK' }, controls: COMMON },
  'the tools of a description': {
    base: { type: 'HYPERLINK', description: paragraph('Deep') },
    isApart: true,
    controls: {
      'tool bold': tool('bold', paragraph('Deep', ['bold'])),
      'tool italic': tool('italic', paragraph('Deep', ['italic'])),
      'tool underline': tool('underline', paragraph('Deep', ['underline'])),
      'tool strike': tool('strike', paragraph('Deep', ['strike'])),
      'tool link': tool('link', {}),
      'tool list': tool('list', { content: [{ type: 'bullet_list' }] }),
      'tool heading': tool('heading', { content: [{ type: 'heading' }] }),
    },
  },
  'a new question': { base: { type: 'SHORT_TEXT' }, isNew: true, controls: { ...COMMON, ...HIDDEN, ...LENGTHS } },
  'a new list': {
    base: { type: 'DROPDOWN', choices: TWO },
    isNew: true,
    controls: {
      ...TITLE,
      'choice.name': {
        use: async (row) => {
          await field(row, 'choice.name').first().fill('First');
          await field(row, 'choice.name').last().fill('Second');
        },
        stored: { choices: [{ name: 'First' }, { name: 'Second' }] },
      },
    },
  },
  'a section': { base: 'SECTION', controls: { ...TITLE, ...DESCRIPTION } },
};

/** Buttons and links of an open row that change nothing of what is typed. */
export const TOOLS = [
  ...['do=save', 'do=preview', 'do=type', 'do=source', 'do=copy', 'do=up', 'do=down', 'close', 'discard', 'copy link'],
  ...['do=copy-section', 'do=section-up', 'do=section-down'],
];
