/** What must work in a deployment; what does not is reported with the name of the function and what is wrong with it. */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import * as z from 'zod';
import type { Declaration } from '#core/api/declare.ts';
import { apiFunctions } from '#stacks/functions.ts';
import { listRows } from '#stacks/plan.ts';
import { ACCOUNT, REGION } from '#test/deployment/synthesis/account.ts';
import { askForExport } from '#test/support/exports.ts';
import { newForm, person, send } from '#test/support/fixtures.ts';
import { exchange, validSending } from '#test/support/requests.ts';
import { respond, text } from '#test/support/responses.ts';
import { type Deployment, inputOf } from './deploy.ts';
import { deniedCalls, rolesOf } from './policies.ts';
import type { Service } from './service.ts';

type Received = { status: number; headers: Headers; body: string };

/** Sends a request to a route. Throws unless it succeeds: with its function, the response, and what the function logged. */
async function expectStatus(
  { deployment }: Service,
  [route, expected]: [route: string, status: number],
  request: () => Promise<Received>,
): Promise<string> {
  const { status, headers, body } = await request();
  if (status === expected) return body;
  // The emulator may keep the last lines of a function until its next call.
  await request();
  const any = route.replace(/^\S+/, 'ANY');
  const name = apiFunctions.find(({ routes }) => routes.includes(route) || routes.includes(any))?.name;
  throw new Error(`${name}: ${route}: ${status} ${body.slice(0, 300)} ${await searchLog(deployment, headers)}`);
}

/** The lines that functions of the API logged about a request. The SDK's client of logs is no package of this project. */
async function searchLog({ endpoint, resources }: Deployment, response: Headers): Promise<string> {
  const logGroupName = inputOf(resources, 'aws:cloudwatch/logGroup:LogGroup', 'name', 'ApiLogs');
  const headers = {
    'x-amz-target': 'Logs_20140328.FilterLogEvents',
    authorization: `AWS4-HMAC-SHA256 Credential=${ACCOUNT}/20260101/${REGION}/logs/aws4_request`,
  };
  const body = JSON.stringify({ logGroupName, filterPattern: `"${response.get('x-request-id')}"` });
  return (await fetch(endpoint, { method: 'POST', headers, body })).text();
}

/** Sends the valid request of an operation. Throws when it does not succeed. */
export async function tryOperation(service: Service, declaration: Declaration): Promise<void> {
  const [row] = listRows(declaration);
  const sending = await validSending(declaration, service.scene);
  await expectStatus(service, [`${row?.method} ${row?.path}`, declaration.success.status], async () => {
    const { bytes, ...received } = await exchange(sending);
    return { ...received, body: Buffer.from(bytes).toString() };
  });
}

/** Pages of every audience. */
export const PAGES = [
  '/f/{formId}',
  '/review/{formId}',
  '/o/{slug}/units',
  '/build/{formId}',
  '/build/{formId}/questions',
];

/** Opens a page. Throws when it does not open, or lacks its style sheet. */
export async function tryPage(service: Service, page: string): Promise<void> {
  const { cast, own } = service.scene;
  const path = page.replace('{formId}', own.PUBLISHED.formId).replace('{slug}', cast.slug);
  const body = await expectStatus(service, [`GET ${page}`, 200], async () => {
    const response = await send('GET', path, { headers: { cookie: `access_token=${cast.alice.token}` } });
    return { status: response.status, headers: response.headers, body: await response.text() };
  });
  const [style = '/assets/none'] = /\/assets\/style\.[^"]+/.exec(body) ?? [];
  expect((await send('GET', style)).status, `${style}, the style sheet of ${page}`).toBe(200);
}

/** How long the stream may take. */
const PROMPT_MS = 60_000;

/** Mails and small exports that the worker `deliver` does not carry out by itself, before a schedule does. */
export async function listLateDeliveries(service: Service): Promise<string[]> {
  const late = await listLateOnce(service);
  // A schedule may have come first just then, but not twice within a minute.
  return late.length === 0 ? [] : listLateOnce(service);
}

async function listLateOnce({ deployment, scene }: Service): Promise<string[]> {
  const { alice, slug } = scene.cast;
  const nora = await person('nora');
  const { formId, questionIds } = await newForm(alice, slug, [[{ type: 'SHORT_TEXT' }]]);
  await alice.client.forms.updateForm({ params: { formId }, body: { sendResponseEmail: true } });
  await respond(nora, formId, [text(questionIds[0] ?? '', 'Kingfishers')]);
  const { id: exportId } = await askForExport(alice, formId, questionIds);
  const expected = { 'ses:SendEmail': nora.email, 's3:PutObject': `exports/${exportId}` };
  const listLate = (): string[] => {
    const made = [...(deployment.calls.get('WorkerDeliver')?.values() ?? [])];
    return Object.entries(expected)
      .filter(([action, of]) => !made.some((call) => call.action === action && call.resource.includes(of)))
      .map(([action, of]) => `WorkerDeliver did not ${action} ${of} within ${PROMPT_MS / 1_000} seconds`);
  };
  for (const end = Date.now() + PROMPT_MS; Date.now() < end && listLate().length > 0; ) await sleep(250);
  return listLate();
}

/** What functions did and schedules would do without permission. */
export function listDenied({ deployment: { resources, calls } }: Service): string[] {
  const all = new Map(calls);
  for (const { type, name, inputs } of resources) {
    if (type !== 'aws:scheduler/schedule:Schedule') continue;
    const { arn } = z.object({ arn: z.string() }).parse(inputs.target);
    all.set(name.replace(/Schedule$/, ''), new Map([[arn, { action: 'lambda:InvokeFunction', resource: arn }]]));
  }
  return deniedCalls(rolesOf(resources), all);
}
