/**
 * Forms: their settings, as sent, stored and shown (interface "Form", contract section 4). What a form asks stands
 * in its structure (`core/structure`); when it may be answered and seen is judged in `status.ts`.
 */
import * as z from 'zod';
import { ShortUser } from '#core/accounts/model.ts';
import { Upload } from '#core/files/model.ts';
import { RichText } from '#core/rich-text/model.ts';
import { Id, type Infer, Moment, schema, Timestamp, text } from '#core/schema/schema.ts';
import { FONTS, isFont } from './fonts.ts';

/** The largest cover: 2 MB. */
export const MAX_COVER_BYTES = 2 * 1_024 * 1_024;

export const FormStatus = schema(() => z.enum(['DRAFT', 'PUBLISHED', 'ARCHIVED']).meta({ id: 'FormStatus' }));
export type FormStatus = Infer<typeof FormStatus>;

export const Visibility = schema(() =>
  z
    .enum(['PUBLIC', 'PRIVATE'])
    .describe('PUBLIC: listed for all signed-in users. PRIVATE: reachable through its link only.')
    .meta({ id: 'Visibility' }),
);
export type Visibility = Infer<typeof Visibility>;

const Font = schema(() =>
  z
    .string()
    .refine(isFont, 'must be the id of a font: see GET /api/forms/fonts')
    .meta({ id: 'FontId', enum: FONTS.map(({ id }) => id) }),
);
const Color = schema(() =>
  z.string().regex(/^#(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/, 'must be a colour as #rgb or #rrggbb'),
);

/** Dressing as it is sent: merged member by member; null takes a member away. */
const DressingInput = schema(() =>
  z.object({
    color: Color().nullish(),
    headerFont: Font().nullish(),
    questionFont: Font().nullish(),
    textFont: Font().nullish(),
  }),
);

export const Dressing = schema(() =>
  z
    .object({
      color: z.string().optional(),
      headerFont: z.string().optional(),
      questionFont: z.string().optional(),
      textFont: z.string().optional(),
    })
    .meta({ id: 'Dressing' }),
);
export type Dressing = Infer<typeof Dressing>;

const WebUrl = schema(() =>
  z
    .url({ protocol: /^https?$/, error: 'must be an http or https URL' })
    .max(2_048)
    .meta({ pattern: '^https?://' }),
);

/** The settings that may be left out on create, and left out or nulled on update. */
const settings = () => ({
  description: RichText().nullish(),
  previewMessage: text(0, 200).nullish(),
  deadline: Moment().nullish(),
  publishTime: Moment().nullish(),
  messageAfterSubmission: text(0, 2_000).nullish(),
  sendResponseEmail: z.boolean().nullish(),
  dressing: DressingInput().nullish(),
  coverImage: z.string().max(2_048).nullish().describe('The path that the cover upload answered.'),
  spreadsheetUrl: WebUrl().nullish(),
});

export const FormInput = schema(() =>
  z
    .object({
      title: text(1, 200),
      visibility: Visibility(),
      allowEditResponse: z.boolean(),
      ...settings(),
    })
    .meta({ id: 'FormInput' }),
);
export type FormInput = Infer<typeof FormInput>;

export const FormPatch = schema(() =>
  z
    .object({
      title: text(1, 200).optional(),
      visibility: Visibility().optional(),
      allowEditResponse: z.boolean().optional(),
      ...settings(),
    })
    .describe('A member that is absent is unchanged; null clears an optional one.')
    .meta({ id: 'FormPatch' }),
);
export type FormPatch = Infer<typeof FormPatch>;

/** A form's settings as they are stored. */
export type Form = {
  id: string;
  orgId: string;
  title: string;
  description: RichText | null;
  previewMessage: string | null;
  status: FormStatus;
  visibility: Visibility;
  allowEditResponse: boolean;
  deadline: string | null;
  publishTime: string | null;
  messageAfterSubmission: string | null;
  sendResponseEmail: boolean;
  dressing: Dressing;
  coverImage: string | null;
  spreadsheetUrl: string | null;
  creatorId: string;
  lastEditorId: string;
  createdAt: string;
  updatedAt: string;
  /** Counts the changes; the form's ETag and the condition of every write. */
  version: number;
  /** Set while a deletion runs: from then on nobody knows the form. */
  deleting?: true;
};

/** A form as it is shown. */
export const FormView = schema(() =>
  z
    .object({
      id: Id(),
      title: z.string(),
      description: RichText().nullable(),
      descriptionHtml: z.string(),
      previewMessage: z.string(),
      status: FormStatus(),
      unitId: Id(),
      creator: ShortUser(),
      lastEditor: ShortUser(),
      deadline: Timestamp().nullable(),
      publishTime: Timestamp().nullable(),
      messageAfterSubmission: z.string(),
      sendResponseEmail: z.boolean(),
      dressing: Dressing(),
      coverImage: z.string().nullable(),
      spreadsheetUrl: z.string().nullable().describe('Shown to members of the organization only; null for others.'),
      visibility: Visibility(),
      allowEditResponse: z.boolean(),
      createdAt: Timestamp(),
      updatedAt: Timestamp(),
    })
    .meta({ id: 'Form' }),
);
export type FormView = Infer<typeof FormView>;

/** A form as its respondent finds it in their list. */
export const FormSummary = schema(() =>
  z
    .object({
      id: Id(),
      title: z.string(),
      deadline: Timestamp().nullable(),
      allowEditResponse: z.boolean(),
      status: z.enum(['NOT_STARTED', 'IN_PROGRESS', 'COMPLETED']),
      responseIds: z.array(Id()),
    })
    .meta({ id: 'FormSummary' }),
);
export type FormSummary = Infer<typeof FormSummary>;

/** One status or several, as a repeated query parameter. */
export const FormStatusQuery = schema(() =>
  z.object({
    status: z.array(FormStatus()).optional().describe('May be given several times; without it DRAFT and PUBLISHED.'),
  }),
);

/** A cover that a browser is going to upload straight to storage. */
export const CoverInput = schema(() =>
  z
    .object({
      contentType: z.literal('image/webp', { error: 'must be image/webp: a cover is a WebP image' }),
      size: z
        .int()
        .min(1, 'must be at least 1 byte')
        .max(MAX_COVER_BYTES, `must be at most ${MAX_COVER_BYTES} bytes`)
        .describe('In bytes.'),
    })
    .meta({ id: 'CoverInput' }),
);

export const CoverView = schema(() =>
  z
    .object({
      imageUrl: z.string().describe('Where the cover of the form is shown.'),
      path: z.string().describe('What `coverImage` takes.'),
      upload: Upload().optional(),
    })
    .meta({ id: 'Cover' }),
);

export const FontView = schema(() => z.object({ id: z.string(), name: z.string() }).meta({ id: 'Font' }));

export const HighlightInput = schema(() =>
  z.object({ questionId: Id(), displayTitle: text(0, 200).nullish() }).meta({ id: 'HighlightInput' }),
);
export const HighlightPatch = schema(() =>
  z.object({ displayTitle: text(0, 200).nullish() }).meta({ id: 'HighlightPatch' }),
);

export const HighlightView = schema(() =>
  z
    .object({
      questionId: Id().nullable(),
      questionTitle: z.string(),
      displayTitle: z.string(),
      choices: z.array(z.object({ choiceId: Id(), name: z.string(), count: z.int() })),
    })
    .meta({ id: 'Highlight' }),
);
export type HighlightView = Infer<typeof HighlightView>;
