/** Creates a form: its head and its first structure, in one transaction, after its copy of another form's cover. */
import { formIdFrom, idWithin } from '#core/db/keys.ts';
import { objects } from '#core/db/objects.ts';
import { WriteRefused } from '#core/db/table.ts';
import type { App } from '#core/http/app.ts';
import { stillThere } from '#core/organizations/store.ts';
import { problems } from '#core/problems/problems.ts';
import { createStructure } from '#core/structure/store.ts';
import { newStructure } from '#core/structure/workflow-edits.ts';
import { copyCover, discardCover, formOfCover } from './cover.ts';
import { newForm } from './edit.ts';
import type { Form, FormInput } from './model.ts';
import { formItem } from './store.ts';

type Asked = { orgId: string; userId: string; input: FormInput };

/**
 * A new DRAFT form of an organization. Its `coverImage` may be that of another form of the organization, of which it
 * gets a copy. Throws 400 for any other cover and for settings that contradict each other, 404 for an organization
 * that is gone.
 */
export async function createForm(app: App, { orgId, userId, input }: Asked): Promise<Form> {
  const { coverImage } = input;
  const source = coverImage && formOfCover(coverImage) !== undefined ? coverImage : null;
  for (;;) {
    const id = formIdFrom(app.uuid());
    const cover = source === null ? null : objects.cover(id, app.uuid());
    const form = newForm(input, { id, orgId, userId, now: app.now().toISOString(), cover });
    const structure = newStructure(id, { start: idWithin(id, app.uuid()), end: idWithin(id, app.uuid()) });
    if (source !== null && cover !== null) await copyCover(app, { from: source, to: cover, orgId });
    try {
      await app.table.write([
        { put: formItem(form), when: { absent: true } },
        createStructure(structure),
        stillThere(orgId),
      ]);
      return form;
    } catch (error) {
      // Sixty random bits met another form's: draw again.
      if (!(error instanceof WriteRefused)) throw error;
      if (cover !== null) await discardCover(app, id, cover);
      if (error.index === 2) throw problems.notFound();
    }
  }
}
