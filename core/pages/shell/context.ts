/** What every template knows about its reader and its request. */
import { formatDateTime, type Language } from '#core/schema/format.ts';
import { en, type Text } from '../text/en.ts';
import { zhTw } from '../text/zh-tw.ts';
import { type Html, html } from './html.ts';

export type PageContext = {
  language: Language;
  /** All texts in the language of the reader. */
  t: Text;
  /** The zone of times without scripts. */
  timeZone: string;
  /** Allows the style element of a form's colours. */
  nonce: string;
  /** Whether the reader is signed in. */
  signedIn: boolean;
  /** Path and query of the page. */
  path: string;
  /** The address of the service, for links that are shared. */
  publicUrl: string;
  /** Now, for texts such as "closes in two days". */
  now: Date;
};

/** The texts of a language. */
export const textOf = (language: Language): Text => (language === 'en' ? en : zhTw);

// Times in pages.

/**
 * A time element: the configured zone, which the scripts of the page replace by the zone of the reader. The zone is named
 * where a reader must not be late.
 */
export const time = (view: Pick<PageContext, 'language' | 'timeZone'>, iso: string, zone?: 'zone'): Html =>
  html`<time datetime="${iso}" data-local-time="${zone ?? ''}">${formatDateTime(view, iso, zone)}</time>`;
