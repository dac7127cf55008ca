/** Creates a form: its head and its first structure, in one transaction. */
import { formIdFrom, idWithin } from '#core/db/keys.ts';
import { WriteRefused } from '#core/db/table.ts';
import type { App } from '#core/http/app.ts';
import { problems } from '#core/http/problems.ts';
import { stillThere } from '#core/orgs/store.ts';
import { createStructure } from '#core/structure/store.ts';
import { newStructure } from '#core/workflow/edits.ts';
import { newForm } from './edit.ts';
import type { Form, FormInput } from './model.ts';
import { formItem } from './store.ts';

type Asked = { orgId: string; userId: string; input: FormInput };

/** A new DRAFT form of an organization. Throws 400 for settings that contradict each other, 404 for one that is gone. */
export async function createForm(app: App, { orgId, userId, input }: Asked): Promise<Form> {
  for (;;) {
    const id = formIdFrom(app.uuid());
    const form = newForm(input, { id, orgId, userId, now: app.now().toISOString() });
    const structure = newStructure(id, { start: idWithin(id, app.uuid()), end: idWithin(id, app.uuid()) });
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
      if (error.index === 2) throw problems.notFound();
    }
  }
}
