/** Publishes a DRAFT whose workflow is valid. */

import { forms } from '#core/api/forms.ts';
import { formWithStructure } from '#core/forms/open.ts';
import { changeForm, showEdited } from '#core/forms/service.ts';
import { edited, moveForm } from '#core/forms/status.ts';
import { operation } from '#core/http/operation.ts';
import { requirePublishable } from '#core/structure/publish.ts';

export const handler = operation(forms.publishForm, formWithStructure, async ({ form, stored, user, ifMatch, app }) => {
  const now = app.now().toISOString();
  const published = await changeForm({ app, form, ifMatch }, (current) => {
    const moved = moveForm(current, 'publish');
    requirePublishable(stored.structure);
    return edited(moved, user.id, now);
  });
  return showEdited(app, published);
});
