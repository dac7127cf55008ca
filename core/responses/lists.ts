/** The lists of responses to a form, with their counts (contract section 7). */
import type { App } from '#core/http/app.ts';
import type { Response, ResponseItem, ResponseList, ResponseProgress } from './model.ts';
import { countResponses, loadOwnResponses, pageResponses } from './store.ts';

type Asked = { limit: number; cursor?: string | undefined; progress?: ResponseProgress | undefined };

const BOTH: readonly ResponseProgress[] = ['DRAFT', 'SUBMITTED'];

/** One page of all responses to a form, newest first. */
export async function listAllResponses(app: App, formId: string, asked: Asked): Promise<ResponseList> {
  const list = `responses ${formId} ${asked.progress ?? ''}`;
  const after = app.cursors.open(list, asked.cursor);
  const progress = asked.progress ? [asked.progress] : BOTH;
  const [page, draftCount, submittedCount] = await Promise.all([
    pageResponses(app.table, formId, progress, { limit: asked.limit, after, descending: true }),
    countResponses(app.table, formId, 'DRAFT'),
    countResponses(app.table, formId, 'SUBMITTED'),
  ]);
  return {
    formId,
    totalCount: draftCount + submittedCount,
    draftCount,
    submittedCount,
    responses: page.responses.map(itemOf),
    nextCursor: app.cursors.seal(list, page.last),
  };
}

/** One page of a user's own responses to a form, newest first. */
export async function listOwnResponses(app: App, formId: string, userId: string, asked: Asked): Promise<ResponseList> {
  const list = `responses ${formId} ${userId} ${asked.progress ?? ''}`;
  const after = app.cursors.open(list, asked.cursor);
  const own = (await loadOwnResponses(app.table, userId, formId)).toReversed();
  const submittedCount = own.filter((response) => response.progress === 'SUBMITTED').length;
  const rest = own.filter(
    (response) => (!asked.progress || response.progress === asked.progress) && (!after || placeOf(response) < after),
  );
  const shown = rest.slice(0, asked.limit);
  const last = shown.at(-1);
  return {
    formId,
    totalCount: own.length,
    draftCount: own.length - submittedCount,
    submittedCount,
    responses: shown.map(itemOf),
    nextCursor: app.cursors.seal(list, rest.length > asked.limit && last ? placeOf(last) : null),
  };
}

/** The place of a response in the list of its owner: as the index by user sorts it. */
const placeOf = (response: Response): string => `${response.createdAt}#${response.id}`;

const itemOf = ({ id, userId, progress, createdAt, updatedAt, submittedAt }: Response): ResponseItem => ({
  id,
  submittedBy: userId,
  progress,
  createdAt,
  updatedAt,
  submittedAt,
});
