/** The valid requests of operations about forms: their settings, status, sections, questions and workflow. */
import { untilWritten } from '#core/db/retry.ts';
import { app } from '#core/http/app.ts';
import { sha256 } from '#core/schema/hash.ts';
import { editChanges, reloadDraft } from '#core/structure/changes.ts';
import { updateSection } from '#core/structure/questions.ts';
import { keepVersions, readVersions } from '#core/structure/versions.ts';
import { DEMO_SPREADSHEET } from '#stacks/local/sheets/sheets.ts';
import { putCover } from '#test/support/covers.ts';
import { formOf, local } from '#test/support/files.ts';
import { question, writingApp } from '#test/support/fixtures.ts';
import type { Rows } from '#test/support/requests.ts';
import type { Resources } from '#test/support/scene.ts';
import { webp } from '#test/support/webp.ts';

const richText = { type: 'doc' as const, content: [{ type: 'paragraph', content: [{ type: 'text', text: 'Hello' }] }] };

const settings = {
  title: 'Spring survey',
  visibility: 'PUBLIC' as const,
  allowEditResponse: true,
  description: richText,
  previewMessage: 'Tell us',
  deadline: null,
  publishTime: null,
  messageAfterSubmission: 'Thank you',
  sendResponseEmail: false,
  dressing: { color: '#abcdef' },
  coverImage: null,
  spreadsheetUrl: null,
};

const cover = webp(16, 9);

const coverForm = () => formOf([local('cover.webp', cover, 'image/webp')], 'coverImage');

/** A new cover of a form; its path. */
const newCover = async ({ admin, formId }: Resources): Promise<string> =>
  (await admin.client.forms.uploadCover({ params: { formId }, form: coverForm() })).body.path;

/** A cover that was sent straight to storage and waits to be taken; its path. */
const sentCover = ({ admin, formId }: Resources): Promise<string> => putCover(admin, formId, cover);

/** A form with changes, which the pages make of a published one. */
async function withChanges({ member, formId, sectionId }: Resources) {
  const draft = await reloadDraft(app().table, formId);
  await editChanges(writingApp(), { draft, formId, editorId: member.id }, (structure) =>
    updateSection(
      structure,
      sectionId,
      { title: `Section ${draft.changes?.revision ?? 0}` },
      app().now().toISOString(),
    ),
  );
  return { params: { formId } };
}

/** A version of a form: the oldest one that is kept, or the live one. */
async function keptVersion({ member, formId }: Resources) {
  const { body } = await member.client.forms.listVersions({ params: { formId } });
  const { live } = await reloadDraft(app().table, formId);
  return { params: { formId, version: String(body.at(-1)?.version ?? live.structure.version) } };
}

/** A version of a form that was edited since. */
async function earlierVersion({ member, formId, sectionId }: Resources) {
  const { table, uuid, now } = app();
  const keeping = { as: 'REPLACED', by: member.id, at: now().toISOString() } as const;
  const { live } = await untilWritten(async () => {
    const draft = await reloadDraft(table, formId);
    await table.write(await keepVersions(table, await readVersions(table, formId), draft.live.structure, keeping));
    return draft;
  });
  await member.client.sections.updateSection({ params: { formId, sectionId }, body: { title: uuid() } });
  return { params: { formId, version: String(live.structure.version) } };
}

export const formRows: Rows<'forms' | 'sections' | 'questions' | 'workflow'> = {
  forms: {
    listMyForms: { by: 'respondent', input: () => ({ query: { limit: 100 } }) },
    listForms: { by: 'member', input: () => ({ query: { limit: 100, status: ['DRAFT', 'PUBLISHED'] } }) },
    createForm: {
      by: 'member',
      input: ({ slug }) => ({ params: { slug }, body: settings }),
      others: async (resources) => [
        { params: { slug: resources.slug }, body: { ...settings, coverImage: await newCover(resources) } },
      ],
    },
    duplicateForm: {
      by: 'member',
      input: ({ formId }) => ({ params: { formId }, body: { title: 'Autumn survey' } }),
      others: async (resources) => {
        const { admin, formId, slug } = resources;
        const coverImage = await newCover(resources);
        await admin.client.forms.updateForm({ params: { formId }, body: { coverImage } });
        return [{ params: { formId }, body: { slug } }];
      },
    },
    getDefinition: { by: 'member', input: ({ formId }) => ({ params: { formId } }) },
    importForm: {
      by: 'member',
      input: async ({ admin, slug, formId }) => {
        const { body } = await admin.client.forms.getDefinition({ params: { formId } });
        return { params: { slug }, body };
      },
    },
    listOrganizationForms: {
      by: 'member',
      input: ({ slug }) => ({ params: { slug }, query: { limit: 100, status: ['ARCHIVED'] } }),
    },
    listFonts: { by: 'respondent', input: () => ({}) },
    getSpreadsheetEmail: { by: 'respondent', input: () => ({}) },
    verifySpreadsheet: { by: 'respondent', input: () => ({ body: { spreadsheetUrl: DEMO_SPREADSHEET } }) },
    getForm: { by: 'respondent', input: ({ formId }) => ({ params: { formId } }) },
    updateForm: {
      by: 'member',
      input: ({ formId }) => ({ params: { formId }, body: settings }),
      others: async (resources) => {
        await newCover(resources);
        return [{ params: { formId: resources.formId }, body: { coverImage: await sentCover(resources) } }];
      },
    },
    uploadCover: {
      by: 'member',
      input: ({ formId }) => ({
        params: { formId },
        body: { contentType: 'image/webp', size: cover.length, sha256: sha256(cover, 'hex') },
      }),
      others: async (resources) => {
        await newCover(resources);
        return [{ params: { formId: resources.formId }, form: coverForm() }];
      },
    },
    getCover: {
      by: 'respondent',
      input: async (resources) => {
        await newCover(resources);
        return { params: { formId: resources.formId } };
      },
    },
    deleteForm: { by: 'admin', consumes: true, input: ({ formId }) => ({ params: { formId } }) },
    publishForm: { by: 'member', on: 'DRAFT', consumes: true, input: ({ formId }) => ({ params: { formId } }) },
    getChanges: { by: 'member', input: withChanges },
    discardChanges: { by: 'member', input: withChanges },
    publishChanges: {
      by: 'member',
      // Others leave workflows behind that cannot be published.
      consumes: true,
      input: async (resources) => ({ ...(await withChanges(resources)), body: { force: true } }),
    },
    listVersions: { by: 'member', input: ({ formId }) => ({ params: { formId } }) },
    getVersion: { by: 'member', input: keptVersion },
    restoreVersion: {
      by: 'member',
      consumes: true,
      input: async (resources) => ({ ...(await earlierVersion(resources)), body: { force: true } }),
    },
    archiveForm: { by: 'admin', consumes: true, input: ({ formId }) => ({ params: { formId } }) },
    unarchiveForm: { by: 'admin', on: 'ARCHIVED', consumes: true, input: ({ formId }) => ({ params: { formId } }) },
    getHighlight: { by: 'member', input: ({ formId }) => ({ params: { formId } }) },
    setHighlight: {
      by: 'member',
      input: ({ formId, choiceQuestionId }) => ({
        params: { formId },
        body: { questionId: choiceQuestionId, displayTitle: 'What people like' },
      }),
    },
    updateHighlight: {
      by: 'member',
      input: ({ formId }) => ({ params: { formId }, body: { displayTitle: 'What people like' } }),
    },
    deleteHighlight: { by: 'member', consumes: true, input: ({ formId }) => ({ params: { formId } }) },
  },
  sections: {
    listSections: { by: 'respondent', input: ({ formId }) => ({ params: { formId } }) },
    updateSection: {
      by: 'member',
      input: ({ formId, sectionId }) => ({
        params: { formId, sectionId },
        body: { title: 'About you', description: richText },
      }),
    },
    copySection: {
      by: 'member',
      // Not the one with the required question: responses to the form stay complete.
      input: async ({ admin, formId }) => {
        const body = { type: 'SECTION' as const, payload: { x: 0, y: 2 } };
        const { id } = (await admin.client.workflow.createNode({ params: { formId }, body })).body;
        return { params: { formId, sectionId: id } };
      },
    },
  },
  questions: {
    createQuestion: {
      by: 'member',
      input: ({ sectionId }) => ({
        params: { sectionId },
        body: question({ type: 'DROPDOWN', choices: [{ name: 'From a friend' }, { name: 'Elsewhere' }] }),
      }),
    },
    updateQuestion: {
      by: 'member',
      input: ({ sectionId, questionId }) => ({
        params: { sectionId, questionId },
        body: question({ type: 'SHORT_TEXT', required: true, order: 1, title: 'What did you see?' }),
      }),
    },
    moveQuestion: {
      by: 'member',
      input: ({ sectionId, questionId, choiceQuestionId }) => ({
        params: { sectionId, questionId: choiceQuestionId },
        body: { sectionId, after: questionId },
      }),
    },
    copyQuestion: {
      by: 'member',
      // Not the required one: responses to the form stay complete.
      input: ({ sectionId, choiceQuestionId }) => ({ params: { sectionId, questionId: choiceQuestionId } }),
    },
    deleteQuestion: {
      by: 'member',
      consumes: true,
      input: ({ sectionId, questionId }) => ({ params: { sectionId, questionId } }),
    },
  },
  workflow: {
    getWorkflow: { by: 'respondent', input: ({ formId }) => ({ params: { formId } }) },
    updateWorkflow: {
      by: 'member',
      input: async ({ formId, admin }) => {
        const { body } = await admin.client.workflow.getWorkflow({ params: { formId } });
        return { params: { formId }, body: body.workflow.map((node) => ({ ...node, payload: { moved: true } })) };
      },
    },
    createNode: {
      by: 'member',
      input: ({ formId }) => ({ params: { formId }, body: { type: 'SECTION', payload: { x: 0, y: 2 } } }),
    },
    deleteNode: {
      by: 'member',
      consumes: true,
      input: ({ formId, nodeId }) => ({ params: { formId, nodeId } }),
    },
  },
};
