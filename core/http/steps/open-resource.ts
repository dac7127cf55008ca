/** Opens the resource of the path: 404 when it is absent or not visible to the caller, then 403 for the wrong role. */
import type { Access, Opened, Opener } from '#core/access/access.ts';
import { type Declaration, parameterNames } from '#core/api/declare.ts';
import { problems } from '#core/problems/problems.ts';
import type { App } from '../app.ts';
import { readParams } from '../request.ts';
import type { Step } from '../state.ts';

/** Opens the resource of the path into the state. Throws what the opener throws. */
export function openResource(
  declaration: Pick<Declaration, 'path' | 'access'>,
  open: Opener<Record<never, never>, App>,
): Step {
  const names = parameterNames(declaration.path);
  return {
    before: async ({ event, internal }) => {
      internal.params = readParams(event, names);
      const { params, user, guest, app, input, idempotency } = internal;
      const { rawQueryString: rawQuery } = event;
      const call = { params, rawQuery, user, guest, access: declaration.access, app, input };
      internal.opened = await open({ ...call, isRepeated: idempotency?.isRepeated });
    },
  };
}

/** Checks the caller's role. Throws 403. */
export const requireRole = ({ access }: Pick<Declaration, 'access'>): Step => ({
  before: ({ internal }) => checkRole(access, internal.opened),
});

function checkRole(access: Access, opened: Opened<Record<never, never>>): void {
  if (access.onboarded && !opened.onboarded) throw problems.onboardingRequired();
  if (!access.roles || access.roles.some((role) => opened.roles.includes(role))) return;
  throw problems.forbidden(`This action is only for: ${access.roles.map((role) => ROLE_NAMES[role]).join(', ')}.`);
}

const ROLE_NAMES = {
  operator: 'operators of this installation',
  admin: 'admins of the organization',
  member: 'members of the organization',
  creator: 'the member who created it',
  owner: 'its owner',
  reader: 'people who can see it',
} as const;
