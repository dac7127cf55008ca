/** The English texts of the page on which a form is edited. */

export const editorEn = {
  title: 'Questions',
  outline: 'Outline',
  list: 'All as a list',
  required: 'Required',
  hidden: 'Hidden',
  inRule: 'Decides the path',
  faulty: 'Has a fault',
  otherSections: 'The form is long: one section at a time is shown here. The outline leads to the others.',
  choicesFrom: (title: string): string => `Choices from “${title}”`,
  addAfter: (title: string): string => `Add a question after “${title}”`,
  addQuestion: 'Add a question',
  addFirst: 'Add the first question',
  menu: { label: 'Kind of the new question', search: 'Search', none: 'There is no such kind of question.' },
  description: 'Explanation',
  copy: 'Duplicate',
  up: 'Move up',
  down: 'Move down',
  remove: 'Delete',
  page: 'On a page of its own',
  close: 'Close',
  keepMine: 'Keep what I typed',
  /** For the scripts of the page. */
  states: {
    title: 'Question',
    saved: 'Saved',
    saving: 'Saving…',
    offline: 'Not saved: offline, kept on this device',
    notKept: 'Not saved: the service cannot be reached',
    conflict: 'Somebody else changed this',
    noTitle: 'Not saved: a title is needed',
    noChoice: 'Not saved: a choice is needed',
    noDate: 'Not saved: a date is not complete',
    refused: 'Not saved: see the question',
    signedOut: 'Not saved: you are signed out.',
    signIn: 'Sign in',
    choice: 'Choice {n}',
    split: 'Make {n} questions of these lines?',
  },
};

export type EditorText = typeof editorEn;
