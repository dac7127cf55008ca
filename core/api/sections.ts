/** Operations of sections. */
import * as z from 'zod';
import { schema } from '#core/schema/schema.ts';
import { QuestionDocument } from '#core/structure/question-model.ts';
import { SectionDocument, SectionPatch } from '#core/structure/section-model.ts';
import { declare } from './declare.ts';

const SectionsWithQuestions = schema(() =>
  z.array(
    z
      .object({ section: SectionDocument(), questions: z.array(QuestionDocument()).nullable() })
      .meta({ id: 'SectionWithQuestions' }),
  ),
);

const editors = { credential: 'user', target: 'form', roles: ['member'] } as const;

export const sections = declare('sections', {
  listSections: {
    method: 'GET',
    path: '/forms/{formId}/sections',
    summary: 'List the sections of a form with their questions, in workflow order',
    access: { credential: 'user', guests: true, target: 'form' },
    needs: ['table:read', 'table:list'],
    success: {
      status: 200,
      description: 'The sections; unreachable ones come last.',
      body: SectionsWithQuestions,
      etag: true,
    },
  },
  updateSection: {
    method: 'PATCH',
    path: '/forms/{formId}/sections/{sectionId}',
    summary: 'Change the title or the description of a section',
    access: editors,
    needs: ['table:read', 'table:write'],
    body: SectionPatch,
    ifMatch: true,
    success: { status: 200, description: 'The updated section.', body: SectionDocument, etag: true },
  },
  copySection: {
    method: 'POST',
    path: '/forms/{formId}/sections/{sectionId}/copy',
    summary: 'Copy a section with its questions; the copy follows it',
    description:
      'The copy, its questions and their choices have new ids; a question whose source is in the section too takes its choices from the copy of it. The section leads to the copy, and the copy to what followed the section. Conditions keep asking for the original questions.',
    access: editors,
    needs: ['table:read', 'table:write'],
    ifMatch: true,
    idempotent: true,
    success: { status: 201, description: 'The copy.', body: SectionDocument, etag: true },
    problems: { 400: 'The form would have more than the largest number of sections or questions.' },
  },
});
