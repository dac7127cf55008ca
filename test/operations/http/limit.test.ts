/** The limit of a list is a whole number in decimal digits. */
import { describe, expect, test } from 'vitest';
import { newCast, send } from '#test/support/fixtures.ts';

const cast = await newCast();

const get = (path: string, headers: Record<string, string> = {}): Promise<Response> => send('GET', path, { headers });

describe('limit', () => {
  const readStatus = async (limit: string): Promise<number> => {
    const response = await get(`/api/forms?limit=${encodeURIComponent(limit)}`, {
      cookie: `access_token=${cast.alice.token}`,
    });
    return response.status;
  };

  test.for(['1', '100', '007'])('%j is a number', async (limit) => expect(await readStatus(limit)).toBe(200));
  test.for([
    '1e1',
    '0x1',
    '+1',
    ' 1',
    '1 ',
    '1.0',
    '-1',
    '',
    '0',
    '1001',
    '１',
    '9'.repeat(400),
  ])('%j is refused', async (limit) => expect(await readStatus(limit)).toBe(400));
});
