/**
 * `Idempotency-Key`: the result of the first request with a key is recorded for 24 hours and replayed for the same
 * request; another request with the key is 409. The record is written in the transaction of the operation, so that only
 * one of several concurrent equal requests commits; the others replay its result. Failed requests are not recorded.
 */
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import type { Declaration } from '#core/api/declare.ts';
import { MAX_ENTITY_BYTES } from '#core/db/codec.ts';
import { keys } from '#core/db/keys.ts';
import { untilWritten } from '#core/db/retry.ts';
import { type Item, NotStored, type Table, type Write, WriteRefused } from '#core/db/table.ts';
import { Problem, problems } from '#core/problems/problems.ts';
import { epochSeconds } from '#core/schema/format.ts';
import { sha256 } from '#core/schema/hash.ts';
import { header } from '../request.ts';
import type { HttpResponse } from '../result.ts';
import type { IdempotencyKey, State, Step } from '../state.ts';

const RECORD_SECONDS = 24 * 60 * 60;

/** Thrown to end a request with the recorded response of an earlier one. */
export class Replay extends NotStored {
  readonly response: HttpResponse;

  constructor(response: HttpResponse) {
    super('the result of an earlier request is replayed');
    this.response = response;
  }
}

const readKey = ({ idempotent }: Declaration, event: APIGatewayProxyEventV2): string | undefined =>
  idempotent ? header(event, 'idempotency-key') : undefined;

const isValidKey = (key: string): boolean => key.length >= 1 && key.length <= 255;

/** Starts reading the record of the key, in parallel with the opener. */
export const findRecord = (declaration: Declaration): Step => ({
  before: ({ event, internal }) => {
    const clientKey = readKey(declaration, event);
    if (clientKey === undefined || !internal.user || !isValidKey(clientKey)) return;
    const key = keys.idempotency(internal.user.id, sha256(clientKey, 'hex'));
    const stored = internal.app.table.read([key]).then(([item]) => item);
    // Awaited after the opener, which may throw first.
    stored.catch(() => undefined);
    const isRepeated = async () => isUnexpired(await stored, internal.app.now());
    internal.idempotency = { key, stored, isRepeated, requestHash: '', isRecorded: false };
  },
});

/** Renews the parts of a recorded body that expire, such as presigned URLs. */
export type Restore = (body: unknown, state: State) => Promise<unknown>;

/**
 * Replays a recorded response, and records a response that the handler returned without a write. Throws 400 for a malformed
 * `Idempotency-Key`.
 */
export const replayRecord = (declaration: Declaration, restore?: Restore): Step => ({
  before: async ({ event, internal }) => {
    const clientKey = readKey(declaration, event);
    if (clientKey !== undefined && !isValidKey(clientKey)) {
      throw problems.invalid([{ pointer: '/header/Idempotency-Key', detail: 'must have 1 to 255 characters' }]);
    }
    const { idempotency, app } = internal;
    if (!idempotency) return;
    idempotency.requestHash = hashRequest(declaration, event, internal);
    const item = await idempotency.stored;
    if (isUnexpired(item, app.now())) throw toReplay(item, idempotency);
  },
  after: async ({ response, internal }) => {
    const { idempotency, app } = internal;
    if (!response || !idempotency || idempotency.isRecorded) return;
    await untilWritten(() => writeWithRecord(app, idempotency, [], response));
  },
  onError: async (request) => {
    try {
      const replay =
        request.error instanceof Replay ? request.error : await findLateReplay(request.error, request.internal);
      if (replay) request.response = await buildReplayResponse(replay, request.internal, restore);
    } catch (error) {
      // An error thrown here would bypass the step that makes problem responses.
      request.error = error instanceof Error ? error : new Error(String(error));
    }
  },
});

/**
 * Finds the replay for a request that was refused only because an equal request has committed meanwhile: for example, that
 * one has taken the slug, or has started the last response that is allowed.
 */
async function findLateReplay(error: unknown, { idempotency, app }: State): Promise<Replay | undefined> {
  if (!(error instanceof Problem) || !idempotency?.requestHash) return undefined;
  const [item] = await app.table.read([idempotency.key]);
  return isUnexpired(item, app.now()) && item.requestHash === idempotency.requestHash
    ? toReplay(item, idempotency)
    : undefined;
}

async function buildReplayResponse(
  { response }: Replay,
  state: State,
  restore: Restore | undefined,
): Promise<HttpResponse> {
  const body = restore && response.body ? JSON.stringify(await restore(JSON.parse(response.body), state)) : undefined;
  return {
    ...response,
    headers: { ...response.headers, 'idempotency-replayed': 'true' },
    ...(body === undefined ? {} : { body }),
  };
}

/** Whether there is a record that has not expired; DynamoDB deletes expired items late. */
const isUnexpired = (item: Item | undefined, now: Date): item is Item =>
  item !== undefined && Number(item.expiresAt) > epochSeconds(now);

/** Writes the changes of an operation together with its response. Throws Replay when an equal request was faster. */
export async function writeWithRecord(
  { table, now }: { table: Table; now(): Date },
  idempotency: IdempotencyKey,
  writes: readonly Write[],
  response: HttpResponse,
): Promise<void> {
  const text = JSON.stringify(response);
  if (Buffer.byteLength(text) > MAX_ENTITY_BYTES) {
    throw problems.tooLarge('The result is too large to be kept for an Idempotency-Key. Send the request without one.');
  }
  const expiresAt = epochSeconds(now()) + RECORD_SECONDS;
  const put = { ...idempotency.key, requestHash: idempotency.requestHash, response: text, expiresAt };
  try {
    await table.write([...writes, { put, when: { absentOrExpired: epochSeconds(now()) } }]);
    idempotency.isRecorded = true;
  } catch (error) {
    const refusals = error instanceof WriteRefused ? error.refusals : [];
    const record = refusals.find(({ index }) => index === writes.length);
    if (record?.found) throw toReplay(record.found, idempotency);
    throw error;
  }
}

/** Creates the replay of a record. Throws 409 for a record of another request. */
function toReplay(item: Item, { requestHash }: IdempotencyKey): Replay {
  if (item.requestHash !== requestHash) throw problems.keyReused();
  return new Replay(JSON.parse(String(item.response)));
}

function hashRequest({ noun, name }: Declaration, event: APIGatewayProxyEventV2, { input }: State): string {
  const parts = input.parts?.map(({ bytes, ...part }) => ({ ...part, hash: sha256(bytes, 'base64') }));
  return sha256(
    JSON.stringify([noun, name, input.params, event.rawQueryString, parts ?? input.body ?? null]),
    'base64',
  );
}
