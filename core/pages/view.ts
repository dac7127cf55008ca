/** What every template knows about its reader and its request. */
import type { Language } from '#core/schema/language.ts';
import { en, type Text } from './text/en.ts';
import { zhTw } from './text/zh-tw.ts';

export type View = {
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
