/** Times in pages. */
import { dateTime } from '#core/schema/format.ts';
import { type Html, html } from './html.ts';
import type { View } from './view.ts';

/**
 * A time element: the configured zone, which the scripts of the page replace by the zone of the reader. The zone is named
 * where a reader must not be late.
 */
export const time = (view: Pick<View, 'language' | 'timeZone'>, iso: string, zone?: 'zone'): Html =>
  html`<time datetime="${iso}" data-local-time="${zone ?? ''}">${dateTime(view, iso, zone)}</time>`;
