/**
 * Adds the resources in responses to the pool. Each response is walked along its schema in the OpenAPI document, and
 * its parts are recognized by the name of their schema, whichever operation returned them.
 */
import * as z from 'zod';
import { ExportDocument } from '#core/exports/model.ts';
import { FormDocument } from '#core/forms/model.ts';
import { MemberChanged, Organization, Unit } from '#core/organizations/model.ts';
import { ResponseItem, ResponseProgress, ResponseSummary, SavedAnswers } from '#core/responses/model.ts';
import { QuestionDocument } from '#core/structure/question-model.ts';
import { SectionDocument } from '#core/structure/section-model.ts';
import { FormVersion } from '#core/structure/versions-model.ts';
import { WorkflowInfo, WorkflowNode } from '#core/structure/workflow-model.ts';
import { HighlightDocument } from '#core/table/highlight-model.ts';
import { ViewDocument } from '#core/views/model.ts';
import { type Documented, eachComponent } from './document.ts';
import {
  addFile,
  addForm,
  filesOf,
  formOfResponse,
  formOfSection,
  keepNewest,
  orgOfSlug,
  type Pool,
  remove,
} from './pool.ts';
import type { Exchange } from './runtime.ts';

type Origin = { pool: Pool; params: Readonly<Record<string, string>>; by: string };
type Learner = (value: unknown, origin: Origin) => void;

const learner =
  <T extends z.ZodType>(schema: () => T, learn: (value: z.output<T>, origin: Origin) => void): Learner =>
  (value, origin) => {
    const known = schema().safeParse(value);
    if (known.success) learn(known.data, origin);
  };

const formOf = ({ pool, params }: Origin) =>
  pool.forms.get(params.formId ?? '') ??
  formOfSection(pool, params.sectionId ?? '') ??
  formOfResponse(pool, params.responseId ?? '');

/** A file of the question in the path, attached or announced. */
const learnFile: Learner = learner(
  () => z.object({ fileId: z.string(), upload: z.unknown().optional() }),
  ({ fileId, upload }, origin) => {
    const { responseId = '', questionId = '' } = origin.params;
    const form = formOf(origin);
    const response = form?.responses.get(responseId);
    if (!form || !response || questionId === '') return;
    addFile(origin.pool, { id: fileId, by: response.by, formId: form.id, responseId, questionId, attached: !upload });
  },
);

const NewNode = () => WorkflowNode().pick({ id: true, type: true, label: true });
const Started = () => z.object({ id: z.string(), progress: ResponseProgress().default('DRAFT') });
const WholeWorkflow = () => z.object({ workflow: z.array(WorkflowNode()), info: z.array(WorkflowInfo()) });

const LEARNERS: Readonly<Record<string, Learner>> = {
  Organization: learner(Organization, ({ id, slug }, { pool, by, params }) => {
    const known = pool.orgs.get(id);
    if (known) known.slug = slug;
    // Only for an organization that was just created is its first admin known: the caller.
    else if (params.slug === undefined) {
      pool.orgs.set(id, { id, slug, units: new Set(), members: new Map([[by, 'ADMIN' as const]]) });
    }
  }),
  MemberAdded: learner(
    () => z.object({ orgId: z.string(), member: z.object({ id: z.string() }) }),
    ({ orgId, member }, { pool }) => {
      const members = pool.orgs.get(orgId)?.members;
      if (members && !members.has(member.id)) members.set(member.id, 'MEMBER');
    },
  ),
  MemberChanged: learner(MemberChanged, ({ orgId, member, role }, { pool }) => {
    pool.orgs.get(orgId)?.members.set(member.id, role);
  }),
  Unit: learner(Unit, ({ id }, { pool, params }) => {
    orgOfSlug(pool, params.slug ?? '')?.units.add(id);
  }),
  Form: learner(FormDocument, ({ id, unitId, status, deadline, publishTime }, { pool }) => {
    if (pool.orgs.has(unitId))
      Object.assign(addForm(pool, id, { orgId: unitId, status }), { status, deadline, publishTime });
  }),
  Section: learner(SectionDocument, ({ id, formId }, { pool }) => {
    pool.forms.get(formId)?.sections.add(id);
  }),
  Question: learner(QuestionDocument, (question, { pool }) => {
    formOfSection(pool, question.sectionId)?.questions.set(question.id, question);
  }),
  WorkflowNode: learner(WorkflowNode, (node, origin) => {
    const form = formOf(origin);
    form?.nodes.set(node.id, node);
    if (node.type === 'SECTION') form?.sections.add(node.id);
  }),
  CreatedWorkflowNode: learner(NewNode, (node, origin) => {
    const form = formOf(origin);
    form?.nodes.set(node.id, { ...node, payload: {} });
    if (node.type === 'SECTION') form?.sections.add(node.id);
  }),
  Workflow: learner(WholeWorkflow, ({ info }, origin) => {
    const form = formOf(origin);
    if (form) form.isWorkflowValid = info.length === 0;
  }),
  Highlight: learner(HighlightDocument, ({ questionId }, origin) => {
    const form = formOf(origin);
    if (form) form.highlighted = questionId !== null;
  }),
  View: learner(ViewDocument, ({ id, formId, locked }, { pool }) => {
    pool.forms.get(formId)?.views.set(id, { id, locked });
  }),
  StartedResponse: learner(Started, ({ id, progress }, origin) => {
    formOf(origin)?.responses.set(id, { id, by: origin.by, progress, answered: new Set() });
  }),
  ResponseItem: learner(ResponseItem, ({ id, submittedBy, progress }, origin) => {
    const form = formOf(origin);
    const answered = form?.responses.get(id)?.answered ?? new Set();
    form?.responses.set(id, { id, by: submittedBy, progress, answered });
  }),
  ResponseSummary: learner(ResponseSummary, ({ id, formId, progress }, { pool }) => {
    const known = pool.forms.get(formId)?.responses.get(id);
    if (known) known.progress = progress;
  }),
  ExportJob: learner(ExportDocument, ({ id }, { pool, by }) => {
    if (!pool.exports.has(id)) pool.exports.set(id, by);
  }),
  UploadEntry: learnFile,
  UploadedFile: learnFile,
  FormVersion: learner(FormVersion, ({ version }, origin) => {
    formOf(origin)?.versions.add(version);
  }),
  SavedAnswers: learner(SavedAnswers, ({ answers }, origin) => {
    const { responseId = '' } = origin.params;
    const known = formOf(origin)?.responses.get(responseId);
    for (const { answer } of answers) known?.answered.add(answer.questionId);
  }),
};

/** Updates the pool from a response. */
export function learn(pool: Pool, { routed, by, received }: Exchange): void {
  if (!routed || received.status >= 400) return;
  const { params, operation } = routed;
  learnAuthorization(pool, operation, received);
  const origin = { pool, params, by: by?.id ?? '' };
  if (received.status === 204) removeDeleted(origin, operation);
  if (operation.result)
    eachComponent(operation.result, received.json, (name, value) => LEARNERS[name]?.(value, origin));
  if (received.headers.etag !== undefined) keepNewest(pool.etags, received.headers.etag);
  learnCursor(pool, operation, received);
  learnSession(pool, received.cookies);
}

/** The callback of each operation that starts an OAuth authorization. */
const CALLBACKS: Readonly<Record<string, string>> = {
  'auth.startLogin': 'auth.finishLogin',
  'connections.startConnection': 'connections.finishConnection',
};

/** The URL of an OAuth authorization request has the callback and the state in its query. */
function learnAuthorization(pool: Pool, { id }: Documented, { headers, cookies }: Exchange['received']): void {
  const callback = CALLBACKS[id];
  if (callback === undefined || headers.location === undefined) return;
  const query = new URL(headers.location).searchParams;
  const { pathname } = new URL(query.get('redirect_uri') ?? headers.location);
  const provider = /[A-Z]+_(?:PROVIDER_\d|ONE|TWO)/.exec(pathname)?.[0] ?? '';
  const cookie = cookies[0]?.split(';')[0] ?? '';
  keepNewest(pool.authorizations, { callback, provider, state: query.get('state') ?? '', cookie });
}

/** Removes from the pool what an operation deleted: mostly the last parameter of its path. */
function removeDeleted({ pool, params }: Origin, { id, path }: Documented): void {
  const { slug = '', memberId = '', responseId = '', questionId = '' } = params;
  const response = formOfResponse(pool, responseId)?.responses.get(responseId);
  const special: Record<string, () => unknown> = {
    'files.clearFiles': () => filesOf(pool, params).map((file) => pool.files.delete(file.id)),
    'responses.clearAnswer': () => response?.answered.delete(questionId),
    'orgs.removeMember': () => orgOfSlug(pool, slug)?.members.delete(memberId),
    'forms.deleteHighlight': () => undefined,
    'units.unlinkUnit': () => undefined,
  };
  const last = /\{(\w+)\}$/.exec(path)?.[1];
  if (special[id]) special[id]();
  else if (last) remove(pool, params[last] ?? '');
}

function learnCursor(pool: Pool, { id }: Documented, { headers, json }: Exchange['received']): void {
  const inLink = /[?&]cursor=([^&>]+)/.exec(headers.link ?? '')?.[1];
  const inBody = z.object({ nextCursor: z.string() }).safeParse(json).data?.nextCursor;
  const cursor = inBody ?? (inLink ? decodeURIComponent(inLink) : undefined);
  if (cursor === undefined) return;
  const known = pool.cursors.get(id) ?? [];
  keepNewest(known, cursor);
  pool.cursors.set(id, known);
}

function learnSession(pool: Pool, cookies: readonly string[]): void {
  const refreshToken = /^refresh_token=([^;]+)/m.exec(cookies.join('\n'))?.[1];
  if (refreshToken) keepNewest(pool.refreshTokens, refreshToken);
}
