/** The pages of people who make questions and rules, in one function. */
import { authorPages } from '#core/api/author-pages.ts';
import { dispatch } from '#core/pages/shell/dispatch.ts';

// What all pages share is loaded while an instance starts; a page itself, at its first request.
await import('#core/pages/shell/page.ts');

export const handler = dispatch(authorPages, {
  showQuestions: () => import('./show-questions.ts'),
  changeQuestions: () => import('./change-questions.ts'),
  showOrder: () => import('./show-order.ts'),
  changeOrder: () => import('./change-order.ts'),
  editSection: () => import('./edit-section.ts'),
  changeSection: () => import('./change-section.ts'),
  showNewQuestion: () => import('./show-new-question.ts'),
  createQuestion: () => import('./create-question.ts'),
  confirmSectionDeletion: () => import('./confirm-section-deletion.ts'),
  deleteSection: () => import('./delete-section.ts'),
  editQuestion: () => import('./edit-question.ts'),
  changeQuestion: () => import('./change-question.ts'),
  editChoices: () => import('./edit-choices.ts'),
  changeChoices: () => import('./change-choices.ts'),
  confirmQuestionDeletion: () => import('./confirm-question-deletion.ts'),
  deleteQuestion: () => import('./delete-question.ts'),
  showRules: () => import('./show-rules.ts'),
  editRules: () => import('./edit-rules.ts'),
  changeRules: () => import('./change-rules.ts'),
  showTrial: () => import('./show-trial.ts'),
  tryRules: () => import('./try-rules.ts'),
  editCondition: () => import('./edit-condition.ts'),
  changeCondition: () => import('./change-condition.ts'),
  confirmConditionDeletion: () => import('./confirm-condition-deletion.ts'),
  deleteCondition: () => import('./delete-condition.ts'),
  showChanges: () => import('./show-changes.ts'),
  publishChanges: () => import('./publish-changes.ts'),
  undoEdit: () => import('./undo-edit.ts'),
  showVersions: () => import('./show-versions.ts'),
  showVersion: () => import('./show-version.ts'),
  restoreVersion: () => import('./restore-version.ts'),
  showPreview: () => import('./show-preview.ts'),
  tryPreview: () => import('./try-preview.ts'),
});
