/** The context of every template: the reader, their language and the request. */
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
  /** The name of the reader, if their account was read. */
  readerName?: string;
  /** Path and query of the page. */
  path: string;
  /** The address of the service, for links that are shared. */
  publicUrl: string;
  /** Now, for texts such as "closes in two days". */
  now: Date;
};

/** Returns the texts of a language. */
export const getTexts = (language: Language): Text => (language === 'en' ? en : zhTw);

// Times in pages.

/**
 * Renders a time in the configured zone, which the scripts of the page replace by the zone of the reader. `zone` names the
 * zone, where a reader must not be late.
 */
export const renderTime = (view: Pick<PageContext, 'language' | 'timeZone'>, iso: string, zone?: 'zone'): Html =>
  html`<time datetime="${iso}" data-local-time="${zone ?? ''}">${formatDateTime(view, iso, zone)}</time>`;
