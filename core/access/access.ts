/**
 * Callers, their roles for a resource, and openers: functions that load the resource of a path and decide whether it is
 * visible to the caller. Operations declare their access with these types.
 */
import type { Ports } from '#core/db/ports.ts';
import { Problem, problems } from '#core/problems/problems.ts';
import { isId } from '#core/schema/schema.ts';

/** A role of a user in the installation. */
export type UserRole = 'USER' | 'ADMIN';

/**
 * The caller of a request, from the access token; or, with `guestOf`, from a guest credential: a respondent without an
 * account, of the form with this key and of no other.
 */
export type Caller = {
  id: string;
  roles: readonly UserRole[];
  guestOf?: string;
  invited?: Invited;
  /** A guest of an installation that takes none any more: what was begun can be finished, and nothing is started. */
  mayOnlyFinish?: true;
};

/**
 * What is stored of a guest with an item when a request begins: the generation of their code, their address, for which audiences
 * they may start a response, those that they have started, and the answers with which they begin, as fields of a prefilled link.
 * `codeAt`: when they came with the code, in epoch seconds, unless they came with a link to their answers.
 */
export type Invited = {
  generation: number;
  email: string | null;
  audiences: readonly ('INVITED' | 'EMAIL')[];
  codeAt?: number | undefined;
  responseIds: readonly string[];
  prefill: Readonly<Record<string, string>>;
};

/**
 * The role of a caller for a resource. `creator`: a member who created it. `owner`: the user who started the response,
 * uploaded the file or asked for the export. `reader`: the resource is visible to the caller.
 */
export type Role = 'operator' | 'admin' | 'member' | 'creator' | 'owner' | 'reader';

/** Who may call an operation. */
export type Access = {
  /** `none`: everybody. `refresh`: the refresh cookie. `user`: an access token. */
  credential: 'none' | 'refresh' | 'user';
  /** A guest of the form of the path may call too, whom nothing else admits: without it their credential is refused (401). */
  guests?: true;
  /** Of pages: also somebody without a credential, who gets one as a guest if the form takes guests. */
  strangers?: true;
  /** The caller must have chosen a username. */
  onboarded?: true;
  /** The kind of resource in the path; 404 when it is absent or not visible to the caller. */
  target?: 'organization' | 'unit' | 'form' | 'view' | 'response' | 'file' | 'export';
  /** The roles that may call; without it, everybody to whom the resource is visible. */
  roles?: readonly Role[];
};

/**
 * The input of an opener: the raw path parameters, the caller, the declared access, the ports, and the validated query
 * with the position after which a list continues. `input` is undefined for pages, whose openers parse `rawQuery`, and if
 * the request has faults, which are reported after the resource was opened. `isRepeated`: whether an earlier request with its
 * `Idempotency-Key` has succeeded, so that this one is replayed or refused.
 */
export type Call<P extends Ports = Ports> = {
  params: Readonly<Record<string, string>>;
  rawQuery: string;
  user: Caller | undefined;
  /** The guest of the form of the path in the same request, who may be somebody else than `user`, with an account. */
  guest?: Caller | undefined;
  access: Access;
  app: P;
  input?: { query: unknown; after: string | undefined } | undefined;
  isRepeated?: (() => Promise<boolean>) | undefined;
};

/** The resources that an opener returns, by name; names of request members are excluded. */
export type Resources = {
  params?: never;
  query?: never;
  body?: never;
  parts?: never;
  after?: never;
  app?: never;
  roles?: never;
  [name: string]: unknown;
};

/**
 * The result of an opener: the resources by name, and the roles of the caller; if their account was read, also their name
 * and the ids of their organizations.
 */
export type Opened<T extends Resources> = {
  resource: T;
  roles: readonly Role[];
  onboarded?: boolean;
  name?: string;
  memberOf?: readonly string[];
};

/**
 * Loads the resource of a path. Every opener throws 401 without a caller, 400 for a malformed id or slug, and 404 when the
 * resource is absent or not visible to the caller; docstrings of openers name only what they do differently or in addition.
 */
export type Opener<T extends Resources, P extends Ports = Ports> = (call: Call<P>) => Promise<Opened<T>>;

/** Returns the caller. Throws 401 without one, which the declared credential rules out. */
export function requireCaller(user: Caller | undefined): Caller {
  if (!user) throw problems.unauthorized();
  return user;
}

/**
 * Returns who of the callers of a request has a response or file of `ownerId`: the one with an account, or the guest of this
 * browser, who stays its owner when they sign in. Throws 401 without a caller.
 */
export const callerFor = ({ user, guest }: Call, ownerId: string): Caller =>
  guest?.id === ownerId ? guest : requireCaller(user);

/** Parses the id in a path parameter. Throws 400 when it is malformed. */
export function parsePathId(params: Readonly<Record<string, string>>, name: string): string {
  const id = params[name] ?? '';
  if (isId(id)) return id;
  throw problems.invalid([{ pointer: `/path/${name}`, detail: 'must be a lower-case UUID' }]);
}

/**
 * Runs a check of what a path names within its resource. It is skipped for a repeated request, which is replayed though what it
 * named was moved or deleted since.
 */
export async function unlessRepeated({ isRepeated }: Call, check: () => void): Promise<void> {
  const missing = catchProblem(check);
  if (missing && !(await isRepeated?.())) throw missing;
}

/** Runs a check that may throw a problem; returns that problem, or undefined. Other errors are thrown. */
export function catchProblem(check: () => unknown): Problem | undefined {
  try {
    check();
    return undefined;
  } catch (error) {
    if (error instanceof Problem) return error;
    throw error;
  }
}
