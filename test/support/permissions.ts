/**
 * The rules of what is visible to whom, by which the permissions of operations (`operations.ts`) are tried. Written from
 * the contract and not from the code, so that they can disagree with it.
 */
import { newAddressed } from './addresses.ts';
import { newGuest, type Person } from './fixtures.ts';
import { type Resources, type Scene, STATUSES, type Status } from './scene.ts';

/**
 * The target of an operation and who may call it; it succeeds at the form's statuses `in`, and is 400 at others. `guests`: a
 * guest of the form may, like any respondent; everywhere else they are 401.
 */
export type Permission = Unlisted | (Unlisted & { guests: true });
type Unlisted =
  | { on: 'nothing'; who: 'everybody' | 'signed in' | 'onboarded' }
  | { on: 'organization'; who: 'signed in' | 'member' | 'onboarded member' | 'admin' | 'admin or operator' }
  | { on: 'unit'; who: 'admin' }
  | { on: 'form'; who: 'reader' | 'member' | 'admin' | 'admin or creator'; in?: readonly Status[] }
  | { on: 'response'; who: 'owner' | 'member' | 'owner or member' | 'admin or creator'; in?: readonly Status[] }
  | { on: 'export'; who: 'requester or admin' }
  /** `ownerIn`: the statuses at which it succeeds for its owner; for others it does at all. */
  | { on: 'file'; who: 'owner or member or operator' | 'owner or admin'; ownerIn?: readonly Status[] };

/** Who sends a request: somebody of the organization, or nobody. */
export type Sender = 'admin' | 'member' | 'respondent' | 'nobody';

/** Who sends the valid request of an operation: the least of those who may. */
export function senderOf({ who }: Permission): Sender {
  if (who === 'everybody') return 'nobody';
  if (who.startsWith('admin')) return 'admin';
  return /^(?:onboarded )?member|^requester/.test(who) ? 'member' : 'respondent';
}

/**
 * The cast as rows of the matrix, a guest of the form that a request is about, and one of another form of the same
 * organization. The guests have no response.
 */
export const PEOPLE = [
  ...['nobody', 'chelsea', 'dave', 'erin', 'bob', 'alice', 'oscar'],
  ...['guest', 'guest of another form', 'guest by address', 'guest by address of another form'],
] as readonly Name[];
export type Name = 'nobody' | 'chelsea' | 'dave' | 'erin' | 'bob' | 'alice' | 'oscar' | GuestName;
type GuestName = `guest${'' | ' by address'}${'' | ' of another form'}`;

const isGuest = (name: Name): name is GuestName => name.startsWith('guest');

/**
 * Who is tried on a target: everybody of the cast on own forms, and of those who are the same to a target, as all are to
 * a foreign one, those who would gain the most from a gap.
 */
export function peopleOf({ side, status, maker }: Target): readonly Name[] {
  if (maker === 'bob') return ['bob', 'alice'];
  if (side === 'foreign') return ['dave', 'alice', 'oscar', ...PEOPLE.filter(isGuest)];
  return status === 'PUBLISHED' ? PEOPLE : PEOPLE.filter((name) => name !== 'nobody');
}

/** Whether a guest is one of the form that is asked about. */
const isOfForm = (name: Name): boolean => name === 'guest' || name === 'guest by address';

const addressed = new Map<string, Promise<Person>>();

/** The guest of a form who has confirmed an address: the same one for all requests, as they are stored. */
function addressedOf(formId: string): Promise<Person> {
  const guest = addressed.get(formId) ?? newAddressed(formId);
  addressed.set(formId, guest);
  return guest;
}

/** Somebody of the cast, or a guest, as requests on a form take them. */
export async function personOf(scene: Scene, name: Name, { formId }: Pick<Resources, 'formId'>) {
  if (name === 'nobody') return name;
  if (!isGuest(name)) return scene.cast[name];
  const ofForm = isOfForm(name) ? formId : scene.madeByMember.formId;
  return name.startsWith('guest by address') ? addressedOf(ofForm) : newGuest(ofForm);
}

/** What a request is about: whose it is, who made it, and in which status its form is. */
export type Target = { name: string; side: 'own' | 'foreign'; status: Status; maker: Name | 'stranger' };

const TARGETS: readonly Target[] = [
  ...STATUSES.flatMap((status): Target[] => [
    { name: `own ${status}`, side: 'own', status, maker: 'alice' },
    { name: `foreign ${status}`, side: 'foreign', status, maker: 'stranger' },
  ]),
  { name: 'own PUBLISHED made by bob', side: 'own', status: 'PUBLISHED', maker: 'bob' },
];

/** Everything that an operation can be about: forms in every status, or just an organization. */
export const targetsOf = ({ on }: Permission): readonly Target[] =>
  ['form', 'response', 'file', 'export'].includes(on)
    ? TARGETS
    : TARGETS.filter(({ status, maker }) => status === 'PUBLISHED' && maker !== 'bob');

/** The resources of a target in a scene. */
export const resourcesOf = (scene: Scene, { side, status, maker }: Target): Resources =>
  maker === 'bob' ? scene.madeByMember : scene[side][status];

/** What somebody is to a target. */
function rolesTo({ side, maker }: Target, name: Name): ReadonlySet<string> {
  const isMember = side === 'own' && (name === 'bob' || name === 'alice');
  const roles = {
    'signed in': name !== 'nobody' && !isGuest(name),
    onboarded: name !== 'nobody' && !isGuest(name),
    operator: name === 'oscar',
    member: isMember,
    admin: side === 'own' && name === 'alice',
    creator: isMember && name === maker,
    respondent: side === 'own' && (name === 'dave' || name === 'erin'),
    owner: side === 'own' && name === 'dave',
    requester: side === 'own' && name === 'bob',
  };
  return new Set(Object.entries(roles).flatMap(([role, has]) => (has ? [role] : [])));
}

const VISIBLE_TO = {
  form: ['member', 'respondent'],
  response: ['owner', 'member'],
  unit: ['member'],
  file: ['owner', 'member', 'operator'],
  export: ['requester', 'admin'],
};

/** Whether a target is visible; organizations and PUBLISHED forms are to everybody who is signed in. */
function isVisible(on: Permission['on'], target: Target, roles: ReadonlySet<string>): boolean {
  if (on === 'nothing' || on === 'organization' || (on === 'form' && target.status === 'PUBLISHED')) return true;
  return VISIBLE_TO[on].some((role) => roles.has(role));
}

/** Whether a caller has one of the roles; a reader is everybody to whom the resource is visible. */
const isOneOf = (who: Permission['who'], roles: ReadonlySet<string>): boolean =>
  who === 'everybody' ||
  who === 'reader' ||
  who
    .replace('onboarded ', '')
    .split(' or ')
    .some((role) => roles.has(role));

/** A guest without a response sees the published form, like everybody, and nothing that belongs to somebody. */
function expectedOfGuest({ on, ...permission }: Permission, { status }: Target): 'success' | 404 {
  return on === 'form' && status === 'PUBLISHED' && permission.who === 'reader' ? 'success' : 404;
}

/** The status of the response; `success` stands for the one that the operation declares. */
export function expectedStatus(permission: Permission, target: Target, name: Name): 'success' | 400 | 401 | 403 | 404 {
  const roles = rolesTo(target, name);
  if (isOfForm(name) && 'guests' in permission) return expectedOfGuest(permission, target);
  if (permission.who !== 'everybody' && !roles.has('signed in')) return 401;
  if (!isVisible(permission.on, target, roles)) return 404;
  if (!isOneOf(permission.who, roles)) return 403;
  if ('ownerIn' in permission && !roles.has('admin') && !permission.ownerIn?.includes(target.status)) return 400;
  const statuses = 'in' in permission ? permission.in : undefined;
  return statuses && !statuses.includes(target.status) ? 400 : 'success';
}
