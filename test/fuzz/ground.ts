/**
 * What requests act on: a place with forms in every status, on which the valid request of each operation is built, and
 * what responses have shown. Requests change and delete all of it, so it is replaced now and then.
 */

import fc from 'fast-check';
import type { Declaration } from '#core/api/declare.ts';
import { app } from '#core/http/app.ts';
import type { Person } from '#test/support/fixtures.ts';
import {
  buildSending,
  nameOf,
  otherSendings,
  resourcesToConsume,
  rowOf,
  type Sending,
} from '#test/support/requests.ts';
import { EVERY_TYPE } from '#test/support/responses.ts';
import { p, text } from '#test/support/rich-text.ts';
import {
  buildResources,
  newPlace,
  newResources,
  type Place,
  type Resources,
  type Status,
} from '#test/support/scene.ts';
import { furtherInput } from './bodies.ts';
import { type Draw, pick } from './draw.ts';
import { type Draft, withParameters } from './request.ts';
import type { Received } from './runtime.ts';

export type Ground = {
  place: Place;
  forms: Record<Status, Resources>;
  /** A published form with questions of every type and a condition. */
  everyType: Resources;
  people: readonly Person[];
  expiredToken: string;
  /** Ids and slugs of this ground and those before it. */
  ids: readonly string[];
};

/** What responses have shown, newest last. */
export type Shown = { etags: string[]; cursors: string[]; nextPages: Map<string, Draft> };

/** A new ground; `ids` are those of earlier ones. */
export async function newGround(ids: readonly string[] = []): Promise<Ground> {
  const place = await newPlace();
  const { admin, member, respondent, otherRespondent } = place;
  const longAgo = new Date(app().now().getTime() - 7 * 24 * 3_600_000);
  const expiredToken = await app().tokens.sign({ id: admin.id, roles: ['USER'] }, longAgo);
  const forms = await newForms(place);
  const everyType = await newFormOfEveryType(place);
  const known = [...ids, ...[everyType, ...Object.values(forms)].flatMap(idsOf)].slice(-200);
  return { place, forms, everyType, people: [admin, member, respondent, otherRespondent], expiredToken, ids: known };
}

const idsOf = (resources: Resources): string[] => Object.values(resources).filter((value) => typeof value === 'string');

export const newForms = async (place: Place): Promise<Ground['forms']> => ({
  PUBLISHED: await newResources(place, 'PUBLISHED'),
  DRAFT: await newResources(place, 'DRAFT'),
  ARCHIVED: await newResources(place, 'ARCHIVED'),
});

/** A form whose first section leads to a condition on an answer, which leads to the second or the third section. */
async function newFormOfEveryType(place: Place): Promise<Resources> {
  const resources = await buildResources(place, place.admin, [EVERY_TYPE.slice(0, 6), EVERY_TYPE.slice(6)]);
  const { formId, sectionId, nodeId, questionId, admin } = resources;
  const params = { formId };
  const { id } = (await admin.client.workflow.createNode({ params, body: { type: 'CONDITION', payload: {} } })).body;
  const { workflow } = (await admin.client.workflow.getWorkflow({ params })).body;
  const nextFalse = workflow.find((node) => node.id === nodeId)?.next ?? '';
  const conditionRule = { source: 'NON_CHOICE' as const, question: questionId, pattern: '(river|x|水).*' };
  const changes: Record<string, object> = {
    [sectionId]: { next: id },
    [id]: { conditionRule, nextTrue: nodeId, nextFalse },
  };
  const body = workflow.map((node) => ({ ...node, ...changes[node.id] }));
  await admin.client.workflow.updateWorkflow({ params, body });
  return resources;
}

/** Adds forms that do not fit into one HTTP response together, because their text grows when it is escaped. */
export async function addWideForms({ admin, slug }: Place): Promise<void> {
  const description = { type: 'doc' as const, content: [p(text('"&<'.repeat(16_000)))] };
  const body = { title: 'Wide', visibility: 'PUBLIC' as const, allowEditResponse: true, description };
  for (let made = 0; made < 20; made += 1) await admin.client.forms.createForm({ params: { slug }, body });
}

/** A valid request of an operation. Rejects if earlier requests have damaged what it needs. */
export async function validRequest(ground: Ground, declaration: Declaration, draw: Draw): Promise<Sending> {
  const { on = 'PUBLISHED', consumes } = rowOf(declaration);
  const name = nameOf(declaration);
  const isReusable = !consumes || name === 'responses.submitResponse';
  if (on === 'PUBLISHED' && isReusable && draw(fc.boolean())) {
    const sending = await buildSending(declaration, ground.everyType);
    return { ...sending, ...(await furtherInput(name, ground.everyType, draw)) };
  }
  const resources = consumes ? await resourcesToConsume(declaration, ground.place, on) : ground.forms[on];
  const sending = await buildSending(declaration, resources);
  return draw(fc.boolean()) ? sending : pick(draw, [sending, ...(await otherSendings(declaration, resources))]);
}

const MOST_KEPT = 100;

/** Keeps the ETag and the next page of a response. */
export function learn(shown: Shown, draft: Draft, { headers, json }: Received): void {
  const inLink = /[?&]cursor=([^&>]+)/.exec(headers.link ?? '')?.[1];
  const cursor: unknown = inLink ? decodeURIComponent(inLink) : Object(json).nextCursor;
  if (headers.etag !== undefined) shown.etags = [...shown.etags, headers.etag].slice(-MOST_KEPT);
  if (typeof cursor !== 'string') return;
  shown.cursors = [...shown.cursors, cursor].slice(-MOST_KEPT);
  shown.nextPages.set(nameOf(draft.declaration), { ...draft, query: withParameters(draft.query, { cursor }) });
}
