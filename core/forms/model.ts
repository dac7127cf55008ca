/**
 * Forms, as sent, stored and returned. Their settings are declared in `settings.ts`; sections and questions are in the structure
 * (`core/structure`); `gate.ts` decides when a form is open.
 */
import * as z from 'zod';
import { ShortUser } from '#core/accounts/model.ts';
import { MAX_COVER_BYTES } from '#core/schema/limits.ts';
import { Id, type Infer, schema, Timestamp } from '#core/schema/schema.ts';
import { Sha256, Upload } from '#core/schema/upload.ts';
import { returnedShape, type Settings, sentShape } from './settings.ts';
import { SpreadsheetStatus } from './spreadsheet-model.ts';

export const FormStatus = schema(() => z.enum(['DRAFT', 'PUBLISHED', 'ARCHIVED']).meta({ id: 'FormStatus' }));
export type FormStatus = Infer<typeof FormStatus>;

/** The settings of a new form. */
export const FormInput = schema(() => z.object(sentShape()).meta({ id: 'FormInput' }));
export type FormInput = Infer<typeof FormInput>;

/** Changes of settings. */
export const FormPatch = schema(() =>
  FormInput()
    .partial()
    .describe('A member that is absent is unchanged; null clears an optional one.')
    .meta({ id: 'FormPatch' }),
);
export type FormPatch = Infer<typeof FormPatch>;

/** How many days something is kept after it was submitted or saved last; null for ever. */
export type KeptDays = { submitted: number | null; drafts: number | null; guestDrafts: number | null };

/** What acts instead of shorter settings until they do. */
export type Shortening = KeptDays & { from: string };

/** A form as it is stored: its settings, and what only operations change. */
export type Form = Settings & {
  id: string;
  orgId: string;
  status: FormStatus;
  creatorId: string;
  lastEditorId: string;
  createdAt: string;
  updatedAt: string;
  /** The version with which the number of responses was limited last: it names the counter of the places. */
  limitedSince?: number;
  /** What acts until shorter `retentionDays` and `draftDays` do; it may be over. */
  shortening?: Shortening;
  /** Counts the changes; the form's ETag and the condition of every write. */
  version: number;
};

/** A form as it is returned. */
export const FormDocument = schema(() =>
  z
    .object({
      id: Id(),
      ...returnedShape(),
      descriptionHtml: z.string(),
      previewMessage: z.string(),
      messageAfterSubmission: z.string(),
      status: FormStatus(),
      unitId: Id(),
      creator: ShortUser(),
      lastEditor: ShortUser(),
      spreadsheet: SpreadsheetStatus()
        .nullable()
        .describe('Whether submissions reach the spreadsheet; null without one. Shown to members only.'),
      retentionFrom: Timestamp()
        .nullable()
        .describe(
          'From when shorter `retentionDays` and `draftDays` act; until then what acted before does. Null if they act. Shown to members only.',
        ),
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
