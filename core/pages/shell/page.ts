/**
 * `definePage()` creates the Lambda handlers of a page. They have the steps of `operation()` with other outcomes: a request
 * without a session is redirected to the sign-in page and back, an expired session is renewed, and a problem is a page in the
 * language of the reader.
 */
import { randomBytes } from 'node:crypto';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import type { Caller, Opener, Resources, Role } from '#core/access/access.ts';
import { type ParametersOf, parameterNames } from '#core/api/declare.ts';
import { OBJECT_KINDS } from '#core/db/bucket.ts';
import { formKey, guestIdWithin } from '#core/db/keys.ts';
import { type App, app, type RequestApp } from '#core/http/app.ts';
import { createHandler, type LambdaHandler, useApp } from '#core/http/chain.ts';
import { cookiesWith, credentialCookie, header, isMultipart, readParams } from '#core/http/request.ts';
import type { HttpResponse } from '#core/http/result.ts';
import type { State, Step, StepContext } from '#core/http/state.ts';
import { findGuest } from '#core/http/steps/authenticate.ts';
import { logRequest } from '#core/http/steps/log-request.ts';
import { openResource, requireRole } from '#core/http/steps/open-resource.ts';
import { toProblem } from '#core/http/steps/problem-response.ts';
import { GUEST_COOKIES, isAllowedOrigin } from '#core/identity/redirects.ts';
import { isFaultOfPath, Problem, problems } from '#core/problems/problems.ts';
import { isId } from '#core/schema/schema.ts';
import { loadLanguage, type PageContext } from './context.ts';
import {
  type Audience,
  type MethodSpec,
  maxFormBytes,
  type Page,
  type PageDeclaration,
  pageNeeds,
} from './declare-page.ts';
import { type FormFields, readFormFields } from './form-fields.ts';
import { signInHref } from './prefill-link.ts';
import { MAX_REPEATED_BYTES, problemText, type Repeat, renderProblemPage } from './problem.ts';
import { type PageResult, toPageResponse } from './result.ts';
import { readLanguage, readTimeZone, resolveSession } from './session.ts';
import type { Labels } from './typed-fields.ts';

/** The request that a page receives, together with the opened resources. */
export type PageRequest<Path extends string> = {
  params: Record<ParametersOf<Path>, string>;
  query: URLSearchParams;
  /** The fields of a posted form; empty for GET. */
  posted: FormFields;
  /** What follows the name of the action in `do`, after a colon. */
  argument: string;
  app: PageApp;
  roles: readonly Role[];
  /** The signed-in reader; undefined on pages for everybody. */
  caller: Caller | undefined;
  context: PageContext;
  readCookie(name: string): string | undefined;
  /** The cookies with guest credentials, of this and of other forms. */
  readGuestCookies(): { name: string; value: string }[];
  /** Whether the reader has no credential; `caller` is then the guest whom the page may admit. */
  isStranger: boolean;
  /** Whether the scripts of a page sent the request, which take JSON instead of a page. */
  fromScript: boolean;
};

/** The app of a request, with the ids of the organizations of its reader, if their account was read. */
type PageApp = RequestApp & { memberOf: readonly string[] };

/** A page needs no audience to be handled. */
type AnyPage = Omit<PageDeclaration, 'audience'>;

/** The state of a request, with the members that pages add. */
type PageState = State & { context?: PageContext; cookies?: readonly string[]; isStranger?: boolean };

/** The request of a page at a path, with the resources that its opener has loaded. */
type Opened<Path extends string, T extends Resources> = Omit<PageRequest<Path>, keyof T> & T;

/** A page that can be read: `open` loads the resource, `show` returns the HTML or a redirect. */
type Readable<Path extends string, T extends Resources> = MethodSpec & {
  open: Opener<T, App>;
  show(request: Opened<Path, T>): Promise<PageResult>;
};

/** A page that is only posted. */
type PostedOnly = {
  [K in keyof Readable<string, Resources>]?: undefined;
} & {
  /** How many segments of the path lie below the page to which the reader of the posted form can return. */
  segmentsBelowPage: number;
};

/**
 * What the posted forms of a page do. A single action takes all of them. Of several, the button that was pressed names one in
 * `do`, before a colon; any other name is refused with 404.
 */
type PostMethod<Path extends string, T extends Resources> = MethodSpec & {
  open: Opener<T, App>;
  actions: Readonly<Record<string, (request: Opened<Path, T>) => Promise<PageResult>>>;
  /** The action of a form that names none; without it, such a form is refused too. */
  byDefault?: string;
  /** The labels of what is typed, of a form that was lost, where its page declares its fields; others are in the texts. */
  labels?(context: PageContext): Labels;
  /** Shows the page again with a problem that an action threw; undefined for one that has a page of its own. */
  explain?(request: Opened<Path, T>, problem: Problem): Promise<PageResult | undefined> | undefined;
};

type PageDefinition<Path extends string, G extends Resources, P extends Resources> = {
  /** The name of its file in camelCase. */
  name: string;
  audience: Audience;
  path: Path;
  post?: PostMethod<Path, P>;
} & (Readable<Path, G> | PostedOnly);

/** Creates the handlers of a page from its route, and for each method its access, needs, opener and what it does. */
export function definePage<const Path extends string, G extends Resources, P extends Resources>(
  definition: PageDefinition<Path, G, P>,
): Page {
  const { name, audience, path, post } = definition;
  const segmentsBelowPage = definition.show ? 0 : definition.segmentsBelowPage;
  const declare = <const M extends PageDeclaration['method']>(method: M, { access, needs, ...spec }: MethodSpec) => ({
    ...{ noun: 'pages' as const, audience, method, path, access, needs, segmentsBelowPage },
    ...(method === 'POST' && spec),
    name: `${method === 'GET' ? 'show' : 'post'}${name.slice(0, 1).toUpperCase()}${name.slice(1)}`,
  });
  const declarations: PageDeclaration[] = [];
  const handlers: { GET?: LambdaHandler; POST?: LambdaHandler } = {};
  if (definition.show) {
    const declaration = declare('GET', definition);
    declarations.push(declaration);
    handlers.GET = page(declaration, definition.open, definition.show);
  }
  if (post) {
    const { open, actions, byDefault = '', labels, explain, ...spec } = post;
    const declaration = declare('POST', spec);
    declarations.push(declaration);
    const run = async (request: Opened<Path, P>, { fields }: FormFields) => {
      const action = findAction(actions, fields.get('do') ?? byDefault);
      try {
        return await action(request);
      } catch (error) {
        const explained = error instanceof Problem ? await explain?.(request, error) : undefined;
        if (!explained) throw error;
        return explained;
      }
    };
    handlers.POST = page(declaration, open, run, labels);
  }
  return { declarations, handlers };
}

/** Finds the action that a posted form names. Throws 404 if the page has several and none of this name. */
function findAction<A>(actions: Readonly<Record<string, A>>, named: string): A {
  const [only, ...others] = Object.values(actions);
  if (only !== undefined && others.length === 0) return only;
  const name = named.replace(/:.*/s, '');
  const action = Object.hasOwn(actions, name) ? actions[name] : undefined;
  if (action === undefined) throw problems.notFound();
  return action;
}

/** Creates the Lambda handler of a page: `open` loads the resource, `run` returns the HTML or a redirect. */
export function page<Path extends string, T extends Resources>(
  declaration: AnyPage & { path: Path },
  open: Opener<T, App>,
  run: (request: Opened<Path, T>, posted: FormFields) => Promise<PageResult>,
  labels?: (context: PageContext) => Labels,
): LambdaHandler {
  return createHandler(
    [
      logRequest(declaration),
      problemAsPage(declaration, labels),
      useApp(`pages.${declaration.name}`, pageNeeds(declaration)),
      prepareContext(declaration),
      checkOrigin(declaration),
      signIn(declaration),
      openForReader(openResource(declaration, open)),
      requireRole(declaration),
    ],
    createFinalHandler(declaration, run),
  );
}

/** Builds the context of the templates. */
const prepareContext = (declaration: AnyPage): Step => ({
  before: async ({ event, internal }) => {
    asPageState(internal).context = await buildContext(declaration, event, internal.app);
  },
});

const asPageState = (state: State): PageState => state;

/** The pages that have days where their reader is: those of reviewers, and the overview of a form. */
const COUNTS_DAYS = /^\/(?:review\/|build\/\{formId\}$)/;

async function buildContext(
  declaration: AnyPage,
  event: APIGatewayProxyEventV2,
  { config, now }: App,
): Promise<PageContext> {
  const query = event.rawQueryString === '' ? '' : `?${event.rawQueryString}`;
  return {
    ...(await loadLanguage(readLanguage(event))),
    timeZone: (COUNTS_DAYS.test(declaration.path) && readTimeZone(event)) || config.timeZone,
    connectTitles: config.connectTitles,
    nonce: randomBytes(16).toString('base64'),
    signedIn: false,
    path: findPagePath(declaration, event) + query,
    isPosted: declaration.method === 'POST',
    publicUrl: config.publicUrl,
    now: now(),
  };
}

/** Finds the path of the page: for a posted form, of the page to which its reader can return. */
function findPagePath(declaration: AnyPage, { rawPath }: APIGatewayProxyEventV2): string {
  if (declaration.method === 'GET') return rawPath;
  const { segmentsBelowPage } = declaration;
  return segmentsBelowPage === 0 ? rawPath : rawPath.split('/').slice(0, -segmentsBelowPage).join('/') || '/';
}

/**
 * Prevents cross-site request forgery: browsers name the origin of every POST; any other origin is refused, unless the page declares
 * that its posted form does nothing by cookies. From a page whose address is told to nobody (`no-referrer`) they name `null`, and in a
 * header that no page can set that the request is of the same origin.
 */
const checkOrigin = ({ fromOtherSites }: AnyPage): Step => ({
  before: ({ event, internal }) => {
    if (fromOtherSites || /^(?:GET|HEAD)$/.test(event.requestContext.http.method)) return;
    const origin = header(event, 'origin');
    const isOwnOrigin =
      origin === undefined || origin === 'null'
        ? header(event, 'sec-fetch-site') === 'same-origin'
        : isAllowedOrigin(origin, internal.app.config);
    if (!isOwnOrigin) throw problems.originNotAllowed(origin ?? 'null');
  },
});

const signIn = (declaration: AnyPage): Step => ({
  before: async ({ event, internal }) => {
    const state = asPageState(internal);
    const guest = await findGuest(state.app, event, declaration);
    const stranger = guest ? undefined : newStranger(state.app, event, declaration);
    const optional = guest !== undefined || stranger !== undefined;
    const { caller, cookies } = await resolveSession(state.app, event, declaration.access.credential, { optional });
    const reader = caller ?? guest ?? stranger;
    Object.assign(state, { cookies, guest, isStranger: reader !== undefined && reader === stranger });
    if (!reader) return;
    state.user = reader;
    if (state.context) Object.assign(state.context, { signedIn: reader === caller, isGuest: reader !== caller });
  },
});

/** Makes the guest whom a page may admit, of the form of its path; undefined where it admits nobody without a credential. */
function newStranger({ config, uuid }: App, event: APIGatewayProxyEventV2, { path, access }: AnyPage) {
  const [formId = ''] = Object.values(readParams(event, parameterNames(path)));
  if (!access.strangers || !config.guests || !isId(formId)) return undefined;
  return { id: guestIdWithin(formId, uuid), roles: [], guestOf: formKey(formId) };
}

/**
 * Opens the resource of the path. Of a form that takes no guests, or does not exist, somebody without a credential learns
 * nothing but that they should sign in (401).
 */
const openForReader = ({ before }: Step): Step => ({
  before: async (request) => {
    try {
      await before?.(request);
    } catch (error) {
      const { isStranger } = asPageState(request.internal);
      throw isStranger && error instanceof Problem && [403, 404].includes(error.status)
        ? problems.unauthorized()
        : error;
    }
  },
});

/** Shows a problem as a page; without a session, a page that is only read leads to sign-in and back. */
const problemAsPage = (declaration: AnyPage, labels?: (context: PageContext) => Labels): Step => ({
  onError: async (request) => {
    if (request.response || !request.error) return;
    const { event, internal } = request;
    const problem = toPageProblem(toProblem(request.error, event.requestContext.requestId));
    const state = asPageState(internal);
    const context = state.context ?? (await buildContext(declaration, event, app()));
    const cookies = [...(state.cookies ?? []), ...problem.cookies];
    // Without a context the origin was not checked yet, and another site may have filled in the form.
    const repeat = state.context && isRepeatable(problem) ? await buildRepeat(declaration, event) : undefined;
    const leadsToSignIn = problem.status === 401 && declaration.method === 'GET';
    const result: PageResult = isFromScript(event)
      ? { json: problemForScript(context, problem, repeat), status: problem.status, cookies }
      : leadsToSignIn
        ? { location: signInHref(context.path), cookies }
        : {
            html: renderProblemPage(context, problem, repeat && { ...repeat, labels }),
            status: problem.status,
            headers: problem.headers,
            cookies,
          };
    request.error = problem;
    request.response = respond(declaration, result, event, context);
  },
});

/** A problem whose page would not keep what was posted names itself, for the page that was posted to stay. */
const problemForScript = (context: PageContext, problem: Problem, repeat: Repeat | undefined) => ({
  problem: problem.code,
  ...(!repeat && { refusal: problemText(context, problem).title }),
});

/**
 * Whether the same request can succeed later: after signing in again, when storage is not busy any more, or when somebody
 * who has lost access has it again.
 */
const isRepeatable = ({ status, code }: Problem): boolean =>
  status === 401 || status === 503 || code === 'forbidden' || code === 'not_found';

/**
 * Builds the form with the posted fields, to send it again; undefined for a page that is only read, and for a body that
 * cannot be read or is too large to be returned to anybody.
 */
async function buildRepeat(declaration: AnyPage, event: APIGatewayProxyEventV2): Promise<Repeat | undefined> {
  if (declaration.method !== 'POST') return undefined;
  const query = event.rawQueryString === '' ? '' : `?${event.rawQueryString}`;
  try {
    const max = maxFormBytes(declaration);
    // The files of a multipart form are not repeated, only its fields.
    const maxBytes = isMultipart(event) ? max : Math.min(max, MAX_REPEATED_BYTES);
    return { action: event.rawPath + query, posted: await readFormFields(event, maxBytes) };
  } catch {
    return undefined;
  }
}

/** Replaces faults of ids in the path by 404: there is no page at an address with a malformed id. */
const toPageProblem = (problem: Problem): Problem => (isFaultOfPath(problem) ? problems.notFound() : problem);

const isFromScript = (event: APIGatewayProxyEventV2): boolean =>
  (header(event, 'accept') ?? '').startsWith('application/json');

/** Creates the handler at the end of the chain, which runs the page. */
const createFinalHandler =
  <Path extends string, T extends Resources>(
    declaration: AnyPage & { path: Path },
    run: (request: Opened<Path, T>, posted: FormFields) => Promise<PageResult>,
  ) =>
  async (event: APIGatewayProxyEventV2, step: StepContext): Promise<HttpResponse> => {
    const state = asPageState(step.state);
    const context = state.context ?? (await buildContext(declaration, event, state.app));
    if (state.opened.name !== undefined) context.readerName = state.opened.name;
    const posted =
      declaration.method === 'POST'
        ? await readFormFields(event, maxFormBytes(declaration))
        : { fields: new URLSearchParams(), files: [] };
    const request = {
      caller: state.user,
      ...state.opened.resource,
      params: state.params,
      query: new URLSearchParams(event.rawQueryString),
      posted,
      argument: (posted.fields.get('do') ?? '').replace(/^[^:]*:?/, ''),
      app: toPageApp(state.app, context, state.opened.memberOf ?? []),
      roles: state.opened.roles,
      context,
      readCookie: (name: string) => credentialCookie(event, name),
      readGuestCookies: () => cookiesWith(event, GUEST_COOKIES),
      isStranger: state.isStranger === true,
      fromScript: isFromScript(event),
    };
    const result = await run(request as unknown as Opened<Path, T>, posted);
    const cookies = [...(state.cookies ?? []), ...(result.cookies ?? [])];
    // Scripts cannot see where a redirect leads, only follow it.
    const response = request.fromScript && 'location' in result ? { json: { location: result.location } } : result;
    return respond(declaration, { ...response, cookies }, event, context);
  };

/** Adds the ports of a change: pages compare versions themselves and have no idempotency keys. */
const toPageApp = (ports: App, { language }: PageContext, memberOf: readonly string[]): PageApp => ({
  ...ports,
  language,
  memberOf,
  ifMatch: () => undefined,
  async commit(writes, result) {
    await ports.table.write(writes);
    return result;
  },
});

function respond(
  declaration: AnyPage,
  result: PageResult,
  event: APIGatewayProxyEventV2,
  { nonce }: PageContext,
): HttpResponse {
  // Answers of people: the browser keeps no copy that it could show again after the session has ended.
  const showsAnswers = /^\/(?:r|review)\//.test(declaration.path);
  const sendsFiles = declaration.needs.some((need) => OBJECT_KINDS.some((kind) => need.startsWith(`${kind}:`)));
  const storage = { origin: app().config.storageOrigin, sendsFiles };
  return toPageResponse(result, { event, nonce, storage, mayBeStored: !showsAnswers });
}
