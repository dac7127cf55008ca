/** Operations that report the state of the service. */
import * as z from 'zod';
import { schema } from '#core/schema/schema.ts';
import { declare } from './declare.ts';

const Health = schema(() => z.object({ status: z.literal('ok'), version: z.string() }).meta({ id: 'Health' }));

export const health = declare('health', {
  getHealth: {
    method: 'GET',
    path: '/healthz',
    summary: 'Check whether the service is available',
    access: { credential: 'none' },
    needs: [],
    success: { status: 200, description: 'The service is available.', body: Health },
    head: true,
  },
});
