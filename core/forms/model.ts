/**
 * The settings of forms, as sent, stored and returned. Sections and questions are in the structure (`core/structure`);
 * `gate.ts` decides when a form is open.
 */
import * as z from 'zod';
import { ShortUser } from '#core/accounts/model.ts';
import { RichText } from '#core/rich-text/model.ts';
import { because } from '#core/schema/check-faults.ts';
import { MAX_COVER_BYTES } from '#core/schema/limits.ts';
import { Id, type Infer, Moment, schema, Timestamp, text } from '#core/schema/schema.ts';
import { line } from '#core/schema/text.ts';
import { Sha256, Upload } from '#core/schema/upload.ts';
import { FONTS, isFont } from './fonts.ts';
import { SpreadsheetStatus } from './spreadsheet-model.ts';

/** The longest texts of the settings, in characters. */
export const MAX_TITLE = 200;
export const MAX_PREVIEW = 200;
export const MAX_CLOSING = 2_000;

export const FormStatus = schema(() => z.enum(['DRAFT', 'PUBLISHED', 'ARCHIVED']).meta({ id: 'FormStatus' }));
export type FormStatus = Infer<typeof FormStatus>;

const Visibility = schema(() =>
  z
    .enum(['PUBLIC', 'PRIVATE'])
    .describe('PUBLIC: listed for all signed-in users. PRIVATE: reachable through its link only.')
    .meta({ id: 'Visibility' }),
);
type Visibility = Infer<typeof Visibility>;

const Font = schema(() =>
  z
    .string()
    .refine(isFont, because('must be the id of a font: see GET /api/forms/fonts', 'not_font'))
    .meta({ id: 'FontId', enum: FONTS.map(({ id }) => id) }),
);
const COLOR = /^#(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/;
const Color = schema(() =>
  z
    .string()
    .refine((color) => COLOR.test(color), because('must be a colour as #rgb or #rrggbb', 'not_color'))
    .meta({ pattern: COLOR.source }),
);

/** Dressing as it is sent: merged member by member; null removes a member. */
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

/** The optional settings; on update, null clears one. */
const settings = () => ({
  description: RichText().nullish(),
  previewMessage: text(0, MAX_PREVIEW).nullish(),
  deadline: Moment().nullish(),
  publishTime: Moment().nullish(),
  messageAfterSubmission: text(0, MAX_CLOSING).nullish(),
  sendResponseEmail: z.boolean().nullish(),
  dressing: DressingInput().nullish(),
  coverImage: z.string().max(2_048).nullish().describe('The `path` that the upload of the cover returned.'),
  spreadsheetUrl: WebUrl().nullish(),
});

export const FormInput = schema(() =>
  z
    .object({
      title: line(1, MAX_TITLE),
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
      title: line(1, MAX_TITLE).optional(),
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
};

/** A form as it is returned. */
export const FormDocument = schema(() =>
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
      spreadsheet: SpreadsheetStatus()
        .nullable()
        .describe('Whether submissions reach the spreadsheet; null without one. Shown to members only.'),
      visibility: Visibility(),
      allowEditResponse: z.boolean(),
      createdAt: Timestamp(),
      updatedAt: Timestamp(),
    })
    .meta({ id: 'Form' }),
);
export type FormDocument = Infer<typeof FormDocument>;

/** A form as listed for a respondent. */
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

/** One or more statuses, as a repeated query parameter. */
export const FormStatusQuery = schema(() =>
  z.object({
    status: z.array(FormStatus()).optional().describe('Can be repeated; DRAFT and PUBLISHED by default.'),
  }),
);

/** The announcement of a cover that is uploaded directly to storage. */
export const CoverInput = schema(() =>
  z
    .object({
      contentType: z.literal('image/webp', { error: 'must be image/webp: a cover is a WebP image' }),
      size: z
        .int()
        .min(1, 'must be at least 1 byte')
        .max(MAX_COVER_BYTES, `must be at most ${MAX_COVER_BYTES} bytes`)
        .describe('In bytes.'),
      sha256: Sha256(),
    })
    .meta({ id: 'CoverInput' }),
);

export const CoverDocument = schema(() =>
  z
    .object({
      imageUrl: z.string().describe('The URL of the cover.'),
      path: z.string().describe('The value for `coverImage`.'),
      upload: Upload().optional(),
    })
    .meta({ id: 'Cover' }),
);

export const FontDocument = schema(() => z.object({ id: z.string(), name: z.string() }).meta({ id: 'Font' }));
