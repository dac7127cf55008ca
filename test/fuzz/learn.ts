/**
 * Reads answers into the pool: walks each along its schema in the OpenAPI document and takes what it knows by the name
 * of its component. Nothing here depends on which operation answered, but for what a path says of its answer.
 */
import * as z from 'zod';
import { FormView, HighlightView } from '#core/forms/model.ts';
import { MemberChanged, Organization } from '#core/organizations/model.ts';
import { Unit } from '#core/organizations/unit-tree.ts';
import { ResponseItem, ResponseSummary, SavedAnswers } from '#core/responses/model.ts';
import { ViewShown } from '#core/review/view-model.ts';
import { QuestionView } from '#core/structure/question-model.ts';
import { SectionView } from '#core/structure/section-model.ts';
import { WorkflowInfo, WorkflowNode } from '#core/structure/workflow-model.ts';
import { type Documented, eachComponent } from './document.ts';
import { fileSeen, forget, formOfResponse, formOfSection, formSeen, orgOfSlug, remember, type Seen } from './seen.ts';
import type { Exchange } from './wire.ts';

type Context = { seen: Seen; params: Readonly<Record<string, string>>; by: string };
type Learner = (value: unknown, context: Context) => void;

const learner =
  <T extends z.ZodType>(schema: () => T, learn: (value: z.output<T>, context: Context) => void): Learner =>
  (value, context) => {
    const known = schema().safeParse(value);
    if (known.success) learn(known.data, context);
  };

const formOf = ({ seen, params }: Context) =>
  seen.forms.get(params.formId ?? '') ??
  formOfSection(seen, params.sectionId ?? '') ??
  formOfResponse(seen, params.responseId ?? '');

/** A file of the question that the path names, attached or about to be. */
const learnFile: Learner = learner(
  () => z.object({ fileId: z.string(), upload: z.unknown().optional() }),
  ({ fileId, upload }, context) => {
    const { responseId = '', questionId = '' } = context.params;
    const form = formOf(context);
    const response = form?.responses.get(responseId);
    if (!form || !response || questionId === '') return;
    fileSeen(context.seen, { id: fileId, by: response.by, formId: form.id, responseId, questionId, attached: !upload });
  },
);

const NewNode = () => WorkflowNode().pick({ id: true, type: true, label: true });
const Started = () => z.object({ id: z.string() });
const WholeWorkflow = () => z.object({ workflow: z.array(WorkflowNode()), info: z.array(WorkflowInfo()) });

const LEARNERS: Readonly<Record<string, Learner>> = {
  Organization: learner(Organization, ({ id, slug }, { seen, by, params }) => {
    const known = seen.orgs.get(id);
    if (known) known.slug = slug;
    // Only an organization that the caller has just made is certainly theirs.
    else if (params.slug === undefined) {
      seen.orgs.set(id, { id, slug, units: new Set(), members: new Map([[by, 'ADMIN' as const]]) });
    }
  }),
  MemberAdded: learner(
    () => z.object({ orgId: z.string(), member: z.object({ id: z.string() }) }),
    ({ orgId, member }, { seen }) => {
      const members = seen.orgs.get(orgId)?.members;
      if (members && !members.has(member.id)) members.set(member.id, 'MEMBER');
    },
  ),
  MemberChanged: learner(MemberChanged, ({ orgId, member, role }, { seen }) => {
    seen.orgs.get(orgId)?.members.set(member.id, role);
  }),
  Unit: learner(Unit, ({ id }, { seen, params }) => {
    orgOfSlug(seen, params.slug ?? '')?.units.add(id);
  }),
  Form: learner(FormView, ({ id, unitId, status, deadline, publishTime }, { seen }) => {
    if (seen.orgs.has(unitId))
      Object.assign(formSeen(seen, id, { orgId: unitId, status }), { status, deadline, publishTime });
  }),
  Section: learner(SectionView, ({ id, formId }, { seen }) => {
    seen.forms.get(formId)?.sections.add(id);
  }),
  Question: learner(QuestionView, (question, { seen }) => {
    formOfSection(seen, question.sectionId)?.questions.set(question.id, question);
  }),
  WorkflowNode: learner(WorkflowNode, (node, context) => {
    const form = formOf(context);
    form?.nodes.set(node.id, node);
    if (node.type === 'SECTION') form?.sections.add(node.id);
  }),
  CreatedWorkflowNode: learner(NewNode, (node, context) => {
    const form = formOf(context);
    form?.nodes.set(node.id, { ...node, payload: {} });
    if (node.type === 'SECTION') form?.sections.add(node.id);
  }),
  Workflow: learner(WholeWorkflow, ({ info }, context) => {
    const form = formOf(context);
    if (form) form.sound = info.length === 0;
  }),
  Highlight: learner(HighlightView, ({ questionId }, context) => {
    const form = formOf(context);
    if (form) form.highlighted = questionId !== null;
  }),
  View: learner(ViewShown, ({ id, formId, locked }, { seen }) => {
    seen.forms.get(formId)?.views.set(id, { id, locked });
  }),
  StartedResponse: learner(Started, ({ id }, context) => {
    formOf(context)?.responses.set(id, { id, by: context.by, progress: 'DRAFT', answered: new Set() });
  }),
  ResponseItem: learner(ResponseItem, ({ id, submittedBy, progress }, context) => {
    const form = formOf(context);
    const answered = form?.responses.get(id)?.answered ?? new Set();
    form?.responses.set(id, { id, by: submittedBy, progress, answered });
  }),
  ResponseSummary: learner(ResponseSummary, ({ id, formId, progress }, { seen }) => {
    const known = seen.forms.get(formId)?.responses.get(id);
    if (known) known.progress = progress;
  }),
  UploadEntry: learnFile,
  UploadedFile: learnFile,
  SavedAnswers: learner(SavedAnswers, ({ answers }, context) => {
    const { responseId = '' } = context.params;
    const known = formOf(context)?.responses.get(responseId);
    for (const { answer } of answers) known?.answered.add(answer.questionId);
  }),
};

/** Takes what an answer says into the pool. */
export function learn(seen: Seen, { asked, by, answer }: Exchange): void {
  if (!asked || answer.status >= 400) return;
  const { params, operation } = asked;
  learnJourney(seen, operation, answer);
  const context = { seen, params, by: by?.id ?? '' };
  if (answer.status === 204) forgetAddressed(context, operation);
  if (operation.answers)
    eachComponent(operation.answers, answer.json, (name, value) => LEARNERS[name]?.(value, context));
  if (answer.headers.etag !== undefined) remember(seen.etags, answer.headers.etag);
  learnCursor(seen, operation, answer);
  learnSession(seen, answer.cookies);
}

/** Where a browser comes back to that was sent off by an operation. */
const BACK: Readonly<Record<string, string>> = {
  'auth.startLogin': 'auth.finishLogin',
  'connections.startConnection': 'connections.finishConnection',
};

/** A redirect to a provider says in its query where it comes back to and with which state. */
function learnJourney(seen: Seen, { id }: Documented, { headers, cookies }: Exchange['answer']): void {
  const back = BACK[id];
  if (back === undefined || headers.location === undefined) return;
  const query = new URL(headers.location).searchParams;
  const callback = new URL(query.get('redirect_uri') ?? headers.location).pathname;
  const provider = /[A-Z]+_(?:PROVIDER_\d|ONE|TWO)/.exec(callback)?.[0] ?? '';
  const cookie = cookies[0]?.split(';')[0] ?? '';
  remember(seen.journeys, { back, provider, state: query.get('state') ?? '', cookie });
}

/** What was deleted is what the path names last. */
function forgetAddressed({ seen, params }: Context, { id, path }: Documented): void {
  if (id === 'files.clearFiles') {
    for (const { id: fileId, responseId, questionId } of seen.files.values()) {
      if (responseId === params.responseId && questionId === params.questionId) seen.files.delete(fileId);
    }
    return;
  }
  if (id === 'forms.deleteHighlight' || id === 'units.unlinkUnit') return;
  if (id === 'responses.clearAnswer') {
    formOfResponse(seen, params.responseId ?? '')
      ?.responses.get(params.responseId ?? '')
      ?.answered.delete(params.questionId ?? '');
    return;
  }
  if (id === 'orgs.removeMember') {
    orgOfSlug(seen, params.slug ?? '')?.members.delete(params.memberId ?? '');
    return;
  }
  const last = /\{(\w+)\}$/.exec(path)?.[1];
  if (last) forget(seen, params[last] ?? '');
}

function learnCursor(seen: Seen, { id }: Documented, { headers, json }: Exchange['answer']): void {
  const inLink = /[?&]cursor=([^&>]+)/.exec(headers.link ?? '')?.[1];
  const inBody = z.object({ nextCursor: z.string() }).safeParse(json).data?.nextCursor;
  const cursor = inBody ?? (inLink ? decodeURIComponent(inLink) : undefined);
  if (cursor === undefined) return;
  const known = seen.cursors.get(id) ?? [];
  remember(known, cursor);
  seen.cursors.set(id, known);
}

function learnSession(seen: Seen, cookies: readonly string[]): void {
  const cookie = (name: string) =>
    cookies
      .find((line) => line.startsWith(`${name}=`))
      ?.slice(name.length + 1)
      .split(';')[0];
  const [access, refresh] = [cookie('access_token'), cookie('refresh_token')];
  if (access && refresh) remember(seen.sessions, { access, refresh });
}
