/** Forms to start from, in each language: definitions that are imported like a file. */
import type { Language } from '#core/schema/format.ts';
import type { QuestionType } from '#core/structure/question-model.ts';
import { getTraits } from '#core/structure/types/traits.ts';
import { buildDefinition, type DefinitionQuestion, type FormDefinition, NEUTRAL_KEY } from './model.ts';

/** A text in English and in Traditional Chinese. */
type Text = readonly [en: string, zhTw: string];

type TemplateQuestion = {
  title: Text;
  type: QuestionType;
  required?: boolean;
  hint?: Text;
  text?: DefinitionQuestion['text'];
  choices?: readonly Text[];
  scale?: { min: number; max: number; low: Text; high: Text };
  icon?: 'star';
};

/** `only`: the number of a choice of the last question of the first section, after which alone the section follows. */
type TemplateSection = { title: Text; only?: number; questions: readonly TemplateQuestion[] };

type Template = { id: string; title: Text; about: Text; sections: readonly TemplateSection[] };

const NAME: TemplateQuestion = { title: ['Your name', '姓名'], type: 'SHORT_TEXT', required: true };
const EMAIL: TemplateQuestion = {
  title: ['E-mail address', '電子郵件地址'],
  type: 'SHORT_TEXT',
  required: true,
  hint: ['Such as name@example.org', '例如 name@example.org'],
  text: { format: 'EMAIL' },
};
const PHONE: TemplateQuestion = {
  title: ['Telephone number', '電話號碼'],
  type: 'SHORT_TEXT',
  text: { format: 'PHONE' },
};
const COMMENTS: TemplateQuestion = { title: ['Anything else?', '還有其他想說的嗎？'], type: 'LONG_TEXT' };
const AGREE: Text = ['I agree', '我同意'];

const TEMPLATES: readonly Template[] = [
  {
    id: 'registration',
    title: ['Event registration', '活動報名'],
    about: ['Who comes, and what they need', '誰會參加、需要什麼'],
    sections: [
      {
        title: ['Registration', '報名'],
        questions: [
          NAME,
          EMAIL,
          PHONE,
          {
            title: ['How many people come with you?', '有多少人與你同行？'],
            type: 'SHORT_TEXT',
            text: { format: 'NUMBER', min: 0, max: 20, decimals: 0 },
          },
          {
            title: ['Which day will you come?', '你會在哪一天參加？'],
            type: 'MULTIPLE_CHOICE',
            required: true,
            choices: [
              ['First day', '第一天'],
              ['Second day', '第二天'],
            ],
          },
          {
            title: ['Meal', '餐點'],
            type: 'DROPDOWN',
            choices: [
              ['Vegetarian', '素食'],
              ['With meat', '葷食'],
              ['No meal', '不用餐'],
            ],
          },
          COMMENTS,
        ],
      },
    ],
  },
  {
    id: 'feedback',
    title: ['Feedback', '意見回饋'],
    about: ['A rating, what was good, what could be better', '評分、優點與可改進之處'],
    sections: [
      {
        title: ['Your opinion', '你的意見'],
        questions: [
          {
            title: ['How was it?', '整體感受如何？'],
            type: 'RATING',
            required: true,
            scale: { min: 1, max: 5, low: ['Poor', '不佳'], high: ['Excellent', '極佳'] },
            icon: 'star',
          },
          { title: ['What was good?', '哪些地方很好？'], type: 'LONG_TEXT' },
          { title: ['What could be better?', '哪些地方可以更好？'], type: 'LONG_TEXT' },
        ],
      },
    ],
  },
  {
    id: 'application',
    title: ['Application', '申請表'],
    about: ['Different questions for persons and for groups', '個人與團體回答不同的題目'],
    sections: [
      {
        title: ['Applicant', '申請者'],
        questions: [
          NAME,
          EMAIL,
          {
            title: ['Who applies?', '申請身分'],
            type: 'SINGLE_CHOICE',
            required: true,
            choices: [
              ['A person', '個人'],
              ['A group', '團體'],
            ],
          },
        ],
      },
      {
        title: ['The group', '團體資料'],
        only: 1,
        questions: [
          { title: ['Name of the group', '團體名稱'], type: 'SHORT_TEXT', required: true },
          { title: ['Web address', '網址'], type: 'HYPERLINK' },
        ],
      },
      {
        title: ['The plan', '計畫'],
        questions: [
          { title: ['What do you want to do?', '你想做什麼？'], type: 'LONG_TEXT', required: true },
          { title: ['When does it begin?', '何時開始？'], type: 'DATE', required: true },
        ],
      },
    ],
  },
  {
    id: 'poll',
    title: ['Poll', '投票'],
    about: ['One question, and the order of preferences', '一個題目與偏好順序'],
    sections: [
      {
        title: ['Your choice', '你的選擇'],
        questions: [
          {
            title: ['Which day suits you?', '哪一天適合你？'],
            type: 'MULTIPLE_CHOICE',
            required: true,
            choices: [
              ['Monday', '星期一'],
              ['Wednesday', '星期三'],
              ['Friday', '星期五'],
            ],
          },
          {
            title: ['What should we do? Most important first', '我們該做什麼？請將最重要的排在最前面'],
            type: 'RANKING',
            choices: [
              ['Walk', '散步'],
              ['Dinner', '晚餐'],
              ['Talk', '座談'],
            ],
          },
        ],
      },
    ],
  },
  {
    id: 'incident',
    title: ['Incident report', '事件通報'],
    about: ['What happened, where and when', '發生了什麼、何時、何地'],
    sections: [
      {
        title: ['What happened', '事件經過'],
        questions: [
          { title: ['Date', '日期'], type: 'DATE', required: true },
          { title: ['Time', '時間'], type: 'SHORT_TEXT', text: { format: 'TIME' } },
          { title: ['Place', '地點'], type: 'SHORT_TEXT', required: true },
          { title: ['Description', '說明'], type: 'LONG_TEXT', required: true },
          {
            title: ['How serious is it?', '嚴重程度'],
            type: 'SINGLE_CHOICE',
            required: true,
            choices: [
              ['Nobody was harmed', '無人受傷'],
              ['Somebody was harmed', '有人受傷'],
            ],
          },
        ],
      },
      {
        title: ['Who was harmed', '受傷者'],
        only: 1,
        questions: [{ title: ['Who, and how?', '是誰、如何受傷？'], type: 'LONG_TEXT', required: true }],
      },
    ],
  },
  {
    id: 'checklist',
    title: ['Checklist', '檢查表'],
    about: ['Steps that were done', '完成了哪些步驟'],
    sections: [
      {
        title: ['Before leaving', '離開之前'],
        questions: [
          { title: ['Date', '日期'], type: 'DATE', required: true },
          {
            title: ['Done', '已完成'],
            type: 'MULTIPLE_CHOICE',
            required: true,
            choices: [
              ['Windows closed', '窗戶已關'],
              ['Lights off', '電燈已關'],
              ['Door locked', '門已上鎖'],
            ],
          },
          COMMENTS,
        ],
      },
    ],
  },
  {
    id: 'recommendation',
    title: ['Would you recommend us?', '你會推薦我們嗎？'],
    about: ['A scale from 0 to 10, and why', '0 到 10 分與原因'],
    sections: [
      {
        title: ['Recommendation', '推薦程度'],
        questions: [
          {
            title: ['How likely are you to recommend us to a friend?', '你有多大可能向朋友推薦我們？'],
            type: 'LINEAR_SCALE',
            required: true,
            scale: { min: 0, max: 10, low: ['Not at all likely', '完全不可能'], high: ['Very likely', '非常可能'] },
          },
          { title: ['Why?', '為什麼？'], type: 'LONG_TEXT' },
        ],
      },
    ],
  },
  {
    id: 'consent',
    title: ['Consent', '同意書'],
    about: ['Somebody agrees, with name and date', '以姓名與日期表示同意'],
    sections: [
      {
        title: ['Consent', '同意'],
        questions: [
          NAME,
          { title: ['Date', '日期'], type: 'DATE', required: true },
          {
            title: ['I have read the information and agree to take part', '我已閱讀說明並同意參加'],
            type: 'SINGLE_CHOICE',
            required: true,
            choices: [AGREE],
          },
        ],
      },
    ],
  },
];

/** Lists the templates in a language. */
export const listTemplates = (language: Language): { id: string; title: string; about: string }[] =>
  TEMPLATES.map(({ id, title, about }) => ({
    id,
    title: inLanguage(title, language),
    about: inLanguage(about, language),
  }));

/** Builds the definition of a template; undefined when there is none with this id. */
export function buildTemplate(id: string, language: Language): FormDefinition | undefined {
  const template = TEMPLATES.find((each) => each.id === id);
  return template && buildTemplateDefinition(template, language);
}

const inLanguage = ([en, zhTw]: Text, language: Language): string => (language === 'en' ? en : zhTw);

/** Nodes are drawn one below the other, this far apart. */
const NODE_DISTANCE = 160;

function buildTemplateDefinition({ title, sections }: Template, language: Language): FormDefinition {
  let count = 0;
  const newId = (): string => {
    count += 1;
    return `${NEUTRAL_KEY}-8000-${count.toString(16).padStart(12, '0')}`;
  };
  const t = (text: Text): string => inLanguage(text, language);
  const content = sections.map(({ questions, ...section }) => ({
    ...section,
    id: newId(),
    questions: questions.map((question) => buildQuestion(question, newId, t)),
  }));
  const [start, end] = [newId(), newId()];
  const deciding = content[0]?.questions.at(-1);
  const conditions = content.map(({ only }) => (only === undefined ? undefined : newId()));
  // A section that follows one answer only is entered through its condition, which otherwise leads to the next one.
  const entries = content.map(({ id }, index) => conditions[index] ?? id);
  const after = (index: number): string => entries[index + 1] ?? end;
  const nodes = [
    { id: start, type: 'START' as const, label: 'Start', next: entries[0] ?? end },
    ...content.flatMap(({ id, title, only }, index) => [
      ...(only === undefined
        ? []
        : [
            {
              id: conditions[index] ?? '',
              type: 'CONDITION' as const,
              label: t(title),
              nextTrue: id,
              nextFalse: after(index),
              conditionRule: {
                source: 'CHOICE' as const,
                question: deciding?.id ?? '',
                pattern: `^${deciding?.choices?.[only]?.id}$`,
              },
            },
          ]),
      { id, type: 'SECTION' as const, label: t(title), next: after(index) },
    ]),
    { id: end, type: 'END' as const, label: 'End' },
  ];
  return buildDefinition({
    title: t(title),
    visibility: 'PRIVATE',
    allowEditResponse: true,
    nodes: nodes.map((node, index) => ({ ...node, payload: { x: 0, y: index * NODE_DISTANCE } })),
    sections: content.map(({ id, questions }) => ({ id, description: null, questions })),
  });
}

function buildQuestion(
  { title, type, required = false, hint, choices, scale, icon, text }: TemplateQuestion,
  newId: () => string,
  t: (text: Text) => string,
): DefinitionQuestion {
  const paragraph = hint && { type: 'paragraph', content: [{ type: 'text', text: t(hint) }] };
  return {
    id: newId(),
    title: t(title),
    type,
    required,
    description: paragraph ? { type: 'doc', content: [paragraph] } : null,
    ...(choices
      ? { choices: choices.map((choice) => ({ id: newId(), name: t(choice), description: '', isOther: false })) }
      : {}),
    ...(scale
      ? {
          scale: {
            minVal: scale.min,
            maxVal: scale.max,
            minValueLabel: t(scale.low),
            maxValueLabel: t(scale.high),
            ...(icon ? { icon } : {}),
          },
        }
      : {}),
    ...(text && { text }),
    ...(getTraits(type).option === 'date' ? { date: { hasYear: true, hasMonth: true, hasDay: true } } : {}),
  };
}
