/** What one version writes for the other one, in the file that `SCENE` names. */
import { readFileSync, writeFileSync } from 'node:fs';
import type { Page } from '#test/emulator/respondent.ts';
import type { Sending } from '#test/support/requests.ts';
import { restoreScene, type Scene } from '#test/support/scene.ts';

/** A read and its result. */
export type Read = { operation: string; sending: Omit<Sending, 'declaration'>; status: number; body: unknown };

export type Written = {
  scene: Scene;
  /** What every operation of the method GET returned. */
  reads: readonly Read[];
  /** A submission of which a mail and a row are due, and an export that is queued. */
  submission: { formId: string; responseId: string; exportId: string };
  /** The page of a section that dave has open; `questionId` is on it. */
  open: { page: Page; questionId: string };
  /** A published form with changes that are not live yet. */
  changedFormId: string;
};

const file = (): string => process.env.SCENE ?? '';
const address = (): string => process.env.PUBLIC_URL ?? '';
const ADDRESS = '<address of the deployment>';

/** The address of the deployment is written by a name, because the other version has another one. */
export const write = (written: Written): void =>
  writeFileSync(file(), JSON.stringify(written).replaceAll(address(), ADDRESS));

export function read(): Written {
  const written: Written = JSON.parse(readFileSync(file(), 'utf8').replaceAll(ADDRESS, address()));
  return { ...written, scene: restoreScene(JSON.stringify(written.scene)) };
}

/** What the workers of the baseline may change after it was read. */
const CHANGED_BY_WORKERS = new Set(['spreadsheet', 'deliveries', 'state', 'attempts', 'counting']);

/** A body without what workers change, and without addresses, some of which are signed again for each request. */
export const withoutChanging = (body: unknown): unknown =>
  JSON.parse(
    JSON.stringify(body ?? null, (key, value) => {
      if (CHANGED_BY_WORKERS.has(key)) return undefined;
      return /^https?:/.test(String(value)) ? 'address' : value;
    }),
  );

/** What reads return since the baseline, which it cannot return; empty again when the baseline moves. */
const ADDED: Readonly<Record<string, ReadonlySet<string>>> = {};

/** A body without what the baseline cannot return. */
export const withoutAdded = (operation: string, body: unknown): unknown =>
  JSON.parse(JSON.stringify(body, (key, value) => (ADDED[operation]?.has(key) ? undefined : value)));
