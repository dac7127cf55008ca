/** The texts of the pages of organizations in English. */

import { MAX_DESCRIPTION, MAX_METADATA_BYTES, MAX_NAME, MAX_SLUG } from '#core/organizations/model.ts';
import { MAX_LEVELS } from '#core/organizations/unit-tree.ts';
import { formatNumber } from '#core/schema/format.ts';

type Extent = Record<'forms' | 'members' | 'units', number>;

const plural = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`;

export const organizersEn = {
  pages: {
    label: 'Pages of the organization',
    forms: 'Forms',
    members: 'Members',
    units: 'Units',
    settings: 'Settings',
  },
  newForm: 'New form',
  forms: {
    editedBy: (name: string): string => `last edited by ${name}`,
    more: 'More',
    duplicate: 'Duplicate',
    archive: 'Archive',
    unarchive: 'Make it a draft again',
    fromTemplate: 'Start from a template',
  },
  done: {
    created: 'The organization was created.',
    saved: 'Saved.',
    memberAdded: 'The person is a member now.',
    memberMailed: 'The person is a member now, and gets a mail that says so.',
    roleChanged: 'The role was changed.',
    left: 'You are no longer a member of the organization.',
    memberRemoved: 'The person is no longer a member.',
    unitCreated: 'The unit was created.',
    unitMoved: 'The unit was moved.',
    unitDeleted: 'The unit was deleted. What was below it moved up.',
    archived: 'The form is archived. It takes no responses.',
    unarchived: 'The form is a draft again.',
    organizationDeleted: 'The organization is being deleted.',
  },
  readOnly: 'Only admins of the organization can change this.',
  welcome: {
    title: 'Welcome',
    lead: 'Make a form, share its link, and see the responses here.',
    submit: 'Create a form',
    organization: (name: string): string => (name === '' ? 'My forms' : `Forms of ${name}`),
    hint: (organization: string): string =>
      `Forms belong to an organization. Yours will be called “${organization}”: rename it and add people whenever you like. Or begin with a name of your own:`,
  },
  create: {
    title: 'New organization',
    lead: 'An organization owns forms. Its members build them and review the responses.',
    submit: 'Create organization',
    operatorsOnly: 'Only operators create organizations in this installation.',
    tooMany: 'You are in as many organizations as one person can be in.',
  },
  settings: {
    title: 'Settings',
    name: 'Name',
    nameInvalid: `Enter a name of 1 to ${MAX_NAME} characters on one line`,
    description: 'Description',
    descriptionHint: 'What the organization does. Members see it.',
    descriptionInvalid: `Enter a description of at most ${formatNumber(MAX_DESCRIPTION)} characters`,
    slug: 'Address',
    slugHint: `The part of links that names the organization: 1 to ${MAX_SLUG} letters without accents, digits, hyphens or underscores.`,
    slugEmpty: 'Empty: it is made from the name.',
    slugInvalid: `Enter an address of 1 to ${MAX_SLUG} letters without accents, digits, hyphens or underscores, other than “me” and “relations”`,
    slugAvailable: '“{slug}” is available.',
    slugTaken: 'Another organization uses this address. Enter another one',
    slugWarning: 'After a change, links with the old address stop working, and others can use it.',
    metadata: 'Further details',
    metadataHint: 'For programs that use the API: a name and a value each. Empty rows are left out.',
    key: (row: number): string => `Name ${row}`,
    value: (row: number): string => `Value ${row}`,
    json: 'JSON',
    metadataInvalid: `Use each name once, and at most ${formatNumber(MAX_METADATA_BYTES)} bytes in all`,
    objectHint: 'For programs that use the API, as a JSON object: some of it does not fit rows of a name and a value.',
    objectInvalid: `Enter a JSON object of at most ${formatNumber(MAX_METADATA_BYTES)} bytes`,
    jsonInvalid: 'A value that is marked as JSON must stay valid JSON',
    history: 'Earlier addresses of this name',
    historyOf: (slug: string): string => `Who has used “${slug}”`,
    since: 'since',
    until: 'until',
    delete: 'Delete this organization',
  },
  members: {
    title: 'Members',
    email: 'E-mail address of a new member',
    emailHint: 'Of a person who has signed in here before, who gets a mail. Ask others to sign in once.',
    emailInvalid: 'Enter an e-mail address, such as name@example.org',
    emailUnknown: 'Nobody who has signed in uses this address. Ask the person to sign in once, then add them',
    tooMany: 'This person is in as many organizations as one person can be in',
    submit: 'Add',
    roles: { ADMIN: 'Admin', MEMBER: 'Member' },
    roleHint: 'Admins change settings, members and units. Members build forms and review responses.',
    you: 'you',
    makeAdmin: 'Make admin',
    makeMember: 'Make member',
    remove: 'Remove',
    lastAdmin: 'The last admin stays: make somebody else an admin first.',
    gone: 'This person is no longer a member.',
    unnamed: 'No name yet',
    more: 'More members',
    removeTitle: (name: string): string => `Remove ${name}?`,
    removeLead: 'The person loses access to the forms and responses of this organization. What they made stays.',
    leaveTitle: 'Remove yourself?',
    leaveLead: 'You lose access to the forms and responses of this organization. What you made stays.',
    removeSubmit: 'Remove',
  },
  units: {
    title: 'Units',
    lead: 'Units arrange an organization: departments, sites, teams.',
    none: 'There are no units yet.',
    descriptionHint: 'What the unit does. Members see it.',
    add: 'Add a unit',
    edit: 'Edit',
    moveUnder: 'Below',
    root: 'The organization itself',
    move: 'Move',
    submit: 'Add unit',
    moveRefused: `A unit cannot be below itself or below one of its own units, and there are at most ${MAX_LEVELS} levels`,
    parentRefused: `Choose another unit above: this one was deleted meanwhile, or is at the lowest of the ${MAX_LEVELS} levels`,
    tooMany: 'The organization has as many units as it can have',
    shown: (shown: number, all: number): string =>
      `${shown} of ${plural(all, 'unit', 'units')} are listed. Open a unit to see those below it.`,
    below: 'Units below',
    delete: 'Delete this unit',
    deleteTitle: (name: string): string => `Delete the unit ${name}?`,
    deleteLead: (count: number): string =>
      count === 0 ? 'Nothing is below it.' : `${plural(count, 'unit', 'units')} directly below it move up one level.`,
    deleteSubmit: 'Delete unit',
  },
  delete: {
    title: (name: string): string => `Delete ${name}?`,
    lead: 'All forms, responses, files, exports, units and memberships of the organization are deleted. This cannot be undone.',
    /** Numbers above `max` are not counted further. */
    extent: ({ forms, members, units }: Extent, max: number): string => {
      const upTo = (count: number, one: string, many: string) =>
        count > max ? `more than ${max} ${many}` : plural(count, one, many);
      return `It has ${upTo(forms, 'form', 'forms')}, ${upTo(members, 'member', 'members')} and ${upTo(units, 'unit', 'units')}.`;
    },
    typeName: (name: string): string => `Type the name of the organization: ${name}`,
    nameWrong: 'Type the name exactly as it is shown',
    submit: 'Delete everything',
  },
  account: {
    title: 'Your account',
    names: 'Names',
    signIns: 'Sign-ins',
    signInsHint:
      'A service is linked when you first sign in with it. The same verified address leads to the same account.',
    noSignIns: 'No service is set up to sign in with.',
    linkedSince: 'Linked since',
    notLinked: 'Not linked',
    sessions: 'Where you are signed in',
    sessionsHint:
      'A browser stays signed in for a month after its last use, and for 90 days at most. After signing out everywhere, another browser can still show pages for up to an hour.',
    lastUsed: 'Last used',
    signedInSince: 'signed in',
    thisBrowser: 'this browser',
    signOutEverywhere: 'Sign out everywhere',
    emails: 'E-mail addresses',
    emailsHint: 'They come from the services with which you sign in.',
    noEmails: 'There is no e-mail address.',
    organizations: 'Your organizations',
    admin: 'admin',
  },
};

export type OrganizersText = typeof organizersEn;
