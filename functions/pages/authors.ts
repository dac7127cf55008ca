/** The pages of people who make questions and rules, in one function: generated from the files of the pages by `npm run generate`. */
import { dispatch } from '#core/pages/shell/dispatch.ts';

// What all pages share is loaded while an instance starts; a page itself, at its first request.
await import('#core/pages/shell/page.ts');

export const handler = dispatch({
  '/build/{formId}/c/{nodeId}': () => import('#core/pages/builder/condition.page.ts'),
  '/build/{formId}/c/{nodeId}/delete': () => import('#core/pages/builder/delete-condition.page.ts'),
  '/build/{formId}/changes': () => import('#core/pages/builder/changes.page.ts'),
  '/build/{formId}/preview': () => import('#core/pages/builder/preview.page.ts'),
  '/build/{formId}/q/{questionId}': () => import('#core/pages/builder/question.page.ts'),
  '/build/{formId}/q/{questionId}/choices': () => import('#core/pages/builder/choices.page.ts'),
  '/build/{formId}/q/{questionId}/delete': () => import('#core/pages/builder/delete-question.page.ts'),
  '/build/{formId}/questions': () => import('#core/pages/builder/questions.page.ts'),
  '/build/{formId}/questions/order': () => import('#core/pages/builder/order.page.ts'),
  '/build/{formId}/rules': () => import('#core/pages/builder/rules.page.ts'),
  '/build/{formId}/rules/try': () => import('#core/pages/builder/try-rules.page.ts'),
  '/build/{formId}/s/{sectionId}': () => import('#core/pages/builder/edit-section.page.ts'),
  '/build/{formId}/s/{sectionId}/delete': () => import('#core/pages/builder/delete-section.page.ts'),
  '/build/{formId}/s/{sectionId}/new': () => import('#core/pages/builder/new-question.page.ts'),
  '/build/{formId}/s/{sectionId}/rules': () => import('#core/pages/builder/section-rules.page.ts'),
  '/build/{formId}/undo': () => import('#core/pages/builder/undo.page.ts'),
  '/build/{formId}/versions': () => import('#core/pages/builder/versions.page.ts'),
  '/build/{formId}/versions/{version}': () => import('#core/pages/builder/version.page.ts'),
});
