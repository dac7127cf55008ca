/** The prose of the OpenAPI document: the rules that hold of every operation, the nouns, parameters and headers. */
import type { PathParameter, Role } from '#core/api/declare.ts';

/** The common rules (contract section 1), in Markdown. */
export const COMMON_RULES = `
Organizations build forms with branching workflows, respondents answer
them, editors review and export what came in.

## Signing in

A request is made as somebody by the cookie \`access_token\`, else by \`Authorization: Bearer <access token>\`. The access
token is a JWT of an hour; the cookie \`refresh_token\` gets new ones by \`POST /api/auth/refresh\` and works once each
time. Where the installation allows it (it does locally), \`POST /api/auth/login/internal\` signs in by user ID.

To sign in through a provider, a page lets the browser go to
\`/api/auth/login/oauth/LOGIN_PROVIDER_1?c=<URL>&r=<URL>\`. The browser comes back to \`c\` with the cookies set, and with
\`r\` as a query parameter, for the page to go on to; or with \`status=error&error=<code>\`. Both must be of allowed origins.
Which providers \`LOGIN_PROVIDER_1\` and \`LOGIN_PROVIDER_2\` (signing in) and \`PROVIDER_ONE\` and \`PROVIDER_TWO\` (accounts
connected as answers) are is configuration; one that is not configured is 404 for signing in, and 400 for a question that
asks for it.

A write that rides on cookies from a page whose \`Origin\` is not on the allow-list is refused with 403.

## Order of checks

1. the credential (401),
2. whether the thing addressed and its parents exist and the caller may know it (404),
3. what the caller may do with it (403),
4. path, query and body, all faults together (400, 413, 415),
5. the state of things (400, 403, 409).

Who may not know that a thing exists gets exactly the 404 that a missing thing gives.

## Requests

A body is read as JSON whatever its \`Content-Type\` says, unless that is multipart: uploads take \`multipart/form-data\`,
all else is 415. Unknown members are ignored.
Identifiers are lower-case UUIDs. Lengths of texts count Unicode characters; half a surrogate pair is refused, and so is
the member name \`__proto__\`.

| Limit | Value |
|---|---|
| request body | 4,500,000 bytes as sent; 100,000 values; 128 levels of nesting |
| one rich-text document | 65,536 bytes of JSON, 32 levels |
| structure of a form (sections, questions, workflow) | 350 KB; 100 sections, 300 questions |
| a stored response | 350 KB |
| files of a question | 10, each less than 10 MB (10,485,760 bytes); the question may ask for less |
| cover of a form | WebP, 2 MB, 1,800 pixels each way |

Too many bytes or values of a request body are 413, and so are a structure, a stored response and a cover sent as
multipart of too many bytes. Whatever else is beyond a limit is 400, the announced size of an upload too.

## Files

Files go straight to storage, whatever their size:

1. **Announce.** \`POST …/questions/{questionId}/files\` with JSON: \`filename\`, \`contentType\`, \`size\` and the SHA-256 of
   each. Each entry of the answer has a \`fileId\` and says in \`upload\` how to send the bytes.
2. **Send.** \`PUT\` the bytes to \`upload.url\` with exactly \`upload.headers\`, within the hour of \`upload.expiresAt\`. The
   URL is signed for this length, type and SHA-256: storage refuses all else. It may be repeated.
3. **Complete.** \`POST …/files/complete\` with the \`fileIds\` that are the answer from then on, old and new. Files that it
   does not name are deleted.

Small files may come as \`multipart/form-data\` in one request, in parts named \`files\`, as long as the body keeps to its
4,500,000 bytes: they are the answer at once. Both ways, the answer is what was last sent. An upload that is never completed
vanishes after a day.

A download answers 302 to storage, where the file can be had for 60 seconds, as an attachment. Scripts in a browser cannot
read redirects: let the browser go to the address, by a link or by \`location\`. The same holds for signing in and for
connecting an account.

## Answers

Every answer carries \`x-request-id\`. Moments are ISO 8601 in UTC with milliseconds. Answers hold exactly the members
that are described.

An error is \`application/problem+json\` (RFC 9457): \`title\` and \`detail\` are for people, \`code\` is stable and for
programs, and \`errors\` names each fault, up to 1,000, with a JSON pointer such as \`/body/title\` or
\`/query/limit\`.

## Lists

A list that can grow takes \`limit\` and \`cursor\`. An object answers \`nextCursor\`, which is null at the end; a bare array
has its next page in \`Link: <…>; rel="next"\`. Cursors are opaque and belong to one list.
A page may be shorter than its \`limit\` and still not be the last: an answer carries 6 MB at most.

## Repeating a request

\`Idempotency-Key\` (1 to 255 characters of your choice) makes a POST safe to repeat for 24 hours: the same request gets
the first answer again with \`Idempotency-Replayed: true\`, another request with that key is 409, and so is one that
arrives while the first still runs (with \`Retry-After\`). Keys belong to a user.

## Editing together

What two people can edit answers an \`ETag\`. Sent back as \`If-Match\`, it makes a write of something that has changed
meanwhile a 409 that changes nothing. Without it the last writer wins, and never with half of a change.
`.trim();

/** What each noun is about. */
export const NOUNS: Readonly<Record<string, string>> = {
  health: 'Whether the service answers.',
  auth: 'Signing in, staying signed in, signing out.',
  users: 'The signed-in user: who they are and what they are called.',
  orgs: 'Organizations, their slugs and their members.',
  units: 'Units of an organization and the tree that they form.',
  forms: 'Forms: settings, status, cover, fonts and the highlighted question.',
  sections: 'Sections of a form; each belongs to a SECTION node of the workflow.',
  questions: 'Questions of 13 types and their order in a section.',
  workflow: 'The graph that leads a respondent from START through sections and conditions to END.',
  responses: 'Responses: drafts, answers, submission.',
  views: 'Views: named sets of columns for reviewing responses.',
  files: 'Files that respondents upload as answers.',
  connections: 'Accounts that respondents connect as answers.',
  exports: 'Submitted responses as a table and as XLSX.',
};

/** What each path parameter names. */
export const PARAMETERS: Readonly<Record<PathParameter, string>> = {
  slug: 'The slug of the organization; case is significant.',
  formId: 'The form.',
  sectionId: 'The section; the id of its SECTION node.',
  questionId: 'The question.',
  nodeId: 'The workflow node.',
  responseId: 'The response.',
  memberId: 'The user who is a member.',
  unitId: 'The unit.',
  childId: 'The unit that is linked below another one.',
  viewId: 'The view.',
  fileId: 'The file.',
  oauthProvider: 'The provider to sign in through.',
  provider: 'The provider of the connected account.',
};

/** What a caller is, as the sentence "May be called by …" goes on. */
export const ROLES: Readonly<Record<Role, string>> = {
  operator: 'operators of the installation',
  admin: 'admins of the organization',
  member: 'members of the organization',
  creator: 'the member who created the form',
  owner: 'the user who started the response',
  reader: 'who may know it',
};

const text = (description: string, more: Record<string, unknown> = {}) => ({
  description,
  schema: { type: 'string', ...more },
});

/** The headers of answers, by the name of their component. */
export const HEADERS = {
  RequestId: { required: true, ...text('Names this request in the logs; quote it when you report a problem.') },
  ETag: { required: true, ...text('The version of what is answered, for `If-Match`.', { pattern: '^"\\d+"$' }) },
  Link: text('The next page as `<…>; rel="next"`; absent on the last one.'),
  SetCookie: text(
    'Each cookie in a header of its own, HttpOnly: `access_token` and `refresh_token`, or what binds the browser to a way through a provider.',
  ),
  Location: { required: true, ...text('Where to go.', { format: 'uri-reference' }) },
  ContentDisposition: { required: true, ...text('`attachment` with the name of the file.') },
  IdempotencyReplayed: text('`true` when this is the answer of an earlier request with the same key.', {
    enum: ['true'],
  }),
  WwwAuthenticate: { required: true, ...text('How to authenticate.', { const: 'Bearer' }) },
  RetryAfter: text('After how many seconds to try again.', { pattern: '^\\d+$' }),
} as const;

/**
 * The headers of requests, by the name of their component. They have no examples: a viewer would send them along, and
 * a key that everybody uses or a version that nobody read does harm.
 */
export const HEADER_PARAMETERS = {
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    description: 'A text of your choice, such as a fresh UUID, that makes the request safe to repeat for 24 hours.',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
  },
  IfMatch: {
    name: 'If-Match',
    in: 'header',
    description: 'The `ETag` that was read, such as `"3"`, or `*`; a write of anything else is 409.',
    schema: { type: 'string' },
  },
} as const;

/** How a caller is known. */
export const SECURITY_SCHEMES = {
  cookie: {
    type: 'apiKey',
    in: 'cookie',
    name: 'access_token',
    description: 'The access token as logging in sets it. Browsers send it by themselves.',
  },
  bearer: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'The access token in the `Authorization` header; read when there is no cookie.',
  },
  refreshCookie: {
    type: 'apiKey',
    in: 'cookie',
    name: 'refresh_token',
    description: 'The refresh token as logging in sets it; it works once.',
  },
} as const;
