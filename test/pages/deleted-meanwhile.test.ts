/** Pages that are open while somebody else deletes what they edit: what was typed stays, with the labels of its fields. */
import { describe, expect, test } from 'vitest';
import { newNode, rewire } from '#test/support/building.ts';
import { beforeFirstWrite } from '#test/support/faults.ts';
import { newCast, newForm } from '#test/support/fixtures.ts';
import { fieldsOf, pagesOf, textOf } from '#test/support/pages.ts';

const cast = await newCast();
const { client } = cast.alice;

const TYPED = 'Loch Ness (others)';

/** A form whose first section asks for a lake; a condition to which two sections lead; a unit; a view. */
async function open() {
  const lake = { type: 'SINGLE_CHOICE' as const, title: 'Which lake?', choices: [{ name: 'A' }, { name: 'B' }] };
  const built = await newForm(cast.alice, cast.slug, [[lake], [], [{ type: 'SHORT_TEXT' }]], { publish: false });
  const { formId, sectionIds, questionIds } = built;
  const [section = '', sound = '', last = ''] = sectionIds;
  const [question = ''] = questionIds;
  const { body } = await client.sections.listSections({ params: { formId } });
  const choice = body[0]?.section.questions?.[0]?.choices?.[0]?.id ?? '';
  const nodeId = await newNode(cast.alice, formId, 'CONDITION');
  const conditionRule = { source: 'CHOICE' as const, question, pattern: `^${choice}$` };
  await rewire(cast.alice, formId, { [nodeId]: { conditionRule, nextTrue: last, nextFalse: last } });
  const unit = { name: `North ${formId}`, description: '', metadata: {} };
  const view = { title: `North ${formId}` };
  const { id: viewId } = (await client.views.createView({ params: { formId }, body: view })).body;
  const { id: unitId } = (await client.units.createUnit({ params: { slug: cast.slug }, body: unit })).body;
  return { formId, section, sound, last, question, choice, nodeId, unitId, viewId };
}

type Opened = Awaited<ReturnType<typeof open>>;
type Page = {
  path: (opened: Opened) => string;
  typed: (opened: Opened) => readonly (readonly [string, string])[];
  /** What the page says of it. */
  shown: string;
  remove: (opened: Opened) => Promise<unknown>;
  moments?: readonly Moment[];
};
type Moment = 'before' | 'during';

const removeSection = ({ formId, section }: Opened) =>
  client.workflow.deleteNode({ params: { formId, nodeId: section } });
const removeForm = ({ formId }: Opened) => client.forms.deleteForm({ params: { formId } });

const build = ({ formId }: Opened): string => `/build/${formId}`;

/** A row of the rules of the first section. */
const typeRule = ({ question, choice, last }: Opened) =>
  [
    ['rule.id', ''],
    ['rule.question', question],
    ['rule.test', 'is'],
    ['rule.text', ''],
    ['selected.0', choice],
    ['rule.target', last],
    ['otherwise', last],
  ] as const;

const ruleInWords = (question: string, choice: string): string =>
  `Rules If “${question}” is “${choice}”, go to “New Section”. Otherwise go to “New Section”.`;

const PAGES: Record<string, Page> = {
  section: {
    path: (opened) => `${build(opened)}/s/${opened.section}`,
    typed: () => [['title', TYPED]],
    shown: `Title ${TYPED}`,
    remove: removeSection,
  },
  choices: {
    path: (opened) => `${build(opened)}/q/${opened.question}/choices`,
    typed: () => [['choices', `A\nB\n${TYPED}`]],
    shown: `Choices A B ${TYPED}`,
    remove: removeSection,
  },
  'options of a question': {
    path: (opened) => `${build(opened)}/q/${opened.question}`,
    typed: () => [
      ['type', 'DATE'],
      ['text-format', 'NUMBER'],
      ['date-minDate', '2026-05-01'],
    ],
    shown: 'Not before 2026-05-01',
    remove: removeForm,
    // What would be lost is confirmed first.
    moments: ['before'],
  },
  'rules of a section': {
    path: (opened) => `${build(opened)}/s/${opened.section}/rules?as=rows`,
    typed: typeRule,
    shown: ruleInWords('a deleted question', 'A deleted choice'),
    remove: removeSection,
  },
  'rules that became shared': {
    path: (opened) => `${build(opened)}/s/${opened.section}/rules?as=rows`,
    typed: typeRule,
    shown: ruleInWords('Which lake?', 'A'),
    remove: ({ formId, section, sound, nodeId }) =>
      rewire(cast.alice, formId, { [section]: { next: nodeId }, [sound]: { next: nodeId } }),
  },
  'rules of a section as a table': {
    path: (opened) => `${build(opened)}/s/${opened.section}/rules`,
    typed: ({ question, choice, sound, last }) => [
      ['table.question', question],
      ['table.choice', choice],
      ['table.target', sound],
      ['otherwise', last],
    ],
    shown: ruleInWords('a deleted question', 'A deleted choice'),
    remove: removeSection,
  },
  condition: {
    path: (opened) => `${build(opened)}/c/${opened.nodeId}`,
    typed: ({ sound }) => [
      ['rule.target', sound],
      ['otherwise', sound],
    ],
    shown: ruleInWords('Which lake?', 'A'),
    remove: ({ formId, nodeId }) => client.workflow.deleteNode({ params: { formId, nodeId } }),
  },
  unit: {
    path: ({ unitId }) => `/o/${cast.slug}/units/${unitId}`,
    typed: () => [['name', TYPED]],
    shown: `Name ${TYPED}`,
    remove: ({ unitId }) => client.units.deleteUnit({ params: { slug: cast.slug, unitId } }),
  },
  view: {
    path: ({ formId, viewId }) => `/review/${formId}/views/${viewId}`,
    typed: () => [['title', TYPED]],
    shown: `Title ${TYPED}`,
    remove: ({ formId, viewId }) => client.views.deleteView({ params: { formId, viewId } }),
  },
  'new view of a deleted form': {
    path: ({ formId }) => `/review/${formId}/views`,
    typed: () => [['title', TYPED]],
    shown: `Title ${TYPED}`,
    remove: removeForm,
    // A view that is stored during the deletion of its form is deleted with it.
    moments: ['before'],
  },
  'look of a deleted form': {
    path: (opened) => `${build(opened)}/look`,
    typed: () => [
      ['color', '#123456'],
      ['textFont', 'noto-serif'],
    ],
    shown: 'Colour #123456',
    remove: removeForm,
  },
  'order of a deleted form': {
    path: (opened) => `${build(opened)}/questions/order`,
    typed: ({ question }) => [[`s.${question}`, '2']],
    shown: 'This is no longer here',
    remove: removeForm,
  },
  'new question of a deleted form': {
    path: (opened) => `${build(opened)}/s/${opened.section}/new?type=SHORT_TEXT`,
    typed: () => [
      ['title', TYPED],
      ['text-maxLength', '40'],
    ],
    shown: `Question ${TYPED} Largest number of characters 40`,
    remove: removeForm,
  },
  'settings of a deleted form': {
    path: (opened) => `${build(opened)}/settings`,
    typed: () => [['messageAfterSubmission', TYPED]],
    shown: `Message after submission ${TYPED}`,
    remove: removeForm,
  },
  'section of a deleted form': {
    path: (opened) => `${build(opened)}/s/${opened.section}`,
    typed: () => [['title', TYPED]],
    shown: `Title ${TYPED}`,
    remove: removeForm,
  },
  'question of a deleted form': {
    path: (opened) => `${build(opened)}/q/${opened.question}`,
    typed: () => [['title', TYPED]],
    shown: `Question ${TYPED}`,
    remove: removeForm,
  },
};

/** The names of the lists, boxes and buttons of a page from which something is chosen. */
const listChosen = (page: string): Set<string | undefined> =>
  new Set(
    [...page.matchAll(/<(?:select|input(?=[^>]*type="(?:radio|checkbox)"))[^>]* name="([^"]+)"/g)].map(
      ([, name]) => name,
    ),
  );

describe('what was typed stays when somebody else has deleted it meanwhile', () => {
  test.for(
    Object.entries(PAGES).flatMap(([name, { moments = ['before', 'during'] }]) =>
      moments.map((moment) => [name, moment] as const),
    ),
  )('%s, %s the save', async ([name, moment]) => {
    const { path, typed, shown, remove } = PAGES[name] as Page;
    const opened = await open();
    const pages = pagesOf(cast.alice);
    const own = typed(opened);
    const page = await pages.show(path(opened));
    const rest = fieldsOf(page).filter(([field]) => !own.some(([other]) => other === field));
    const save = () => pages.post(path(opened).replace(/\?.*/, ''), [...rest, ...own, ['do', 'save']]);
    if (moment === 'before') await remove(opened);
    const refused = await (moment === 'before' ? save() : beforeFirstWrite(save, () => remove(opened)));
    const html = await refused.text();
    const text = textOf(html);
    expect([refused.status, text]).toEqual([404, expect.stringContaining(shown)]);
    const hash = rest.find(([field]) => field === 'hash')?.[1] ?? 'none';
    expect(text).not.toContain(hash);
    expect(html).not.toContain('<li><span class="pre-line" dir="auto">');
    // What is chosen from a list is a name in the code, which nobody has typed.
    const chosen = [...rest, ...own].filter(([field, value]) => value !== '' && listChosen(page).has(field));
    expect(chosen.filter(([, value]) => html.includes(`dir="auto">${value}</span>`))).toEqual([]);
  });
});
