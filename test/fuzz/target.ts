/**
 * The target of a request: an organization, a form and its parts that suit the operation, and a caller who is allowed
 * to call it. A request to a target should succeed; mutations change it afterwards.
 */
import type { QuestionDocument } from '#core/structure/question-model.ts';
import type { WorkflowNode } from '#core/structure/workflow-model.ts';
import type { Person } from '#test/support/fixtures.ts';
import type { Documented } from './document.ts';
import { filesOf, type Pool, type PoolFile, type PoolForm, type PoolOrg, type PoolResponse, pick } from './pool.ts';

export type Target = {
  pool: Pool;
  operation: Documented;
  org?: PoolOrg | undefined;
  form?: PoolForm | undefined;
  response?: PoolResponse | undefined;
  file?: PoolFile | undefined;
  params: Record<string, string>;
  /** A caller who is allowed to call; undefined if none is known. */
  by: Person | undefined;
};

type Preference = {
  org?: (org: PoolOrg, pool: Pool) => boolean;
  form?: (form: PoolForm) => boolean;
  response?: (response: PoolResponse, form: PoolForm) => boolean;
  question?: (question: QuestionDocument, response: PoolResponse | undefined) => boolean;
  node?: (node: WorkflowNode) => boolean;
  view?: (view: { locked: boolean }) => boolean;
};

/** Whether a form accepts responses now, as far as is known. */
export const isOpen = ({ status, deadline, publishTime }: PoolForm): boolean => {
  const now = new Date().toISOString();
  return status === 'PUBLISHED' && (deadline === null || deadline > now) && (publishTime === null || publishTime < now);
};

const open: Preference = { form: isOpen };
/** A form with questions. */
const hasQuestions: Preference = { form: ({ questions }) => questions.size > 0 };
/** A form with versions. */
const keeps: Preference = { form: ({ versions }) => versions.size > 0 };
const isChoice = ({ choices }: QuestionDocument): boolean => (choices ?? []).length > 0;
const asks = (type: QuestionDocument['type']): Preference => ({
  form: (form) => isOpen(form) && [...form.questions.values()].some((question) => question.type === type),
  question: (question) => question.type === type,
});
/** An open form with a question for files, and a draft response. */
const acceptsFiles: Preference = { ...asks('UPLOAD_FILE'), response: ({ progress }) => progress === 'DRAFT' };
const isEmpty = (form: PoolForm): boolean => form.questions.size === 0;

/** What an operation needs beyond the parameters of its path. */
const PREFERENCES: Readonly<Record<string, Preference>> = {
  'orgs.deleteOrganization': {
    org: ({ id }, { forms }) => [...forms.values()].every((form) => form.orgId !== id || isEmpty(form)),
  },
  'units.linkUnits': { org: ({ units }) => units.size > 1 },
  'forms.deleteForm': { form: isEmpty },
  'forms.publishForm': {
    form: ({ status, isWorkflowValid, nodes }) => status === 'DRAFT' && (isWorkflowValid || nodes.size === 0),
  },
  'forms.archiveForm': { form: isEmpty },
  'forms.unarchiveForm': { form: ({ status }) => status === 'ARCHIVED' },
  'forms.getVersion': keeps,
  'forms.restoreVersion': keeps,
  'forms.setHighlight': { form: ({ questions }) => [...questions.values()].some(isChoice) },
  'forms.updateHighlight': { form: ({ highlighted }) => highlighted },
  'forms.deleteHighlight': { form: ({ highlighted }) => highlighted },
  'workflow.deleteNode': { node: ({ type }) => type === 'SECTION' || type === 'CONDITION' },
  'responses.startResponse': open,
  'responses.updateAnswers': open,
  'responses.getAnswer': {
    response: ({ answered }) => answered.size > 0,
    question: ({ id }, response) => response?.answered.has(id) ?? false,
  },
  'responses.clearAnswer': {
    ...open,
    response: ({ answered, progress }) => answered.size > 0 && progress === 'DRAFT',
    question: ({ id }, response) => response?.answered.has(id) ?? false,
  },
  'responses.submitResponse': { ...open, response: ({ progress }) => progress === 'DRAFT' },
  'responses.cancelResponse': { ...open, response: ({ progress }) => progress === 'SUBMITTED' },
  'deliveries.retryDelivery': { response: ({ progress }) => progress === 'SUBMITTED' },
  'files.uploadFiles': acceptsFiles,
  'files.completeUploads': acceptsFiles,
  'files.clearFiles': acceptsFiles,
  'connections.startConnection': { ...asks('OAUTH_CONNECT'), response: ({ progress }) => progress === 'DRAFT' },
  'views.deleteView': { view: ({ locked }) => !locked },
  'views.listDistinctAnswers': hasQuestions,
  'exports.previewTable': hasQuestions,
  'responses.filterResponses': hasQuestions,
  'exports.downloadTable': hasQuestions,
};

/** Derives independent numbers from one generated number. */
const mixed = (number: number, salt: number): number =>
  (Math.imul(number ^ (salt * 0x9e3779b1), 0x85ebca6b) >>> 1) + salt;

/** The preferred items of a list, or all if none is preferred. */
const preferred = <T>(list: Iterable<T>, preference: (item: T) => boolean = () => true): T[] => {
  const all = [...list];
  const fitting = all.filter(preference);
  return fitting.length > 0 ? fitting : all;
};

/** A target for an operation, chosen by a generated number. */
export function targetFor(pool: Pool, operation: Documented, number: number): Target {
  const preference = PREFERENCES[operation.id] ?? {};
  const file = operation.parameters.includes('fileId') ? targetFile(pool, number) : undefined;
  const ofFile = file && pool.forms.get(file.formId);
  const form = namesForm(operation)
    ? pick(
        preferred(
          preferred(pool.forms.values(), (each) => hasAll(each, operation, preference)),
          preference.form,
        ),
        mixed(number, 1),
      )
    : ofFile;
  const org = form ? pool.orgs.get(form.orgId) : orgFor(pool, operation, preference, mixed(number, 2));
  const response =
    form &&
    pick(
      preferred(form.responses.values(), (each) => preference.response?.(each, form) ?? true),
      mixed(number, 3),
    );
  const target: Target = { pool, operation, org, form, response, file, params: {}, by: undefined };
  target.params = paramsOf(target, preference, number);
  target.by = pick(preferred(callers(target), isOnboarded), mixed(number, 9));
  return target;
}

/** Mostly an attached file; announced ones are visible to nobody. */
const targetFile = ({ files }: Pool, number: number): PoolFile | undefined =>
  pick(
    preferred(files.values(), ({ attached }) => attached || number % 16 === 0),
    mixed(number, 12),
  );

const isOnboarded = (person: Person): boolean => !person.email.startsWith('newcomer');

const namesForm = ({ parameters, path }: Documented): boolean =>
  parameters.some((name) => ['formId', 'sectionId', 'responseId'].includes(name)) || path.startsWith('/forms/');

/** Whether a form has everything that a path and its preference need. */
function hasAll(form: PoolForm, { parameters }: Documented, preference: Preference): boolean {
  const isPreferred = preference.form?.(form) ?? true;
  const has: Record<string, boolean> = {
    sectionId: form.sections.size > 0,
    questionId: form.questions.size > 0,
    viewId: [...form.views.values()].some((view) => preference.view?.(view) ?? true),
    nodeId: [...form.nodes.values()].some((node) => preference.node?.(node) ?? true),
    responseId: [...form.responses.values()].some((response) => preference.response?.(response, form) ?? true),
  };
  return isPreferred && parameters.every((name) => has[name] ?? true);
}

function orgFor(pool: Pool, { parameters }: Documented, preference: Preference, number: number): PoolOrg | undefined {
  const needsUnit = parameters.includes('unitId') || parameters.includes('childId');
  const orgs = preferred(pool.orgs.values(), (org) => !needsUnit || org.units.size > 0);
  return pick(
    preferred(orgs, (org) => preference.org?.(org, pool) ?? true),
    number,
  );
}

function paramsOf(
  { pool, operation, org, form, response, file }: Target,
  preference: Preference,
  number: number,
): Record<string, string> {
  const question =
    form &&
    pick(
      preferred(form.questions.values(), (each) => preference.question?.(each, response) ?? true),
      mixed(number, 4),
    );
  const known: Record<string, string | undefined> = {
    slug: org?.slug,
    formId: form?.id,
    sectionId: operation.parameters.includes('questionId')
      ? question?.sectionId
      : pick(form?.sections ?? [], mixed(number, 5)),
    questionId: question?.id,
    nodeId: form && pick(preferred(form.nodes.values(), preference.node), mixed(number, 6))?.id,
    responseId: response?.id,
    viewId: form && pick(preferred(form.views.values(), preference.view), mixed(number, 7))?.id,
    unitId: pick(org?.units ?? [], mixed(number, 8)),
    childId: pick(org?.units ?? [], mixed(number, 8)),
    fileId: file?.id,
    exportId: pick(pool.exports.keys(), mixed(number, 14)),
    kind: pick(['email', 'email', 'spreadsheet'], mixed(number, 15)),
    version: String(pick(form?.versions ?? [], mixed(number, 16)) ?? 1 + (number % 30)),
    oauthProvider: pick(['LOGIN_PROVIDER_1', 'LOGIN_PROVIDER_2'], mixed(number, 13)),
    provider: pick(['PROVIDER_ONE', 'PROVIDER_TWO'], mixed(number, 13)),
    memberId: memberOf(org, mixed(number, 10)) ?? pick(pool.people, number)?.id,
  };
  return Object.fromEntries(operation.parameters.map((name) => [name, known[name] ?? unknownId(number)]));
}

/** A member who can be removed: not the last admin. */
function memberOf(org: PoolOrg | undefined, number: number): string | undefined {
  const members = [...(org?.members ?? [])];
  const admins = members.filter(([, role]) => role === 'ADMIN').length;
  return pick(
    preferred(members, ([, role]) => role === 'MEMBER' || admins > 1),
    number,
  )?.[0];
}

/** An id of nothing. */
export const unknownId = (number: number): string => {
  const digits = mixed(number, 11).toString(16).padStart(12, '0').slice(-12);
  return `${digits.slice(0, 8)}-0000-4000-8000-${digits}`;
};

/** Everybody who is known to be allowed to call. */
function callers({ pool, operation, org, form, response, file, params }: Target): Person[] {
  const { roles, target } = operation.declaration.access;
  const members = [...(org?.members ?? [])];
  const admins = members.filter(([, role]) => role === 'ADMIN').map(([id]) => id);
  const ids: Record<string, (string | undefined)[]> = {
    admin: admins,
    member: members.map(([id]) => id),
    creator: admins,
    owner: [file ? file.by : response?.by],
    reader: members.map(([id]) => id),
    operator: [],
  };
  const named = (wanted: readonly (string | undefined)[]) => pool.people.filter(({ id }) => wanted.includes(id));
  if (operation.id === 'units.linkUnits') return named(admins);
  if (roles) return named(roles.flatMap((role) => ids[role] ?? []));
  if (target === 'export') return named([pool.exports.get(params.exportId ?? '')]);
  if (target === 'file') return named([file?.by, ...members.map(([id]) => id)]);
  if (target === 'response') return named([response?.by, ...members.map(([id]) => id)]);
  if (target === 'form' && form?.status !== 'PUBLISHED') return named(members.map(([id]) => id));
  return [...pool.people];
}

export type Kind =
  | 'file'
  | 'user'
  | 'email'
  | 'org'
  | 'unit'
  | 'question'
  | 'choiceQuestion'
  | 'node'
  | 'choice'
  | 'cursor';

/** A known id of a kind that belongs to the target, chosen by a generated number. */
export function knownId(
  { pool, operation, org, form, params }: Target,
  kind: Kind,
  number: number,
): string | undefined {
  const questions = [...(form?.questions.values() ?? [])];
  const ids: Record<Kind, () => Iterable<string>> = {
    file: () => preferred(filesOf(pool, params), ({ attached }) => attached || number % 8 === 0).map(({ id }) => id),
    user: () => pool.people.map(({ id }) => id),
    email: () => pool.people.map(({ email }) => email),
    org: () => (org ? [org.id] : []),
    unit: () => org?.units ?? [],
    question: () => questions.map(({ id }) => id),
    choiceQuestion: () => questions.filter(isChoice).map(({ id }) => id),
    node: () => form?.nodes.keys() ?? [],
    choice: () => questions.flatMap(({ choices }) => (choices ?? []).map(({ id }) => id)),
    cursor: () => pool.cursors.get(operation.id) ?? [],
  };
  return pick(ids[kind](), number);
}

/** Any known id or slug, including deleted ones. */
export function anyId(pool: Pool, number: number): string {
  const forms = [...pool.forms.values()];
  const all = [
    ...pool.deletedIds,
    ...pool.people.map(({ id }) => id),
    ...[...pool.orgs.values()].flatMap(({ id, slug, units }) => [id, slug, ...units]),
    ...forms.flatMap((form) => [form.id, ...form.sections, ...form.questions.keys(), ...form.views.keys()]),
    ...forms.flatMap((form) => [...form.responses.keys()].slice(0, 5)),
    // Ids of responses and files begin with that of their form; these name nothing.
    ...forms.map(({ id }) => id.slice(0, 18) + unknownId(number).slice(18)),
    ...[...pool.files.keys()].slice(0, 5),
  ];
  return pick(all, number) ?? unknownId(number);
}

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
