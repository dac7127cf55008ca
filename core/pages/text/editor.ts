/** The texts of the page on which a form is edited, apart from the others so that no other function loads them. */
import type { EditorText } from './editor-en.ts';
import { declareTexts } from './texts.ts';

/** Returns the texts of the editor in the language of a reader. */
export const getEditorTexts = declareTexts<EditorText>({
  en: async () => (await import('./editor-en.ts')).editorEn,
  'zh-TW': async () => (await import('./editor-zh-tw.ts')).editorZhTw,
});
