/**
 * What pages create, when their form is posted again: a second press finds the first one, another content is another one,
 * and what was deleted is created as a new one, which its old deletion leaves alone.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { keys } from '#core/db/keys.ts';
import { app } from '#core/http/app.ts';
import { requestAs } from '#test/support/building.ts';
import { pages as allPages, pageFile } from '#test/support/declared-pages.ts';
import { losingResponses, withTable } from '#test/support/faults.ts';
import { newCast, newForm, newOrganization } from '#test/support/fixtures.ts';
import { pagesOf } from '#test/support/pages.ts';
import { sweepIn } from '#test/support/sweeps.ts';

const cast = await newCast();
const { alice } = cast;
const pages = pagesOf(alice);

type Fields = readonly (readonly [string, string])[];
type Send = (fields: Fields) => Promise<Response>;

/** A page that creates, with one content and another one; `list`: the ids of what there is; `remove` deletes one. */
type Scene = {
  shown: string;
  send: Send;
  content: Fields;
  /** Another content, or what changes the source of a copy. */
  other: Fields | (() => Promise<unknown>);
  list: () => Promise<string[]>;
  remove: (id: string) => Promise<unknown>;
};

const call = async (method: string, path: string, body?: unknown) => (await requestAs(alice, method, path, body)).body;
const ids = (items: readonly { id: string }[]): string[] => items.map(({ id }) => id);
const posting =
  (path: string): Send =>
  (fields) =>
    pages.post(path, fields);

async function inOrganization() {
  const { slug } = await newOrganization(alice);
  return {
    slug,
    list: async () => ids(await call('GET', `/api/orgs/${slug}/forms`)),
    remove: (id: string) => call('DELETE', `/api/forms/${id}`),
  };
}

const newFormScene = async (content: Fields, other: Fields): Promise<Scene> => {
  const { slug, ...forms } = await inOrganization();
  return { shown: `/o/${slug}/new`, send: posting(`/o/${slug}/new`), content, other, ...forms };
};

/** A form to copy, in an organization of its own. */
async function withSource() {
  const { slug, ...forms } = await inOrganization();
  const { formId } = await newForm(alice, slug, [[{ type: 'SHORT_TEXT' }]], { publish: false });
  const edit = () => call('PATCH', `/api/forms/${formId}`, { title: 'Edited' });
  return { slug, formId, edit, ...forms };
}

/** The questions or sections of a form with two questions. */
async function ofDraft(action: 'copy' | 'copy-section' | 'section'): Promise<Scene> {
  const kinds = [[{ type: 'SHORT_TEXT' as const }], [{ type: 'SHORT_TEXT' as const }]];
  const { formId, sectionIds, questionIds } = await newForm(alice, cast.slug, kinds, { publish: false });
  const [first, second] = action === 'copy' ? questionIds : sectionIds;
  const path = `/build/${formId}/questions`;
  const list = async () => {
    const sections = await call('GET', `/api/forms/${formId}/sections`);
    const all = sections.map(({ section }: { section: { id: string; questions: { id: string }[] } }) => section);
    return ids(action === 'copy' ? all.flatMap(({ questions }: { questions: { id: string }[] }) => questions) : all);
  };
  const remove = (id: string) => pages.post(`/build/${formId}/${action === 'copy' ? 'q' : 's'}/${id}/delete`);
  return {
    shown: path,
    send: posting(path),
    content: [['do', `${action}:${first}`]],
    other: [['do', `${action}:${second}`]],
    list,
    remove,
  };
}

async function ofViews() {
  const { formId } = await newForm(alice, cast.slug, [[{ type: 'SHORT_TEXT' }]], { publish: false });
  const path = `/api/forms/${formId}/views`;
  const { id } = await call('POST', path, { title: 'Lakes' });
  const list = async () => ids(await call('GET', path));
  return { formId, id, list, remove: (viewId: string) => call('DELETE', `${path}/${viewId}`) };
}

const details = (name: string, more: Fields = []): Fields => [['name', name], ['description', ''], ...more];

const SHORT = [{ type: 'SHORT_TEXT' as const }];

const SCENES: Record<string, () => Promise<Scene>> = {
  'empty form': () =>
    newFormScene(
      [
        ['title', 'Lakes'],
        ['do', 'empty'],
      ],
      [
        ['title', 'Rivers'],
        ['do', 'empty'],
      ],
    ),
  'form from a template': () => newFormScene([['do', 'template:feedback']], [['do', 'template:registration']]),
  'copy of a form': async () => {
    const { slug, formId, edit, ...forms } = await withSource();
    const content: Fields = [
      ['form', formId],
      ['do', 'copy'],
    ];
    return { shown: `/o/${slug}/new`, send: posting(`/o/${slug}/new`), content, other: edit, ...forms };
  },
  'form from a file': async () => {
    const { slug, formId, ...forms } = await withSource();
    const definition = await call('GET', `/api/forms/${formId}/definition`);
    const path = `/o/${slug}/new`;
    const send: Send = (fields) => {
      const body = new FormData();
      for (const [name, value] of fields) {
        if (name === 'file') body.append(name, new File([value], 'form.json'));
        else body.append(name, value);
      }
      return pages.upload(path, body);
    };
    const file = (title: string): Fields => [
      ['file', JSON.stringify({ ...definition, form: { ...definition.form, title } })],
      ['do', 'file'],
    ];
    return { shown: path, send, content: file('Lakes'), other: file('Rivers'), ...forms };
  },
  duplicate: async () => {
    const { formId, edit, list, remove } = await withSource();
    const path = `/build/${formId}`;
    return { shown: path, send: posting(path), content: [['do', 'duplicate']], other: edit, list, remove };
  },
  organization: async () => {
    const slug = `lakes-${app().uuid().slice(0, 8)}`;
    return {
      shown: '/orgs/new',
      send: posting('/orgs/new'),
      content: details('Lakes', [['slug', slug]]),
      other: details('Rivers', [['slug', `${slug}-2`]]),
      list: async () => {
        const organizations: { id: string; slug: string }[] = await call('GET', '/api/orgs/me');
        return ids(organizations.filter((one) => one.slug.startsWith(slug)));
      },
      remove: async () => call('DELETE', `/api/orgs/${slug}`),
    };
  },
  unit: async () => {
    const { slug } = await newOrganization(alice);
    return {
      shown: `/o/${slug}/units`,
      send: posting(`/o/${slug}/units`),
      content: details('Lakes'),
      other: details('Rivers'),
      list: () => call('GET', `/api/orgs/${slug}/unit-ids`),
      remove: (id) => call('DELETE', `/api/orgs/${slug}/units/${id}`),
    };
  },
  question: async () => {
    const scene = await ofDraft('copy');
    const formId = scene.shown.split('/')[2];
    const [{ section }] = await call('GET', `/api/forms/${formId}/sections`);
    const path = `/build/${formId}/s/${section.id}/new`;
    const named = (title: string): Fields => [
      ['type', 'SHORT_TEXT'],
      ['title', title],
      ['do', 'save'],
    ];
    return {
      ...scene,
      shown: `${path}?type=SHORT_TEXT`,
      send: posting(path),
      content: named('Lakes'),
      other: named('Rivers'),
    };
  },
  'copy of a question': () => ofDraft('copy'),
  declaration: async () => {
    const { formId, sectionIds } = await newForm(alice, cast.slug, [SHORT, SHORT], { publish: false });
    const path = `/build/${formId}/questions`;
    // Of the questions of a declaration, the first one is a choice.
    const list = async () => {
      const sections: { section: { questions: { id: string; type: string }[] } }[] = await call(
        'GET',
        `/api/forms/${formId}/sections`,
      );
      const all = sections.flatMap(({ section }) => section.questions);
      return ids(all.filter(({ type }) => type === 'MULTIPLE_CHOICE'));
    };
    return {
      shown: path,
      send: posting(path),
      content: [['do', `declaration:${sectionIds[0]}`]],
      other: [['do', `declaration:${sectionIds[1]}`]],
      list,
      remove: (id) => pages.post(`/build/${formId}/q/${id}/delete`),
    };
  },
  section: () => ofDraft('section'),
  'copy of a section': () => ofDraft('copy-section'),
  view: async () => {
    const { formId, list, remove } = await ofViews();
    const path = `/review/${formId}/views`;
    const content: Fields = [['title', 'New']];
    return { shown: path, send: posting(path), content, other: [['title', 'Other']], list, remove };
  },
  response: async () => {
    const { formId } = await newForm(alice, cast.slug, [[{ type: 'SHORT_TEXT' }]]);
    const path = `/api/forms/${formId}/responses`;
    return {
      shown: `/f/${formId}`,
      send: posting(`/f/${formId}/start`),
      content: [],
      other: [['q.lakes', 'Windermere']],
      list: async () => ids((await call('GET', `${path}/me`)).responses),
      remove: (id) => pages.post(`/r/${id}/delete`),
    };
  },
  invitations: async () => {
    const { formId } = await newForm(alice, cast.slug, [[{ type: 'SHORT_TEXT' }]], { publish: false });
    const path = `/api/forms/${formId}/invitations`;
    const shown = `/build/${formId}/invitations`;
    return {
      shown,
      send: posting(shown),
      content: [['guests', 'Ms Lin']],
      other: [['guests', 'Mr Wu']],
      list: async () => ids((await call('GET', path)).invitations),
      remove: (id) => call('DELETE', `${path}/${id}`),
    };
  },
  'copy of a view': async () => {
    const { formId, id, list, remove } = await ofViews();
    const path = `/review/${formId}/views/${id}`;
    const rename = () => call('PATCH', `/api/forms/${formId}/views/${id}`, { title: 'Renamed' });
    return { shown: path, send: posting(path), content: [['do', 'duplicate']], other: rename, list, remove };
  },
};

/** The scene with the page open in a tab, and what was created since. */
async function open(name: string) {
  const scene = await (SCENES[name] as () => Promise<Scene>)();
  const page = await pages.show(scene.shown);
  const [, hidden = ''] = /name="id" value="([^"]+)"/.exec(page) ?? [];
  const before = await scene.list();
  const press = (content = scene.content) => scene.send([['id', hidden], ...content]);
  const listCreated = async () => (await scene.list()).filter((id) => !before.includes(id));
  return { ...scene, press, listCreated };
}

describe.for(Object.keys(SCENES))('%s', (name) => {
  test('a second press finds the first one', async () => {
    const { press, listCreated } = await open(name);
    const [first, second] = [await press(), await press()];
    expect([first.status, second.status]).toEqual([303, 303]);
    expect(second.headers.get('location')).toBe(first.headers.get('location'));
    expect(await listCreated()).toHaveLength(1);
  });

  test('another content, after Back, is another one', async () => {
    const { press, other, listCreated } = await open(name);
    await press();
    if (typeof other === 'function') await other();
    expect((await press(typeof other === 'function' ? undefined : other)).status).toBe(303);
    expect(await listCreated()).toHaveLength(2);
  });

  test('after its deletion it is created again, and stays', async () => {
    const { press, remove, listCreated } = await open(name);
    await press();
    await remove((await listCreated())[0] ?? '');
    await sweepIn(0);
    await sweepIn(30);
    expect((await press()).status).toBe(303);
    expect(await listCreated()).toHaveLength(1);
    await sweepIn(1.1 * 3_600);
    expect(await listCreated()).toHaveLength(1);
  });

  test('a lost reply is repeated', async () => {
    const { press, listCreated } = await open(name);
    await withTable(losingResponses(1), () => press());
    expect((await press()).status).toBe(303);
    expect(await listCreated()).toHaveLength(1);
  });

  test('two tabs with the same page create one', async () => {
    const { press, listCreated } = await open(name);
    const results = await Promise.all([press(), press()]);
    expect(results.map(({ status }) => status)).toEqual([303, 303]);
    expect(await listCreated()).toHaveLength(1);
  });
});

test('the table has every page that creates', () => {
  const creating = allPages.filter((page) => page.creates !== undefined);
  expect(creating.flatMap(({ creates = [] }) => creates).sort()).toEqual(Object.keys(SCENES).sort());
  // A new page that calls a function which creates something has to be declared, and so has to have its scene.
  const calls =
    /(?:import|const) \{[^}]*\b(?:(?:create|duplicate|import|copy|start)[A-Z]\w*|addView)\b[^}]*\} (?:from |= await import\()'#core\/(?!db|identity)/;
  const files = [...new Set(allPages.map(pageFile))].filter((file) => calls.test(readFileSync(file, 'utf8')));
  expect(files.sort()).toEqual(creating.map(pageFile).sort());
});

test('a question that was answered and removed does not come back with its answers', async () => {
  const { press, remove, listCreated, shown } = await open('question');
  const formId = shown.split('/')[2] ?? '';
  await press();
  const [questionId = ''] = await listCreated();
  await call('POST', `/api/forms/${formId}/publish`);
  const answers = [{ questionId, questionType: 'SHORT_TEXT', value: 'one' }];
  await requestAs(cast.dave, 'POST', `/api/forms/${formId}/responses`, { answers });
  await call('POST', `/api/forms/${formId}/archive`);
  await call('POST', `/api/forms/${formId}/unarchive`);
  await remove(questionId);
  await press();
  const [created] = await listCreated();
  expect(created).toBeDefined();
  expect(created).not.toBe(questionId);
});

test('a deletion fails and removes nothing when the resource exists again', async () => {
  const { formId } = await newForm(alice, cast.slug, [[{ type: 'SHORT_TEXT' }]]);
  const headKey = keys.formHead(formId);
  const [head] = await app().table.read([headKey]);
  await call('DELETE', `/api/forms/${formId}`);
  if (head) await app().table.write([{ put: head }]);
  await sweepIn(0);
  await sweepIn(1.1 * 3_600);
  const [left, structure, deletion] = await app().table.read([
    headKey,
    keys.formStructure(formId),
    keys.deletion(headKey),
  ]);
  expect([left, structure].map((item) => item !== undefined)).toEqual([true, true]);
  expect(deletion).toMatchObject({ state: 'FAILED', reason: 'exists_again' });
});
