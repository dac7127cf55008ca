/**
 * What a request reads is at most doubled in time when it is doubled in size, up to the largest form, file and table that the
 * limits permit, and takes at most a second of processor time. Each loop over a form, a definition, a response or a cell meets
 * the shape that makes it repeat its work most often. Measured is this process, the least of several runs.
 */
import { describe, expect, test } from 'vitest';
import { idWithin, keys } from '#core/db/keys.ts';
import { loadForm } from '#core/forms/store.ts';
import { app } from '#core/http/app.ts';
import { renderResponseCopy } from '#core/mail/response-mail.ts';
import { readResponse } from '#core/responses/change.ts';
import { MAX_QUESTIONS, MAX_SECTIONS, MAX_VIEWS } from '#core/schema/limits.ts';
import { buildChangesWrites, parseChanges, reloadEditedForm } from '#core/structure/changes.ts';
import type { Question } from '#core/structure/question-model.ts';
import type { Section, Structure } from '#core/structure/structure.ts';
import { MAX_CONDITIONS, type WorkflowNode } from '#core/structure/workflow-model.ts';
import { replaceStoredStructure, requestAs } from '#test/support/building.ts';
import { muteErrors } from '#test/support/console.ts';
import { newForm, type QuestionKind, send } from '#test/support/fixtures.ts';
import { listAuthorPages } from '#test/support/large-form.ts';
import { fieldsOf, fillIn, pagesOf } from '#test/support/pages.ts';
import { castAt, NOW, store, submissionOf } from '#test/support/responses.ts';

const cast = await castAt();
muteErrors();

const RUNS = 2;
const MAX_MS = 1_000;
/** Twice as much may take twice the time, and a half more for the garbage collector. */
const FACTOR = 3;
/** What any request may take: a loop that is quadratic below it is not dangerous at its largest size. */
const HARMLESS_MS = 500;

/** The processor time of a request in milliseconds, the least of some runs; ends early when one is beyond all limits. */
async function measure(run: () => unknown): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let count = 0; count < RUNS && (count === 0 || least < 3 * MAX_MS); count += 1) {
    const before = process.cpuUsage();
    await run();
    const { user, system } = process.cpuUsage(before);
    least = Math.min(least, (user + system) / 1_000);
  }
  return Math.round(least);
}

type Times = Record<string, number>;

/** Measures half and full size, and lists what takes out of proportion or too long. */
async function listExcess(measureAll: (share: number) => Promise<Times>): Promise<string[]> {
  const [half, full] = [await measureAll(0.5), await measureAll(1)];
  return Object.entries(full).flatMap(([name, time]) => {
    const was = half[name] ?? Number.NaN;
    return time <= MAX_MS && time <= Math.max(FACTOR * was, HARMLESS_MS) ? [] : [`${name}: ${was} → ${time} ms`];
  });
}

/** Where the conditions of a form are, and where each leads: to one of the nodes in order, of which it has a position. */
type Shape = {
  name: string;
  places: 'after each section' | 'after the first section' | 'after the last section';
  /** Whether all sections lead to the first condition. */
  isShared?: boolean;
  leads(nodes: readonly string[], position: number): [nextTrue: string | undefined, nextFalse: string | undefined];
};

const SHAPES: Shape[] = [
  { name: 'diamonds', places: 'after each section', leads: (nodes, at) => [nodes[at + 1], nodes[at + 2]] },
  {
    name: 'circles',
    places: 'after each section',
    leads: (nodes, at) => [nodes[nodes.length - at - 1], nodes[at + 1]],
  },
  {
    name: 'a long list of rules',
    places: 'after the first section',
    leads: (nodes, at) => [nodes.at(-1), nodes[at + 1]],
  },
  { name: 'a graph of rules', places: 'after the first section', leads: (nodes, at) => [nodes[at + 1], nodes[at + 2]] },
  {
    name: 'ways back',
    places: 'after the last section',
    leads: (nodes, at) => [nodes[Math.max(0, at - 1)], nodes[at + 1]],
  },
  {
    name: 'shared rules',
    places: 'after the last section',
    isShared: true,
    leads: (nodes, at) => [nodes[at + 1], nodes[at + 2]],
  },
];

/**
 * Builds the questions and the workflow of a form, each time with the same ids. `other`: with other links, rules, titles and
 * choices. Each question takes its choices from the next one.
 */
function openBuild(formId: string, { places, isShared, leads }: Shape, share: number) {
  const newIds = (count: number) => Array.from({ length: count * share }, () => idWithin(formId, app().uuid()));
  const [sectionIds, conditionIds, questionIds] = [newIds(MAX_SECTIONS), newIds(MAX_CONDITIONS), newIds(MAX_QUESTIONS)];
  const [choice = '', otherChoice = ''] = newIds(4);
  const place = {
    'after each section': -1,
    'after the first section': 0,
    'after the last section': sectionIds.length - 1,
  }[places];
  const each = conditionIds.length / sectionIds.length;
  const order = sectionIds.flatMap((id, index) =>
    place === -1
      ? [id, ...conditionIds.slice(index * each, (index + 1) * each)]
      : [id, ...(index === place ? conditionIds : [])],
  );
  return (structure: Structure, other = false): Structure => {
    const [start, end] = (['START', 'END'] as const).flatMap((type) =>
      structure.nodes.filter((node) => node.type === type),
    );
    if (!start || !end) throw new Error('the form has no ends');
    const nodes = order.map((id, position): WorkflowNode => {
      const next = order[position + 1] ?? end.id;
      if (sectionIds.includes(id)) {
        return {
          id,
          type: 'SECTION',
          label: `Section ${position}${other ? ' now' : ''}`,
          payload: {},
          next: (isShared && conditionIds[0]) || next,
        };
      }
      const targets = leads(order, position).map((target) => target ?? end.id);
      const [nextTrue = '', nextFalse = ''] = other ? targets.toReversed() : targets;
      const question = questionIds[other ? 0 : (position * 7) % questionIds.length] ?? '';
      const conditionRule = { source: 'CHOICE' as const, question, pattern: `^${other ? otherChoice : choice}$` };
      return { id, type: 'CONDITION', label: 'If', payload: {}, nextTrue, nextFalse, conditionRule };
    });
    const times = { createdAt: NOW, updatedAt: NOW };
    const questions = questionIds.map((id, index): Question => {
      const own = [...(other ? [] : [{ id: choice, name: 'A' }]), { id: otherChoice, name: 'B' }];
      const sourceId = questionIds[index + 1];
      return {
        ...times,
        id,
        type: 'MULTIPLE_CHOICE',
        title: `Question ${index}${other ? ' now' : ''}`,
        required: false,
        description: null,
        ...(sourceId === undefined ? { choices: own } : { sourceId }),
      };
    });
    const sections = sectionIds.map((id, index): Section => {
      const isHere = (_question: Question, position: number) =>
        place === 0 ? index === 0 : position % sectionIds.length === index;
      return { ...times, id, description: null, questions: questions.filter(isHere) };
    });
    return { ...structure, nodes: [{ ...start, next: order[0] ?? end.id }, end, ...nodes], sections };
  };
}

describe('a form with as many sections, questions and conditions as it may have is edited in linear time, with', () => {
  test.each(SHAPES)('$name', async (shape) => {
    const excess = await listExcess(async (share) => {
      const form = await newForm(cast.alice, cast.slug, [[{ type: 'SHORT_TEXT' }]]);
      const { formId } = form;
      const build = openBuild(formId, shape, share);
      let live: Structure | undefined;
      await replaceStoredStructure(formId, (structure) => {
        live = build(structure);
        return live;
      });
      const [section] = live?.sections ?? [];
      const built = { ...form, sectionIds: [section?.id ?? ''], questionIds: [section?.questions[0]?.id ?? ''] };
      const pages = pagesOf(cast.alice);
      const show = (path: string) =>
        measure(async () => {
          const response = await pages.get(path);
          expect([200, 303]).toContain(response.status);
          await response.text();
        });
      const read = (path: string) =>
        measure(async () => expect((await requestAs(cast.alice, 'GET', path)).status).toBe(200));
      const times: Times = {};
      for (const [name, path] of listAuthorPages(built))
        if (!['a version', 'choices as text'].includes(name)) times[name] = await show(path);
      times.workflow = await read(`/api/forms/${formId}/workflow`);
      times['saved rules'] = await measure(async () => {
        const rules = `/build/${formId}/s/${section?.id}/rules`;
        const fields = fieldsOf(await (await pages.get(`${rules}?as=rows`)).text());
        if (fields.length > 0) await (await pages.post(rules, [...fields, ['do', 'save']])).text();
      });
      const write = async (name: string, method: string, path: string, body?: () => unknown) => {
        times[name] = await measure(async () => {
          const { status } = await requestAs(cast.alice, method, path, body?.());
          expect([name, status < 500]).toEqual([name, true]);
        });
      };
      const { workflow } = (await requestAs(cast.alice, 'GET', `/api/forms/${formId}/workflow`)).body;
      let labels = 0;
      await write('stored workflow', 'PUT', `/api/forms/${formId}/workflow`, () => {
        labels += 1;
        return workflow.map((node: WorkflowNode) => (node.type === 'SECTION' ? { ...node, label: `${labels}` } : node));
      });
      await write('definition', 'GET', `/api/forms/${formId}/definition`);
      await write('copied form', 'POST', `/api/forms/${formId}/duplicate`);
      await write('copied section', 'POST', `/api/forms/${formId}/sections/${section?.id}/copy`);
      await write('deleted node', 'DELETE', `/api/forms/${formId}/workflow/nodes/${workflow.at(-1).id}`);
      await fillIn(cast.alice, `/build/${formId}/s/${section?.id}`, [['title', 'Changed']]);
      const [item] = await app().table.read([keys.formChanges(formId)]);
      const before = parseChanges(item);
      if (!before) throw new Error('there are no changes');
      const editing = { edited: await reloadEditedForm(app().table, formId), formId, editorId: before.editorId };
      const at = before.updatedAt;
      await app().table.write(buildChangesWrites(editing, build(before.structure, true), { at }).writes);
      times['changes after all was edited'] = await show(`/build/${formId}/changes`);
      times['questions after all was edited'] = await show(`/build/${formId}/questions`);
      times['a version after all was edited'] = await show(`/build/${formId}/versions/${before.basedOn}`);
      times['changes of the API'] = await read(`/api/forms/${formId}/changes`);
      let version = 0;
      await replaceStoredStructure(formId, (structure) => {
        version = structure.version + 1;
        return { ...build(structure), removed: [] };
      });
      times['merged changes'] = await show(`/build/${formId}/changes`);
      times['merged changes of the API'] = await read(`/api/forms/${formId}/changes`);
      times.versions = await show(`/build/${formId}/versions`);
      times['a version'] = await measure(() => pages.show(`/build/${formId}/versions/${version}`));
      await write('published changes', 'POST', `/api/forms/${formId}/changes/publish`, () => ({ force: true }));
      await write('restored version', 'POST', `/api/forms/${formId}/versions/${version}/restore`, () => ({
        force: true,
      }));
      times.landing = await measure(() => pagesOf(cast.dave).show(`/f/${formId}`));
      return times;
    });
    expect(excess).toEqual([]);
  });
});

/** How many questions each section has, if all have as many. */
const QUESTIONS_EACH = Math.floor(MAX_QUESTIONS / MAX_SECTIONS);

/** The id of a definition. */
const neutral = (n: number): string => `00000000-0000-8000-8000-${n.toString(16).padStart(12, '0')}`;

/** A definition with as many views and columns as it may have, of questions that it does not have; `faulty` questions are none. */
function definition(share: number, faulty: number) {
  const times = <T>(count: number, make: (index: number) => T): T[] =>
    Array.from({ length: count * share }, (_, n) => make(n));
  const end = neutral(2);
  const node = (id: string, type: string, links: object) => ({ id, type, label: type, payload: {}, ...links });
  return {
    ...{ format: 'form-service', version: 1 },
    form: {
      ...{ title: 'Views', visibility: 'PUBLIC', allowEditResponse: true, description: null },
      nodes: [
        node(neutral(1), 'START', { next: neutral(100) }),
        node(end, 'END', {}),
        ...times(MAX_SECTIONS, (n) => node(neutral(100 + n), 'SECTION', { next: end })),
        ...times(MAX_CONDITIONS, (n) => node(neutral(1_000 + n), 'CONDITION', { nextTrue: end, nextFalse: end })),
      ],
      sections: times(MAX_SECTIONS, (n) => ({
        ...{ id: neutral(100 + n), description: null },
        questions: Array.from({ length: QUESTIONS_EACH }, (_, index) => ({
          ...{
            id: neutral(2_000 + n * QUESTIONS_EACH + index),
            type: 'SHORT_TEXT',
            title: 'Q',
            required: false,
            description: null,
          },
          ...(n * QUESTIONS_EACH + index < faulty * share && { type: 7, title: 7, required: 7, description: 7 }),
        })),
      })),
      views: times(MAX_VIEWS, (n) => ({
        ...{ id: neutral(500_000 + n), title: `View ${n}`, locked: false },
        columns: Array.from({ length: 250 }, (_, column) => neutral(900_000 + column)),
      })),
    },
  };
}

test('a definition with as many faults as it can have is refused in linear time, with the first 1,000 of them', async () => {
  const excess = await listExcess(async (share) => {
    const times: Times = {};
    for (const faulty of [0, 250]) {
      const body = definition(share, faulty);
      times[`import, ${faulty} faulty questions`] = await measure(async () => {
        const refused = await requestAs(cast.alice, 'POST', `/api/orgs/${cast.slug}/forms/import`, body);
        expect([refused.status, refused.body.errors.length]).toEqual([
          400,
          Math.min(1_000, faulty ? 4 * faulty * share : 1_000),
        ]);
      });
      times[`file, ${faulty} faulty questions`] = await measure(async () => {
        const form = new FormData();
        form.append('do', 'file');
        form.append('file', new File([JSON.stringify(body)], 'form.json', { type: 'application/json' }));
        const refused = await pagesOf(cast.alice).upload(`/o/${cast.slug}/new`, form);
        expect([refused.status, (await refused.text()).length < 1_000_000]).toEqual([400, true]);
      });
    }
    return times;
  });
  expect(excess).toEqual([]);
});

/** A form of one section with many questions of a kind; `share` of as many as it may have. */
const formOf = (share: number, kind: QuestionKind) =>
  newForm(cast.alice, cast.slug, [Array.from({ length: MAX_QUESTIONS * share }, () => kind)]);

test('as many values as a form of a page may have are prefilled in linear time', async () => {
  const choices = Array.from({ length: 4 }, (_, n) => ({ name: `${n}` }));
  const excess = await listExcess(async (share) => {
    const { formId, questionIds } = await formOf(share, { type: 'MULTIPLE_CHOICE', choices });
    // A value in eight is of a question of the form; the others name none.
    const fields = Array.from({ length: 5_000 * share }, (_, n): [string, string] => [
      n % 8 === 0 ? `q.${questionIds[n % questionIds.length]}` : `q.${n}`,
      'x',
    ]);
    const few = fields.slice(0, 100);
    return {
      'a link': await measure(async () => {
        expect((await pagesOf(cast.alice).post(`/build/${formId}/share`, fields)).status).toBe(400);
      }),
      'a start': await measure(async () => {
        expect((await pagesOf(cast.dave).post(`/f/${formId}/start`, few)).status).toBe(303);
      }),
    };
  });
  expect(excess).toEqual([]);
});

test('a response with as many answers as it may have is copied in linear time, in mails and workbooks', async () => {
  const excess = await listExcess(async (share) => {
    const form = await formOf(share, { type: 'LONG_TEXT' });
    const value = '=<a href="#">&\n'.repeat(25);
    const contents = Object.fromEntries(form.questionIds.map((id) => [id, { type: 'LONG_TEXT', value } as const]));
    const response = submissionOf(form, cast.dave.id, NOW, contents);
    await store([response]);
    const current = await readResponse(app().table, response.id);
    const stored = await loadForm(app().table, form.formId);
    if (!current || !stored) throw new Error('the response is gone');
    const copy = { form: stored, organization: 'Rivers', current, link: 'http://a', timeZone: 'UTC' };
    const download = { questionIds: form.questionIds };
    return {
      'a mail': await measure(() => renderResponseCopy({ ...copy, language: 'en' })),
      'a workbook': await measure(async () => {
        const path = `/api/forms/${form.formId}/responses/export/download`;
        const result = await send('POST', path, {
          headers: { authorization: `Bearer ${cast.bob.token}` },
          body: JSON.stringify(download),
        });
        expect(result.status).toBe(200);
      }),
      'the page of a response': await measure(() => pagesOf(cast.bob).show(`/review/${form.formId}/r/${response.id}`)),
    };
  });
  expect(excess).toEqual([]);
});
