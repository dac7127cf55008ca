/** The address with which spreadsheets are shared, and whether one can be used. */
import { beforeAll, describe, expect, test } from 'vitest';
import { lazySheets } from '#core/delivery/sheets/lazy.ts';
import { DEMO_SPREADSHEET } from '#stacks/local/sheets.ts';
import { requestAs } from '#test/support/building.ts';
import { muteErrors } from '#test/support/console.ts';
import { withApp } from '#test/support/faults.ts';
import { type Cast, newCast, problemOf } from '#test/support/fixtures.ts';

let cast: Cast;
muteErrors();
beforeAll(async () => {
  cast = await newCast();
});

const isValid = async (spreadsheetUrl: string): Promise<boolean> =>
  (await cast.chelsea.client.forms.verifySpreadsheet({ body: { spreadsheetUrl } })).body.isValid;

test('everybody who is signed in gets the address to share a spreadsheet with', async () => {
  const { body } = await cast.chelsea.client.forms.getSpreadsheetEmail({});
  expect(body.email).toMatch(/^[^@\s]+@[^@\s]+\.iam\.gserviceaccount\.com$/);
});

describe('an installation without an account for spreadsheets', () => {
  const without = () => ({ sheets: lazySheets(() => undefined) });

  test('has no address, and no valid spreadsheet', async () => {
    await withApp(without, async () => {
      const { chelsea } = cast;
      expect(await problemOf(chelsea.client.forms.getSpreadsheetEmail({}))).toMatchObject({
        status: 503,
        code: 'spreadsheets_not_set_up',
      });
      expect(await isValid(DEMO_SPREADSHEET)).toBe(false);
    });
  });
});

describe('a spreadsheet', () => {
  test('is valid when the service can change it', async () => {
    expect(await isValid(DEMO_SPREADSHEET)).toBe(true);
    expect(await isValid(`${DEMO_SPREADSHEET}?usp=sharing#gid=0`)).toBe(true);
  });

  test.for([
    'https://docs.google.com/spreadsheets/d/not-shared-with-us/edit',
    'https://docs.google.com/document/d/local-demo/edit',
    'https://docs.google.com.example.org/spreadsheets/d/local-demo/edit',
    'http://169.254.169.254/latest/meta-data',
    'http://127.0.0.1:1/spreadsheets/d/local-demo/edit',
    'local-demo',
    '',
  ])('is not valid at %s', async (address) => {
    expect(await isValid(address)).toBe(false);
  });

  test('must be named', async () => {
    const result = await requestAs(cast.chelsea, 'POST', '/api/forms/spreadsheet/verify', {});
    expect(result.body).toMatchObject({ status: 400, errors: [{ pointer: '/body/spreadsheetUrl' }] });
  });
});
