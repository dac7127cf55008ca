/** Operations of organizations, their slugs and members. */
import * as z from 'zod';
import { User } from '#core/accounts/model.ts';
import { GuestMails } from '#core/organizations/guest-mails-model.ts';
import {
  MemberAdded,
  MemberChanged,
  MemberInput,
  Organization,
  OrganizationInput,
  RoleInput,
  SlugRecord,
  SlugStatus,
} from '#core/organizations/model.ts';
import { ArrayListQuery, ListQuery, schema } from '#core/schema/schema.ts';
import { declare } from './declare.ts';

const Organizations = schema(() => z.array(Organization()));
const Users = schema(() => z.array(User()));

export const orgs = declare('orgs', {
  listOrganizations: {
    method: 'GET',
    path: '/orgs',
    summary: 'List all organizations (operators), or those of the current user',
    access: { credential: 'user' },
    needs: ['table:read', 'table:list'],
    query: ArrayListQuery,
    success: { status: 200, description: 'Organizations, oldest first.', body: Organizations, link: true },
  },
  listMyOrganizations: {
    method: 'GET',
    path: '/orgs/me',
    summary: 'List the organizations of the current user',
    access: { credential: 'user' },
    needs: ['table:read'],
    query: ArrayListQuery,
    success: { status: 200, description: 'Organizations, by identifier.', body: Organizations, link: true },
  },
  createOrganization: {
    method: 'POST',
    path: '/orgs',
    summary: 'Create an organization; its creator becomes its admin',
    description:
      'A person can create 20 organizations beyond the number to which others can add them (400, `too_many_organizations`).',
    access: { credential: 'user', onboarded: true },
    needs: ['table:read', 'table:write'],
    body: OrganizationInput,
    idempotent: true,
    success: { status: 201, description: 'The organization.', body: Organization },
    problems: { 409: 'The slug is in use, or the Idempotency-Key was used with another request.' },
  },
  getOrganization: {
    method: 'GET',
    path: '/orgs/{slug}',
    summary: 'Get an organization by its slug',
    access: { credential: 'user', target: 'organization' },
    needs: ['table:read'],
    success: { status: 200, description: 'The organization.', body: Organization },
  },
  updateOrganization: {
    method: 'PUT',
    path: '/orgs/{slug}',
    summary: 'Replace the fields of an organization, including its slug',
    description:
      'A new slug takes effect at once. The old one stops resolving, becomes available, and stays in the usage history.',
    access: { credential: 'user', target: 'organization', roles: ['admin'] },
    needs: ['table:read', 'table:write'],
    body: OrganizationInput,
    success: { status: 200, description: 'The updated organization.', body: Organization },
    problems: { 409: 'The slug is in use by another organization.' },
  },
  listMembers: {
    method: 'GET',
    path: '/orgs/{slug}/members',
    summary: 'List the members of an organization',
    access: { credential: 'user', target: 'organization', roles: ['member'] },
    needs: ['table:read', 'table:list'],
    query: ArrayListQuery,
    success: { status: 200, description: 'The members, by identifier.', body: Users, link: true },
  },
  addMember: {
    method: 'POST',
    path: '/orgs/{slug}/members',
    summary: 'Add a user to an organization by e-mail address',
    description:
      'A new member gets a mail that names the organization and who added them. Adding an existing member changes nothing, not even the role, and returns the same result. Of the member it shows only the address that was sent, and only the role `USER`. Somebody who is in 50 organizations (a setting) cannot be added to another one (400, `too_many_organizations`).',
    access: { credential: 'user', target: 'organization', roles: ['admin'] },
    needs: ['table:read', 'table:write'],
    body: MemberInput,
    idempotent: true,
    success: { status: 201, description: 'The organization and its member.', body: MemberAdded },
    problems: { 404: 'There is no such organization, or no user has this e-mail address.' },
  },
  deleteOrganization: {
    method: 'DELETE',
    path: '/orgs/{slug}',
    summary: 'Delete an organization with everything that belongs to it',
    description: 'If a deletion is interrupted, repeat the request to complete it.',
    access: { credential: 'user', target: 'organization', roles: ['admin', 'operator'] },
    needs: ['table:read', 'table:write'],
    success: { status: 204, description: 'The organization is deleted and its slug is available.' },
  },
  getGuestMails: {
    method: 'GET',
    path: '/orgs/{slug}/guest-mails',
    summary: 'Get how many mails an organization may send to guests, and whether they are paused',
    access: { credential: 'user', target: 'organization', roles: ['member'] },
    needs: ['table:read'],
    success: { status: 200, description: 'The mails of the organization.', body: GuestMails },
  },
  resumeGuestMails: {
    method: 'POST',
    path: '/orgs/{slug}/guest-mails/resume',
    summary: 'Resume the mails of an organization to guests after a pause',
    description: 'What came back before is not counted any more. Addresses that came back or have complained get none.',
    access: { credential: 'user', target: 'organization', roles: ['admin'] },
    needs: ['table:read', 'table:write'],
    success: { status: 200, description: 'The mails of the organization.', body: GuestMails },
  },
  getSlugStatus: {
    method: 'GET',
    path: '/orgs/{slug}/status',
    summary: 'Check whether a slug is available',
    access: { credential: 'user' },
    needs: ['table:read'],
    success: {
      status: 200,
      description: 'Whether the slug is available; otherwise the organization that uses it.',
      body: SlugStatus,
    },
  },
  getSlugHistory: {
    method: 'GET',
    path: '/orgs/{slug}/history',
    summary: 'Get the usage history of a slug, newest first',
    access: { credential: 'user' },
    needs: ['table:read', 'table:list'],
    query: ListQuery,
    success: {
      status: 200,
      description: 'The organization that uses the slug now, and the usage history.',
      body: SlugRecord,
    },
  },
  updateMember: {
    method: 'PATCH',
    path: '/orgs/{slug}/members/{memberId}',
    summary: "Change a member's role",
    access: { credential: 'user', target: 'organization', roles: ['admin'] },
    needs: ['table:read', 'table:write'],
    body: RoleInput,
    success: { status: 200, description: 'The member with the new role.', body: MemberChanged },
    problems: { 400: 'The role is invalid, or the member is the last admin.' },
  },
  removeMember: {
    method: 'DELETE',
    path: '/orgs/{slug}/members/{memberId}',
    summary: 'Remove a member from an organization',
    access: { credential: 'user', target: 'organization', roles: ['admin'] },
    needs: ['table:read', 'table:write'],
    success: { status: 204, description: 'The user is no longer a member.' },
    problems: { 400: 'The last admin cannot be removed.' },
  },
});
