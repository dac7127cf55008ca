/** The versions of a form: the list of what was published when and by whom, and one version with the way back to it. */
import type { Account } from '#core/accounts/model.ts';
import type { ArchivedChanges, KeptVersion } from '#core/structure/versions.ts';
import type { PageContext } from '../shell/context.ts';
import { type Html, html } from '../shell/html.ts';
import { getVersionsTexts } from '../text/versions.ts';
import { differenceList } from './changes.ts';
import { buildHref } from './frame.ts';

export type People = ReadonlyMap<string, Account>;

/** The addresses of the pages. */
export const versionsHref = (formId: string): string => `${buildHref(formId)}/versions`;

export const versionHref = (formId: string, version: number): string => `${versionsHref(formId)}/${version}`;

export type Listed = KeptVersion | ArchivedChanges;

/** Says who published or replaced a version, or why changes were archived. */
export function describeKept(context: PageContext, { kind, by }: Listed, people: People): string {
  const { versions: texts } = getVersionsTexts(context);
  return texts.by[kind](people.get(by)?.name || people.get(by)?.username || texts.somebody);
}

export const isArchived = (kept: Listed): kept is ArchivedChanges => 'expiresAt' in kept;

/** Names a version by its time: its number counts edits, so the first one that was published may have the number 59. */
export const nameOf = (context: PageContext, kept: Listed): string => {
  const { versions: texts } = getVersionsTexts(context);
  return isArchived(kept) ? texts.archived.of : texts.of;
};

type Differing = Pick<KeptVersion, 'differences' | 'moreDifferences'>;

export function keptDifferences(context: PageContext, { differences, moreDifferences }: Differing): Html {
  const { versions: texts } = getVersionsTexts(context);
  return html`${differences.length > 0 && differenceList(context, differences)}
${moreDifferences > 0 && html`<p class="muted small">${texts.more(moreDifferences)}</p>`}`;
}
