/** Units of an organization: the schemas of requests and responses. */
import * as z from 'zod';
import { MAX_METADATA_BYTES } from '#core/organizations/model.ts';
import { line } from '#core/schema/line.ts';
import { ArrayPageQuery, Id, type Infer, jsonObject, schema, Timestamp, text } from '#core/schema/schema.ts';

export const UnitInput = schema(() =>
  z
    .object({ name: line(1, 255), description: text(0, 2_000), metadata: jsonObject(MAX_METADATA_BYTES) })
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
  ArrayPageQuery().extend({ parentId: Id().optional().describe('The unit whose children are listed.') }),
);
