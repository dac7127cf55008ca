/**
 * The settings of a form, each declared once. From this table follow what clients send to create and change a form, what is
 * stored, what a form has that was stored before a setting existed, the gate, what copies and definitions take over, and what is
 * returned. To add one, add it here, and a field to the page of settings (`core/pages/builder/form-settings.page.ts`).
 */
import * as z from 'zod';
import { RichText } from '#core/rich-text/model.ts';
import { because } from '#core/schema/check-faults.ts';
import { type Infer, Moment, schema, Timestamp, text } from '#core/schema/schema.ts';
import { line } from '#core/schema/text.ts';
import { FONTS, isFont } from './fonts.ts';

/** The longest texts of the settings, in characters. */
export const MAX_TITLE = 200;
export const MAX_PREVIEW = 200;
export const MAX_CLOSING = 2_000;
/** The largest cap on the responses to a form. */
export const MAX_RESPONSES = 1_000_000;
/** The longest times for which submitted responses and drafts are kept, in days. */
export const MAX_RETENTION_DAYS = 3_650;
export const MAX_DRAFT_DAYS = 365;

const Visibility = schema(() =>
  z
    .enum(['PUBLIC', 'PRIVATE'])
    .describe('PUBLIC: listed for all signed-in users. PRIVATE: reachable through its link only.')
    .meta({ id: 'Visibility' }),
);

const Audience = schema(() =>
  z
    .enum(['ACCOUNT', 'ANYONE', 'EMAIL', 'INVITED'])
    .describe(
      'Who may respond. ACCOUNT: signed-in users. ANYONE: also guests, who need no account. EMAIL: guests who have confirmed an address with a mailed link, and nobody else. INVITED: guests with the code of an invitation, and nobody else. With EMAIL and INVITED the visibility must be PRIVATE.',
    )
    .meta({ id: 'Audience' }),
);

export const FormLayout = schema(() =>
  z
    .enum(['SECTIONS', 'ONE_QUESTION'])
    .describe(
      'How the pages show a section. SECTIONS: all its questions, one below the other. ONE_QUESTION: one at a time, in browsers with JavaScript. Clients save and submit in the same way.',
    )
    .meta({ id: 'FormLayout' }),
);

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
export const DressingPatch = schema(() =>
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

const Text = schema(() => z.string());
const Flag = schema(() => z.boolean());
const CoverPath = schema(() => z.string().max(2_048).describe('The `path` that the upload of the cover returned.'));
const ShownToMembers = schema(() => z.string().describe('Shown to members of the organization only; null for others.'));

/** `isCopied`: copies and definitions take it over. `isInGate`: requests of respondents read it. */
type Traits = { isCopied?: true; isInGate?: true };

/** A setting with which every form is created. */
const required = <S extends z.ZodType, R extends z.ZodType, const T extends Traits>(
  sent: () => S,
  returned: () => R,
  traits: T,
) => ({ sent, returned, ...traits });

/** A setting that is null until its authors choose, and after they have cleared it. */
const optional = <S extends z.ZodType, R extends z.ZodType, const T extends Traits>(
  sent: () => S,
  returned: () => R,
  traits: T,
) => ({ sent: () => sent().nullish(), returned: () => returned().nullable(), blank: null, ...traits });

/** An optional whole number from 1, which copies take over and requests of respondents read. */
const upTo = (max: number, description: string) =>
  optional(
    () => z.int().min(1).max(max).describe(description),
    () => z.int(),
    { isCopied: true, isInGate: true },
  );

/**
 * The settings. `sent`: what clients send. `returned`: what is stored and returned, unless `FormDocument` says more; without the limits of
 * what is sent, which may be younger than what is stored. `blank`: what
 * a form has until its authors choose and after they have cleared it, also one that was stored before the setting existed.
 * `merge`: the stored value of a sent one, which otherwise replaces it.
 */
const SETTINGS = {
  title: required(() => line(1, MAX_TITLE), Text, { isCopied: true, isInGate: true }),
  description: optional(RichText, RichText, { isCopied: true }),
  previewMessage: optional(() => text(0, MAX_PREVIEW), Text, { isCopied: true }),
  visibility: required(Visibility, Visibility, { isCopied: true, isInGate: true }),
  audience: {
    sent: () => Audience().nullish(),
    returned: Audience,
    blank: 'ACCOUNT',
    isCopied: true,
    isInGate: true,
  },
  oncePerPerson: {
    sent: () =>
      Flag()
        .nullish()
        .describe('Whether nobody starts a second response, even after the first was submitted. Not with ANYONE.'),
    returned: Flag,
    blank: false,
    isCopied: true,
    isInGate: true,
  },
  publishTime: optional(Moment, Timestamp, { isInGate: true }),
  deadline: optional(Moment, Timestamp, { isInGate: true }),
  allowEditResponse: required(Flag, Flag, { isCopied: true, isInGate: true }),
  sendResponseEmail: {
    sent: () => Flag().nullish(),
    returned: Flag,
    blank: false,
    isCopied: true,
    isInGate: true,
  },
  noticesWithAnswers: {
    sent: () =>
      Flag()
        .nullish()
        .describe('Whether mails to members about new responses contain the answers. Only admins can allow it.'),
    returned: Flag,
    blank: false,
    isInGate: true,
  },
  maxResponses: upTo(MAX_RESPONSES, 'How many can be submitted.'),
  closedMessage: optional(() => text(0, MAX_CLOSING).describe('Shown when all places are taken.'), Text, {
    isCopied: true,
  }),
  retentionDays: upTo(MAX_RETENTION_DAYS, 'Days until a submitted response is deleted.'),
  draftDays: upTo(MAX_DRAFT_DAYS, 'Days until a draft is deleted that is not saved; null: 30 for guests.'),
  messageAfterSubmission: optional(() => text(0, MAX_CLOSING), Text, { isCopied: true }),
  dressing: {
    sent: () => DressingPatch().nullish(),
    returned: Dressing,
    blank: {},
    merge: mergeDressing,
    isCopied: true,
    isInGate: true,
  },
  layout: {
    sent: () => FormLayout().nullish(),
    returned: FormLayout,
    blank: 'SECTIONS',
    isCopied: true,
    isInGate: true,
  },
  coverImage: optional(CoverPath, Text, {}),
  spreadsheetUrl: optional(WebUrl, ShownToMembers, {}),
} as const;

type Table = typeof SETTINGS;
type Name = keyof Table;
type NamesWith<Member> = { [N in Name]: Table[N] extends Member ? N : never }[Name];
/** The names of the settings that copies and definitions take over. */
type Copied = NamesWith<{ isCopied: true }>;

/** The settings of a form as they are stored. */
export type Settings = { [N in Name]: Infer<Table[N]['returned']> };
/** The settings that requests of respondents read. */
export type GateSettings = Pick<Settings, NamesWith<{ isInGate: true }>>;

/** The blanks of the settings that requests of respondents read. */
export type BlankInGate = { [N in NamesWith<{ isInGate: true; blank: unknown }>]: Table[N]['blank'] };

type RequiredSettings = Omit<Settings, NamesWith<{ blank: unknown }>>;
type ReturnedShape = { [N in Name]: ReturnType<Table[N]['returned']> };
type SentShape = { [N in Name]: ReturnType<Table[N]['sent']> };
type SettingsPatch = { [N in Name]?: z.output<SentShape[N]> | undefined };

/** A setting as code for all of them sees it; of the patch and the stored settings it gets its own member. */
type Setting = Traits & {
  sent: () => z.ZodType;
  returned: () => z.ZodType;
  blank?: unknown;
  merge?: (current: never, sent: never) => unknown;
};
const settings = Object.entries(SETTINGS) as [Name, Setting][];
const collect = (of: (setting: Setting, name: Name) => unknown, from = settings): object =>
  Object.fromEntries(from.map(([name, setting]) => [name, of(setting, name)]));

const copied = settings.filter(([, { isCopied }]) => isCopied);
const inGate = settings.filter(([, { isInGate }]) => isInGate);

/** Builds the members of what clients send to create a form. */
export const sentShape = () => collect(({ sent }) => sent()) as SentShape;

/** Builds the members of a definition that are settings. */
export const copiedShape = () => collect(({ sent }) => sent(), copied) as Pick<SentShape, Copied>;

/** Builds the members of a returned form that are settings. */
export const returnedShape = () => collect(({ returned }) => returned()) as ReturnedShape;

const isOptional = ([, { blank }]: [Name, Setting]): boolean => blank !== undefined;
const BLANK = collect(({ blank }) => blank, settings.filter(isOptional));

/** Adds the settings that a form lacks, because its authors chose nothing or it was stored before they existed. */
export const fillSettings = <T extends RequiredSettings>(form: T): T & Settings =>
  ({ ...BLANK, ...form }) as T & Settings;

/** Picks the settings of a form. */
export const pickSettings = (form: Settings): Settings => collect((_, name) => form[name]) as Settings;

/** Picks the settings that copies and definitions take over. */
export const pickCopied = (form: Settings) => collect((_, name) => form[name], copied) as Pick<Settings, Copied>;

/** Picks the settings that requests of respondents read. */
export const pickForGate = (form: Settings) => collect((_, name) => form[name], inGate) as GateSettings;

/** Returns the settings after a patch: a member that is absent is unchanged; null, or an empty text, clears it. */
export const patchSettings = (current: Settings, patch: SettingsPatch): Settings =>
  collect(({ blank, merge }, name) => {
    const [stored, sent] = [current[name] as never, patch[name] as never];
    if (sent === undefined) return stored;
    if (merge) return merge(stored, sent);
    return sent === null || sent === '' ? blank : sent;
  }) as Settings;

function mergeDressing(current: Dressing, sent: Infer<typeof DressingPatch> | null): Dressing {
  const members = Object.entries({ ...(sent && current), ...sent });
  return Object.fromEntries(members.filter(([, value]) => value !== null && value !== undefined));
}
