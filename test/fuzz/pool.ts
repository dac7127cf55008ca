/**
 * The resources that responses have shown so far: organizations, forms and their contents. Later requests take their
 * ids from this pool, so that they reach deep states. `learn.ts` fills it.
 */
import type { FormStatus } from '#core/forms/model.ts';
import type { ResponseProgress } from '#core/responses/model.ts';
import type { QuestionDocument } from '#core/structure/question-model.ts';
import type { WorkflowNode } from '#core/structure/workflow-model.ts';
import type { Person } from '#test/support/fixtures.ts';

export type PoolOrg = {
  id: string;
  slug: string;
  units: Set<string>;
  /** By user id. */
  members: Map<string, 'ADMIN' | 'MEMBER'>;
};

export type PoolResponse = { id: string; by: string; progress: ResponseProgress; answered: Set<string> };

export type PoolForm = {
  id: string;
  orgId: string;
  status: FormStatus;
  deadline: string | null;
  publishTime: string | null;
  nodes: Map<string, WorkflowNode>;
  sections: Set<string>;
  questions: Map<string, QuestionDocument>;
  responses: Map<string, PoolResponse>;
  views: Map<string, { id: string; locked: boolean }>;
  highlighted: boolean;
  /** The numbers of the versions that are kept. */
  versions: Set<number>;
  /** Its workflow had no faults when it was last read. */
  isWorkflowValid: boolean;
};

/** A file, attached or announced only. */
export type PoolFile = {
  id: string;
  by: string;
  formId: string;
  responseId: string;
  questionId: string;
  attached: boolean;
};

/** An OAuth authorization in progress: its callback operation, state and cookie. */
export type Authorization = { callback: string; provider: string; state: string; cookie: string };

export type Pool = {
  people: readonly Person[];
  orgs: Map<string, PoolOrg>;
  forms: Map<string, PoolForm>;
  files: Map<string, PoolFile>;
  /** The user who saw an export first, by its id. */
  exports: Map<string, string>;
  authorizations: Authorization[];
  refreshTokens: string[];
  etags: string[];
  /** By operation id. */
  cursors: Map<string, string[]>;
  expiredToken: string;
  /** Ids of what was deleted. */
  deletedIds: string[];
};

const MOST_FORMS = 40;
const MOST_KEPT = 30;
const MOST_FILES = 300;

/** A pool with nothing but people. */
export const emptyPool = (people: readonly Person[], expiredToken: string): Pool => ({
  people,
  expiredToken,
  orgs: new Map(),
  forms: new Map(),
  files: new Map(),
  exports: new Map(),
  authorizations: [],
  refreshTokens: [],
  etags: [],
  cursors: new Map(),
  deletedIds: [],
});

/** Appends to a list that keeps only its newest items. */
export function keepNewest<T>(list: T[], item: T): void {
  list.push(item);
  if (list.length > MOST_KEPT) list.shift();
}

/** Adds a form unless it is known. A full pool drops an empty form first. */
export function addForm(pool: Pool, id: string, first: Pick<PoolForm, 'orgId' | 'status'>): PoolForm {
  const known = pool.forms.get(id);
  if (known) return known;
  if (pool.forms.size >= MOST_FORMS) {
    const emptiest = [...pool.forms.values()].find((form) => form.questions.size === 0) ?? [...pool.forms.values()][0];
    if (emptiest) pool.forms.delete(emptiest.id);
  }
  const form: PoolForm = {
    id,
    ...first,
    deadline: null,
    publishTime: null,
    nodes: new Map(),
    sections: new Set(),
    questions: new Map(),
    responses: new Map(),
    views: new Map(),
    highlighted: false,
    versions: new Set(),
    isWorkflowValid: false,
  };
  pool.forms.set(id, form);
  return form;
}

/** Adds a file. A full pool drops the oldest. */
export function addFile(pool: Pool, file: PoolFile): void {
  const oldest = pool.files.size >= MOST_FILES ? pool.files.keys().next().value : undefined;
  if (oldest !== undefined) pool.files.delete(oldest);
  pool.files.set(file.id, file);
}

/** The files of the question in a path. */
export const filesOf = (pool: Pool, { responseId, questionId }: Record<string, string>): PoolFile[] =>
  [...pool.files.values()].filter((file) => file.responseId === responseId && file.questionId === questionId);

/** The organization that currently has a slug. */
export const orgOfSlug = (pool: Pool, slug: string): PoolOrg | undefined =>
  [...pool.orgs.values()].find((org) => org.slug === slug);

/** The form that has a section. */
export const formOfSection = (pool: Pool, sectionId: string): PoolForm | undefined =>
  [...pool.forms.values()].find((form) => form.sections.has(sectionId));

/** The form that has a response. */
export const formOfResponse = (pool: Pool, responseId: string): PoolForm | undefined =>
  [...pool.forms.values()].find((form) => form.responses.has(responseId));

/** Removes whatever has this id or slug, with everything in it. */
export function remove(pool: Pool, id: string): void {
  keepNewest(pool.deletedIds, id);
  const org = orgOfSlug(pool, id);
  if (org) removeOrg(pool, org);
  for (const each of pool.orgs.values()) {
    each.units.delete(id);
    each.members.delete(id);
  }
  pool.forms.delete(id);
  pool.files.delete(id);
  for (const file of pool.files.values()) if (file.responseId === id || file.formId === id) pool.files.delete(file.id);
  for (const form of pool.forms.values()) removeFromForm(form, id);
}

function removeOrg(pool: Pool, org: PoolOrg): void {
  pool.orgs.delete(org.id);
  for (const form of [...pool.forms.values()]) if (form.orgId === org.id) pool.forms.delete(form.id);
}

function removeFromForm(form: PoolForm, id: string): void {
  form.nodes.delete(id);
  form.questions.delete(id);
  form.responses.delete(id);
  form.views.delete(id);
  if (!form.sections.delete(id)) return;
  for (const question of [...form.questions.values()]) {
    if (question.sectionId === id) form.questions.delete(question.id);
  }
}

/** An item of a list, chosen by a generated number; undefined if the list is empty. */
export const pick = <T>(list: Iterable<T>, number: number): T | undefined => {
  const items = [...list];
  return items[number % Math.max(items.length, 1)];
};
