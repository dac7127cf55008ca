/**
 * How a page for people is declared: like an operation, but outside the OpenAPI document, at a route below `/`. From the
 * declarations `stacks/plan.ts` derives one function for each audience.
 */
import type { Access } from '#core/access/access.ts';
import type { Need } from './declare.ts';

/** Who uses a page. The pages of an audience share one function, so that a visit starts one function only. */
export type Audience = 'respondents' | 'reviewers' | 'organizers' | 'builders' | 'authors' | 'assets';

type PageSpec = {
  method: 'GET' | 'POST';
  /** Parameters in braces are names of `PATH_PARAMETERS`. */
  path: string;
  access: Access;
  needs: readonly Need[];
  /** The largest body of a posted form in bytes, if it is not that of a few short fields. */
  maxFormBytes?: number;
  /** What its posted form creates: each is found again by a second press of the same content, which a table of tests shows. */
  creates?: readonly string[];
  /**
   * How many segments of the path of a posted form lie below the page to which its reader can return. Without it: below
   * the page at the same address, or the nearest one of the same audience above it.
   */
  segmentsBelowPage?: number;
};

export type PageDeclaration<S extends PageSpec = PageSpec> = S & { noun: 'pages'; name: string; audience: Audience };

type Declared<T extends Record<string, PageSpec>> = {
  [K in keyof T]: T[K] & { noun: 'pages'; name: K & string; audience: Audience; segmentsBelowPage: number };
};

/** Declares the pages of an audience. */
export function declarePages<const T extends Record<string, PageSpec>>(audience: Audience, specs: T): Declared<T> {
  const all = Object.entries(specs);
  const readablePaths = new Set(all.flatMap(([, { method, path }]) => (method === 'GET' ? [path] : [])));
  return Object.fromEntries(
    all.map(([name, spec]) => [
      name,
      { segmentsBelowPage: countSegmentsBelow(spec.path, readablePaths), ...spec, noun: 'pages', name, audience },
    ]),
  ) as Declared<T>;
}

function countSegmentsBelow(path: string, readablePaths: ReadonlySet<string>): number {
  const segments = path.split('/').slice(1);
  const nearestIndex = segments.findLastIndex((_, index) =>
    readablePaths.has(`/${segments.slice(0, index + 1).join('/')}`),
  );
  return segments.length - 1 - nearestIndex;
}

/** The page for browsers at an address without a route, shown by the fallback function. */
export const missingPage = {
  noun: 'pages',
  name: 'showMissing',
  method: 'GET',
  path: '$default',
  access: { credential: 'none' },
  needs: [],
} as const satisfies Omit<PageDeclaration, 'audience'>;

/** A few short fields, percent-encoded. */
const SMALL_FORM_BYTES = 16_384;
/** A name, a description of 2,000 characters and metadata of 8 KB. */
export const DETAILS_BYTES = 98_304;

/** Returns the largest body of the form that is posted to a page, in bytes. */
export const maxFormBytes = ({ maxFormBytes: max = SMALL_FORM_BYTES }: Pick<PageSpec, 'maxFormBytes'>): number => max;

/**
 * Lists the needs of a page: a page for signed-in people also renews their session when the access token has expired.
 */
export const pageNeeds = ({ access, needs }: PageSpec): Need[] => [
  ...new Set<Need>([
    ...needs,
    ...(access.credential === 'user' ? (['table:read', 'table:write', 'tokens:sign'] as const) : []),
  ]),
];

export const anybody = { credential: 'none' } as const;
export const signedIn = { credential: 'user' } as const;
export const memberOfOrganization = { credential: 'user', target: 'organization', roles: ['member'] } as const;
export const member = { credential: 'user', target: 'form', roles: ['member'] } as const;
export const READ = ['table:read'] as const;
export const LIST = ['table:read', 'table:list'] as const;
export const WRITE = ['table:read', 'table:write'] as const;
