/**
 * What is wrong with the definition of a form in a file, in both languages. The domain says it in English, as for the API; a
 * fault that has no translation stays in English.
 */
import type { Language } from '#core/schema/format.ts';

/** Patterns of English faults with their translation, in which `$1` is what varies. */
const ZH_TW: readonly (readonly [fault: RegExp, text: string])[] = [
  [/^is required$/, '為必填'],
  [/^is required of a (.+) question$/, '為 $1 題型所必填'],
  [/^is not valid$/, '無效'],
  [/^must be a string$/, '必須是文字'],
  [/^must be a(?: whole)? number$/, '必須是數字'],
  [/^must be true or false$/, '必須是 true 或 false'],
  [/^must be an array$/, '必須是陣列'],
  [/^must be an object$/, '必須是物件'],
  [/^must be a UUID$/, '必須是 UUID'],
  [/^must be (".*"): this is not a form definition$/, '必須是 $1：這不是表單的定義'],
  [/^must be (.+): this definition was made by another version$/, '必須是 $1：這份定義由其他版本產生'],
  [/^must be one of: (.+)$/, '必須是下列之一：$1'],
  [/^must be at most (\d+) characters?$/, '最多 $1 個字元'],
  [/^must be at most (\d+) items?$/, '最多 $1 項'],
  [/^must be at least (\d+) items?$/, '至少 $1 項'],
  [/^must be at most (-?\d+)$/, '最多為 $1'],
  [/^must be at least (-?\d+)$/, '至少為 $1'],
  [/^must be (\d+) to (\d+) characters$/, '必須有 $1 到 $2 個字元'],
  [/^must be (\d+) to (\d+) choices$/, '必須有 $1 到 $2 個選項'],
  [/^must have at most (\d+) questions$/, '最多 $1 題'],
  [/^must have at most (\d+) conditions$/, '最多 $1 個條件'],
  [/^must be one line without .*$/, '必須是一行文字，不可含控制字元、換行或書寫方向控制字元'],
  [/^must be valid Unicode text.*$/, '必須是有效的 Unicode 文字'],
  [/^must contain a visible character$/, '必須含有看得見的字元'],
  [/^must begin with (\S+)$/, '必須以 $1 開頭'],
  [/^must be the id of a font.*$/, '必須是字型的代號'],
  [/^must be a colour as #rgb or #rrggbb$/, '必須是 #rgb 或 #rrggbb 格式的顏色'],
  [/^is in use elsewhere in this definition$/, '在這份定義中已用於其他地方'],
  [/^is in use by an earlier view$/, '已用於前面的檢視'],
  [/^is a duplicate of .*$/, '與前面的項目重複'],
  [/^must contain exactly one node of type (\w+)$/, '必須恰有一個類型為 $1 的節點'],
  [/^must be the id of a node of type SECTION$/, '必須是類型為 SECTION 的節點'],
  [/^must be the id of a section$/, '必須是區段'],
  [/^must be the id of a node of this workflow$/, '必須是這份定義中的節點'],
  [/^must be a question of this (?:definition|form)$/, '必須是這份定義中的題目'],
  [/^must be a question with choices$/, '必須是有選項的題目'],
  [/^must be a question of type (.+)$/, '必須是下列題型之一：$1'],
  [/^must be (\w+) for a question of type (\w+)$/, '對於 $2 題型必須是 $1'],
  [/^must be 1 for a (\w+) question$/, '對於 $1 題型必須是 1'],
  [/^must be true for at most one choice$/, '最多只能有一個選項為 true'],
  [/^must not be this question, nor one that .*$/, '不可以是這一題，也不可以是從這一題取得選項的題目'],
  [/^must not lead back to the START node$/, '不可以回到 START 節點'],
  [/^cannot be combined with choices.*$/, '不可與 choices 並用'],
];

/** Says a fault of a definition in a language. */
export function importFaultText(language: Language, detail: string): string {
  if (language === 'en') return detail;
  const [pattern, text] = ZH_TW.find(([fault]) => fault.test(detail)) ?? [];
  return pattern && text !== undefined ? detail.replace(pattern, text) : detail;
}
