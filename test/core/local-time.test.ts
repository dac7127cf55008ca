/** Times as local times of a zone, in fields of forms: also where clocks change. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseLocalTime, startOfDay, toLocalTime } from '#core/pages/shell/local-time.ts';
import { parseTimeZone } from '#core/schema/format.ts';

const ZONES = ['UTC', 'Asia/Taipei', 'Europe/Berlin', 'America/St_Johns', 'Australia/Lord_Howe', 'Pacific/Apia'];

test.for([
  ['2026-05-01T14:30', 'Asia/Taipei', '2026-05-01T06:30:00.000Z'],
  ['2026-01-15T12:00', 'Europe/Berlin', '2026-01-15T11:00:00.000Z'],
  ['2026-07-15T12:00', 'Europe/Berlin', '2026-07-15T10:00:00.000Z'],
  ['2026-03-29T01:59', 'Europe/Berlin', '2026-03-29T00:59:00.000Z'],
  ['2026-03-29T03:00', 'Europe/Berlin', '2026-03-29T01:00:00.000Z'],
] as const)('%s in %s is %s', ([text, zone, iso]) => {
  expect(parseLocalTime(text, zone)).toEqual({ iso });
});

test.for([
  // Clocks go forward from 2:00 to 3:00, and back from 3:00 to 2:00.
  ['2026-03-29T02:30', 'Europe/Berlin', 'skipped'],
  ['2026-10-25T02:30', 'Europe/Berlin', 'twice'],
  // Half an hour; and a whole day on the other side of the date line.
  ['2026-10-04T02:15', 'Australia/Lord_Howe', 'skipped'],
  ['2011-12-30T12:00', 'Pacific/Apia', 'skipped'],
] as const)('%s in %s is %s', ([text, zone, fault]) => {
  expect(parseLocalTime(text, zone)).toEqual({ fault });
});

test.for(['', '2026-05-01', '2026-02-30T10:00', '2026-05-01T25:00', 'tomorrow'])('%j is no local time', (text) => {
  expect(parseLocalTime(text, 'UTC')).toEqual({ fault: 'invalid' });
});

test('a moment is read back, to the minute, unless clocks show it twice', () => {
  const minutes = fc.integer({ min: Date.UTC(2000, 0) / 60_000, max: Date.UTC(2100, 0) / 60_000 });
  fc.assert(
    fc.property(minutes, fc.constantFrom(...ZONES), (minute, zone) => {
      const iso = new Date(minute * 60_000).toISOString();
      const read = parseLocalTime(toLocalTime(iso, zone), zone);
      expect([{ iso }, { fault: 'twice' }]).toContainEqual(read);
    }),
  );
});

test.for([
  ['Europe/Berlin', 'Europe/Berlin'],
  ['europe/berlin', 'Europe/Berlin'],
  ['Etc/GMT+5', 'Etc/GMT+5'],
  ['', undefined],
  ['+02:00', undefined],
  ['Mars/Base', undefined],
  ['a'.repeat(10_000), undefined],
])('the zone of %j is %s', ([name = '', zone]) => {
  expect(parseTimeZone(name)).toBe(zone);
});

test.for([
  ['2026-05-01', 'UTC', '2026-05-01T00:00:00.000Z'],
  ['2026-05-01', 'Asia/Taipei', '2026-04-30T16:00:00.000Z'],
  ['2026-05-01', 'America/St_Johns', '2026-05-01T02:30:00.000Z'],
  ['2026-03-29', 'Europe/Berlin', '2026-03-28T23:00:00.000Z'],
  // Clocks go from midnight to 1:00; and from 1:00 back to midnight, which they show twice.
  ['2026-03-29', 'Asia/Beirut', '2026-03-28T22:00:00.000Z'],
  ['2026-11-01', 'America/Havana', '2026-11-01T04:00:00.000Z'],
] as const)('%s begins in %s at %s', ([day, zone, iso]) => {
  expect(startOfDay(day, zone)).toBe(iso);
});
