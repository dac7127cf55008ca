/** The distinct answers to a question, to filter a view by. */
import { views as declared } from '#core/api/views.ts';
import { operation } from '#core/http/operation.ts';
import { distinctAnswers, requireQuestions } from '#core/review/query.ts';
import { formViews } from '#core/review/view-open.ts';

export const handler = operation(
  declared.listDistinctAnswers,
  formViews,
  async ({ form, stored: { structure }, params: { viewId, questionId }, body: { filters }, app }) => {
    requireQuestions(
      structure,
      filters.map((filter) => filter.questionId),
    );
    const found = await distinctAnswers(app, structure, questionId, filters);
    return { body: { viewId, formId: form.id, questionId, ...found } };
  },
);
