/** Export jobs in tests: asking for one, running the worker, and reading the file. */
import type { ExportDocument } from '#core/exports/model.ts';
import type { ExportInput } from '#core/exports/options.ts';
import { handler } from '#functions/workers/build-exports.ts';
import type { Person } from './fixtures.ts';
import { workerContext } from './sweeps.ts';

type Requester = Pick<Person, 'client'>;

/** The worker's time limit in milliseconds. */
const TIME_MS = 900_000;

/** Runs the worker once, as its schedule does. */
export const buildExports = (timeMs = TIME_MS): Promise<void> => handler(null, workerContext(timeMs));

/** Asks for an export as a job: of some questions, or as a request says. */
export async function askForExport(
  { client }: Requester,
  formId: string,
  asked: string[] | ExportInput,
): Promise<ExportDocument> {
  const headers = { prefer: 'respond-async' };
  const input = Array.isArray(asked) ? { questionIds: asked } : asked;
  const { body } = await client.exports.downloadTable({ params: { formId }, body: input, headers });
  if (body instanceof Uint8Array) throw new Error('the export was returned directly');
  return body;
}

/** An export as its requester sees it. */
export const readExport = async ({ client }: Requester, { id }: Pick<ExportDocument, 'id'>): Promise<ExportDocument> =>
  (await client.exports.getExport({ params: { exportId: id } })).body;

/** Where storage has the file of an export. */
export async function readLocation({ client }: Requester, { id }: Pick<ExportDocument, 'id'>): Promise<string> {
  const { headers } = await client.exports.downloadExport({ params: { exportId: id } });
  return headers.get('location') ?? '';
}

/** The file of an export. */
export const downloaded = async (requester: Requester, job: Pick<ExportDocument, 'id'>): Promise<Buffer> =>
  Buffer.from(await (await fetch(await readLocation(requester, job))).arrayBuffer());
