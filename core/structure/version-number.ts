/** The number of a version in a path; apart from the schemas of versions, because every function reads paths. */
import * as z from 'zod';
import { schema } from '#core/schema/schema.ts';

export const VersionNumber = schema(() =>
  z
    .string()
    .regex(/^[1-9]\d{0,9}$/, 'must be the number of a version')
    .meta({ id: 'VersionNumber' }),
);
