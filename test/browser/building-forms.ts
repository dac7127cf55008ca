/** The forms with which it is counted how many presses a form takes, as their authors would have them on paper. */
import type { QuestionType } from '#core/structure/types/traits.ts';

export type PaperQuestion = {
  title: string;
  type: QuestionType;
  /** The ready-made question with which it begins. */
  preset?: 'email' | 'phone' | 'number' | 'time';
  required?: boolean;
  choices?: readonly string[];
  /** The least and the greatest number. */
  bounds?: readonly [min: number, max: number];
  /** The fewest and the most choices that are selected. */
  selection?: readonly [min: number, max: number];
  /** Whether it is a row of a table. */
  grid?: true;
};
export type PaperForm = { title: string; sections: readonly { title: string; questions: readonly PaperQuestion[] }[] };
/** A section is shown only if a question has an answer, or with `to`, the path goes from it to another one. */
export type PaperRule = { section: string; question: string; answer: string; to?: string };

const texts = (type: QuestionType, required: boolean, ...titles: string[]): PaperQuestion[] =>
  titles.map((title) => ({ title, type, required }));
const choice = (title: string, choices: readonly string[], type: QuestionType = 'SINGLE_CHOICE'): PaperQuestion => ({
  title,
  type,
  required: true,
  choices,
});
const YES_NO = ['Yes', 'No'];
const AGREE = ['Strongly disagree', 'Disagree', 'Neither', 'Agree', 'Strongly agree'];

/** A course evaluation: 26 questions in four sections. */
export const EVALUATION: PaperForm = {
  title: 'Course evaluation',
  sections: [
    {
      title: 'Your course',
      questions: [
        choice('Which course did you take?', ['Lakes', 'Rivers', 'Coasts', 'Glaciers', 'Wetlands'], 'DROPDOWN'),
        choice('How often were you there?', ['Always', 'Mostly', 'Seldom', 'Never']),
        ...texts('DATE', false, 'When did you begin?'),
        ...texts('SHORT_TEXT', false, 'Your group'),
      ],
    },
    {
      title: 'Teaching',
      questions: [
        'The aims were clear',
        'The pace was right',
        'Examples helped me',
        'Questions were welcome',
        'The slides were readable',
        'The exercises fitted',
        'Feedback came in time',
        'The marking was fair',
        'I was challenged',
        'I could follow',
        'The teacher was prepared',
        'I would take it again',
      ].map((title) => choice(title, AGREE)),
    },
    {
      title: 'Room and material',
      questions: [
        ...texts('RATING', true, 'The room', 'The equipment', 'The reader'),
        ...texts('LINEAR_SCALE', false, 'Hours of work a week', 'How hard was it?'),
        choice('What did you use?', ['Reader', 'Recordings', 'Forum', 'Library'], 'MULTIPLE_CHOICE'),
      ],
    },
    {
      title: 'In your own words',
      questions: [
        ...texts('LONG_TEXT', false, 'What was good?', 'What should change?', 'Anything else?'),
        choice('May we quote you?', YES_NO),
      ],
    },
  ],
};

/** A conference registration: 27 questions in five sections. */
const REGISTRATION: PaperForm = {
  title: 'Conference registration',
  sections: [
    {
      title: 'You',
      questions: [
        ...texts('SHORT_TEXT', true, 'Given name', 'Family name', 'E-mail address', 'Affiliation', 'Country'),
        ...texts('SHORT_TEXT', false, 'Telephone', 'Name on the badge'),
        ...texts('HYPERLINK', false, 'Your page'),
      ],
    },
    {
      title: 'Taking part',
      questions: [
        choice('Your ticket', ['Member', 'Not a member', 'Student', 'Online']),
        choice('Days', ['Monday', 'Tuesday', 'Wednesday'], 'MULTIPLE_CHOICE'),
        ...texts('UPLOAD_FILE', false, 'Proof of student status'),
        choice('Workshop', ['Sediments', 'Modelling', 'Field work', 'None'], 'DROPDOWN'),
        choice('Will you present?', YES_NO),
      ],
    },
    {
      title: 'Your talk',
      questions: [
        ...texts('SHORT_TEXT', true, 'Title', 'Authors'),
        ...texts('LONG_TEXT', true, 'Abstract'),
        choice('Format', ['Talk', 'Poster', 'Either']),
        choice('Topics, most fitting first', ['Water', 'Ice', 'Soil', 'Life'], 'RANKING'),
      ],
    },
    {
      title: 'Meals',
      questions: [
        choice('Will you come to the dinner?', YES_NO),
        choice('Diet', ['None', 'Vegetarian', 'Vegan', 'Halal', 'Kosher'], 'MULTIPLE_CHOICE'),
        ...texts('SHORT_TEXT', false, 'Allergies'),
        choice('Will you join the excursion?', YES_NO),
      ],
    },
    {
      title: 'Travel',
      questions: [
        ...texts('DATE', false, 'Arrival', 'Departure'),
        choice('Do you need a letter for a visa?', YES_NO),
        ...texts('LONG_TEXT', false, 'Address for the invoice', 'Remarks'),
      ],
    },
  ],
};

/** A permit for an event: 34 questions in eight sections. */
const PERMIT: PaperForm = {
  title: 'Permit for an event',
  sections: [
    {
      title: 'Applicant',
      questions: [
        ...texts(
          'SHORT_TEXT',
          true,
          'Name',
          'Organization',
          'Street and number',
          'Town',
          'Telephone',
          'E-mail address',
        ),
        choice('You apply as', ['Person', 'Club', 'Company', 'Authority']),
      ],
    },
    {
      title: 'Event',
      questions: [
        ...texts('SHORT_TEXT', true, 'Name of the event'),
        choice('Kind', ['Street party', 'Concert', 'Market', 'Parade', 'Sports', 'Other']),
        ...texts('LONG_TEXT', true, 'Description'),
        ...texts('SHORT_TEXT', true, 'Expected visitors', 'Website'),
      ],
    },
    {
      title: 'Time and place',
      questions: [
        ...texts('DATE', true, 'First day', 'Last day'),
        ...texts('SHORT_TEXT', true, 'From', 'To', 'Place'),
        ...texts('UPLOAD_FILE', false, 'Map of the site'),
        choice('Does it use a public road?', YES_NO),
      ],
    },
    {
      title: 'Roads',
      questions: [
        ...texts('LONG_TEXT', true, 'Roads to be closed', 'Diversion'),
        choice('Are buses affected?', YES_NO),
      ],
    },
    {
      title: 'Sound',
      questions: [
        choice('Sound after 22:00?', YES_NO),
        ...texts('SHORT_TEXT', false, 'Loudest level in dB', 'Person in charge of sound'),
      ],
    },
    {
      title: 'Food and alcohol',
      questions: [
        choice('What is sold?', ['Food', 'Soft drinks', 'Beer and wine', 'Spirits'], 'MULTIPLE_CHOICE'),
        ...texts('SHORT_TEXT', false, 'Number of stands', 'Licence'),
      ],
    },
    {
      title: 'Safety',
      questions: [
        choice('Who provides first aid?', ['Red Cross', 'Own staff', 'Nobody yet']),
        ...texts('SHORT_TEXT', true, 'Number of stewards'),
        ...texts('UPLOAD_FILE', true, 'Safety plan'),
      ],
    },
    {
      title: 'Declaration',
      questions: [
        choice('I confirm that this is true', ['I confirm'], 'MULTIPLE_CHOICE'),
        choice('May the town announce the event?', YES_NO),
        ...texts('LONG_TEXT', false, 'Remarks'),
      ],
    },
  ],
};

const shown = (section: string, question: string, ...answers: string[]): PaperRule[] =>
  answers.map((answer) => ({ section, question, answer }));

/** The rules of the permit, as its paper says them: 13 in all. */
export const PERMIT_RULES: readonly PaperRule[] = [
  ...shown('Roads', 'Does it use a public road?', 'Yes'),
  ...shown('Sound', 'Kind', 'Street party', 'Concert', 'Parade'),
  ...shown('Food and alcohol', 'Kind', 'Street party', 'Concert', 'Market', 'Sports'),
  ...shown('Safety', 'Kind', 'Concert', 'Parade', 'Sports'),
  { section: 'Applicant', question: 'You apply as', answer: 'Authority', to: 'Time and place' },
  { section: 'Sound', question: 'Sound after 22:00?', answer: 'No', to: 'Safety' },
];

export const PAPER_FORMS = { evaluation: EVALUATION, registration: REGISTRATION, permit: PERMIT };

const ready = (
  preset: NonNullable<PaperQuestion['preset']>,
  title: string,
  more: Partial<PaperQuestion> = {},
): PaperQuestion => ({
  ...{ title, type: 'SHORT_TEXT', preset, required: true },
  ...more,
});

/** A registration whose answers are checked, with a table of twelve rows. */
export const CHECKED_REGISTRATION: PaperForm = {
  title: 'Registration',
  sections: [
    {
      title: 'You',
      questions: [
        ...texts('SHORT_TEXT', true, 'Given name', 'Family name'),
        ready('email', 'E-mail address'),
        ready('phone', 'Telephone'),
      ],
    },
    {
      title: 'Taking part',
      questions: [
        ready('number', 'How many come with you?', { bounds: [0, 5] }),
        ready('time', 'When do you arrive?'),
        {
          ...choice('Two or three workshops', ['Sediments', 'Modelling', 'Field work', 'Writing'], 'MULTIPLE_CHOICE'),
          selection: [2, 3],
        },
      ],
    },
    {
      title: 'What you expect',
      questions: EVALUATION.sections[1]?.questions.map((question) => ({ ...question, grid: true as const })) ?? [],
    },
  ],
};

/** The permit, whose number of visitors is a number, so that a section can be for many of them only. */
export const CHECKED_PERMIT: PaperForm = {
  ...PERMIT,
  sections: PERMIT.sections.map((section) => ({
    ...section,
    questions: section.questions.map((question) =>
      question.title === 'Expected visitors' ? ready('number', question.title) : question,
    ),
  })),
};
