/**
 * The local stand-in of the APIs of Google Sheets and Google Drive: the token endpoint and the calls that the service
 * makes, for spreadsheets that are kept in one file. It checks what Google checks, limits requests as Google does, and can
 * lose requests and responses, be busy, or be down.
 */
import { existsSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import * as z from 'zod';
import { replaceFile } from '../../build/replace-file.ts';
import { readJson } from '../dynamo/data-file.ts';
import { closeNow, HOST, listen } from '../gateway/listening.ts';
import { type ApiResult, serviceAccount } from './service-account.ts';
import {
  applyBatch,
  applyValues,
  BadRequest,
  BatchUpdate,
  describeSpreadsheet,
  filledRows,
  newSpreadsheet,
  Search,
  type Spreadsheet,
  search,
  ValuesUpdate,
} from './spreadsheet.ts';

/** The address of the spreadsheet that exists in the local cloud. */
export const DEMO_SPREADSHEET = 'https://docs.google.com/spreadsheets/d/local-demo/edit';
const DEMO_ID = 'local-demo';

/**
 * What happens to a call: its request or its response is lost, it gets no response, or it is refused with a status, and
 * with a reason as the Drive API gives it.
 */
export type Interference = 'lose-request' | 'lose-response' | 'hang' | { status: number; reason?: string };

type SheetsOptions = {
  /** The file that keeps the spreadsheets; null keeps them in memory. */
  file: string | null;
  /** The ids of the spreadsheets that are shared with the service account. */
  isShared?: (id: string) => boolean;
  /** Decides what happens to each call: `call` is the part of its path after `id`, such as `:batchUpdate`. */
  interfere?: (call: string, id: string, body: string) => Interference | undefined;
  /** The reads, and the writes, that the Sheets API accepts in a minute; without it, any number. */
  quota?: number;
};

/** The quota of a service account at Google. */
export const GOOGLE_QUOTA = 60;
/** The call of the Drive API. */
export const DRIVE_CALL = 'drive:files.get';

export type RunningSheets = {
  /** The environment of a service that uses this API. */
  settings: { SHEETS_URL: string; SHEETS_KEY: string };
  spreadsheet(id?: string): Spreadsheet;
  /** Changes a spreadsheet as a person would. */
  change(requests: readonly object[], id?: string): void;
  /** The calls that were received, by the part of their path after the id. */
  calls: string[];
  stop(): Promise<void>;
};

/** Starts the API on a free port. */
export async function startSheets(options: SheetsOptions): Promise<RunningSheets> {
  const store = openStore(options.file);
  const calls: string[] = [];
  const accounts = serviceAccount();
  const isWithinQuota = minuteQuota(options.quota ?? Number.POSITIVE_INFINITY);
  const server = createServer((request, response) => {
    serve(request, response).catch((error: unknown) => {
      console.error(`the spreadsheet API failed at ${request.url}:`, error);
      response.destroy();
    });
  });
  const url = `http://${HOST}:${await listen(server, 0)}`;
  return {
    settings: { SHEETS_URL: url, SHEETS_KEY: JSON.stringify(accounts.key(`${url}/token`)) },
    spreadsheet: (id = DEMO_ID) => store.get(id),
    change: (requests, id = DEMO_ID) => store.set(id, applyBatch(store.get(id), BatchUpdate.parse({ requests }))),
    calls,
    stop: () => closeNow(server),
  };

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request);
    if (request.url === '/token') return send(response, await accounts.issue(body, `${url}/token`));
    const { id, call } = parseCall(request.url ?? '');
    calls.push(call);
    const interference = options.interfere?.(call, id, body);
    if (interference === 'hang') return;
    if (interference === 'lose-request') return void response.destroy();
    if (typeof interference === 'object')
      return send(response, failure(interference.status, 'refused', interference.reason));
    if (call !== DRIVE_CALL && !isWithinQuota(WRITES.has(call) ? 'write' : 'read')) return send(response, failure(429));
    const isAllowed = accounts.isValid(request.headers.authorization);
    const isShared = options.isShared?.(id) ?? id === DEMO_ID;
    const result = isAllowed && isShared ? carryOut(store, id, call, body) : failure(isAllowed ? 404 : 401);
    if (interference === 'lose-response') return void response.destroy();
    send(response, result);
  }
}

/** The call of a request, and the spreadsheet that it is about. */
function parseCall(url: string): { id: string; call: string } {
  const [, file] = /^\/drive\/v3\/files\/([A-Za-z0-9_-]+)\?/.exec(url) ?? [];
  if (file !== undefined) return { id: file, call: DRIVE_CALL };
  const [, id = '', call = ''] = /^\/v4\/spreadsheets\/([A-Za-z0-9_-]+)([^?]*)/.exec(url) ?? [];
  return { id, call };
}

const WRITES: ReadonlySet<string> = new Set([':batchUpdate', '/values:batchUpdateByDataFilter']);

/** Counts requests of a kind; false when more than `max` came in this minute. */
function minuteQuota(max: number): (kind: 'read' | 'write') => boolean {
  let minute = 0;
  let used = { read: 0, write: 0 };
  return (kind) => {
    const now = Math.floor(Date.now() / 60_000);
    if (now !== minute) [minute, used] = [now, { read: 0, write: 0 }];
    used[kind] += 1;
    return used[kind] <= max;
  };
}

const STATUS: Readonly<Record<number, string>> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  429: 'RESOURCE_EXHAUSTED',
};

const failure = (status: number, message = 'refused', reason?: string): ApiResult => ({
  status,
  body: {
    error: {
      code: status,
      message,
      status: STATUS[status] ?? 'UNAVAILABLE',
      ...(reason === undefined ? {} : { errors: [{ domain: 'usageLimits', reason, message }] }),
    },
  },
});

function send(response: ServerResponse, { status, body }: ApiResult): void {
  const content = JSON.stringify(body);
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(content) });
  response.end(content);
}

/** The result of a call; 400 for one that is not valid. */
function carryOut(store: Store, id: string, call: string, body: string): ApiResult {
  try {
    return { status: 200, body: handleCall(store, id, call, body) };
  } catch (error) {
    if (error instanceof BadRequest || error instanceof z.ZodError) return failure(400, error.message);
    throw error;
  }
}

function handleCall(store: Store, id: string, call: string, body: string): object {
  const sheet = store.get(id);
  switch (call) {
    case DRIVE_CALL:
      return { mimeType: 'application/vnd.google-apps.spreadsheet', capabilities: { canEdit: true } };
    case '':
      return describeSpreadsheet(sheet);
    case '/developerMetadata:search':
      return search(sheet, Search.parse(JSON.parse(body)));
    case ':batchUpdate':
      store.set(id, applyBatch(sheet, BatchUpdate.parse(JSON.parse(body))));
      return { spreadsheetId: id };
    case '/values:batchUpdateByDataFilter':
      store.set(id, applyValues(sheet, ValuesUpdate.parse(JSON.parse(body))));
      return { spreadsheetId: id };
    default:
      throw new BadRequest(`unknown call ${call}`);
  }
}

type Store = { get(id: string): Spreadsheet; set(id: string, spreadsheet: Spreadsheet): void };

/** The spreadsheets by id; each change replaces the file. */
function openStore(file: string | null): Store {
  const all = file && existsSync(file) ? new Map(readJson(file, Stored)) : new Map<string, Spreadsheet>();
  return {
    get: (id) => all.get(id) ?? newSpreadsheet(),
    set(id, spreadsheet) {
      all.set(id, spreadsheet);
      if (file !== null) replaceFile(file, JSON.stringify([...all]));
    },
  };
}

/** The spreadsheets of a file that `openStore` has written, by id. */
const Stored = z.array(z.tuple([z.string(), z.custom<Spreadsheet>((value) => typeof value === 'object')]));

/** The rows of a spreadsheet as a page shows them: the header first, without cleared rows. */
export const listRows = (sheets: RunningSheets): ReturnType<typeof filledRows> => filledRows(sheets.spreadsheet());
