/** Organizations, their slugs and members: the schemas of requests and responses. */
import * as z from 'zod';
import { User } from '#core/accounts/model.ts';
import type { Language } from '#core/schema/format.ts';
import { ArrayListQuery, Id, type Infer, jsonObject, schema, Timestamp, text } from '#core/schema/schema.ts';
import { line } from '#core/schema/text.ts';

/** Literal path segments below `/orgs/`, which cannot be slugs. */
const RESERVED_SLUGS: ReadonlySet<string> = new Set(['me', 'relations']);

/** The longest slug, in characters. */
export const MAX_SLUG = 64;

/** A slug; case-sensitive. */
export const Slug = schema(() =>
  z
    .string()
    .regex(new RegExp(`^[A-Za-z0-9_-]{1,${MAX_SLUG}}$`), `must be 1 to ${MAX_SLUG} of the characters A-Z a-z 0-9 _ -`)
    .refine((slug) => !RESERVED_SLUGS.has(slug), 'is reserved: choose another')
    .meta({ id: 'Slug', not: { enum: [...RESERVED_SLUGS] } }),
);

/** The longest name and description of an organization or unit, in characters. */
export const MAX_NAME = 255;
export const MAX_DESCRIPTION = 2_000;
/** The largest free-form metadata, in bytes of JSON. */
export const MAX_METADATA_BYTES = 8_192;

/**
 * How many organizations a person can create beyond the number to which others can add them: those who add people cannot
 * keep them from creating their own.
 */
export const OWN_ORGANIZATIONS = 20;

export const OrganizationInput = schema(() =>
  z
    .object({
      name: line(1, MAX_NAME),
      description: text(0, MAX_DESCRIPTION),
      metadata: jsonObject(MAX_METADATA_BYTES),
      slug: Slug(),
    })
    .meta({ id: 'OrganizationInput' }),
);
export type OrganizationInput = Infer<typeof OrganizationInput>;

export const Organization = schema(() =>
  z
    .object({
      id: Id(),
      name: z.string(),
      description: z.string(),
      metadata: z.record(z.string(), z.unknown()),
      slug: z.string(),
      createdAt: Timestamp(),
      updatedAt: Timestamp(),
    })
    .meta({ id: 'Organization' }),
);
export type Organization = Infer<typeof Organization>;

export const MemberRole = schema(() => z.enum(['ADMIN', 'MEMBER']).meta({ id: 'MemberRole' }));
export type MemberRole = Infer<typeof MemberRole>;

export const MemberInput = schema(() =>
  z.object({ email: z.email('must be an e-mail address').max(320) }).meta({ id: 'MemberInput' }),
);

export const MemberAdded = schema(() => z.object({ orgId: Id(), member: User() }).meta({ id: 'MemberAdded' }));

export const RoleInput = schema(() => z.object({ role: MemberRole() }).meta({ id: 'RoleInput' }));
export const MemberChanged = schema(() =>
  z.object({ orgId: Id(), member: User(), role: MemberRole() }).meta({ id: 'MemberChanged' }),
);

/** The data of the mail about a membership: who added the person, and in which language they did, if known. */
export type MemberMail = { addedBy: string; language?: Language };

export const SlugStatus = schema(() =>
  z
    .object({ available: z.boolean().describe('Whether no organization uses the slug now.'), orgId: Id().nullable() })
    .meta({ id: 'SlugStatus' }),
);

/** A period in which an organization used a slug; `endedAt` is null for the current one. */
export const SlugUsage = schema(() =>
  z
    .object({ orgId: Id(), orgName: z.string(), startedAt: Timestamp(), endedAt: Timestamp().nullable() })
    .meta({ id: 'SlugUsage' }),
);
export type SlugUsage = Infer<typeof SlugUsage>;

export const SlugRecord = schema(() =>
  z
    .object({ current: SlugStatus(), history: z.array(SlugUsage()), nextCursor: z.string().nullable() })
    .meta({ id: 'SlugRecord' }),
);

// Units of an organization: the schemas of requests and responses.

export const UnitInput = schema(() =>
  z
    .object({
      name: line(1, MAX_NAME),
      description: text(0, MAX_DESCRIPTION),
      metadata: jsonObject(MAX_METADATA_BYTES),
    })
    .meta({ id: 'UnitInput' }),
);
export type UnitInput = Infer<typeof UnitInput>;

export const Unit = schema(() =>
  z
    .object({
      id: Id(),
      name: z.string(),
      description: z.string(),
      metadata: z.record(z.string(), z.unknown()),
      createdAt: Timestamp(),
      updatedAt: Timestamp(),
    })
    .meta({ id: 'Unit' }),
);
export type Unit = Infer<typeof Unit>;

export const UnitLink = schema(() =>
  z.object({ parentId: Id().nullish(), childId: Id(), orgId: Id() }).meta({ id: 'UnitLink' }),
);

export const UnitQuery = schema(() =>
  ArrayListQuery().extend({ parentId: Id().optional().describe('The unit whose children are listed.') }),
);
