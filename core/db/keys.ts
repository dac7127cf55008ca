/**
 * THE KEY DESIGN. One table, `pk`/`sk`, two sparse KEYS_ONLY indexes, TTL on `expiresAt` (epoch seconds).
 * Nothing else in the project builds a key.
 *
 * | Item                  | pk                | sk                       | index 1 (gsi1pk / gsi1sk)          | index 2 (gsi2pk / gsi2sk)                     |
 * |-----------------------|-------------------|--------------------------|------------------------------------|-----------------------------------------------|
 * | account               | USER#u            | ACCOUNT                  |                                    |                                               |
 * | e-mail of an account  | EMAIL#lower       | EMAIL                    |                                    |                                               |
 * | username              | USERNAME#lower    | USERNAME                 |                                    |                                               |
 * | refresh token family  | REFRESH#id        | REFRESH                  |                                    |                                               |
 * | idempotency record    | IDEMPOTENCY#u#key | IDEMPOTENCY              |                                    |                                               |
 * | organization          | ORG#o             | ORG                      | ORGS / createdAt#o                 |                                               |
 * | member                | ORG#o             | MEMBER#u                 |                                    |                                               |
 * | unit tree             | ORG#o             | UNITS                    |                                    |                                               |
 * | unit                  | UNIT#n            | UNIT                     |                                    |                                               |
 * | slug in use           | SLUG#slug         | CURRENT                  |                                    |                                               |
 * | slug usage            | SLUG#slug         | USAGE#startedAt#o        |                                    |                                               |
 * | form head             | FORM#k            | HEAD                     | ORG#o#FORMS / createdAt#f          | FORMS#PUBLIC / deadline#title#f when listed   |
 * | form structure        | FORM#k            | STRUCTURE                |                                    |                                               |
 * | views                 | FORM#k            | VIEWS                    |                                    |                                               |
 * | response              | RESPONSE#r        | RESPONSE                 | USER#u#RESPONSES / k#createdAt#r   | FORM#k#DRAFT#s / createdAt#r, FORM#k#SUBMITTED#s / submittedAt#r |
 * | response in deletion  | RESPONSE#r        | RESPONSE                 |                                    | FORM#k#DELETING#s / createdAt#r               |
 * | upload not attached   | RESPONSE#r        | UPLOAD#x                 |                                    |                                               |
 * | attached file         | FILE#x            | FILE                     | USER#u#FILES / createdAt#x         |                                               |
 * | identity at a provider| IDENTITY#p#subject| IDENTITY                 |                                    |                                               |
 * | used state            | STATE#id          | STATE                    |                                    |                                               |
 *
 * k is the form key: the first 60 random bits of a form's id. The ids of everything that belongs to a form
 * (sections, nodes, questions, choices, responses, views, files) are UUIDs of version 8 that begin with the same
 * key, so an id that arrives without its form (`/sections/{id}`, `/responses/{id}`) names the form's items by
 * itself and one batch reads them all. The key is no secret and grants nothing: whoever reads the head compares
 * the full id. s is the shard of a response, by its id.
 *
 * Where the bytes of files and covers stand is said in `objects.ts`.
 *
 * Access patterns: every row above by key; members of an organization, usages of a slug and uploads of a response by
 * Query on pk; organizations by age, forms of an organization, forms open to all, responses of a user (to a form),
 * responses of a form by time and files of a user by time through the indexes. Indexes hold keys only: a page is one
 * Query (or one per shard, in parallel) and one consistent BatchGet, and a save that moves nobody in a list rewrites
 * no index entry.
 */

/** The primary key of an item. */
export type Key = { pk: string; sk: string };
/** Where an item stands in the indexes; a missing pair means: not in that index. */
export type IndexKeys = { gsi1pk?: string; gsi1sk?: string; gsi2pk?: string; gsi2sk?: string };

export const INDEX_1 = 'gsi1';
export const INDEX_2 = 'gsi2';
export const TTL_ATTRIBUTE = 'expiresAt';

/** Over how many partitions of index 2 the responses of a form are spread. */
export const RESPONSE_SHARDS = 4;

/** The table as CreateTable and the deployment both need it. */
export const TABLE_DEFINITION = {
  attributes: ['pk', 'sk', 'gsi1pk', 'gsi1sk', 'gsi2pk', 'gsi2sk'],
  key: { hash: 'pk', range: 'sk' },
  indexes: [
    { name: INDEX_1, hash: 'gsi1pk', range: 'gsi1sk' },
    { name: INDEX_2, hash: 'gsi2pk', range: 'gsi2sk' },
  ],
  ttlAttribute: TTL_ATTRIBUTE,
} as const;

/** The part of an id that the form and all that belongs to it share. */
export const formKey = (id: string): string => id.slice(0, 18);

/** The id of a new form, from a random version-4 UUID. */
export const formIdFrom = (uuid: string): string => `${uuid.slice(0, 14)}8${uuid.slice(15)}`;

/** The id of a new thing that belongs to a form: the form's key, then the random tail of a UUID. */
export const idWithin = (formId: string, uuid: string): string => formKey(formId) + uuid.slice(18);

/** The shard of index 2 that a response stands in: its last hexadecimal digit, folded. */
export const shardOf = (responseId: string): number => Number.parseInt(responseId.slice(-1), 16) % RESPONSE_SHARDS;

/** Sorts after every time: the deadline of a form that has none. */
export const NEVER = '~';

export const keys = {
  account: (userId: string): Key => ({ pk: `USER#${userId}`, sk: 'ACCOUNT' }),
  email: (email: string): Key => ({ pk: `EMAIL#${email.toLowerCase()}`, sk: 'EMAIL' }),
  username: (username: string): Key => ({ pk: `USERNAME#${username.toLowerCase()}`, sk: 'USERNAME' }),
  refreshFamily: (familyId: string): Key => ({ pk: `REFRESH#${familyId}`, sk: 'REFRESH' }),
  idempotency: (userId: string, key: string): Key => ({ pk: `IDEMPOTENCY#${userId}#${key}`, sk: 'IDEMPOTENCY' }),
  organization: (orgId: string): Key => ({ pk: `ORG#${orgId}`, sk: 'ORG' }),
  member: (orgId: string, userId: string): Key => ({ pk: `ORG#${orgId}`, sk: `MEMBER#${userId}` }),
  unitTree: (orgId: string): Key => ({ pk: `ORG#${orgId}`, sk: 'UNITS' }),
  unit: (unitId: string): Key => ({ pk: `UNIT#${unitId}`, sk: 'UNIT' }),
  slug: (slug: string): Key => ({ pk: `SLUG#${slug}`, sk: 'CURRENT' }),
  slugUsage: (slug: string, startedAt: string, orgId: string): Key => ({
    pk: `SLUG#${slug}`,
    sk: `USAGE#${startedAt}#${orgId}`,
  }),
  formHead: (formId: string): Key => ({ pk: `FORM#${formKey(formId)}`, sk: 'HEAD' }),
  formStructure: (formId: string): Key => ({ pk: `FORM#${formKey(formId)}`, sk: 'STRUCTURE' }),
  formViews: (formId: string): Key => ({ pk: `FORM#${formKey(formId)}`, sk: 'VIEWS' }),
  response: (responseId: string): Key => ({ pk: `RESPONSE#${responseId}`, sk: 'RESPONSE' }),
  upload: (responseId: string, fileId: string): Key => ({ pk: `RESPONSE#${responseId}`, sk: `UPLOAD#${fileId}` }),
  file: (fileId: string): Key => ({ pk: `FILE#${fileId}`, sk: 'FILE' }),
  identity: (provider: string, subject: string): Key => ({ pk: `IDENTITY#${provider}#${subject}`, sk: 'IDENTITY' }),
  usedState: (stateId: string): Key => ({ pk: `STATE#${stateId}`, sk: 'STATE' }),
} as const;

/** The partitions that lists are read from. */
export const partitions = {
  members: (orgId: string) => ({ pk: `ORG#${orgId}`, begins: 'MEMBER#' }),
  slugUsages: (slug: string) => ({ pk: `SLUG#${slug}`, begins: 'USAGE#' }),
  allOrganizations: () => ({ index: INDEX_1, pk: 'ORGS' }),
  formsOf: (orgId: string) => ({ index: INDEX_1, pk: `ORG#${orgId}#FORMS` }),
  publicForms: () => ({ index: INDEX_2, pk: 'FORMS#PUBLIC' }),
  responsesOfUser: (userId: string) => ({ index: INDEX_1, pk: `USER#${userId}#RESPONSES` }),
  responsesOfUserTo: (userId: string, formId: string) => ({
    index: INDEX_1,
    pk: `USER#${userId}#RESPONSES`,
    begins: `${formKey(formId)}#`,
  }),
  uploadsOf: (responseId: string) => ({ pk: `RESPONSE#${responseId}`, begins: 'UPLOAD#' }),
  filesOfUser: (userId: string) => ({ index: INDEX_1, pk: `USER#${userId}#FILES` }),
  /** All shards of the responses of a form in one progress, by the time at which they came into it. */
  responsesOf: (formId: string, progress: string) =>
    Array.from({ length: RESPONSE_SHARDS }, (_, shard) => ({
      index: INDEX_2,
      pk: `FORM#${formKey(formId)}#${progress}#${shard}`,
    })),
} as const;

/** Where items stand in the indexes. */
export const indexKeys = {
  organization: (createdAt: string, orgId: string): IndexKeys => ({ gsi1pk: 'ORGS', gsi1sk: `${createdAt}#${orgId}` }),
  form: (form: { id: string; orgId: string; createdAt: string }): IndexKeys => ({
    gsi1pk: `ORG#${form.orgId}#FORMS`,
    gsi1sk: `${form.createdAt}#${form.id}`,
  }),
  publicForm: (listing: string): IndexKeys => ({ gsi2pk: 'FORMS#PUBLIC', gsi2sk: listing }),
  response: (response: {
    id: string;
    formId: string;
    userId: string;
    progress: string;
    createdAt: string;
    submittedAt: string | null;
  }): IndexKeys => ({
    gsi1pk: `USER#${response.userId}#RESPONSES`,
    gsi1sk: `${formKey(response.formId)}#${response.createdAt}#${response.id}`,
    gsi2pk: `FORM#${formKey(response.formId)}#${response.progress}#${shardOf(response.id)}`,
    gsi2sk: `${response.submittedAt ?? response.createdAt}#${response.id}`,
  }),
  /** A response in deletion stands in no list, but its form finds it. */
  deletedResponse: (response: { id: string; formId: string; createdAt: string }): IndexKeys => ({
    gsi2pk: `FORM#${formKey(response.formId)}#DELETING#${shardOf(response.id)}`,
    gsi2sk: `${response.createdAt}#${response.id}`,
  }),
  file: (file: { id: string; uploadedBy: string; createdAt: string }): IndexKeys => ({
    gsi1pk: `USER#${file.uploadedBy}#FILES`,
    gsi1sk: `${file.createdAt}#${file.id}`,
  }),
} as const;

/** The key text by which a key can be looked up in a Map. */
export const keyText = (key: Key): string => `${key.pk}\n${key.sk}`;
