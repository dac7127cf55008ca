/** Operations of organizations and their members (contract section 3). */
import * as z from 'zod';
import { User } from '#core/accounts/model.ts';
import { MemberAdded, MemberInput, Organization, OrganizationInput } from '#core/orgs/model.ts';
import { PageQuery, schema } from '#core/schema/model.ts';
import { declare } from './declare.ts';

const Organizations = schema(() => z.array(Organization()));
const Users = schema(() => z.array(User()));

const input = {
  name: 'Rivers of the North',
  description: 'Water quality, measured by volunteers',
  metadata: { contact: 'rivers@example.org' },
  slug: 'rivers',
};

export const orgs = declare('orgs', {
  listOrganizations: {
    method: 'GET',
    path: '/orgs',
    summary: 'List all organizations (operators), or those of the current user',
    access: { credential: 'user' },
    needs: ['table:read', 'table:list'],
    query: PageQuery,
    success: { status: 200, description: 'Organizations, oldest first.', body: Organizations, link: true },
  },
  listMyOrganizations: {
    method: 'GET',
    path: '/orgs/me',
    summary: 'List the organizations of the current user',
    access: { credential: 'user' },
    needs: ['table:read'],
    query: PageQuery,
    success: { status: 200, description: 'Organizations, by identifier.', body: Organizations, link: true },
  },
  createOrganization: {
    method: 'POST',
    path: '/orgs',
    summary: 'Create an organization; its creator becomes its admin',
    access: { credential: 'user', onboarded: true },
    needs: ['table:read', 'table:write'],
    body: OrganizationInput,
    idempotent: true,
    success: { status: 201, description: 'The organization.', body: Organization },
    problems: { 409: 'The slug is in use, or the Idempotency-Key was used with another request.' },
    example: { body: input },
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
    summary: 'Replace the fields of an organization, its slug among them',
    description: 'A new slug works at once; the old one stops resolving, is free, and stays in the usage history.',
    access: { credential: 'user', target: 'organization', roles: ['admin'] },
    needs: ['table:read', 'table:write'],
    body: OrganizationInput,
    success: { status: 200, description: 'The organization as it is now.', body: Organization },
    problems: { 409: 'The slug is in use by another organization.' },
    example: { body: input },
  },
  listMembers: {
    method: 'GET',
    path: '/orgs/{slug}/members',
    summary: 'List the members of an organization',
    access: { credential: 'user', target: 'organization', roles: ['member'] },
    needs: ['table:read', 'table:list'],
    query: PageQuery,
    success: { status: 200, description: 'The members, by identifier.', body: Users, link: true },
  },
  addMember: {
    method: 'POST',
    path: '/orgs/{slug}/members',
    summary: 'Add a user to an organization by e-mail address',
    description: 'Idempotent: adding a member again answers the same and leaves their role as it is.',
    access: { credential: 'user', target: 'organization', roles: ['admin'] },
    needs: ['table:read', 'table:write'],
    body: MemberInput,
    idempotent: true,
    success: { status: 201, description: 'The organization and its member.', body: MemberAdded },
    problems: { 404: 'There is no such organization, or no user has this e-mail address.' },
    example: { body: { email: 'bob@example.org' } },
  },
});
