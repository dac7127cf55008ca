/** The texts of the OpenAPI document: the rules common to all operations, the nouns, parameters and headers. */
import type { oas32, ZodOpenApiComponentsObject } from 'zod-openapi';
import type { Role } from '#core/access/access.ts';
import type { PathParameter } from '#core/api/declare.ts';
import { MAX_CHOICES, MAX_QUESTIONS, MAX_SECTIONS } from '#core/schema/limits.ts';

/** The rules that hold for every operation, in Markdown. */
export const COMMON_RULES = `
Organizations build forms with branching workflows, respondents answer them, editors review and export the responses.

## Signing in

A request is authenticated by the cookie \`access_token\` or, without it, by \`Authorization: Bearer <access token>\`. The
access token is a JWT that is valid for an hour. \`POST /api/auth/refresh\` exchanges the cookie \`refresh_token\` for new
tokens. A refresh token works once, plus a grace period of 60 seconds so that two tabs do not sign each other out; any
later use revokes the session. If the installation enables it (as locally), \`POST /api/auth/login/internal\` signs in by
user ID.

To sign in through a provider, a page navigates to \`/api/auth/login/oauth/LOGIN_PROVIDER_1?c=<URL>&r=<URL>\`. The browser
returns to \`c\` with the cookies set and with \`r\` as a query parameter, the URL where the page continues; or with
\`status=error&error=<code>\`. Both URLs must have an allowed origin. The configuration
assigns the providers \`LOGIN_PROVIDER_1\` and \`LOGIN_PROVIDER_2\` (signing in), and \`PROVIDER_ONE\` and
\`PROVIDER_TWO\` (accounts connected as answers). A provider that is not configured is 404 for signing in, and 400 for a question that uses it.

A write that is authenticated by cookies is refused with 403 if its \`Origin\` is not on the allow-list; signing in by
user ID, refreshing and signing out are refused without cookies too.

## Order of checks

1. the credential (401),
2. whether the resource and its parents exist and are visible to the caller (404),
3. whether the caller has the required role (403),
4. path, query and body; all faults are reported together (400, 413, 415),
5. the current state (400, 403, 409).

A resource that is not visible to the caller returns exactly the same 404 as one that does not exist.

## Requests

A body is read as JSON whatever its \`Content-Type\`, except multipart: uploads accept \`multipart/form-data\`, all other
operations reject it with 415. Unknown members are ignored.
Identifiers are lower-case UUIDs. The length of a text is its number of Unicode characters. Lone surrogates and
the member name \`__proto__\` are rejected.

| Limit | Value |
|---|---|
| request body | 4,500,000 bytes as sent; 100,000 values; 128 levels of nesting |
| one rich-text document | 65,536 bytes of JSON, 32 levels |
| structure of a form (sections, questions, workflow) | 350 KB; ${MAX_SECTIONS} sections, ${MAX_QUESTIONS} questions, each of ${MAX_CHOICES} choices |
| a stored response | 350 KB |
| files of a question | 10, each less than 10 MB (10,485,760 bytes); the question may allow less |
| uploads of a question that are announced and can still be sent | 20 |
| responses by one person to a form | 100 |
| cover of a form | WebP, 2 MB, 1,800 pixels in each dimension |

413 is returned for a request body with too many bytes or values, for a structure or a stored response that would
become too large, and for a cover sent as multipart with too many bytes. Any other value beyond a limit returns 400,
including the announced size of an upload.

## Files

Files of any size are sent directly to storage:

1. **Announce.** \`POST …/questions/{questionId}/files\` with JSON: \`filename\`, \`contentType\`, \`size\` and SHA-256 of
   each file. Each entry of the response has a \`fileId\`, and \`upload\` describes how to send the bytes.
2. **Send.** \`PUT\` the bytes to \`upload.url\` with exactly \`upload.headers\` before \`upload.expiresAt\`. The URL is signed
   for this length, type and SHA-256: storage refuses anything else. The request may be repeated.
3. **Complete.** \`POST …/files/complete\` with the \`fileIds\` that become the answer, existing and new. Files of the
   question that are not listed are deleted.

Small files can be sent in one request as \`multipart/form-data\`, in parts named \`files\`, within the 4,500,000 bytes of a
request body; they become the answer at once. Either way the last request replaces the answer. An upload that is not
completed within a day expires, and is gone within two.

A download redirects (302) to storage, where the file is available for 60 seconds as an attachment. Scripts in a browser
cannot read redirects: navigate to the address instead, by a link or by \`location\`, or send \`Accept: application/json\`
to get the URL. Signing in and connecting an account work by navigation only.

## Responses

Every response has an \`x-request-id\`. Times are ISO 8601 in UTC with milliseconds. Bodies contain exactly the documented
members.

An error is \`application/problem+json\` (RFC 9457): \`title\` and \`detail\` are for people, \`code\` is stable and for
programs, and \`errors\` lists up to 1,000 faults, each with a JSON pointer such as \`/body/title\` or \`/query/limit\`.

## Lists

A list that can grow takes \`limit\` and \`cursor\`. An object has the cursor of the next page in \`nextCursor\`, which is
null on the last page; a bare array has it in \`Link: <…>; rel="next"\`. Cursors are opaque and valid for one list only.
A page can have fewer items than \`limit\` without being the last one: a response has at most 6 MB. A list can show a
change up to a second late; opening the resource never does.

## Idempotency

\`Idempotency-Key\` (1 to 255 characters of your choice) makes a POST safe to repeat for 24 hours. The same request returns
the first result again with \`Idempotency-Replayed: true\`; a different request with the same key is 409. Of equal requests
at the same time one takes effect and the others return its result. Upload URLs in a repeated result are signed again.
Refusals are not recorded. Keys belong to a user.

## Concurrent edits

Resources that several people can edit have an \`ETag\`. With \`If-Match\`, a write to a resource that was changed in
the meantime has no effect and returns 409. Without \`If-Match\` the last write wins; every write is atomic.
`.trim();

/** What each noun covers. */
export const NOUNS: Readonly<Record<string, string>> = {
  health: 'The state of the service.',
  auth: 'Signing in, refreshing a session, signing out.',
  users: 'The signed-in user and their profile.',
  orgs: 'Organizations, their slugs and their members.',
  units: 'Units of an organization and the tree they form.',
  forms: 'Forms: settings, status, cover, fonts and the highlighted question.',
  sections: 'Sections of a form; each belongs to a SECTION node of the workflow.',
  questions: 'Questions of 13 types and their order in a section.',
  workflow: 'The graph that leads a respondent from START through sections and conditions to END.',
  responses: 'Responses: drafts, answers, submission.',
  deliveries: 'Mails and spreadsheet rows that follow a submission.',
  views: 'Views: named sets of columns for reviewing responses.',
  files: 'Files that respondents upload as answers.',
  guests: 'Respondents without an account.',
  invitations: 'Guests of a form whom its organization has named, each with a code.',
  connections: 'Accounts that respondents connect as answers.',
  exports: 'Submitted responses as a table and as XLSX, directly or as a job.',
};

/** The meaning of each path parameter. */
export const PARAMETERS: Readonly<Record<PathParameter, string>> = {
  slug: 'The slug of the organization; case-sensitive.',
  formId: 'The form.',
  sectionId: 'The section; the id of its SECTION node.',
  questionId: 'The question.',
  nodeId: 'The workflow node.',
  responseId: 'The response.',
  guestId: 'The guest, who was invited or has confirmed an address.',
  memberId: 'The user who is a member.',
  unitId: 'The unit.',
  childId: 'The unit that is linked below another one.',
  viewId: 'The view.',
  fileId: 'The file.',
  exportId: 'The export.',
  oauthProvider: 'The provider to sign in through.',
  provider: 'The provider of the connected account.',
  kind: 'What is delivered: a mail or a spreadsheet row.',
  version: 'The version of the structure of the form.',
};

/** Each role, as it continues the sentence "May be called by …". */
export const ROLES: Readonly<Record<Role, string>> = {
  operator: 'operators of the installation',
  admin: 'admins of the organization',
  member: 'members of the organization',
  creator: 'the member who created the form',
  owner: 'the user who started the response or asked for the export',
  reader: 'every user to whom it is visible',
};

const text = (description: string, more: { format?: string; pattern?: string; const?: string } = {}) =>
  ({ description, schema: { type: 'string', ...more } }) as const;

/** The response headers, by the name of their component. */
export const HEADERS: NonNullable<ZodOpenApiComponentsObject['headers']> = {
  RequestId: { required: true, ...text('Identifies this request in the logs; quote it when you report a problem.') },
  ETag: { required: true, ...text('The version of the resource, for `If-Match`.', { pattern: '^"\\d+"$' }) },
  Link: text('The next page as `<…>; rel="next"`; absent on the last page.'),
  SetCookie: text(
    'One header per cookie, all HttpOnly: `access_token` and `refresh_token`, the cookie of a guest, or the cookie that binds an authorization request to this browser.',
  ),
  Location: { required: true, ...text('The URL to continue at.', { format: 'uri-reference' }) },
  ContentDisposition: { required: true, ...text('`attachment` with the name of the file.') },
  IdempotencyReplayed: text('`true` if this is the result of an earlier request with the same key.', { const: 'true' }),
  WwwAuthenticate: { required: true, ...text('The authentication scheme.', { const: 'Bearer' }) },
  RetryAfter: text('The number of seconds after which to try again.', { pattern: '^\\d+$' }),
};

/**
 * The request headers, by the name of their component. They have no examples, because documentation viewers send them:
 * a shared key or a wrong version would make requests fail.
 */
export const HEADER_PARAMETERS: Record<string, oas32.ParameterObject> = {
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    description: 'A text of your choice, such as a new UUID, that makes the request safe to repeat for 24 hours.',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
  },
  IfMatch: {
    name: 'If-Match',
    in: 'header',
    description: 'The `ETag` that was read, such as `"3"`, or `*`; a write to any other version returns 409.',
    schema: { type: 'string' },
  },
};

/** How a caller authenticates. */
export const SECURITY_SCHEMES: Record<string, oas32.SecuritySchemeObject> = {
  cookie: {
    type: 'apiKey',
    in: 'cookie',
    name: 'access_token',
    description: 'The access token, in the cookie that signing in sets. Browsers send it automatically.',
  },
  bearer: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'The access token in the `Authorization` header; used if there is no cookie.',
  },
  guest: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description:
      'The credential of a guest of this form, in the `Authorization` header or in the cookie `guest_<form key>` that becoming one sets. An account in the same request goes first, except for what belongs to the guest.',
  },
  refreshCookie: {
    type: 'apiKey',
    in: 'cookie',
    name: 'refresh_token',
    description: 'The refresh token, in the cookie that signing in sets; it works once.',
  },
};
