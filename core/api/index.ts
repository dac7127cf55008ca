/** All declared operations. Code and tests that cover every operation start from this list. */
import { auth } from './auth.ts';
import { connections } from './connections.ts';
import type { Declaration } from './declare.ts';
import { deliveries } from './deliveries.ts';
import { exportOperations } from './exports.ts';
import { files } from './files.ts';
import { forms } from './forms.ts';
import { guests } from './guests.ts';
import { health } from './health.ts';
import { invitations } from './invitations.ts';
import { orgs } from './orgs.ts';
import { questions } from './questions.ts';
import { responseLists } from './response-lists.ts';
import { responses } from './responses.ts';
import { sections } from './sections.ts';
import { units } from './units.ts';
import { users } from './users.ts';
import { views } from './views.ts';
import { workflow } from './workflow.ts';

export const api = {
  health,
  auth,
  users,
  orgs,
  units,
  forms,
  sections,
  questions,
  workflow,
  responses: { ...responses, ...responseLists },
  deliveries,
  files,
  guests,
  invitations,
  connections,
  views,
  exports: exportOperations,
};
export type Api = typeof api;

/** All operations, in the order of the nouns above. */
export const operations: readonly Declaration[] = Object.values(api).flatMap((noun): Declaration[] =>
  Object.values(noun),
);
