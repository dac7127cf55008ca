/** The context of every template: the reader, their language and the request. */
import { formatDateTime, type Language } from '#core/schema/format.ts';
import type { Text } from '../text/en.ts';
import { declareTexts, loadTexts } from '../text/texts.ts';
import { type Html, html } from './html.ts';

export type PageContext = {
  language: Language;
  /** All texts in the language of the reader. */
  t: Text;
  /** The zone of times without scripts, which is named with each of them. */
  timeZone: string;
  /** The names of the services at which accounts are connected, by provider. */
  connectTitles: Readonly<Partial<Record<string, string>>>;
  /** Allows the style element of a form's colours. */
  nonce: string;
  /** Whether the reader is signed in. */
  signedIn: boolean;
  /** Whether the reader has no account: a guest of the form, or somebody who may become one. */
  isGuest?: boolean;
  /** The name of the reader, if their account was read. */
  readerName?: string;
  /** Path and query of the page. */
  path: string;
  /** Whether the page is rendered from a posted form, so that nothing on it is known to be stored. */
  isPosted?: boolean;
  /** The address of the service, for links that are shared. */
  publicUrl: string;
  /** Now, for texts such as "closes in two days". */
  now: Date;
};

const getTexts = declareTexts<Text>({
  en: async () => (await import('../text/en.ts')).en,
  'zh-TW': async () => (await import('../text/zh-tw.ts')).zhTw,
});

/** Loads the texts of a language, also those that the templates look up themselves; returns its part of a context. */
export async function loadLanguage(language: Language): Promise<Pick<PageContext, 'language' | 't'>> {
  await loadTexts(language);
  return { language, t: getTexts({ language }) };
}

// Times in pages.

/**
 * Renders a time in the configured zone, which is named. The scripts of the page replace it by the time in the zone of the
 * reader; `zone` also names that one, where a reader must not be late.
 */
export const renderTime = (view: Pick<PageContext, 'language' | 'timeZone'>, iso: string, zone?: 'zone'): Html =>
  html`<time datetime="${iso}" data-local-time="${zone ?? ''}">${formatDateTime(view, iso, 'zone')}</time>`;
