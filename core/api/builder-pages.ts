/** The pages on which forms are created, set up and published. */
import { MAX_BODY_BYTES } from './declare.ts';
import { DETAILS_BYTES, declarePages, LIST, member, memberOfOrganization } from './declare-pages.ts';

/** A description of 64 KB and the other texts, percent-encoded. */
const SETTINGS_BYTES = 262_144;

const formDeleter = { credential: 'user', target: 'form', roles: ['admin', 'creator'] } as const;

export const builderPages = declarePages('builders', {
  showNewForm: { method: 'GET', path: '/o/{slug}/new', access: memberOfOrganization, needs: LIST },
  createForm: {
    method: 'POST',
    path: '/o/{slug}/new',
    creates: ['empty form', 'form from a template', 'copy of a form', 'form from a file'],
    access: { ...memberOfOrganization, onboarded: true },
    needs: [...LIST, 'table:write', 'covers:read', 'covers:write'],
    maxFormBytes: MAX_BODY_BYTES,
  },
  showOverview: { method: 'GET', path: '/build/{formId}', access: member, needs: LIST },
  changeStatus: {
    method: 'POST',
    path: '/build/{formId}',
    creates: ['duplicate'],
    access: member,
    needs: [...LIST, 'table:write', 'covers:read', 'covers:write'],
  },
  downloadDefinition: { method: 'GET', path: '/build/{formId}/definition', access: member, needs: LIST },
  showFormSettings: {
    method: 'GET',
    path: '/build/{formId}/settings',
    access: member,
    needs: [...LIST, 'sheets:call'],
  },
  changeFormSettings: {
    method: 'POST',
    path: '/build/{formId}/settings',
    access: member,
    needs: [...LIST, 'table:write', 'sheets:call'],
    maxFormBytes: SETTINGS_BYTES,
  },
  showLook: { method: 'GET', path: '/build/{formId}/look', access: member, needs: [...LIST, 'covers:read'] },
  changeLook: {
    method: 'POST',
    path: '/build/{formId}/look',
    access: member,
    needs: [...LIST, 'table:write', 'covers:read'],
  },
  changeCover: {
    method: 'POST',
    path: '/build/{formId}/cover',
    access: member,
    needs: [...LIST, 'table:write', 'covers:read', 'covers:write'],
    maxFormBytes: MAX_BODY_BYTES,
  },
  showShare: { method: 'GET', path: '/build/{formId}/share', access: member, needs: LIST },
  prefillLink: {
    method: 'POST',
    path: '/build/{formId}/share',
    access: member,
    needs: LIST,
    maxFormBytes: DETAILS_BYTES,
  },
  confirmFormDeletion: { method: 'GET', path: '/build/{formId}/delete', access: formDeleter, needs: LIST },
  deleteForm: { method: 'POST', path: '/build/{formId}/delete', access: formDeleter, needs: [...LIST, 'table:write'] },
});
