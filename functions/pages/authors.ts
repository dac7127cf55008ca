/** The pages of people who make questions and rules, in one function. */
import { authorPages } from '#core/api/author-pages.ts';
import { dispatch } from '#core/pages/shell/dispatch.ts';
import { handler as changeChoices } from './change-choices.ts';
import { handler as changeCondition } from './change-condition.ts';
import { handler as changeOrder } from './change-order.ts';
import { handler as changeQuestion } from './change-question.ts';
import { handler as changeQuestions } from './change-questions.ts';
import { handler as changeRules } from './change-rules.ts';
import { handler as changeSection } from './change-section.ts';
import { handler as confirmConditionDeletion } from './confirm-condition-deletion.ts';
import { handler as confirmQuestionDeletion } from './confirm-question-deletion.ts';
import { handler as confirmSectionDeletion } from './confirm-section-deletion.ts';
import { handler as createQuestion } from './create-question.ts';
import { handler as deleteCondition } from './delete-condition.ts';
import { handler as deleteQuestion } from './delete-question.ts';
import { handler as deleteSection } from './delete-section.ts';
import { handler as editChoices } from './edit-choices.ts';
import { handler as editCondition } from './edit-condition.ts';
import { handler as editQuestion } from './edit-question.ts';
import { handler as editRules } from './edit-rules.ts';
import { handler as editSection } from './edit-section.ts';
import { handler as publishChanges } from './publish-changes.ts';
import { handler as restoreVersion } from './restore-version.ts';
import { handler as showChanges } from './show-changes.ts';
import { handler as showNewQuestion } from './show-new-question.ts';
import { handler as showOrder } from './show-order.ts';
import { handler as showPreview } from './show-preview.ts';
import { handler as showQuestions } from './show-questions.ts';
import { handler as showRules } from './show-rules.ts';
import { handler as showTrial } from './show-trial.ts';
import { handler as showVersion } from './show-version.ts';
import { handler as showVersions } from './show-versions.ts';
import { handler as tryPreview } from './try-preview.ts';
import { handler as tryRules } from './try-rules.ts';
import { handler as undoEdit } from './undo-edit.ts';

export const handler = dispatch(authorPages, {
  showQuestions,
  changeQuestions,
  showOrder,
  changeOrder,
  editSection,
  changeSection,
  showNewQuestion,
  createQuestion,
  confirmSectionDeletion,
  deleteSection,
  editQuestion,
  changeQuestion,
  editChoices,
  changeChoices,
  confirmQuestionDeletion,
  deleteQuestion,
  showRules,
  editRules,
  changeRules,
  showTrial,
  tryRules,
  editCondition,
  changeCondition,
  confirmConditionDeletion,
  deleteCondition,
  showChanges,
  publishChanges,
  undoEdit,
  showVersions,
  showVersion,
  restoreVersion,
  showPreview,
  tryPreview,
});
