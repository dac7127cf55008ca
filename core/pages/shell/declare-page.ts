/**
 * How a page for people is declared: like an operation, but outside the OpenAPI document, at a route below `/`. Each page is a
 * file `<name>.page.ts`, from which `npm run generate` writes the functions of the audiences and the routes of the plan.
 */
import type { Access } from '#core/access/access.ts';
import type { Need } from '#core/api/declare.ts';
import type { LambdaHandler } from '#core/http/chain.ts';

/** Who uses a page. The pages of an audience share one function, so that a visit starts one function only. */
export type Audience = 'respondents' | 'reviewers' | 'organizers' | 'builders' | 'authors' | 'assets';

/** What one method of a page asks for. */
export type MethodSpec = {
  access: Access;
  needs: readonly Need[];
  /** The largest body of a posted form in bytes, if it is not that of a few short fields. */
  maxFormBytes?: number;
  /**
   * Its posted form is accepted from every site: what it does follows from a signed link alone, and not from who is signed in. Without it
   * other sites are refused.
   */
  fromOtherSites?: true;
  /** What its posted form creates: each is found again by a second press of the same content, which a table of tests shows. */
  creates?: readonly string[];
};

/** One method of a page. */
export type PageDeclaration = MethodSpec & {
  noun: 'pages';
  /** `show` or `post` and the name of the page, such as `showUnit`. */
  name: string;
  audience: Audience;
  method: 'GET' | 'POST';
  /** Parameters in braces are names of `PATH_PARAMETERS`. */
  path: string;
  /** How many segments of the path lie below the page to which the reader of a posted form can return. */
  segmentsBelowPage: number;
};

/** A page with its handlers, by method. */
export type Page = {
  declarations: readonly PageDeclaration[];
  handlers: { readonly [M in PageDeclaration['method']]?: LambdaHandler };
};

/** The page for browsers at an address without a route, shown by the fallback function. */
export const missingPage = {
  noun: 'pages',
  name: 'showMissing',
  method: 'GET',
  path: '$default',
  access: { credential: 'none' },
  needs: [],
  segmentsBelowPage: 0,
} as const satisfies Omit<PageDeclaration, 'audience'>;

/** A few short fields, percent-encoded. */
const SMALL_FORM_BYTES = 16_384;
/** A name, a description of 2,000 characters and metadata of 8 KB. */
export const DETAILS_BYTES = 98_304;

/** As much as the structure of a form may have (350 KB), percent-encoded, with the names of its fields. */
export const QUESTION_BYTES = 2_000_000;
/** The title of a view and the ids of all its columns. */
export const COLUMNS_BYTES = 65_536;

/** Returns the largest body of the form that is posted to a page, in bytes. */
export const maxFormBytes = ({ maxFormBytes: max = SMALL_FORM_BYTES }: Pick<MethodSpec, 'maxFormBytes'>): number => max;

/**
 * Lists the needs of a page: a page for signed-in people also renews their session when the access token has expired.
 */
export const pageNeeds = ({ access, needs }: MethodSpec): Need[] => [
  ...new Set<Need>([
    ...needs,
    ...(access.credential === 'user' ? (['table:read', 'table:write', 'tokens:sign'] as const) : []),
  ]),
];

export const anybody = { credential: 'none' } as const;
export const signedInReader = { credential: 'user' } as const;
export const memberOfOrganization = { credential: 'user', target: 'organization', roles: ['member'] } as const;
export const member = { credential: 'user', target: 'form', roles: ['member'] } as const;
export const adminOfOrganization = { credential: 'user', target: 'organization', roles: ['admin'] } as const;
export const memberOfResponse = { credential: 'user', target: 'response', roles: ['member'] } as const;
export const memberOfView = { credential: 'user', target: 'view', roles: ['member'] } as const;
/** The person who asked for an export, at its own address. */
export const exporter = { credential: 'user', target: 'export' } as const;
/** Whoever has a response, also as a guest. */
export const owner = { credential: 'user', guests: true, target: 'response', roles: ['owner'] } as const;
/** Anybody who may know the form: signed in, or where it takes guests. */
export const formVisitor = { credential: 'user', guests: true, strangers: true, target: 'form' } as const;
export const READ = ['table:read'] as const;
export const LIST = ['table:read', 'table:list'] as const;
export const WRITE = ['table:read', 'table:write'] as const;
