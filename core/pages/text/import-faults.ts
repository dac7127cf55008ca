/** What is wrong with the definition of a form in a file, in both languages; names of types and members stay as in the file. */
import type { Fault } from '#core/problems/problems.ts';
import type { StructureDetails } from '#core/problems/structure-faults.ts';
import type { CheckParams } from '#core/schema/check-faults.ts';
import type { Language } from '#core/schema/format.ts';
import { isMissing, type ValueIssue } from '#core/schema/issue-text.ts';

type Texts<Params extends Record<string, unknown[]>> = { [Code in keyof Params]: (...params: Params[Code]) => string };
type StructureParams = { [Code in keyof StructureDetails]: Parameters<StructureDetails[Code]> };

const TYPES: Readonly<Record<string, string>> = {
  string: '文字',
  number: '數字',
  int: '整數',
  boolean: ' true 或 false',
  array: '陣列',
  object: '物件',
  record: '物件',
};
const FORMATS: Readonly<Record<string, string>> = {
  date: ' YYYY-MM-DD 格式的日期',
  datetime: ' RFC 3339 格式的時間',
};
const amount = (count: number | bigint, origin: string): string =>
  `${count}${{ string: ' 個字元', array: ' 項' }[origin] ?? ''}`;

/** Says why a value does not match its schema. */
function issueText(issue: ValueIssue): string | undefined {
  if (isMissing(issue)) return '為必填';
  switch (issue.code) {
    case 'custom':
      return describe(CHECKS, issue.params?.code, issue.params?.params);
    case 'invalid_type':
      return `必須是${TYPES[issue.expected] ?? ` ${issue.expected}`}`;
    case 'invalid_value':
      return issue.values.length === 1
        ? `必須是 ${JSON.stringify(issue.values[0])}`
        : `必須是下列之一：${issue.values.join(', ')}`;
    case 'invalid_format':
      return `必須是${FORMATS[issue.format] ?? `有效的 ${issue.format}`}`;
    case 'too_big':
      return `${issue.inclusive ? '最多' : '必須少於'} ${amount(issue.maximum, issue.origin)}`;
    case 'too_small':
      return `${issue.inclusive ? '至少' : '必須多於'} ${amount(issue.minimum, issue.origin)}`;
    default:
      return '不是可以使用的值';
  }
}

const CHECKS: Texts<CheckParams> = {
  not_id: () => '必須是小寫的 UUID',
  not_unicode: () => '必須是有效的 Unicode 文字',
  too_long: (max) => `最多 ${max} 個字元`,
  wrong_length: (min, max) => `必須有 ${min} 到 ${max} 個字元`,
  not_line: () => '必須是一行文字，不可含控制字元、換行或書寫方向控制字元',
  not_visible: () => '必須含有看得見的字元',
  too_many_bytes: (max) => `寫成 JSON 最多 ${max} 位元組`,
  not_font: () => '必須是字型的代號',
  not_color: () => '必須是 #rgb 或 #rrggbb 格式的顏色',
  other_beginning: (beginning) => `必須以 ${beginning} 開頭`,
  unnamed_choice: (max) => `必須有 1 到 ${max} 個字元，且含有看得見的字元；只有「其他」選項可以沒有名稱`,
  wrong_name: () => '必須以英文字母開頭，其後最多 31 個英文字母、數字或底線',
  number_too_long: (digits, decimals) => `必須是最多 ${digits} 位數的數字，其中小數最多 ${decimals} 位`,
  no_date_part: () => '必須至少要求年、月、日其中一項',
  after_last_date: () => '不可晚於 maxDate',
  empty_text: () => '必須是文字，不可空白',
  wrong_link: () => '必須是 http、https 或 mailto 網址，或 # 開頭的頁內連結',
  other_target: () => '必須是 _blank，或省略',
  wrong_attributes: () => '必須是物件或 null',
  wrong_heading_level: () => '必須是 1 到 6 的整數',
  wrong_list_start: () => '必須是整數',
  no_mark: () => '必須是標記：有 type 的物件',
  unknown_mark: (type, known) => `${type} 不是可以使用的標記，請使用下列之一：${known.join('、')}`,
  mark_repeated: (name) => `${name} 不可重複設定`,
  wrong_marks: () => '必須是標記的陣列或 null',
  marks_not_allowed: (name) => `${name} 不可有標記`,
  wrong_content: () => '必須是節點的陣列或 null',
  content_not_allowed: (name) => `${name} 不可有內容`,
  no_document_node: () => '必須是節點：有 type 的物件',
  unknown_document_node: (type, parent, allowed) =>
    `${type} 不是可以使用的節點，${parent} 可以包含：${allowed.join('、')}`,
  misplaced_document_node: (name, parent, allowed) => `這裡不可使用 ${name}，${parent} 可以包含：${allowed.join('、')}`,
  too_deep: (max) => `最多 ${max} 層`,
  number_too_large: () => '數字太大',
  name_not_allowed: () => '不可作為名稱',
};

const STRUCTURE: Texts<StructureParams> = {
  option_missing: (type) => `為 ${type} 題型所必填`,
  other_start: (type) => `對於 ${type} 題型必須是 1`,
  type_answered: (type) => `必須維持 ${type}：這一題已有人回答`,
  type_of_source: (question) => `必須是有選項的題型：「${question}」的選項來自這一題`,
  no_or_many_choices: (max) => `必須有 1 到 ${max} 個選項`,
  name_taken: (question) => `題目「${question}」已使用這個代號（不分大小寫）`,
  reversed_range: (upper) => `不可大於 ${upper}`,
  more_than_choices: (count) => `不可超過選項數（${count}）`,
  length_over_max: (max) => `最多 ${max}，即這個題型的最長答案`,
  needs_member: (member, format) => `格式為 ${format} 時需要 ${member}`,
  pattern_faulty: () => '這個樣式無法使用',
  choice_name_repeated: () => '與同一題的另一個選項同名',
  choice_repeated: () => '與前面的選項重複',
  limit_of_ranking: () => '排序題的選項不能限制人數',
  too_many_limits: (max: number) => `整份表單最多只能限制 ${max} 個選項的人數`,
  second_other: () => '最多只能有一個選項為 true',
  choices_and_source: () => '不可與 choices 並用：只能擇一',
  no_question: () => '必須是這份定義中的題目',
  no_choices: () => '必須是有選項的題目',
  source_loop: () => '不可以是這一題，也不可以是從這一題取得選項的題目',
  no_node: () => '必須是這份定義中的節點',
  back_to_start: () => '不可以回到 START 節點',
  other_rule_source: (source, type) => `對於 ${type} 題型必須是 ${source}`,
  other_format: (format) => `必須是 "${format}"：這不是表單的定義`,
  other_definition_version: (version) => `必須是 ${version}：這份定義由其他版本產生`,
  label_not_line: () => CHECKS.not_line(),
  label_too_long: (max) => CHECKS.too_long(max),
  pattern_too_big: () => '樣式太長或太複雜，請縮短',
  patterns_too_costly: () => '整份表單的樣式太複雜，請縮短其中一些，或改為直接比較文字或選項',
  new_node: () => '必須是這份定義中的節點',
  node_repeated: () => '與前面的節點重複',
  node_missing: (id) => `必須包含節點 ${id}`,
  id_repeated: () => '在這份定義中已用於其他地方',
  other_ends: (type) => `必須恰有一個類型為 ${type} 的節點`,
  section_repeated: () => '與前面的區段重複',
  no_section_node: () => '必須是類型為 SECTION 的節點',
  no_section: () => '必須是區段',
  too_many_questions: (max) => `最多 ${max} 題`,
  too_many_conditions: (max) => `最多 ${max} 個條件`,
  not_highlightable: (types) => `必須是下列題型之一：${types.replace(' or ', '、')}`,
  view_title_repeated: () => '已用於前面的檢視',
  column_repeated: () => '與前面的欄位重複',
  no_column_question: () => '必須是這份定義中的題目',
};

/** Finds the text for a code; undefined if there is none. */
function describe(texts: Texts<Record<string, never[]>>, code: unknown, params: readonly unknown[] = []) {
  if (typeof code !== 'string' || !Object.hasOwn(texts, code)) return undefined;
  return (texts[code] as ((...values: readonly unknown[]) => string) | undefined)?.(...params);
}

/** Says a fault of a definition in a language; one without a code stays in English, as for the API. */
export function importFaultText(language: Language, { detail, code, params, issue }: Fault): string {
  if (language === 'en') return detail;
  return (issue ? issueText(issue) : describe(STRUCTURE, code, params)) ?? detail;
}
