/** Operations of units and their tree. */
import * as z from 'zod';
import { Unit, UnitInput, UnitLink, UnitQuery } from '#core/organizations/model.ts';
import { Id, schema } from '#core/schema/schema.ts';
import { declare } from './declare.ts';

const Units = schema(() => z.array(Unit()));
const Ids = schema(() => z.array(Id()));

const memberOfOrganization = { credential: 'user', target: 'organization', roles: ['member'] } as const;
const adminOfOrganization = { credential: 'user', target: 'organization', roles: ['admin'] } as const;
const memberOfUnit = { credential: 'user', target: 'unit', roles: ['member'] } as const;
const adminOfUnit = { credential: 'user', target: 'unit', roles: ['admin'] } as const;

const parentProblems = { 404: 'There is no such organization or unit.' };

export const units = declare('units', {
  listUnits: {
    method: 'GET',
    path: '/orgs/{slug}/units',
    summary: 'List the units at the root of an organization, or the children of `parentId`',
    access: memberOfOrganization,
    needs: ['table:read'],
    query: UnitQuery,
    success: { status: 200, description: 'Units, oldest first.', body: Units, link: true },
    problems: parentProblems,
  },
  listUnitIds: {
    method: 'GET',
    path: '/orgs/{slug}/unit-ids',
    summary: 'List the IDs of the units at the root of an organization, or of the children of `parentId`',
    access: memberOfOrganization,
    needs: ['table:read'],
    query: UnitQuery,
    success: { status: 200, description: 'Unit IDs, oldest first.', body: Ids, link: true },
    problems: parentProblems,
  },
  createUnit: {
    method: 'POST',
    path: '/orgs/{slug}/units',
    summary: 'Create a unit at the root of an organization',
    access: adminOfOrganization,
    needs: ['table:read', 'table:write'],
    body: UnitInput,
    idempotent: true,
    success: { status: 201, description: 'The unit.', body: Unit },
  },
  getUnit: {
    method: 'GET',
    path: '/orgs/{slug}/units/{unitId}',
    summary: 'Get a unit',
    access: memberOfUnit,
    needs: ['table:read'],
    success: { status: 200, description: 'The unit.', body: Unit },
  },
  updateUnit: {
    method: 'PUT',
    path: '/orgs/{slug}/units/{unitId}',
    summary: 'Replace the fields of a unit',
    access: adminOfUnit,
    needs: ['table:read', 'table:write'],
    body: UnitInput,
    success: { status: 200, description: 'The updated unit.', body: Unit },
  },
  deleteUnit: {
    method: 'DELETE',
    path: '/orgs/{slug}/units/{unitId}',
    summary: 'Delete a unit; its children move to its parent',
    access: adminOfUnit,
    needs: ['table:read', 'table:write'],
    success: { status: 204, description: 'The unit is deleted.' },
  },
  listSubunits: {
    method: 'GET',
    path: '/orgs/{slug}/units/{unitId}/subunits',
    summary: 'List the direct children of a unit, or of its descendant `parentId`',
    access: memberOfUnit,
    needs: ['table:read'],
    query: UnitQuery,
    success: { status: 200, description: 'Units, oldest first.', body: Units, link: true },
    problems: { 404: 'There is no such organization or unit, or `parentId` is not below the unit.' },
  },
  listSubunitIds: {
    method: 'GET',
    path: '/orgs/{slug}/units/{unitId}/subunit-ids',
    summary: 'List the IDs of the direct children of a unit, or of its descendant `parentId`',
    access: memberOfUnit,
    needs: ['table:read'],
    query: UnitQuery,
    success: { status: 200, description: 'Unit IDs, oldest first.', body: Ids, link: true },
    problems: { 404: 'There is no such organization or unit, or `parentId` is not below the unit.' },
  },
  linkUnits: {
    method: 'POST',
    path: '/orgs/relations',
    summary: 'Move a unit under another one, or to the root',
    description: 'Rejects cycles, a unit as its own parent, units of other organizations, and more than 32 levels.',
    access: { credential: 'user' },
    needs: ['table:read', 'table:write'],
    body: UnitLink,
    idempotent: true,
    success: { status: 201, description: 'The link.', body: UnitLink },
    problems: { 403: 'The caller is not an admin of the organization.', 404: 'There is no such organization.' },
  },
  unlinkUnit: {
    method: 'DELETE',
    path: '/orgs/relations/child-id/{childId}',
    summary: 'Move a unit to the root',
    access: adminOfUnit,
    needs: ['table:read', 'table:write'],
    success: { status: 204, description: 'The unit is at the root.' },
  },
});
