/**
 * What a request is aimed at: an organization, a form and a thing in it that suit the operation, and somebody who may
 * ask for it. A request that goes well comes of it; `spoil.ts` makes others of those.
 */
import type { QuestionView } from '#core/structure/question-model.ts';
import type { WorkflowNode } from '#core/structure/workflow-model.ts';
import type { Person } from '#test/support/world.ts';
import type { Documented } from './document.ts';
import { pick } from './later.ts';
import type { Seen, SeenFile, SeenForm, SeenOrg, SeenResponse } from './seen.ts';

export type Aim = {
  seen: Seen;
  /** What the operation is called; a body may depend on it. */
  operation: Documented;
  org?: SeenOrg | undefined;
  form?: SeenForm | undefined;
  response?: SeenResponse | undefined;
  file?: SeenFile | undefined;
  params: Record<string, string>;
  /** Somebody who may; undefined when nobody is known. */
  by: Person | undefined;
};

type Wish = {
  org?: (org: SeenOrg, seen: Seen) => boolean;
  form?: (form: SeenForm) => boolean;
  response?: (response: SeenResponse, form: SeenForm) => boolean;
  question?: (question: QuestionView, response: SeenResponse | undefined) => boolean;
  node?: (node: WorkflowNode) => boolean;
  view?: (view: { locked: boolean }) => boolean;
};

/** Whether a form takes answers now, as far as is known. */
export const isOpen = ({ status, deadline, publishTime }: SeenForm): boolean => {
  const now = new Date().toISOString();
  return status === 'PUBLISHED' && (deadline === null || deadline > now) && (publishTime === null || publishTime < now);
};

const open: Wish = { form: isOpen };
/** A form that asks something. */
const asked: Wish = { form: ({ questions }) => questions.size > 0 };
const isChoice = ({ choices }: QuestionView): boolean => (choices ?? []).length > 0;
const asks = (type: QuestionView['type']): Wish => ({
  form: (form) => isOpen(form) && [...form.questions.values()].some((question) => question.type === type),
  question: (question) => question.type === type,
});
/** A response to a form that takes files now, and a question of it that does. */
const takesFiles: Wish = { ...asks('UPLOAD_FILE'), response: ({ progress }) => progress === 'DRAFT' };
const isPoor = (form: SeenForm): boolean => form.questions.size === 0;

/** What an operation needs beyond what its path names. */
const WISHES: Readonly<Record<string, Wish>> = {
  'orgs.deleteOrganization': {
    org: ({ id }, { forms }) => [...forms.values()].every((form) => form.orgId !== id || isPoor(form)),
  },
  'units.linkUnits': { org: ({ units }) => units.size > 1 },
  'forms.deleteForm': { form: isPoor },
  'forms.publishForm': { form: ({ status, sound, nodes }) => status === 'DRAFT' && (sound || nodes.size === 0) },
  'forms.archiveForm': { form: isPoor },
  'forms.unarchiveForm': { form: ({ status }) => status === 'ARCHIVED' },
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
  'files.uploadFiles': takesFiles,
  'files.completeUploads': takesFiles,
  'files.clearFiles': takesFiles,
  'connections.startConnection': { ...asks('OAUTH_CONNECT'), response: ({ progress }) => progress === 'DRAFT' },
  'views.deleteView': { view: ({ locked }) => !locked },
  'views.listDistinctAnswers': asked,
  'exports.previewTable': asked,
  'responses.filterResponses': asked,
  'exports.downloadTable': asked,
};

/** Numbers that follow from one drawn number, so that each choice is its own. */
const mixed = (number: number, salt: number): number =>
  (Math.imul(number ^ (salt * 0x9e3779b1), 0x85ebca6b) >>> 1) + salt;

/** Those of a list that are wished for, or all of them where none is. */
const wished = <T>(list: Iterable<T>, wish: (item: T) => boolean = () => true): T[] => {
  const all = [...list];
  const fitting = all.filter(wish);
  return fitting.length > 0 ? fitting : all;
};

/** An aim for an operation, by a number that was drawn. */
export function aimAt(seen: Seen, operation: Documented, number: number): Aim {
  const wish = WISHES[operation.id] ?? {};
  const file = operation.parameters.includes('fileId') ? aimedFile(seen, number) : undefined;
  const ofFile = file && seen.forms.get(file.formId);
  const form = aimsAtForm(operation)
    ? pick(
        wished(
          wished(seen.forms.values(), (each) => hasAll(each, operation, wish)),
          wish.form,
        ),
        mixed(number, 1),
      )
    : ofFile;
  const org = form ? seen.orgs.get(form.orgId) : orgFor(seen, operation, wish, mixed(number, 2));
  const response =
    form &&
    pick(
      wished(form.responses.values(), (each) => wish.response?.(each, form) ?? true),
      mixed(number, 3),
    );
  const aim: Aim = { seen, operation, org, form, response, file, params: {}, by: undefined };
  aim.params = paramsOf(aim, wish, number);
  aim.by = pick(wished(callers(aim), isOnboarded), mixed(number, 9));
  return aim;
}

/** A file that is attached, if any is, for nobody is to know of the others; one in sixteen is one of those. */
const aimedFile = ({ files }: Seen, number: number): SeenFile | undefined =>
  pick(
    wished(files.values(), ({ attached }) => attached || number % 16 === 0),
    mixed(number, 12),
  );

const isOnboarded = (person: Person): boolean => !person.email.startsWith('newcomer');

const aimsAtForm = ({ parameters, path }: Documented): boolean =>
  parameters.some((name) => ['formId', 'sectionId', 'responseId'].includes(name)) || path.startsWith('/forms/');

/** Whether a form has one of everything that a path names, and of what is wished for. */
function hasAll(form: SeenForm, { parameters }: Documented, wish: Wish): boolean {
  const isWished = wish.form?.(form) ?? true;
  const has: Record<string, boolean> = {
    sectionId: form.sections.size > 0,
    questionId: form.questions.size > 0,
    viewId: [...form.views.values()].some((view) => wish.view?.(view) ?? true),
    nodeId: [...form.nodes.values()].some((node) => wish.node?.(node) ?? true),
    responseId: [...form.responses.values()].some((response) => wish.response?.(response, form) ?? true),
  };
  return isWished && parameters.every((name) => has[name] ?? true);
}

function orgFor(seen: Seen, { parameters }: Documented, wish: Wish, number: number): SeenOrg | undefined {
  const needsUnit = parameters.includes('unitId') || parameters.includes('childId');
  const orgs = wished(seen.orgs.values(), (org) => !needsUnit || org.units.size > 0);
  return pick(
    wished(orgs, (org) => wish.org?.(org, seen) ?? true),
    number,
  );
}

function paramsOf(
  { seen, operation, org, form, response, file }: Aim,
  wish: Wish,
  number: number,
): Record<string, string> {
  const question =
    form &&
    pick(
      wished(form.questions.values(), (each) => wish.question?.(each, response) ?? true),
      mixed(number, 4),
    );
  const known: Record<string, string | undefined> = {
    slug: org?.slug,
    formId: form?.id,
    sectionId: operation.parameters.includes('questionId')
      ? question?.sectionId
      : pick(form?.sections ?? [], mixed(number, 5)),
    questionId: question?.id,
    nodeId: form && pick(wished(form.nodes.values(), wish.node), mixed(number, 6))?.id,
    responseId: response?.id,
    viewId: form && pick(wished(form.views.values(), wish.view), mixed(number, 7))?.id,
    unitId: pick(org?.units ?? [], mixed(number, 8)),
    childId: pick(org?.units ?? [], mixed(number, 8)),
    fileId: file?.id,
    oauthProvider: pick(['LOGIN_PROVIDER_1', 'LOGIN_PROVIDER_2'], mixed(number, 13)),
    provider: pick(['PROVIDER_ONE', 'PROVIDER_TWO'], mixed(number, 13)),
    memberId: memberOf(org, mixed(number, 10)) ?? pick(seen.people, number)?.id,
  };
  return Object.fromEntries(operation.parameters.map((name) => [name, known[name] ?? strayId(number)]));
}

/** A member who is not the last admin, if there is one. */
function memberOf(org: SeenOrg | undefined, number: number): string | undefined {
  const members = [...(org?.members ?? [])];
  const admins = members.filter(([, role]) => role === 'ADMIN').length;
  return pick(
    wished(members, ([, role]) => role === 'MEMBER' || admins > 1),
    number,
  )?.[0];
}

/** An id that names nothing. */
export const strayId = (number: number): string => {
  const digits = mixed(number, 11).toString(16).padStart(12, '0').slice(-12);
  return `${digits.slice(0, 8)}-0000-4000-8000-${digits}`;
};

/** All that are known to be allowed to ask. */
function callers({ seen, operation, org, form, response, file }: Aim): Person[] {
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
  const named = (wanted: readonly (string | undefined)[]) => seen.people.filter(({ id }) => wanted.includes(id));
  if (operation.id === 'units.linkUnits') return named(admins);
  if (roles) return named(roles.flatMap((role) => ids[role] ?? []));
  if (target === 'file') return named([file?.by, ...members.map(([id]) => id)]);
  if (target === 'response') return named([response?.by, ...members.map(([id]) => id)]);
  if (target === 'form' && form?.status !== 'PUBLISHED') return named(members.map(([id]) => id));
  return [...seen.people];
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

/** An id of some kind near what a request is aimed at, by a number that was drawn; undefined when none is known. */
export function idNear({ seen, operation, org, form, params }: Aim, kind: Kind, number: number): string | undefined {
  const questions = [...(form?.questions.values() ?? [])];
  const ids: Record<Kind, () => Iterable<string>> = {
    file: () => wished(filesOf(seen, params), ({ attached }) => attached || number % 8 === 0).map(({ id }) => id),
    user: () => seen.people.map(({ id }) => id),
    email: () => seen.people.map(({ email }) => email),
    org: () => (org ? [org.id] : []),
    unit: () => org?.units ?? [],
    question: () => questions.map(({ id }) => id),
    choiceQuestion: () => questions.filter(isChoice).map(({ id }) => id),
    node: () => form?.nodes.keys() ?? [],
    choice: () => questions.flatMap(({ choices }) => (choices ?? []).map(({ id }) => id)),
    cursor: () => seen.cursors.get(operation.id) ?? [],
  };
  return pick(ids[kind](), number);
}

/** What was uploaded for the question of a path. */
const filesOf = (seen: Seen, { responseId, questionId }: Record<string, string>): SeenFile[] =>
  [...seen.files.values()].filter((file) => file.responseId === responseId && file.questionId === questionId);

/** Any id or slug that the run has come across, also of what is gone. */
export function anyId(seen: Seen, number: number): string {
  const forms = [...seen.forms.values()];
  const all = [
    ...seen.gone,
    ...seen.people.map(({ id }) => id),
    ...[...seen.orgs.values()].flatMap(({ id, slug, units }) => [id, slug, ...units]),
    ...forms.flatMap((form) => [form.id, ...form.sections, ...form.questions.keys(), ...form.views.keys()]),
    ...forms.flatMap((form) => [...form.responses.keys()].slice(0, 5)),
    ...[...seen.files.keys()].slice(0, 5),
  ];
  return pick(all, number) ?? strayId(number);
}
