/** The lists of forms: of an organization, of all that a user can see, and of a respondent (contract section 4). */
import { loadAccount } from '#core/accounts/store.ts';
import { formKey } from '#core/db/keys.ts';
import type { App } from '#core/http/app.ts';
import { fitPage } from '#core/http/fit.ts';
import { compare, placeOf, summaryOf } from '#core/responses/form-summaries.ts';
import type { Response } from '#core/responses/model.ts';
import { loadOwnResponses, startedForms } from '#core/responses/store.ts';
import type { Form, FormStatus, FormSummary, FormView } from './model.ts';
import { showForms } from './service.ts';
import { isOpen } from './status.ts';
import { loadForms, pageFormIds, pagePublicFormIds } from './store.ts';

/** Which statuses a list shows when none is asked for (interface "Limits"). */
const DEFAULT_STATUSES: readonly FormStatus[] = ['DRAFT', 'PUBLISHED'];
/** A page shows at most this many forms: with two people each they still are one read. */
const PAGE = 50;

export type Listed<T> = { items: T[]; last: string | null };
type Asked = { limit: number; after: string | undefined; status?: readonly FormStatus[] | undefined };

/** One page of an organization's forms as its members see them. */
export async function listOrganizationForms(app: App, orgId: string, asked: Asked): Promise<Listed<FormView>> {
  const page = await pageFormIds(app.table, orgId, Math.min(asked.limit, PAGE), asked.after);
  const forms = await loadForms(app.table, page.formIds);
  const shown = [...forms.values()].filter((form) => form.orgId === orgId && wanted(form, asked.status));
  return fitPage({ ...page, items: await showForms(app, shown, () => ({ editor: true, hasStarted: false })) });
}

const wanted = (form: Form, status: readonly FormStatus[] | undefined): boolean =>
  (status?.length ? status : DEFAULT_STATUSES).includes(form.status);

/**
 * One page of the forms a user can see: those of their organizations, one organization after the other, then the
 * published PUBLIC forms of others. A position is the organization (or `PUBLIC`) and where to go on in it.
 */
export async function listVisibleForms(app: App, userId: string, asked: Asked): Promise<Listed<FormView>> {
  const account = await loadAccount(app.table, userId);
  const orgIds = Object.keys(account?.memberships ?? {}).sort();
  const [from = '', position = ''] = split(asked.after);
  // An organization that was left since the page before is passed over.
  const at = from === 'PUBLIC' ? from : (orgIds.find((orgId) => orgId >= from) ?? 'PUBLIC');
  const after = at === from ? position : '';
  const limit = Math.min(asked.limit, PAGE);
  const page =
    at === 'PUBLIC'
      ? await pagePublicFormIds(app.table, limit, after || ' ')
      : await pageFormIds(app.table, at, limit, after || undefined);
  const mine = new Set(orgIds);
  const forms = [...(await loadForms(app.table, page.formIds)).values()].filter(
    (form) =>
      wanted(form, asked.status) && (at === 'PUBLIC' ? isListed(form) && !mine.has(form.orgId) : form.orgId === at),
  );
  const started = at === 'PUBLIC' && forms.length > 0 ? await startedForms(app.table, userId) : new Set<string>();
  const views = await showForms(app, forms, (form) => ({
    editor: mine.has(form.orgId),
    hasStarted: started.has(formKey(form.id)),
  }));
  const following = at === 'PUBLIC' ? null : (orgIds[orgIds.indexOf(at) + 1] ?? 'PUBLIC');
  const { items, last } = fitPage({ ...page, items: views });
  return { items, last: last === null ? following : `${at}\n${last}` };
}

const split = (position: string | undefined): string[] => position?.split('\n') ?? [];
const isListed = (form: Form): boolean => form.status === 'PUBLISHED' && form.visibility === 'PUBLIC';

/**
 * One page of a respondent's forms: those they have responded to and the open PUBLIC ones, merged in the order of
 * `placeOf`. The index of public forms is sorted the same way, so a page reads no further than it shows.
 */
export async function listOwnForms(app: App, userId: string, asked: Asked): Promise<Listed<FormSummary>> {
  const now = app.now();
  const after = asked.after ?? '';
  const responses = Map.groupBy(await loadOwnResponses(app.table, userId), (response) => response.formId);
  const responded = await loadAll(app, [...responses.keys()]);
  const open = await openPublicForms(app, asked.limit, after);
  const candidates = new Map([...responded, ...open.forms].map((form) => [form.id, form]));
  const placed = [...candidates.values()]
    .map((form) => ({ form, place: placeOf(form, now) }))
    // Behind the last public form read there may be others: what would stand behind them waits for the next page.
    .filter(({ place }) => compare(place, after) > 0 && (open.last === null || compare(place, open.last) <= 0))
    .sort((a, b) => compare(a.place, b.place));
  const shown = placed.slice(0, asked.limit);
  const last = placed.length > asked.limit ? (shown.at(-1)?.place ?? null) : open.last;
  return { items: shown.map(({ form }) => summaryOf(form, answersTo(responses, form), now)), last };
}

const answersTo = (responses: ReadonlyMap<string, Response[]>, form: Form): Response[] => responses.get(form.id) ?? [];

async function loadAll(app: App, formIds: readonly string[]): Promise<Form[]> {
  const forms: Form[] = [];
  for (let index = 0; index < formIds.length; index += 100) {
    forms.push(...(await loadForms(app.table, formIds.slice(index, index + 100))).values());
  }
  return forms;
}

/** The open PUBLIC forms behind a place, at least `limit` of them unless there are no more. */
async function openPublicForms(
  app: App,
  limit: number,
  after: string,
): Promise<{ forms: Form[]; last: string | null }> {
  const now = app.now();
  if (after.startsWith('1#')) return { forms: [], last: null };
  const forms: Form[] = [];
  let position = after === '' ? now.toISOString() : after.slice('0#'.length);
  for (;;) {
    const page = await pagePublicFormIds(app.table, Math.min(limit, 100), position);
    const loaded = await loadForms(app.table, page.formIds);
    forms.push(...[...loaded.values()].filter((form) => isListed(form) && isOpen(form, now)));
    if (page.last === null) return { forms, last: null };
    if (forms.length >= limit) return { forms, last: `0#${page.last}` };
    position = page.last;
  }
}
