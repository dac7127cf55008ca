/** The schemas in which the deliveries of a submission are returned to members; every declaration knows their targets. */
import * as z from 'zod';
import { type Infer, schema, Timestamp } from '#core/schema/schema.ts';

/** Where a submission is delivered to. */
export const DeliveryTarget = schema(() => z.enum(['email', 'spreadsheet']).meta({ id: 'DeliveryTarget' }));
export type DeliveryTarget = Infer<typeof DeliveryTarget>;

/** The status of a delivery, as members see it. */
export const DeliveryStatus = schema(() =>
  z
    .object({
      state: z.enum(['QUEUED', 'SENT', 'FAILED']).describe('FAILED is final until it is repeated on request.'),
      reason: z
        .string()
        .optional()
        .describe('Why it failed, or was not sent yet, such as `no_address`, `bounced`, `complained`, `rejected`.'),
      updatedAt: Timestamp(),
      attempts: z.int().min(0).describe('How many attempts were begun since it was queued.'),
    })
    .meta({ id: 'DeliveryStatus' }),
);
export type DeliveryStatus = Infer<typeof DeliveryStatus>;

export const DeliveryStatuses = schema(() =>
  z
    .object({ email: DeliveryStatus().optional(), spreadsheet: DeliveryStatus().optional() })
    .meta({ id: 'DeliveryStatuses' }),
);
export type DeliveryStatuses = Infer<typeof DeliveryStatuses>;
