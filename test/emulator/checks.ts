/** What does not work in a deployment, each as a text that names the function and what is wrong with it. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Declaration } from '#core/api/declare.ts';
import { allFunctions } from '#stacks/functions.ts';
import { listRows } from '#stacks/plan.ts';
import { askForExport } from '#test/support/exports.ts';
import { newForm, person, send } from '#test/support/fixtures.ts';
import { exchange, validSending } from '#test/support/requests.ts';
import { respond, text } from '#test/support/responses.ts';
import { deniedCalls, deniedServices, functionsOf } from './policies.ts';
import type { Service } from './service.ts';

/** The function of a route. */
const functionAt = (route: string): string =>
  `${allFunctions.find((each) => 'routes' in each && each.routes.includes(route))?.name}Function`;

/** What a response says, and what its function logged about the request. */
async function explain({ deployment }: Service, status: number, headers: Headers, text: string): Promise<string> {
  const requestId = headers.get('x-request-id');
  return `${status} ${text.slice(0, 300)} ${requestId ? await deployment.logOf(requestId) : ''}`;
}

/** An operation that does not respond to its valid request with its status. */
export async function faultsOfOperation(service: Service, declaration: Declaration): Promise<string[]> {
  const [{ method, path } = { method: '', path: '' }] = listRows(declaration);
  const { status, headers, bytes } = await exchange(await validSending(declaration, service.scene));
  if (status === declaration.success.status) return [];
  const text = Buffer.from(bytes).toString();
  const route = `${method} ${path}`;
  return [`${functionAt(route)}: ${route}: ${await explain(service, status, headers, text)}`];
}

/** Audiences whose pages do not open, or lack their style sheet. */
export async function faultsOfPages(service: Service): Promise<string[]> {
  const { alice, slug } = service.scene.cast;
  const { formId } = service.scene.own.PUBLISHED;
  const pages = {
    '/f/{formId}': formId,
    '/review/{formId}': formId,
    '/o/{slug}/units': slug,
    '/build/{formId}': formId,
  };
  const faults: string[] = [];
  for (const [path, id] of Object.entries({ ...pages, '/build/{formId}/questions': formId })) {
    const name = functionAt(`GET ${path}`);
    const cookie = `access_token=${alice.token}`;
    const { status, headers, text } = await get(path.replace(/\{\w+\}/, id), { cookie });
    const [style] = /\/assets\/style\.[^"]+/.exec(text) ?? [];
    if (status !== 200) faults.push(`${name}: GET ${path}: ${await explain(service, status, headers, text)}`);
    else if (!style || (await get(style)).status !== 200) faults.push(`${name}: ${path} has no style sheet`);
  }
  return faults;
}

async function get(path: string, headers = {}): Promise<{ status: number; headers: Headers; text: string }> {
  const response = await send('GET', path, { headers });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

/** How long the stream may take. */
const PROMPT_MS = 12_000;

/** Mails and small exports that the worker `deliver` does not carry out by itself, before a schedule does. */
export async function faultsOfDelivery(service: Service): Promise<string[]> {
  const first = await lateDeliveries(service);
  // A schedule may have come first just then, but not twice within a minute.
  return first.length === 0 ? [] : lateDeliveries(service);
}

async function lateDeliveries({ deployment, scene }: Service): Promise<string[]> {
  const { alice, slug } = scene.cast;
  const nora = await person('nora');
  const { formId, questionIds } = await newForm(alice, slug, [[{ type: 'SHORT_TEXT' }]]);
  await alice.client.forms.updateForm({ params: { formId }, body: { sendResponseEmail: true } });
  await respond(nora, formId, [text(questionIds[0] ?? '', 'Kingfishers')]);
  const { id: exportId } = await askForExport(alice, formId, questionIds);
  const expected = { 'ses:SendEmail': nora.email, 's3:PutObject': `exports/${exportId}` };
  const missing = (): string[] => {
    const made = [...(deployment.calls.get('WorkerDeliverFunction')?.values() ?? [])];
    return Object.entries(expected)
      .filter(([action, of]) => !made.some((call) => call.action === action && call.resource.includes(of)))
      .map(([action, of]) => `WorkerDeliverFunction did not ${action} ${of} within ${PROMPT_MS / 1_000} seconds`);
  };
  for (const end = Date.now() + PROMPT_MS; Date.now() < end && missing().length > 0; ) await sleep(250);
  return missing();
}

/** What functions, API Gateway, schedules and other services did or would do without permission. */
export const faultsOfPermissions = ({ deployment: { resources, calls } }: Service): string[] => [
  ...deniedCalls(functionsOf(resources), calls),
  ...deniedServices(resources),
];
