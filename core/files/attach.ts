/** Making files the answer to their question, whichever way their bytes came (contract section 8). */
import { requireOpen } from '#core/forms/status.ts';
import { Problem } from '#core/problems/problems.ts';
import { setInPlace } from '#core/responses/edit.ts';
import type { Response, UploadedFile } from '#core/responses/model.ts';
import { type Changing, changeResponse, type Opened, requireEditable } from '#core/responses/service.ts';
import { requireFileQuestion } from './judge.ts';
import { discardFiles } from './objects.ts';

/** Whose answer to which question is to be files. */
export type Asked = Changing & { questionId: string };

/**
 * Throws what would keep some files from becoming the answer, before anything is stored for them: a stale If-Match, a
 * form that is not open, a question off the path, a submitted response that cannot be edited.
 */
export function rehearse({ app, opened, ifMatch, open, questionId }: Asked, files: readonly UploadedFile[]): void {
  ifMatch(opened.response.version);
  if (open !== 'unless adding') requireOpen(opened.form, app.now());
  answerWith(opened, questionId, files, app.now().toISOString());
}

/**
 * Makes files whose bytes are in their place the answer to the question. When that is refused after all, the bytes of
 * those that were not attached are removed; after any other failure nobody knows, and the request can be repeated.
 * `choose` names the files, given the response as it is by then.
 */
export async function attach(
  asked: Asked,
  choose: (response: Response) => UploadedFile[] | Promise<UploadedFile[]>,
): Promise<Response> {
  try {
    return await changeResponse(asked, async (current, now) =>
      answerWith(current, asked.questionId, await choose(current.response), now),
    );
  } catch (error) {
    if (error instanceof Problem) await discardFiles(asked.app, asked.attaching ?? []);
    throw error;
  }
}

function answerWith(opened: Opened, questionId: string, files: readonly UploadedFile[], now: string): Response {
  const { structure } = opened.stored;
  requireFileQuestion(structure, questionId);
  const content = { type: 'UPLOAD_FILE' as const, value: [...files] };
  return setInPlace({ response: opened.response, structure, questionId, content, now }, () => requireEditable(opened));
}
