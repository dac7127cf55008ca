/**
 * What generated requests act on: a place with forms in every status, on which the valid request of each operation is built
 * as in the tests of every operation, and what responses have shown of lists. Requests change and delete all of it, so it
 * is replaced now and then.
 */
import * as z from 'zod';
import { keys } from '#core/db/keys.ts';
import { app } from '#core/http/app.ts';
import { presentNode } from '#core/structure/condition-rule.ts';
import { presentSection } from '#core/structure/documents.ts';
import type { QuestionDocument } from '#core/structure/question-model.ts';
import { parseStructure } from '#core/structure/store.ts';
import type { WorkflowNode } from '#core/structure/workflow-model.ts';
import { linkInOrder, type Person, type QuestionKind } from '#test/support/fixtures.ts';
import { buildSending, rowOf, type Sending } from '#test/support/requests.ts';
import {
  buildResources,
  newPlace,
  newResources,
  type Place,
  type Resources,
  type Status,
} from '#test/support/scene.ts';
import type { Documented } from './document.ts';
import type { Exchange } from './runtime.ts';

export type Ground = {
  place: Place;
  /** The forms of the place by status. */
  forms: Record<Status, Resources[]>;
  /** Ids of earlier places. */
  formerIds: string[];
  expiredToken: string;
  etags: string[];
  /** The newest cursors by operation. */
  cursors: Map<string, string[]>;
  /** While the place is replaced. */
  replacing?: Promise<void> | undefined;
};

/** The questions, sections and nodes of a form as they are now. */
export type FormParts = { questions: QuestionDocument[]; sections: string[]; nodes: WorkflowNode[] };

/** A valid request, and on what it acts. */
export type Target = { ground: Ground; operation: Documented; resources: Resources; sending: Sending; form: FormParts };

const choices = [{ name: 'Yes' }, { name: 'No', description: 'Not at all' }, { name: 'Other', isOther: true }];

/** Questions of all types but those of the first section. */
const OTHER_TYPES: QuestionKind[][] = [
  [{ type: 'LONG_TEXT' }, { type: 'HYPERLINK' }, { type: 'SINGLE_CHOICE', choices }],
  [
    { type: 'MULTIPLE_CHOICE', choices },
    { type: 'DROPDOWN', choices },
    { type: 'DETAILED_MULTIPLE_CHOICE', choices },
    { type: 'RANKING', choices },
  ],
  [
    { type: 'DATE', date: { hasYear: true, hasMonth: true, hasDay: true } },
    { type: 'DATE', date: { hasYear: true, hasMonth: true, hasDay: false } },
    { type: 'LINEAR_SCALE', scale: { minVal: 0, maxVal: 10 } },
    { type: 'RATING', scale: { minVal: 1, maxVal: 5, icon: 'star' } },
  ],
];

export async function newGround(): Promise<Ground> {
  const place = await newPlace();
  const longAgo = new Date(app().now().getTime() - 7 * 24 * 3_600_000);
  const expiredToken = await app().tokens.sign({ id: place.admin.id, roles: ['USER'] }, longAgo);
  const forms = await newForms(place);
  await buildWideForms(place);
  return { place, forms, formerIds: [], expiredToken, etags: [], cursors: new Map() };
}

/** Replaces the place; calls at the same time wait for the same one. */
export async function replacePlace(ground: Ground): Promise<void> {
  ground.replacing ??= (async () => {
    for (const id of listIds(ground)) keepNewest(ground.formerIds, id);
    const place = await newPlace();
    Object.assign(ground, { place, forms: await newForms(place) });
  })();
  await ground.replacing;
  ground.replacing = undefined;
}

/** Replaces the forms by new copies, except for the one with every type of question. */
export async function replaceForms(ground: Ground): Promise<void> {
  const { place, forms } = ground;
  const [DRAFT, PUBLISHED, ARCHIVED] = await Promise.all(
    (['DRAFT', 'PUBLISHED', 'ARCHIVED'] as const).map((status) => newResources(place, status)),
  );
  if (DRAFT && PUBLISHED && ARCHIVED) {
    ground.forms = { DRAFT: [DRAFT], PUBLISHED: [PUBLISHED, ...forms.PUBLISHED.slice(1)], ARCHIVED: [ARCHIVED] };
  }
}

const newForms = async (place: Place): Promise<Ground['forms']> => ({
  PUBLISHED: [await newResources(place, 'PUBLISHED'), await withCondition(place)],
  DRAFT: [await newResources(place, 'DRAFT')],
  ARCHIVED: [await newResources(place, 'ARCHIVED')],
});

/** A form with questions of every type, of which a section depends on an answer. */
async function withCondition(place: Place): Promise<Resources> {
  const resources = await buildResources(place, place.admin, OTHER_TYPES);
  const { formId, sectionId, nodeId, questionId } = resources;
  const { client } = place.admin;
  const params = { formId };
  const { id } = (await client.workflow.createNode({ params, body: { type: 'CONDITION', payload: {} } })).body;
  const sections = (await readForm(formId)).sections.filter((each) => each !== sectionId);
  await linkInOrder(client, formId, [sectionId, id, ...sections]);
  const { workflow: nodes } = (await client.workflow.getWorkflow({ params })).body;
  const conditionRule = { source: 'NON_CHOICE' as const, question: questionId, pattern: '(river|x|水).*' };
  const links = { nextTrue: nodeId, nextFalse: sections.at(-1) ?? '' };
  const body = nodes.map((node) => (node.id === id ? { ...node, conditionRule, ...links } : node));
  await client.workflow.updateWorkflow({ params, body });
  return resources;
}

/** Text that grows when it is escaped as HTML or JSON. */
const WIDE = {
  type: 'doc' as const,
  content: [{ type: 'paragraph', content: [{ type: 'text', text: '"&<'.repeat(16_000) }] }],
};

/** Forms that do not fit into one HTTP response together. */
async function buildWideForms({ admin, slug }: Place): Promise<void> {
  const settings = { title: 'Wide', visibility: 'PUBLIC' as const, allowEditResponse: true, description: WIDE };
  for (let made = 0; made < 20; made += 1) await admin.client.forms.createForm({ params: { slug }, body: settings });
}

async function readForm(formId: string): Promise<FormParts> {
  const [item] = await app().table.read([keys.formStructure(formId)]);
  const structure = parseStructure(item);
  if (!structure) return { questions: [], sections: [], nodes: [] };
  return {
    questions: structure.sections.flatMap((section) => presentSection(structure, section).questions ?? []),
    sections: structure.sections.map(({ id }) => id),
    nodes: structure.nodes.map((node) => presentNode(structure, node)),
  };
}

/** Builds the valid request of an operation. A place that earlier requests have damaged is replaced. */
export async function targetFor(ground: Ground, operation: Documented, number: number): Promise<Target> {
  try {
    return await tryTarget(ground, operation, number);
  } catch {
    await replacePlace(ground);
    return tryTarget(ground, operation, number);
  }
}

async function tryTarget(ground: Ground, operation: Documented, number: number): Promise<Target> {
  const { on = 'PUBLISHED', consumes } = rowOf(operation.declaration);
  const resources = consumes ? await newResources(ground.place, on) : pick(ground.forms[on], number);
  if (!resources) throw new Error(`there is no ${on} form`);
  const sending = await buildSending(operation.declaration, resources);
  return { ground, operation, resources, sending, form: await readForm(resources.formId) };
}

const PEOPLE = ['admin', 'member', 'respondent', 'otherRespondent'] as const;
export const listPeople = ({ place }: Ground): Person[] => PEOPLE.map((name) => place[name]);

/** All ids and slugs of a ground. */
const listIds = ({ forms, place }: Ground): string[] =>
  [...Object.values(forms).flat(), place].flatMap((each) =>
    Object.values(each).filter((value) => typeof value === 'string'),
  );

export type Kind =
  | 'file'
  | 'user'
  | 'email'
  | 'org'
  | 'unit'
  | 'section'
  | 'question'
  | 'choiceQuestion'
  | 'node'
  | 'choice'
  | 'cursor';

/** A known id of a kind that belongs to the target, chosen by a generated number. */
export function knownId(
  { ground, operation, resources, form }: Target,
  kind: Kind,
  number: number,
): string | undefined {
  const ids: Record<Kind, () => Iterable<string>> = {
    file: () => [resources.fileId],
    user: () => listPeople(ground).map(({ id }) => id),
    email: () => listPeople(ground).map(({ email }) => email),
    org: () => [resources.orgId],
    unit: () => [resources.unitId, resources.childId],
    section: () => form.sections,
    question: () => form.questions.map(({ id }) => id),
    choiceQuestion: () => form.questions.filter((question) => question.choices).map(({ id }) => id),
    node: () => form.nodes.map(({ id }) => id),
    choice: () => form.questions.flatMap((question) => (question.choices ?? []).map(({ id }) => id)),
    cursor: () => ground.cursors.get(operation.id) ?? [],
  };
  return pick(ids[kind](), number);
}

/** Any known id or slug, also of what is deleted; a third name nothing. */
export const anyId = (ground: Ground, number: number): string =>
  (number % 3 === 0 ? undefined : pick([...ground.formerIds, ...listIds(ground)], number)) ?? unknownId(number);

/** An id of nothing. */
export const unknownId = (number: number): string => {
  const digits = number.toString(16).padStart(12, '0').slice(-12);
  return `${digits.slice(0, 8)}-0000-4000-8000-${digits}`;
};

/** Keeps the ETag and the cursor of a response. */
export function learn(ground: Ground, { routed, received: { status, headers, json } }: Exchange): void {
  if (!routed || status >= 400) return;
  if (headers.etag !== undefined) keepNewest(ground.etags, headers.etag);
  const inLink = /[?&]cursor=([^&>]+)/.exec(headers.link ?? '')?.[1];
  const inBody = z.object({ nextCursor: z.string() }).safeParse(json).data?.nextCursor;
  const cursor = inBody ?? (inLink && decodeURIComponent(inLink));
  if (cursor === undefined) return;
  const known = ground.cursors.get(routed.operation.id) ?? [];
  keepNewest(known, cursor);
  ground.cursors.set(routed.operation.id, known);
}

const MOST_KEPT = 100;

/** Appends to a list that keeps only its newest items. */
function keepNewest<T>(list: T[], item: T): void {
  list.push(item);
  if (list.length > MOST_KEPT) list.shift();
}

/** An item of a list, chosen by a generated number; undefined if the list is empty. */
export const pick = <T>(list: Iterable<T>, number: number): T | undefined => {
  const items = [...list];
  return items[number % Math.max(items.length, 1)];
};

/**
 * A value that is chosen from the target when a request is sent, not when it is generated. So a template can be
 * generated, shrunk and sent again while the data changes.
 */
export class Deferred {
  readonly from: (target: Target) => unknown;

  constructor(from: (target: Target) => unknown) {
    this.from = from;
  }
}

/** Replaces every `Deferred` in a template. Members such as `__proto__` stay members. */
export function resolve(template: unknown, target: Target): unknown {
  if (template instanceof Deferred) return resolve(template.from(target), target);
  if (Array.isArray(template)) return template.map((item) => resolve(item, target));
  if (typeof template !== 'object' || template === null) return template;
  return Object.fromEntries(Object.entries(template).map(([name, value]) => [name, resolve(value, target)]));
}
