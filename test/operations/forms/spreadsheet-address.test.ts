/** The address with which spreadsheets are shared, and whether one can be used. */
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { lazySheets } from '#core/google/lazy.ts';
import { SheetFailure } from '#core/sheets/port.ts';
import { DEMO_SPREADSHEET } from '#stacks/local/sheets/sheets.ts';
import { requestAs } from '#test/support/building.ts';
import { muteErrors } from '#test/support/console.ts';
import { withApp } from '#test/support/faults.ts';
import { type Cast, expectProblem, newCast, type Person, person } from '#test/support/fixtures.ts';

let cast: Cast;
muteErrors();
beforeAll(async () => {
  cast = await newCast();
});

const verify = ({ client }: Person, spreadsheetUrl: string) =>
  client.forms.verifySpreadsheet({ body: { spreadsheetUrl } });

/** Whether an address is valid for somebody who has not asked before: nobody may ask often. */
const isValid = async (spreadsheetUrl: string): Promise<boolean> =>
  (await verify(await person('asker'), spreadsheetUrl)).body.isValid;

test('everybody who is signed in gets the address to share a spreadsheet with', async () => {
  const { body } = await cast.chelsea.client.forms.getSpreadsheetEmail({});
  expect(body.email).toMatch(/^[^@\s]+@[^@\s]+\.iam\.gserviceaccount\.com$/);
});

describe('an installation without an account for spreadsheets', () => {
  const without = () => ({ sheets: lazySheets(() => undefined) });

  test('has no address, and no valid spreadsheet', async () => {
    await withApp(without, async () => {
      const { chelsea } = cast;
      expect(await expectProblem(chelsea.client.forms.getSpreadsheetEmail({}))).toMatchObject({
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

  test('is checked ten times in a minute for a person, and not more', async () => {
    const [asker, other] = [await person('asker'), await person('other')];
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-05-01T12:00:20.000Z') });
    try {
      // Any address counts, so that nobody has to know which are valid.
      for (let count = 0; count < 10; count += 1) await verify(asker, count % 2 === 0 ? DEMO_SPREADSHEET : 'x');
      const refused = await requestAs(asker, 'POST', '/api/forms/spreadsheet/verify', { spreadsheetUrl: 'x' });
      expect(refused).toMatchObject({ status: 429, body: { code: 'too_many_requests' } });
      expect(refused.headers.get('retry-after')).toBe('40');
      expect((await verify(other, DEMO_SPREADSHEET)).body.isValid).toBe(true);
      vi.setSystemTime(new Date('2026-05-01T12:01:00.000Z'));
      expect((await verify(asker, DEMO_SPREADSHEET)).body.isValid).toBe(true);
    } finally {
      vi.useRealTimers();
    }
  });

  test('is neither valid nor invalid while the spreadsheet service limits requests: 503', async () => {
    const asker = await person('asker');
    const limited = new SheetFailure('rate_limited', 'injected');
    await withApp(
      ({ sheets }) => ({ sheets: { ...sheets, canWrite: () => Promise.reject(limited) } }),
      async () => {
        const result = await requestAs(asker, 'POST', '/api/forms/spreadsheet/verify', {
          spreadsheetUrl: DEMO_SPREADSHEET,
        });
        expect(result).toMatchObject({ status: 503, body: { code: 'spreadsheets_busy' } });
        expect(result.headers.get('retry-after')).toBe('60');
      },
    );
  });

  test('is not valid while the spreadsheet service is down', async () => {
    const down = new SheetFailure('unavailable', 'injected');
    await withApp(
      ({ sheets }) => ({ sheets: { ...sheets, canWrite: () => Promise.reject(down) } }),
      async () => expect(await isValid(DEMO_SPREADSHEET)).toBe(false),
    );
  });

  test('must be named', async () => {
    const result = await requestAs(cast.chelsea, 'POST', '/api/forms/spreadsheet/verify', {});
    expect(result.body).toMatchObject({ status: 400, errors: [{ pointer: '/body/spreadsheetUrl' }] });
  });
});
