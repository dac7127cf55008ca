/** Forms written straight to the table, for tests of lists: many, in any status, with chosen times of creation. */
import { formIdFrom } from '#core/db/keys.ts';
import { untilWritten } from '#core/db/retry.ts';
import { newForm } from '#core/forms/edit.ts';
import type { Form } from '#core/forms/model.ts';
import { createFormWrites, replaceForm } from '#core/forms/store.ts';
import { app } from '#core/http/app.ts';
import { createStructure } from '#core/structure/store.ts';
import { newStructure } from '#core/structure/workflow-edits.ts';

export type FormSeed = { createdAt?: Date } & Partial<
  Pick<Form, 'title' | 'description' | 'status' | 'visibility' | 'allowEditResponse' | 'deadline' | 'publishTime'>
>;

/** How many forms are written in one transaction of at most 100 items. */
const BATCH = 33;

/** Creates forms of an organization, DRAFT and PUBLIC unless they say otherwise; their ids in the same order. */
export async function seedForms(orgId: string, userId: string, seeds: readonly FormSeed[]): Promise<string[]> {
  const { table, uuid, now } = app();
  const start = now().getTime();
  const formOf = ({ createdAt: given, ...settings }: FormSeed, index: number): Form => {
    const createdAt = given ?? new Date(start + index);
    const id = formIdFrom(uuid(), createdAt);
    const input = { title: 'Spring survey', visibility: 'PUBLIC' as const, allowEditResponse: true };
    return { ...newForm(input, { id, orgId, userId, now: createdAt.toISOString() }), ...settings };
  };
  const ids: string[] = [];
  for (let index = 0; index < seeds.length; index += BATCH) {
    // Two forms of a millisecond can have the same key, as in tests with a fixed clock.
    const some = await untilWritten(async () => {
      const forms = seeds.slice(index, index + BATCH).map((seed, at) => formOf(seed, index + at));
      const drafts = forms.map((form) => ({ form, draft: { ...form, status: 'DRAFT' as const } }));
      const structures = forms.map(({ id }) => createStructure(newStructure(id, { start: uuid(), end: uuid() })));
      await table.write([...drafts.flatMap(({ draft }) => createFormWrites(draft)), ...structures]);
      return drafts;
    });
    const moved = some.filter(({ form }) => form.status !== 'DRAFT');
    await table.write(moved.flatMap(({ form, draft }) => replaceForm({ ...form, version: 2 }, draft)));
    ids.push(...some.map(({ form }) => form.id));
  }
  return ids;
}
