/** The pages of respondents. */
import { MAX_BODY_BYTES } from './declare.ts';
import { anybody, declarePages, signedIn } from './declare-pages.ts';

const owner = { credential: 'user', target: 'response', roles: ['owner'] } as const;
const form = { credential: 'user', target: 'form' } as const;

export const respondentPages = declarePages('respondents', {
  showSignIn: { method: 'GET', path: '/sign-in', access: anybody, needs: ['table:read'] },
  signIn: { method: 'POST', path: '/sign-in', access: anybody, needs: ['table:read', 'table:write', 'tokens:sign'] },
  signOut: { method: 'POST', path: '/sign-out', access: anybody, needs: ['table:write'] },
  chooseLanguage: { method: 'POST', path: '/language', access: anybody, needs: [] },
  showOnboarding: { method: 'GET', path: '/onboarding', access: signedIn, needs: ['table:read'] },
  onboard: { method: 'POST', path: '/onboarding', access: signedIn, needs: ['table:read', 'table:write'] },
  showLanding: {
    method: 'GET',
    path: '/f/{formId}',
    access: form,
    needs: ['table:read', 'table:list', 'covers:read'],
  },
  start: {
    method: 'POST',
    path: '/f/{formId}/start',
    creates: ['response'],
    access: form,
    needs: ['table:read', 'table:list', 'table:write'],
  },
  continueResponse: { method: 'GET', path: '/r/{responseId}', access: owner, needs: ['table:read'] },
  showSection: {
    method: 'GET',
    path: '/r/{responseId}/s/{sectionId}',
    access: owner,
    needs: ['table:read', 'files:write'],
  },
  saveSection: {
    method: 'POST',
    path: '/r/{responseId}/s/{sectionId}',
    access: owner,
    needs: ['table:read', 'table:write', 'files:read', 'files:write', 'files:remove'],
    maxFormBytes: MAX_BODY_BYTES,
  },
  checkAnswers: { method: 'GET', path: '/r/{responseId}/check', access: owner, needs: ['table:read'] },
  submit: { method: 'POST', path: '/r/{responseId}/submit', access: owner, needs: ['table:read', 'table:write'] },
  confirmWithdrawal: { method: 'GET', path: '/r/{responseId}/withdraw', access: owner, needs: ['table:read'] },
  confirmDraftDeletion: { method: 'GET', path: '/r/{responseId}/delete', access: owner, needs: ['table:read'] },
  deleteDraft: {
    method: 'POST',
    path: '/r/{responseId}/delete',
    access: owner,
    needs: ['table:read', 'table:write', 'table:remove'],
  },
  showDone: { method: 'GET', path: '/r/{responseId}/done', access: owner, needs: ['table:read'] },
  cancelSubmission: {
    method: 'POST',
    path: '/r/{responseId}/cancel',
    access: owner,
    needs: ['table:read', 'table:write'],
  },
  downloadFile: {
    method: 'GET',
    path: '/files/{fileId}',
    access: { credential: 'user', target: 'file' },
    needs: ['table:read', 'files:read'],
  },
});
