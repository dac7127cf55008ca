/**
 * Which texts a DATE question accepts, and what is stored and displayed. The table has every combination of requested
 * parts; the properties compare `parseDate` with `Date`.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type DateOptions, parseDate } from '#core/structure/types/date.ts';

const asking = (parts: string, bounds: Pick<DateOptions, 'minDate' | 'maxDate'> = {}): DateOptions => ({
  hasYear: parts.includes('y'),
  hasMonth: parts.includes('m'),
  hasDay: parts.includes('d'),
  ...bounds,
});
const accepts = (text: string, options: DateOptions): boolean => parseDate(text, options).kind === 'date';

describe('a date answer', () => {
  it.each([
    ['ymd', '2024-06-15', '2024-06-15T00:00:00Z', '2024-06-15'],
    ['ymd', '2026-6-5', '2026-06-05T00:00:00Z', '2026-06-05'],
    ['ymd', '0099-01-02', '0099-01-02T00:00:00Z', '0099-01-02'],
    ['ymd', '2024-02-29', '2024-02-29T00:00:00Z', '2024-02-29'],
    ['ymd', '2000-02-29', '2000-02-29T00:00:00Z', '2000-02-29'],
    ['ymd', '2024-06-15T00:00:00Z', '2024-06-15T00:00:00Z', '2024-06-15'],
    ['ymd', '2024-06-15T23:30:00-08:00', '2024-06-15T00:00:00Z', '2024-06-15'],
    ['ymd', '2024-06-15T00:30:00.123+08:00', '2024-06-15T00:00:00Z', '2024-06-15'],
    ['ymd', '2016-12-31t23:59:60z', '2016-12-31T00:00:00Z', '2016-12-31'],
    ['ym', '2026-06', '2026-06-01T00:00:00Z', '2026-06'],
    ['ym', '2026-6', '2026-06-01T00:00:00Z', '2026-06'],
    ['ym', '2026-06-15', '2026-06-01T00:00:00Z', '2026-06'],
    ['y', '2026', '2026-01-01T00:00:00Z', '2026'],
    ['y', '2024-02-29', '2024-01-01T00:00:00Z', '2024'],
    ['md', '06-15', '1970-06-15T00:00:00Z', '06-15'],
    ['md', '6-5', '1970-06-05T00:00:00Z', '06-05'],
    ['md', '2023-06-15', '1970-06-15T00:00:00Z', '06-15'],
    ['md', '02-29', '1972-02-29T00:00:00Z', '02-29'],
    ['md', '2024-02-29', '1972-02-29T00:00:00Z', '02-29'],
    ['m', '06', '1970-06-01T00:00:00Z', '06'],
    ['m', '6', '1970-06-01T00:00:00Z', '06'],
    ['m', '2024-12-31T10:00:00Z', '1970-12-01T00:00:00Z', '12'],
    ['d', '31', '1970-01-31T00:00:00Z', '31'],
    ['d', '2024-02-05', '1970-01-05T00:00:00Z', '05'],
    ['yd', '2024-15', '2024-01-15T00:00:00Z', '2024-15'],
    ['yd', '2024-06-15', '2024-01-15T00:00:00Z', '2024-15'],
  ])('with the parts %s, %s is stored as %s and shown as %s', (parts, text, value, display) => {
    expect(parseDate(text, asking(parts))).toEqual({ kind: 'date', value, display });
  });

  it.each([
    ['ymd', '2023-02-29'],
    ['ymd', '1900-02-29'],
    ['ymd', '2024-04-31'],
    ['ymd', '2024-13-01'],
    ['ymd', '2024-00-10'],
    ['ymd', '2024-01-00'],
    ['ymd', '0000-01-01'],
    ['ymd', '2023-02-29T00:00:00Z'],
    ['md', '02-30'],
    ['md', '2023-02-29'],
    ['y', '2023-02-29'],
    ['m', '13'],
    ['m', '0'],
    ['d', '32'],
    ['yd', '2024-32'],
  ])('with the parts %s, %s is refused as no real date', (parts, text) => {
    expect(parseDate(text, asking(parts))).toMatchObject({
      fault: { code: 'no_such_date', detail: 'is not a real date' },
    });
  });

  it.each([
    ['ymd', '2024-06'],
    ['ymd', '2024'],
    ['ymd', '15.06.2024'],
    ['ymd', '2024/06/15'],
    ['ymd', '24-06-15'],
    ['ymd', '12024-06-15'],
    ['ymd', ' 2024-06-15'],
    ['ymd', '2024-06-15\n'],
    ['ymd', '-2024-06-15'],
    ['ymd', '2024-06-15T10:00:00'],
    ['ymd', '2024-06-15T10:00Z'],
    ['ymd', '2024-06-15T24:00:00Z'],
    ['ymd', '2024-06-15T10:60:00Z'],
    ['ymd', '2024-06-15T10:00:00+24:00'],
    ['ymd', '2024-06-15T10:00:00+0800'],
    ['ymd', '2024-6-15T10:00:00Z'],
    ['ymd', '٢٠٢٤-٠٦-١٥'],
    ['ymd', 'tomorrow'],
    ['ym', '06-15'],
    ['y', '2026-06'],
    ['md', '2026-06'],
    ['m', '06-15'],
    ['d', '2026'],
  ])('with the parts %s, %j is refused as not a date', (parts, text) => {
    const reading = parseDate(text, asking(parts));
    expect(reading.kind === 'fault' && reading.fault.detail).toMatch(/^must be a date as .*YYYY-MM-DD or an RFC 3339/);
  });

  it('the refusal describes how the requested parts are written', () => {
    expect(parseDate('x', asking('md'))).toMatchObject({
      fault: { code: 'not_date', detail: expect.stringContaining('as MM-DD, YYYY-MM-DD') },
    });
  });
});

describe('the range of a date answer', () => {
  const june = asking('ymd', { minDate: '2024-06-01', maxDate: '2024-06-30' });

  it.each([
    ['2024-05-31', false],
    ['2024-06-01', true],
    ['2024-06-30', true],
    ['2024-06-30T23:59:59-10:00', true],
    ['2024-07-01', false],
    ['2024-07-01T00:30:00+08:00', false],
  ])('includes both ends: %s is %s', (text, accepted) => expect(accepts(text, june)).toBe(accepted));

  it('counts the calendar date of a bound that is written with a time', () => {
    const options = asking('ymd', { minDate: '2024-06-01T18:00:00.000Z', maxDate: '2024-06-30T06:00:00+08:00' });
    expect(accepts('2024-06-01', options)).toBe(true);
    expect(accepts('2024-06-30', options)).toBe(true);
    expect(accepts('2024-05-31', options)).toBe(false);
  });

  it.each([
    ['y', '2024', true],
    ['y', '2025', false],
    ['y', '2023', false],
    ['ym', '2024-06', true],
    ['ym', '2024-05', false],
    ['md', '06-15', true],
    ['md', '07-01', false],
    ['m', '6', true],
    ['m', '7', false],
  ])('is compared on the requested parts only: %s, %s is %s', (parts, text, accepted) => {
    expect(accepts(text, asking(parts, { minDate: '2024-06-10', maxDate: '2024-06-20' }))).toBe(accepted);
  });

  it.each([
    ['11-15', true],
    ['12-31', true],
    ['02-10', true],
    ['02-11', false],
    ['11-14', false],
  ])('runs on over the turn of the year when no year is asked: %s is %s', (text, accepted) => {
    expect(accepts(text, asking('md', { minDate: '2024-11-15', maxDate: '2025-02-10' }))).toBe(accepted);
  });

  it.each([
    ['md', '2024-03-01', '2026-02-01', '02-15', true],
    ['md', '2024-03-01', '2025-02-28', '02-15', true],
    ['md', '2024-03-01', '2025-02-28', '03-01', true],
    ['md', '2024-03-01', '2025-02-10', '02-15', false],
    ['md', '2024-03-01', '2025-02-28', '02-29', false],
    ['md', '2023-03-01', '2025-02-28', '02-29', true],
    ['md', '1896-03-01', '1904-02-28', '02-29', false],
    ['md', '1896-03-01', '1904-02-29', '02-29', true],
    ['md', '0001-01-01', '9999-12-31', '02-29', true],
    ['m', '2024-11-20', '2026-02-10', '07', true],
    ['m', '2024-11-20', '2025-02-10', '07', false],
    ['d', '2024-01-20', '2024-03-10', '15', true],
    ['d', '2024-01-20', '2024-02-10', '15', false],
    ['ym', '2024-11-20', '2025-02-10', '2025-02', true],
    ['ym', '2024-11-20', '2025-02-10', '2025-03', false],
  ])('of the parts %s from %s to %s includes what some day of it has: %s is %s', (parts, minDate, maxDate, text, accepted) => {
    expect(accepts(text, asking(parts, { minDate, maxDate }))).toBe(accepted);
  });

  it('is compared with the requested parts alone when there is one bound only', () => {
    expect(accepts('02-15', asking('md', { minDate: '2024-03-01' }))).toBe(false);
    expect(accepts('03-15', asking('md', { minDate: '2024-03-01' }))).toBe(true);
    expect(accepts('03-15', asking('md', { maxDate: '2024-03-01' }))).toBe(false);
  });

  it('keeps 29 February in its place although it is stored in another year', () => {
    const options = asking('md', { minDate: '2024-02-01', maxDate: '2024-03-01' });
    expect(accepts('02-29', options)).toBe(true);
    expect(accepts('02-29', asking('md', { maxDate: '2024-02-28' }))).toBe(false);
  });

  it('keeps the year when the days of year-and-day bounds change places', () => {
    const options = asking('yd', { minDate: '2024-01-20', maxDate: '2024-03-10' });
    expect(['2024-25', '2024-05', '2024-15', '2025-05', '2023-25'].map((text) => accepts(text, options))).toEqual([
      true,
      true,
      false,
      false,
      false,
    ]);
  });

  it.each([
    [{ minDate: '2024-06-01', maxDate: '2024-06-30' }, 'must be from 2024-06-01 to 2024-06-30'],
    [{ minDate: '2025-01-01' }, 'must be 2025-01-01 or later'],
    [{ maxDate: '2019-12-31' }, 'must be 2019-12-31 or earlier'],
  ])('is named in the refusal: %j', (bounds, detail) => {
    expect(parseDate('2020-01-01', asking('ymd', bounds))).toMatchObject({
      fault: { code: 'date_out_of_range', detail },
    });
  });
});

describe('every date', () => {
  const anyDay = fc.date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true });
  const anyParts = fc.constantFrom('ymd', 'ym', 'y', 'md', 'm', 'd', 'yd');

  it('that was stored is accepted again and stays what it was', () => {
    fc.assert(
      fc.property(anyDay, anyParts, (day, parts) => {
        const first = parseDate(day.toISOString().slice(0, 10), asking(parts));
        if (first.kind !== 'date') throw new Error(first.fault.detail);
        expect(parseDate(first.value, asking(parts))).toEqual(first);
        expect(parseDate(first.display, asking(parts))).toEqual(first);
        expect(new Date(first.value).toISOString().slice(0, 10)).toBe(first.value.slice(0, 10));
      }),
    );
  });

  it('is real exactly when the calendar has it', () => {
    const year = fc.integer({ min: 100, max: 9999 });
    fc.assert(
      fc.property(year, fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 31 }), (y, m, d) => {
        const text = [String(y).padStart(4, '0'), m, d].join('-');
        const day = new Date(Date.UTC(y, m - 1, d));
        expect(accepts(text, asking('ymd'))).toBe(day.getUTCMonth() === m - 1);
      }),
      { numRuns: 500 },
    );
  });

  it('lies in a range exactly when it sorts between its ends', () => {
    fc.assert(
      fc.property(anyDay, anyDay, anyDay, (...days) => {
        const [text = '', a = '', b = ''] = days.map((day) => day.toISOString().slice(0, 10));
        const [minDate = '', maxDate = ''] = [a, b].sort();
        expect(accepts(text, asking('ymd', { minDate, maxDate }))).toBe(minDate <= text && text <= maxDate);
      }),
    );
  });
});
