/** The gate of a form, as stored items hold it. */
import { expect, test } from 'vitest';
import { encode } from '#core/db/codec.ts';
import { keys } from '#core/db/keys.ts';
import { gateOf } from '#core/forms/gate.ts';

test('a gate that was written before submissions had deliveries has none', () => {
  const formId = '019ad000-0000-8000-8000-000000000001';
  const gate = gateOf({ ...keys.formGate(formId), ...encode({ formId, status: 'PUBLISHED' }), structureVersion: 3 });
  expect(gate).toMatchObject({ formId, structureVersion: 3, sendResponseEmail: false, spreadsheetId: null });
});
