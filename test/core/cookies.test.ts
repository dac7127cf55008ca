/** Where a function finds the cookies of a request. */
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { expect, test } from 'vitest';
import { cookie } from '#core/http/request.ts';

const event = (parts: Pick<APIGatewayProxyEventV2, 'cookies' | 'headers'>) => parts as APIGatewayProxyEventV2;

test('cookies come from the list of API Gateway, or else from the header', () => {
  expect(cookie(event({ cookies: ['a=1', 'b=2'], headers: {} }), 'b')).toBe('2');
  expect(cookie(event({ headers: { cookie: 'a=1; b=2' } }), 'b')).toBe('2');
  expect(cookie(event({ headers: {} }), 'b')).toBeUndefined();
});
