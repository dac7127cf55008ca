/**
 * What the run has seen so far, collected from the answers alone: organizations, forms and all that is in them. It is
 * the pool from which later requests take their ids, so that they reach deep states. `learn.ts` fills it.
 */
import type { FormStatus } from '#core/forms/model.ts';
import type { ResponseProgress } from '#core/responses/model.ts';
import type { QuestionView } from '#core/structure/question-model.ts';
import type { WorkflowNode } from '#core/structure/workflow-model.ts';
import type { Person } from '#test/support/world.ts';

export type SeenOrg = {
  id: string;
  slug: string;
  units: Set<string>;
  /** By user id. */
  members: Map<string, 'ADMIN' | 'MEMBER'>;
};

export type SeenResponse = { id: string; by: string; progress: ResponseProgress; answered: Set<string> };

export type SeenForm = {
  id: string;
  orgId: string;
  status: FormStatus;
  deadline: string | null;
  publishTime: string | null;
  nodes: Map<string, WorkflowNode>;
  sections: Set<string>;
  questions: Map<string, QuestionView>;
  responses: Map<string, SeenResponse>;
  views: Map<string, { id: string; locked: boolean }>;
  highlighted: boolean;
  /** Its workflow was last seen without a fault. */
  sound: boolean;
};

/** A file, or an upload that is not attached yet. */
export type SeenFile = {
  id: string;
  by: string;
  formId: string;
  responseId: string;
  questionId: string;
  attached: boolean;
};

/** A browser that has left for a provider: which operation it comes back to, and with what. */
export type Journey = { back: string; provider: string; state: string; cookie: string };

/** A signed-in browser: what its cookies hold. */
export type Session = { access: string; refresh: string };

export type Seen = {
  people: readonly Person[];
  orgs: Map<string, SeenOrg>;
  forms: Map<string, SeenForm>;
  files: Map<string, SeenFile>;
  journeys: Journey[];
  sessions: Session[];
  etags: string[];
  /** By operation. */
  cursors: Map<string, string[]>;
  expiredToken: string;
  /** Ids of what was deleted. */
  gone: string[];
};

const MOST_FORMS = 40;
const MOST_KEPT = 30;
const MOST_FILES = 300;

/** Nothing seen but some people. */
export const nothingSeen = (people: readonly Person[], expiredToken: string): Seen => ({
  people,
  expiredToken,
  orgs: new Map(),
  forms: new Map(),
  files: new Map(),
  journeys: [],
  sessions: [],
  etags: [],
  cursors: new Map(),
  gone: [],
});

/** Keeps the newest of a list that would grow for ever. */
export function remember<T>(list: T[], item: T): void {
  list.push(item);
  if (list.length > MOST_KEPT) list.shift();
}

/** The form of an id, new to the pool if need be; one of the emptiest makes room. */
export function formSeen(seen: Seen, id: string, first: Pick<SeenForm, 'orgId' | 'status'>): SeenForm {
  const known = seen.forms.get(id);
  if (known) return known;
  if (seen.forms.size >= MOST_FORMS) {
    const emptiest = [...seen.forms.values()].find((form) => form.questions.size === 0) ?? [...seen.forms.values()][0];
    if (emptiest) seen.forms.delete(emptiest.id);
  }
  const form: SeenForm = {
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
    sound: false,
  };
  seen.forms.set(id, form);
  return form;
}

/** Keeps a file; the oldest makes room. */
export function fileSeen(seen: Seen, file: SeenFile): void {
  const oldest = seen.files.size >= MOST_FILES ? seen.files.keys().next().value : undefined;
  if (oldest !== undefined) seen.files.delete(oldest);
  seen.files.set(file.id, file);
}

/** The organization of a slug, while it has that slug. */
export const orgOfSlug = (seen: Seen, slug: string): SeenOrg | undefined =>
  [...seen.orgs.values()].find((org) => org.slug === slug);

/** The form that has a section. */
export const formOfSection = (seen: Seen, sectionId: string): SeenForm | undefined =>
  [...seen.forms.values()].find((form) => form.sections.has(sectionId));

/** The form that has a response. */
export const formOfResponse = (seen: Seen, responseId: string): SeenForm | undefined =>
  [...seen.forms.values()].find((form) => form.responses.has(responseId));

/** Forgets whatever has an id or slug, with all that is under it. */
export function forget(seen: Seen, id: string): void {
  remember(seen.gone, id);
  const org = orgOfSlug(seen, id);
  if (org) forgetOrg(seen, org);
  for (const each of seen.orgs.values()) {
    each.units.delete(id);
    each.members.delete(id);
  }
  seen.forms.delete(id);
  seen.files.delete(id);
  for (const file of seen.files.values()) if (file.responseId === id || file.formId === id) seen.files.delete(file.id);
  for (const form of seen.forms.values()) forgetIn(form, id);
}

function forgetOrg(seen: Seen, org: SeenOrg): void {
  seen.orgs.delete(org.id);
  for (const form of [...seen.forms.values()]) if (form.orgId === org.id) seen.forms.delete(form.id);
}

function forgetIn(form: SeenForm, id: string): void {
  form.nodes.delete(id);
  form.questions.delete(id);
  form.responses.delete(id);
  form.views.delete(id);
  if (!form.sections.delete(id)) return;
  for (const question of [...form.questions.values()]) {
    if (question.sectionId === id) form.questions.delete(question.id);
  }
}
