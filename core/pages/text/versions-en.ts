/** The English texts of the pages that merge, restore and undo edits of a form. */
import { UNDO_DAYS } from '#core/schema/limits.ts';
import { ARCHIVED_DAYS, MAX_ARCHIVED, MAX_VERSIONS } from '#core/structure/versions-model.ts';

const plural = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`;

export const versionsEn = {
  merge: {
    moved:
      'Another client has edited the published form since these changes were begun. What it did stays, and so do your edits.',
    movedList: 'This was edited in the published form meanwhile:',
    asked:
      'Another client has edited the published form since these changes were begun, partly in the same places. Decide whose edit stays there; everything else is kept from both.',
    keep: 'Your edit',
    theirs: 'As it is published',
    apply: 'Apply the decisions',
    allMine: 'Keep mine everywhere',
    allTheirs: 'Use theirs everywhere',
    takeOver: 'Take these edits over into the changes',
    takeOverHint: 'Then the faults can be corrected here. Nothing is published yet.',
    choose: (title: string): string => `Choose which edit of ${title} stays`,
    kinds: {
      QUESTION: (title: string): string => `Question “${title}”`,
      SECTION: (title: string): string => `Section “${title}”`,
      WORKFLOW: (title: string): string => `What follows “${title}”`,
      ORDER: (title: string): string => `The order of the questions in “${title}”`,
    },
    deleted: 'Deleted',
    inSection: (title: string): string => `In the section “${title}”`,
    optional: 'Optional',
    questions: (titles: string): string => (titles === '' ? 'No questions' : `Questions: ${titles}`),
    goesTo: (title: string): string => `Goes to ${title}`,
    ifTrue: (title: string): string => `if so, to ${title}`,
    ifFalse: (title: string): string => `otherwise to ${title}`,
    nowhere: 'nothing yet',
    otherOptions: 'With other options of its type',
    tooMany: 'Together, both edits have more questions, sections or rules than a form may have. Delete some first.',
    count: (count: number): string => `${plural(count, 'place', 'places')} to decide`,
  },
  versions: {
    title: 'Versions',
    lead: `A version is kept whenever the form is published. The last ${MAX_VERSIONS} can be looked at and restored.`,
    none: 'The form has no versions yet.',
    /** Before its time. */
    of: 'Version of',
    unnamed: 'Current version',
    by: {
      PUBLISHED: (name: string): string => `Published by ${name}`,
      REPLACED: (name: string): string => `As it was when ${name} replaced it`,
      DISCARDED: (name: string): string => `Discarded by ${name}`,
      RESTORED_OVER: (name: string): string => `Replaced by ${name} with an earlier version`,
      OVERRULED: (name: string): string => `As they were before ${name} took over edits of the published form`,
    },
    somebody: 'a former member',
    more: (count: number): string => `and ${plural(count, 'other change', 'other changes')}`,
    nearest: 'That version was not kept: it was edited through the API. This is the nearest earlier one.',
    live: 'This is what respondents see now.',
    current: 'This is what the form has now.',
    content: 'Content',
    same: 'The form has the same content now.',
    restoreTitle: 'Restore this version',
    asChanges: 'Respondents see nothing of it until you publish the changes.',
    inPlace: 'What the form has now is kept as a version.',
    wouldChange: 'This would change:',
    replaces: `There are changes that are not published yet. They would be replaced, and archived for ${ARCHIVED_DAYS} days.`,
    archived: {
      title: 'Archived changes',
      /** Before their time. */
      of: 'Changes archived',
      restoreTitle: 'Restore these changes',
      lead: `Changes that were discarded, replaced or overruled before they were published are kept for ${ARCHIVED_DAYS} days, the last ${MAX_ARCHIVED} of them.`,
    },
    restore: 'Restore as changes',
    restoreInPlace: 'Restore',
    replace: 'Replace the changes and restore',
    stale: 'Somebody has edited the form meanwhile. Look at it again.',
    refused: 'That was not possible: the type of a question would change that has been answered.',
  },
  undo: {
    did: {
      QUESTION: {
        you: (title: string): string => `You deleted the question “${title}”.`,
        others: (title: string): string => `Another author deleted the question “${title}”.`,
      },
      SECTION: {
        you: (title: string): string => `You deleted the section “${title}”.`,
        others: (title: string): string => `Another author deleted the section “${title}”.`,
      },
      RULE: {
        you: (_title: string): string => 'You changed rules.',
        others: (_title: string): string => 'Another author changed rules.',
      },
      ORDER: {
        you: (title: string): string => `You moved questions of the section “${title}”.`,
        others: (title: string): string => `Another author moved questions of the section “${title}”.`,
      },
      PATH: {
        you: (_title: string): string => 'You moved a section.',
        others: (_title: string): string => 'Another author moved a section.',
      },
    },
    title: 'Edits that can be undone',
    lead: `Deletions, moves and changes of rules of the last ${UNDO_DAYS} days. What was edited elsewhere since stays.`,
    submit: 'Undo',
    refusedTitle: 'This cannot be undone any more',
    refused: 'This was edited again since then. Nothing was changed.',
    now: 'Now',
    before: 'Before it',
  },
};

export type VersionsText = typeof versionsEn;
