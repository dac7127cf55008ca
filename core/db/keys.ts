/**
 * The key design. One table, `pk`/`sk`, two sparse indexes, TTL on `expiresAt` (epoch seconds), a stream with both
 * images. Nothing else in the project builds a key.
 *
 * | Item                    | pk                 | sk                | index 1 (gsi1pk / gsi1sk)          | index 2 (gsi2pk / gsi2sk)            |
 * |-------------------------|--------------------|-------------------|------------------------------------|--------------------------------------|
 * | account                 | USER#u             | ACCOUNT           |                                    |                                      |
 * | number of a user's files| USER#u             | FILES             |                                    |                                      |
 * | which count a member asked for last | USER#u | COUNTING          |                                    |                                      |
 * | e-mail of an account    | EMAIL#lower        | EMAIL             |                                    |                                      |
 * | username                | USERNAME#lower     | USERNAME          |                                    |                                      |
 * | session                 | REFRESH#id         | REFRESH           | USER#u#SESSIONS / createdAt#id     |                                      |
 * | idempotency record      | IDEMPOTENCY#u#hash | IDEMPOTENCY       |                                    |                                      |
 * | organization            | ORG#o              | ORG               | ORGS / createdAt#o                 |                                      |
 * | member                  | ORG#o              | MEMBER#u          |                                    |                                      |
 * | mail about a membership | ORG#o              | MEMBERMAIL#u      | DUE#s / dueAt#o, while queued      |                                      |
 * | end of the mails to who has left | ORG#o     | LEFT#u            | DUE#s / dueAt#o, while queued      |                                      |
 * | stored bytes            | ORG#o              | STORAGE           |                                    |                                      |
 * | mails to guests         | ORG#o              | GUESTMAILS        |                                    |                                      |
 * | address without mails   | ORG#o              | NOMAIL#hash       |                                    |                                      |
 * | unit tree               | ORG#o              | UNITS             |                                    |                                      |
 * | unit                    | UNIT#n             | UNIT              |                                    |                                      |
 * | slug in use             | SLUG#slug          | CURRENT           |                                    |                                      |
 * | slug usage              | SLUG#slug          | USAGE#startedAt#o |                                    |                                      |
 * | form head (settings)    | FORM#k             | HEAD              | ORG#o#FORMS#status / createdAt#f   |                                      |
 * | form gate               | FORM#k             | GATE              |                                    |                                      |
 * | form structure          | FORM#k             | STRUCTURE         |                                    |                                      |
 * | questions ever answered | FORM#k             | ANSWERED          |                                    |                                      |
 * | unpublished changes     | FORM#k             | CHANGES           |                                    |                                      |
 * | list of kept versions   | FORM#k             | VERSIONS          |                                    |                                      |
 * | kept version            | FORM#k             | VERSION#n         |                                    |                                      |
 * | archived changes        | FORM#k             | VERSION#revision  |                                    |                                      |
 * | the same, by older code | FORM#k             | ASIDE#id          |                                    |                                      |
 * | base, by older code     | FORM#k             | CHANGESBASE       |                                    |                                      |
 * | edit that can be undone | FORM#k             | UNDO#time-id      |                                    |                                      |
 * | listing of a public form| FORM#k             | LISTING           | FORMS#PUBLIC / createdAt#f         | FORMS#DEADLINE / deadline#title#f    |
 * | last edit of a submission | FORM#k           | EDITED            |                                    |                                      |
 * | views                   | FORM#k             | VIEWS             |                                    |                                      |
 * | highlighted question    | FORM#k             | HIGHLIGHT         |                                    |                                      |
 * | counters of responses   | FORM#k             | COUNT#s           |                                    |                                      |
 * | counters of answers     | FORM#k             | ANSWERS#epoch#group#s |                                |                                      |
 * | stored bytes of guests  | FORM#k             | GUESTSTORAGE      |                                    |                                      |
 * | key and number of invitations | FORM#k       | INVITATIONS       |                                    |                                      |
 * | invited guest           | FORM#k             | GUEST#g           |                                    | FORM#k#GUESTS / number#g             |
 * | sending of invitations  | FORM#k             | SENDING           | DUE#s / dueAt#k, while queued      |                                      |
 * | mail to an invited guest| FORM#k             | GUESTMAIL#g       | DUE#s / dueAt#k, while queued      |                                      |
 * | guest who has confirmed an address | FORM#k  | GUEST#g           |                                    | FORM#k#ADDRESSED / createdAt#g       |
 * | mail with a guest's link| FORM#k             | LINKMAIL#hash     | DUE#s / dueAt#k, while queued      |                                      |
 * | invitations made by one press | FORM#k       | INVITED#id        |                                    |                                      |
 * | who has started, once each | FORM#k          | ONCE#hash of u    |                                    |                                      |
 * | recount of the counters | FORM#k             | RECOUNT           | DUE#s / dueAt#k                    |                                      |
 * | deletion for age        | FORM#k             | EXPIRY            | DUE#s / dueAt#k                    |                                      |
 * | news of a shorter retention | FORM#k         | RETENTION#        | DUE#s / dueAt#k, while queued      |                                      |
 * | mail about it to an admin | FORM#k           | RETENTION#u       | DUE#s / dueAt#k, while queued      |                                      |
 * | places of what was deleted for its age | FORM#k | KEPTPLACES     |                                    |                                      |
 * | places that are taken   | FORM#k             | PLACES            |                                    |                                      |
 * | count of the places     | FORM#k             | PLACESCOUNT       | DUE#s / dueAt#k                    |                                      |
 * | who gets notices        | FORM#k             | NOTICES           |                                    |                                      |
 * | new responses for notices | FORM#k           | NOTICES#NEW#frequency |                                |                                      |
 * | job that queues notices | FORM#k             | NOTICES#JOB#frequency | DUE#s / dueAt#k                |                                      |
 * | notice to a member      | FORM#k             | NOTICES#MAIL#time#u | DUE#s / dueAt#k, while queued    |                                      |
 * | deleted response, for 1 h| RESPONSE#r        | RESPONSE          |                                    |                                      |
 * | count of all that match | FORM#k             | COUNTING#place    | DUE#EXPORTS / dueAt#k, while queued |                                     |
 * | response                | RESPONSE#r         | RESPONSE          | USER#u#RESPONSES / k#createdAt#r   | FORM#k#DRAFT#s / createdAt#r,        |
 * |                         |                    |                   |                                    | FORM#k#SUBMITTED#s / submittedAt#r   |
 * | pending edit of it      | RESPONSE#r         | EDIT              |                                    |                                      |
 * | what a response counts  | RESPONSE#r         | TALLY             |                                    |                                      |
 * | announced uploads       | RESPONSE#r         | UPLOADS#q         |                                    |                                      |
 * | delivery of a submission| RESPONSE#r         | DELIVERY#kind     | DUE#s / dueAt#r, while queued      |                                      |
 * | reminder of a draft     | RESPONSE#r         | REMINDER          | DUE#s / dueAt#r, while queued      |                                      |
 * | row in a spreadsheet    | RESPONSE#r         | ROW#spreadsheet   |                                    |                                      |
 * | attached file           | FILE#x             | FILE              | USER#u#FILES / createdAt#x         |                                      |
 * | clean-up of an object   | RESPONSE#r, FORM#k | CLEANUP#id        | DUE#s / dueAt#id, while queued     |                                      |
 * | row to be cleared       | CLEAR#sheet#k+row  | CLEAR             | DUE#s / dueAt#k+row, while queued  |                                      |
 * | backfill of a sheet     | FORM#k             | BACKFILL          | DUE#s / dueAt#k, while queued      |                                      |
 * | failures of a sheet     | FORM#k             | SPREADSHEET       |                                    |                                      |
 * | lease of a spreadsheet  | SHEET#spreadsheet  | LEASE             |                                    |                                      |
 * | owner of a spreadsheet  | SHEET#spreadsheet  | OWNER             |                                    |                                      |
 * | failed job              | as above           | as above          | FORM#k#FAILED / kind#queuedAt#id   |                                      |
 * | deletion                | RESPONSE#r, FORM#k,| DELETION          | DUE#s / dueAt#id, while queued     |                                      |
 * |                         | ORG#o              |                   |                                    |                                      |
 * | export job              | FORM#k             | EXPORT#e          | DUE#EXPORTS / dueAt#k, until done  | FORM#k#EXPORTS / createdAt#e         |
 * | mail about an export    | FORM#k             | EXPORTMAIL#e      | DUE#s / dueAt#e, while queued      |                                      |
 * | identity at a provider  | IDENTITY#p#subject | IDENTITY          | USER#u#IDENTITIES / p#subject      |                                      |
 * | used state              | STATE#id           | STATE             |                                    |                                      |
 * | uses of a limited thing | RATE#name#subject  | endsAt            |                                    |                                      |
 *
 * k is the form key, the first 18 characters of a form's id: the creation time in milliseconds, the version, and 12
 * random bits, so that keys sort by age. The ids of everything in a form (sections, nodes, questions, choices, responses,
 * views, files, exports) are version 8 UUIDs with the same key, so `/sections/{id}` and `/responses/{id}` give the
 * form's items without a look-up. The key grants no access: the full id is always compared. s is a shard.
 *
 * Everything of a response is in its partition, except for its files, and everything of a form except for its responses,
 * so that a deletion finds all of it by Query, without an index that lags.
 *
 * Access patterns: every row by key; members, usages and uploads by Query on pk; organizations, forms of an organization
 * by status, public forms by age and by deadline, responses of a user (to a form), responses of a form by progress and
 * time, files and sessions of a user, exports of a form, due and failed jobs through the indexes. Index entries include the
 * few attributes that lists of responses show, so such a list is one Query per shard; the size of a response, rounded up, so
 * that readers know how many they can afford to read, and saving answers seldom rewrites an entry; whom lists of forms show,
 * so that accounts are read together with the forms; and the titles of forms, so that a search by title reads entries only.
 */

import { sha256 } from '#core/schema/hash.ts';

/** The primary key of an item. */
export type Key = { pk: string; sk: string };
/** The index keys of an item; an item without a pair is not in that index. */
export type IndexKeys = { gsi1pk?: string; gsi1sk?: string; gsi2pk?: string; gsi2sk?: string };

export const INDEX_1 = 'gsi1';
export const INDEX_2 = 'gsi2';
export const TTL_ATTRIBUTE = 'expiresAt';

/** The number of partitions of index 2 for the responses of a form in one progress. */
const RESPONSE_SHARDS = 4;
/** The partitions of index 1 for the due jobs of each lane. The jobs of one lane never wait for those of another. */
const DUE_SHARDS = { main: ['0', '1', '2', '3'], exports: ['EXPORTS'] } as const;
export type Lane = keyof typeof DUE_SHARDS;

/** The number of items over which the counters of a form are spread; a read adds them up. */
export const COUNT_SHARDS = 4;

/** The table as CreateTable and the deployment need it. */
export const TABLE_DEFINITION = {
  attributes: ['pk', 'sk', 'gsi1pk', 'gsi1sk', 'gsi2pk', 'gsi2sk'],
  key: { hash: 'pk', range: 'sk' },
  indexes: [
    { name: INDEX_1, hash: 'gsi1pk', range: 'gsi1sk' },
    { name: INDEX_2, hash: 'gsi2pk', range: 'gsi2sk' },
  ],
  /** The non-key attributes in both indexes. */
  projected: [
    'progress',
    'userId',
    'createdAt',
    'submittedAt',
    'listedAt',
    'publishTime',
    'creatorId',
    'lastEditorId',
    'hasSpreadsheet',
    'title',
    'maxKb',
  ],
  ttlAttribute: TTL_ATTRIBUTE,
} as const;

/** Returns the form key of an id: the part that a form shares with everything in it. */
export const formKey = (id: string): string => id.slice(0, 18);

/** Builds the id of a new form: its creation time, then the random bits of a version 4 UUID. */
export function formIdFrom(uuid: string, createdAt: Date): string {
  const time = createdAt.getTime().toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8, 12)}-8${uuid.slice(15)}`;
}

/** Builds the id of a new resource in a form: the form key, then the random tail of a UUID. */
export const idWithin = (formId: string, uuid: string): string => formKey(formId) + uuid.slice(18);

/**
 * Whether an id is that of a guest, a respondent of one form without an account: it is within the form, unlike the random
 * ids of accounts.
 */
export const isGuestId = (userId: string): boolean => userId[14] === '8';

/** The fourth groups of the ids of guests of whom there is an item: ones of a UUID, which the ids of other guests do not have. */
const NUMBERED_GROUP = 'be1e';
const ADDRESSED_GROUP = 'be1a';

/** Builds the id of a guest who is not invited, from random UUIDs. */
export function guestIdWithin(formId: string, uuid: () => string): string {
  for (;;) {
    const id = idWithin(formId, uuid());
    if (!isInvitedId(id)) return id;
  }
}

/** Builds the id of a guest of a form of whom there is an item from 32 hexadecimal digits; `isAddressed`: their address is known. */
export const invitedIdWithin = (formId: string, hex: string, isAddressed: boolean): string =>
  `${formKey(formId)}-${isAddressed ? ADDRESSED_GROUP : NUMBERED_GROUP}-${hex.slice(0, 12)}`;

/** Whether an id is that of a guest whose address is known. */
export const isAddressedId = (userId: string): boolean => isGuestId(userId) && userId.slice(19, 23) === ADDRESSED_GROUP;

/** Whether an id is that of a guest of whom there is an item: invited by an organization, or with an address that they have confirmed. */
export const isInvitedId = (userId: string): boolean =>
  isAddressedId(userId) || (isGuestId(userId) && userId.slice(19, 23) === NUMBERED_GROUP);

/** A shard of an id: its last hexadecimal digit, modulo the number of shards; 0 for a name. */
const chooseShard = (id: string, shards: number): number => (Number.parseInt(id.slice(-1), 16) || 0) % shards;

/** Writes the number of an invitation so that texts sort like numbers. */
const sortableNumber = (number: number): string => String(number).padStart(8, '0');

/** Sorts after every time and after every sort key of one time; stands for the deadline of a form without one. */
export const NEVER = '~';

export const keys = {
  account: (userId: string): Key => ({ pk: `USER#${userId}`, sk: 'ACCOUNT' }),
  /** Which count over all responses the person has asked for last. */
  ownCount: (userId: string): Key => ({ pk: `USER#${userId}`, sk: 'COUNTING' }),
  fileCount: (userId: string): Key => ({ pk: `USER#${userId}`, sk: 'FILES' }),
  email: (email: string): Key => ({ pk: `EMAIL#${email.toLowerCase()}`, sk: 'EMAIL' }),
  username: (username: string): Key => ({ pk: `USERNAME#${username.toLowerCase()}`, sk: 'USERNAME' }),
  refreshFamily: (familyId: string): Key => ({ pk: `REFRESH#${familyId}`, sk: 'REFRESH' }),
  idempotency: (userId: string, hash: string): Key => ({ pk: `IDEMPOTENCY#${userId}#${hash}`, sk: 'IDEMPOTENCY' }),
  organization: (orgId: string): Key => ({ pk: `ORG#${orgId}`, sk: 'ORG' }),
  member: (orgId: string, userId: string): Key => ({ pk: `ORG#${orgId}`, sk: `MEMBER#${userId}` }),
  memberMail: (orgId: string, userId: string): Key => ({ pk: `ORG#${orgId}`, sk: `MEMBERMAIL#${userId}` }),
  /** The job that ends the mails about new responses to a member who has left. */
  leaving: (orgId: string, userId: string): Key => ({ pk: `ORG#${orgId}`, sk: `LEFT#${userId}` }),
  /** How many bytes of files the organization stores. */
  storage: (orgId: string): Key => ({ pk: `ORG#${orgId}`, sk: 'STORAGE' }),
  /** How many mails the organization sends to guests, and how many come back. */
  guestMails: (orgId: string): Key => ({ pk: `ORG#${orgId}`, sk: 'GUESTMAILS' }),
  /** That an address gets no mails of the organization to guests. */
  noMail: (orgId: string, addressHash: string): Key => ({ pk: `ORG#${orgId}`, sk: `NOMAIL#${addressHash}` }),
  unitTree: (orgId: string): Key => ({ pk: `ORG#${orgId}`, sk: 'UNITS' }),
  unit: (unitId: string): Key => ({ pk: `UNIT#${unitId}`, sk: 'UNIT' }),
  slug: (slug: string): Key => ({ pk: `SLUG#${slug}`, sk: 'CURRENT' }),
  slugUsage: (slug: string, startedAt: string, orgId: string): Key => ({
    pk: `SLUG#${slug}`,
    sk: `USAGE#${startedAt}#${orgId}`,
  }),
  formHead: (formId: string): Key => ({ pk: `FORM#${formKey(formId)}`, sk: 'HEAD' }),
  formGate: (formId: string): Key => ({ pk: `FORM#${formKey(formId)}`, sk: 'GATE' }),
  formStructure: (formId: string): Key => ({ pk: `FORM#${formKey(formId)}`, sk: 'STRUCTURE' }),
  formAnswered: (formId: string): Key => ({ pk: `FORM#${formKey(formId)}`, sk: 'ANSWERED' }),
  formListing: (formId: string): Key => ({ pk: `FORM#${formKey(formId)}`, sk: 'LISTING' }),
  formChanges: (formId: string): Key => ({ pk: `FORM#${formKey(formId)}`, sk: 'CHANGES' }),
  /** The lists of versions and of archived changes; each structure is an item of its own. */
  formVersions: (formId: string): Key => ({ pk: `FORM#${formKey(formId)}`, sk: 'VERSIONS' }),
  formVersion: (formId: string, version: number): Key => ({
    pk: `FORM#${formKey(formId)}`,
    sk: `VERSION#${String(version).padStart(10, '0')}`,
  }),
  /** An edit that can be undone; its id begins with its time. */
  formUndo: (formId: string, undoId: string): Key => ({ pk: `FORM#${formKey(formId)}`, sk: `UNDO#${undoId}` }),
  /** When a submitted response was edited, cancelled or deleted last. */
  formEdited: (formId: string): Key => ({ pk: `FORM#${formKey(formId)}`, sk: 'EDITED' }),
  formViews: (formId: string): Key => ({ pk: `FORM#${formKey(formId)}`, sk: 'VIEWS' }),
  formHighlight: (formId: string): Key => ({ pk: `FORM#${formKey(formId)}`, sk: 'HIGHLIGHT' }),
  counters: (formId: string, shard: number): Key => ({ pk: `FORM#${formKey(formId)}`, sk: `COUNT#${shard}` }),
  answerCounters: (formId: string, epoch: number, group: string, shard: number): Key => ({
    pk: `FORM#${formKey(formId)}`,
    sk: `ANSWERS#${epoch}#${group}#${shard}`,
  }),
  /** How many bytes of files the guests of the form store. */
  guestStorage: (formId: string): Key => ({ pk: `FORM#${formKey(formId)}`, sk: 'GUESTSTORAGE' }),
  /** The key of the codes of invitations, and how many there are. */
  invitations: (formId: string): Key => ({ pk: `FORM#${formKey(formId)}`, sk: 'INVITATIONS' }),
  guest: (guestId: string): Key => ({ pk: `FORM#${formKey(guestId)}`, sk: `GUEST#${guestId}` }),
  /** The job that sends the invitations of the form. */
  sending: (formId: string): Key => ({ pk: `FORM#${formKey(formId)}`, sk: 'SENDING' }),
  guestMail: (guestId: string): Key => ({ pk: `FORM#${formKey(guestId)}`, sk: `GUESTMAIL#${guestId}` }),
  /** `address`: a hash of it. */
  linkMail: (formId: string, address: string): Key => ({ pk: `FORM#${formKey(formId)}`, sk: `LINKMAIL#${address}` }),
  invitedTogether: (formId: string, id: string): Key => ({ pk: `FORM#${formKey(formId)}`, sk: `INVITED#${id}` }),
  /** That an account has started a response to a form that takes one of each; what stays of it names nobody. */
  once: (formId: string, userId: string): Key => ({
    pk: `FORM#${formKey(formId)}`,
    sk: `ONCE#${sha256(`${formKey(formId)}#${userId}`, 'base64url')}`,
  }),
  recount: (formId: string): Key => ({ pk: `FORM#${formKey(formId)}`, sk: 'RECOUNT' }),
  /** The job that deletes what the form keeps for a limited time. */
  expiry: (formId: string): Key => ({ pk: `FORM#${formKey(formId)}`, sk: 'EXPIRY' }),
  /** The job that tells admins that the form will keep something for a shorter time, and the mail to one of them. */
  retention: (formId: string, userId = ''): Key => ({ pk: `FORM#${formKey(formId)}`, sk: `RETENTION#${userId}` }),
  /** The places of responses that were deleted for their age: nobody gets them. */
  keptPlaces: (formId: string): Key => ({ pk: `FORM#${formKey(formId)}`, sk: 'KEPTPLACES' }),
  /** How many places of a form with limits are taken. */
  places: (formId: string): Key => ({ pk: `FORM#${formKey(formId)}`, sk: 'PLACES' }),
  /** The job that counts the places that are taken. */
  placesCount: (formId: string): Key => ({ pk: `FORM#${formKey(formId)}`, sk: 'PLACESCOUNT' }),
  /** Who gets mails about new responses; `parts` name what belongs to these mails. */
  notices: (formId: string, ...parts: string[]): Key => ({
    pk: `FORM#${formKey(formId)}`,
    sk: ['NOTICES', ...parts].join('#'),
  }),
  /** A job that counts all responses that match; a form has a few places for them. */
  counting: (formId: string, place: number): Key => ({ pk: `FORM#${formKey(formId)}`, sk: `COUNTING#${place}` }),
  response: (responseId: string): Key => ({ pk: `RESPONSE#${responseId}`, sk: 'RESPONSE' }),
  /** Changes of a submitted response that were not sent yet. */
  pendingEdit: (responseId: string): Key => ({ pk: `RESPONSE#${responseId}`, sk: 'EDIT' }),
  tally: (responseId: string): Key => ({ pk: `RESPONSE#${responseId}`, sk: 'TALLY' }),
  uploads: (responseId: string, questionId: string): Key => ({
    pk: `RESPONSE#${responseId}`,
    sk: `UPLOADS#${questionId}`,
  }),
  /** `kind`: `email` or `spreadsheet`. */
  delivery: (responseId: string, kind: string): Key => ({ pk: `RESPONSE#${responseId}`, sk: `DELIVERY#${kind}` }),
  /** The mail that reminds of a draft. */
  reminder: (responseId: string): Key => ({ pk: `RESPONSE#${responseId}`, sk: 'REMINDER' }),
  sheetRow: (responseId: string, spreadsheetId: string): Key => ({
    pk: `RESPONSE#${responseId}`,
    sk: `ROW#${spreadsheetId}`,
  }),
  /** A row of a response that was deleted: its id in the spreadsheet, and the key of its form. */
  sheetClear: (responseId: string, spreadsheetId: string, rowId: number): Key => ({
    pk: `CLEAR#${spreadsheetId}#${formKey(responseId)}${rowId.toString(16).padStart(8, '0')}`,
    sk: 'CLEAR',
  }),
  sheetLease: (spreadsheetId: string): Key => ({ pk: `SHEET#${spreadsheetId}`, sk: 'LEASE' }),
  sheetOwner: (spreadsheetId: string): Key => ({ pk: `SHEET#${spreadsheetId}`, sk: 'OWNER' }),
  formBackfill: (formId: string): Key => ({ pk: `FORM#${formKey(formId)}`, sk: 'BACKFILL' }),
  formSpreadsheet: (formId: string): Key => ({ pk: `FORM#${formKey(formId)}`, sk: 'SPREADSHEET' }),
  file: (fileId: string): Key => ({ pk: `FILE#${fileId}`, sk: 'FILE' }),
  /** `owner`: the key of the response or form to which the object belongs. */
  cleanUp: (owner: Key, id: string): Key => ({ pk: owner.pk, sk: `CLEANUP#${id}` }),
  deletion: (owner: Key): Key => ({ pk: owner.pk, sk: 'DELETION' }),
  exportMail: (exportId: string): Key => ({ pk: `FORM#${formKey(exportId)}`, sk: `EXPORTMAIL#${exportId}` }),
  export: (exportId: string): Key => ({ pk: `FORM#${formKey(exportId)}`, sk: `EXPORT#${exportId}` }),
  identity: (provider: string, subject: string): Key => ({ pk: `IDENTITY#${provider}#${subject}`, sk: 'IDENTITY' }),
  /** `end`: of the window in which uses are counted, in epoch seconds. */
  rateLimit: (name: string, subject: string, end: number): Key => ({ pk: `RATE#${name}#${subject}`, sk: String(end) }),
  usedState: (stateId: string): Key => ({ pk: `STATE#${stateId}`, sk: 'STATE' }),
} as const;

/** Keys that only older code writes; what it stored is still read. */
export const olderKeys = {
  /** The live structure from which changes were begun, which is a version now. */
  formChangesBase: (formId: string): Key => ({ pk: `FORM#${formKey(formId)}`, sk: 'CHANGESBASE' }),
  /** Archived changes, which are versions now. */
  formAside: (formId: string, asideId: string): Key => ({ pk: `FORM#${formKey(formId)}`, sk: `ASIDE#${asideId}` }),
} as const;

/** The partitions of lists. */
export const partitions = {
  members: (orgId: string) => ({ pk: `ORG#${orgId}`, begins: 'MEMBER#' }),
  slugUsages: (slug: string) => ({ pk: `SLUG#${slug}`, begins: 'USAGE#' }),
  allOrganizations: () => ({ index: INDEX_1, pk: 'ORGS' }),
  formsOf: (orgId: string, status: string) => ({ index: INDEX_1, pk: `ORG#${orgId}#FORMS#${status}` }),
  publicForms: () => ({ index: INDEX_1, pk: 'FORMS#PUBLIC' }),
  publicFormsByDeadline: () => ({ index: INDEX_2, pk: 'FORMS#DEADLINE' }),
  responsesOfUser: (userId: string) => ({ index: INDEX_1, pk: `USER#${userId}#RESPONSES` }),
  responsesOfUserTo: (userId: string, formId: string) => ({
    index: INDEX_1,
    pk: `USER#${userId}#RESPONSES`,
    begins: `${formKey(formId)}#`,
  }),
  /** All items of a response, form or organization that are stored under its key. */
  itemsOf: (owner: Key) => ({ pk: owner.pk }),
  counters: (formId: string) => ({ pk: `FORM#${formKey(formId)}`, begins: 'COUNT#' }),
  undos: (formId: string) => ({ pk: `FORM#${formKey(formId)}`, begins: 'UNDO#' }),
  /** The counters of answers: all of them, those of an epoch, or those of a group in an epoch. */
  answerCounters: (formId: string, ...within: [] | [epoch: number] | [epoch: number, group: string]) => ({
    pk: `FORM#${formKey(formId)}`,
    begins: ['ANSWERS', ...within, ''].join('#'),
  }),
  identitiesOf: (userId: string) => ({ index: INDEX_1, pk: `USER#${userId}#IDENTITIES` }),
  sessionsOf: (userId: string) => ({ index: INDEX_1, pk: `USER#${userId}#SESSIONS` }),
  filesOfUser: (userId: string) => ({ index: INDEX_1, pk: `USER#${userId}#FILES` }),
  /** All shards of the responses of a form in one progress, sorted by the time of entering it. */
  responsesOf: (formId: string, progress: string) =>
    Array.from({ length: RESPONSE_SHARDS }, (_, shard) => ({
      index: INDEX_2,
      pk: `FORM#${formKey(formId)}#${progress}#${shard}`,
    })),
  /** The failed jobs of a form, of one kind. */
  failedJobs: (formId: string, kind: string) => ({
    index: INDEX_1,
    pk: `FORM#${formKey(formId)}#FAILED`,
    begins: `${kind}#`,
  }),
  /** All shards of the due jobs of a lane, by due time. */
  due: (lane: Lane) => DUE_SHARDS[lane].map((shard) => ({ index: INDEX_1, pk: `DUE#${shard}` })),
  /** The invited guests of a form by their numbers: all, or the one with a number. */
  guestsOf: (formId: string, number?: number) => ({
    index: INDEX_2,
    pk: `FORM#${formKey(formId)}#GUESTS`,
    ...(number !== undefined && { begins: `${sortableNumber(number)}#` }),
  }),
  /** The guests of a form who have confirmed an address and are not invited, by the time at which they did. */
  addressedOf: (formId: string) => ({ index: INDEX_2, pk: `FORM#${formKey(formId)}#ADDRESSED` }),
  exportsOf: (formId: string) => ({ index: INDEX_2, pk: `FORM#${formKey(formId)}#EXPORTS` }),
} as const;

/** The index keys of items. */
export const indexKeys = {
  organization: (createdAt: string, orgId: string): IndexKeys => ({ gsi1pk: 'ORGS', gsi1sk: `${createdAt}#${orgId}` }),
  form: (form: { id: string; orgId: string; status: string; createdAt: string }): IndexKeys => ({
    gsi1pk: `ORG#${form.orgId}#FORMS#${form.status}`,
    gsi1sk: `${form.createdAt}#${form.id}`,
  }),
  /** `deadlineOrder`: a text that sorts open forms in the order of the respondent's list. */
  listing: (form: { id: string; createdAt: string }, deadlineOrder: string): IndexKeys => ({
    gsi1pk: 'FORMS#PUBLIC',
    gsi1sk: `${form.createdAt}#${form.id}`,
    gsi2pk: 'FORMS#DEADLINE',
    gsi2sk: deadlineOrder,
  }),
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
    gsi2pk: `FORM#${formKey(response.formId)}#${response.progress}#${chooseShard(response.id, RESPONSE_SHARDS)}`,
    gsi2sk: `${response.submittedAt ?? response.createdAt}#${response.id}`,
  }),
  identity: (userId: string, provider: string, subject: string): IndexKeys => ({
    gsi1pk: `USER#${userId}#IDENTITIES`,
    gsi1sk: `${provider}#${subject}`,
  }),
  session: (userId: string, createdAt: string, familyId: string): IndexKeys => ({
    gsi1pk: `USER#${userId}#SESSIONS`,
    gsi1sk: `${createdAt}#${familyId}`,
  }),
  file: (file: { id: string; uploadedBy: string; createdAt: string }): IndexKeys => ({
    gsi1pk: `USER#${file.uploadedBy}#FILES`,
    gsi1sk: `${file.createdAt}#${file.id}`,
  }),
  guest: (guestId: string, number: number): IndexKeys => ({
    gsi2pk: `FORM#${formKey(guestId)}#GUESTS`,
    gsi2sk: `${sortableNumber(number)}#${guestId}`,
  }),
  addressed: (guestId: string, createdAt: string): IndexKeys => ({
    gsi2pk: `FORM#${formKey(guestId)}#ADDRESSED`,
    gsi2sk: `${createdAt}#${guestId}`,
  }),
  export: (exportId: string, createdAt: string): IndexKeys => ({
    gsi2pk: `FORM#${formKey(exportId)}#EXPORTS`,
    gsi2sk: `${createdAt}#${exportId}`,
  }),
  /** `id`: of the resource of the job; that of a form or of something in a form begins with the form key. */
  failedJob: (kind: string, queuedAt: string, id: string): IndexKeys => ({
    gsi1pk: `FORM#${formKey(id)}#FAILED`,
    gsi1sk: `${kind}#${queuedAt}#${id}`,
  }),
  due: (lane: Lane, dueAt: string, id: string): IndexKeys => ({
    gsi1pk: `DUE#${DUE_SHARDS[lane][chooseShard(id, DUE_SHARDS[lane].length)]}`,
    gsi1sk: `${dueAt}#${id}`,
  }),
} as const;

/** Returns the id at the end of a sort key. */
export const lastPart = (sortKey: string): string => sortKey.slice(sortKey.lastIndexOf('#') + 1);

/** Returns the spreadsheet in the key of a row to be cleared; undefined for other keys. */
export const clearedSheet = ({ pk }: Pick<Key, 'pk'>): string | undefined => /^CLEAR#([^#]*)#/.exec(pk)?.[1];

/** Converts a key to a text, for use in a Map. */
export const keyText = (key: Key): string => `${key.pk}\n${key.sk}`;
