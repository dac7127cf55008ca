/** Opener of a form with all that `GET /forms/{formId}` shows of it. */
import { type Opener, pathId, signedInCaller } from '#core/access/access.ts';
import { type OpenedForm, openHead } from './open.ts';
import { loadRelated, type Related, rememberedKeys, rememberKeys } from './related.ts';
import type { FormReader } from './service.ts';
import { hasStarted } from './store.ts';

/**
 * The settings of the form of `{formId}`, how the caller sees them, and what is shown with them: one round trip if this
 * function has shown the form before.
 */
export const openShownForm: Opener<OpenedForm & { reader: FormReader; related: Related }> = async (call) => {
  const { table } = call.app;
  const formId = pathId(call.params, 'formId');
  const further = rememberedKeys(formId);
  const started = hasStarted(table, signedInCaller(call.user).id, formId);
  const [{ opened, rest }, isStarted] = await Promise.all([openHead(call, further, started), started]);
  const { form, editor } = opened.resource;
  const related = await loadRelated(table, [form], further, rest);
  rememberKeys(form);
  return { ...opened, resource: { ...opened.resource, reader: { editor, hasStarted: isStarted }, related } };
};
