/** A form of 30 sections, 200 questions and 100 rules, and the pages on which its authors work. */
import { idWithin } from '#core/db/keys.ts';
import { app } from '#core/http/app.ts';
import { writeRules } from '#core/structure/rules.ts';
import { replaceStoredStructure } from './building.ts';
import { type Built, newForm, type Person, type QuestionKind } from './fixtures.ts';
import { fillIn } from './pages.ts';

const [SECTIONS, QUESTIONS, RULED] = [30, 200, 25];
const CHOICES = ['A', 'B', 'C', 'D'].map((name) => ({ name }));

/** Each of four answers leads from 25 sections to one of the five that follow. Published, with changes that are not. */
export async function newLargeForm(editor: Person, slug: string): Promise<Built> {
  const kinds = Array.from({ length: SECTIONS }, (_, section): QuestionKind[] =>
    Array.from({ length: Math.ceil((QUESTIONS - section) / SECTIONS) }, (_question, index) => ({
      title: `How was part ${section + 1}.${index + 1} of the journey along the lake?`,
      ...(index === 0
        ? { type: 'SINGLE_CHOICE' as const, required: true, choices: CHOICES }
        : { type: 'SHORT_TEXT' as const }),
    })),
  );
  const form = await newForm(editor, slug, kinds, { publish: false });
  const { formId, sectionIds } = form;
  const { uuid, now } = app();
  const ports = { now: now().toISOString(), newId: () => idWithin(formId, uuid()) };
  await replaceStoredStructure(formId, (structure) =>
    sectionIds.slice(0, RULED).reduce((next, sectionId, index) => {
      const asked = next.sections.find(({ id }) => id === sectionId)?.questions[0];
      const rules = (asked?.choices ?? []).map(({ id }, position) => ({
        questionId: asked?.id ?? '',
        test: { kind: 'choices' as const, ids: [id] },
        target: sectionIds[index + 5 - position],
      }));
      return writeRules(next, sectionId, { rules, otherwise: sectionIds[index + 1] }, ports);
    }, structure),
  );
  await editor.client.forms.publishForm({ params: { formId } });
  await fillIn(editor, `/build/${formId}/s/${sectionIds[0]}`, [['title', 'Changed']]);
  return form;
}

/** The addresses of the pages of a form by what they show. */
export function listAuthorPages({ formId, sectionIds: [section], questionIds: [question] }: Built): [string, string][] {
  const paths = {
    overview: '',
    questions: '/questions',
    order: '/questions/order',
    section: `/s/${section}`,
    'new question': `/s/${section}/new?type=DROPDOWN`,
    'deletion of a section': `/s/${section}/delete`,
    question: `/q/${question}`,
    'choices as text': `/q/${question}/choices`,
    'deletion of a question': `/q/${question}/delete`,
    'rules, with the drawing': '/rules',
    'rules of a section': `/s/${section}/rules`,
    'rules of a section as rows': `/s/${section}/rules?as=rows`,
    'try the rules': '/rules/try',
    preview: '/preview',
    changes: '/changes',
    versions: '/versions',
    'a version': '/versions/2',
    settings: '/settings',
    look: '/look',
    share: '/share',
    deletion: '/delete',
  };
  return Object.entries(paths).map(([name, path]) => [name, `/build/${formId}${path}`]);
}
