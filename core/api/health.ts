/** Operations that say whether the service is there. */
import * as z from 'zod';
import { schema } from '#core/schema/schema.ts';
import { declare } from './declare.ts';

const Health = schema(() => z.object({ status: z.literal('ok'), version: z.string() }).meta({ id: 'Health' }));

export const health = declare('health', {
  getHealth: {
    method: 'GET',
    path: '/healthz',
    summary: 'Say that the service answers',
    access: { credential: 'none' },
    needs: [],
    success: { status: 200, description: 'The service answers.', body: Health },
  },
});
