/** Numbers, dates and lists as readers see them: without `Intl`, and as `Intl` has them. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  formatAlternatives,
  formatCalendarDate,
  formatDateTime,
  formatFileSize,
  formatList,
  formatNumber,
  LANGUAGES,
  monthNames,
} from '#core/schema/format.ts';

const LOCALES = { en: 'en-GB', 'zh-TW': 'zh-TW' };

test.each([
  [0, 0, '0'],
  [999, 0, '999'],
  [1_000, 0, '1,000'],
  [1_234_567, 0, '1,234,567'],
  [0.5, 0, '1'],
  [1.005, 2, '1.01'],
  [2.5, 2, '2.5'],
  [-1_234.565, 2, '-1,234.57'],
  [1e-7, 2, '0'],
  [999_999_999_999_999, 2, '999,999,999,999,999'],
])('%d with at most %d decimals is %s', (value, decimals, text) => {
  expect(formatNumber(value, decimals)).toBe(text);
});

test('numbers are grouped and rounded as in each language', () => {
  const formats = LANGUAGES.flatMap((language) =>
    [0, 1, 2].map((decimals) => ({
      decimals,
      format: new Intl.NumberFormat(LOCALES[language], { maximumFractionDigits: decimals }),
    })),
  );
  const anyHundredth = fc.integer({ min: -1e12, max: 1e12 }).map((number) => number / 1_000);
  fc.assert(
    fc.property(fc.oneof(fc.integer({ min: -1e15, max: 1e15 }), anyHundredth), (value) => {
      for (const { decimals, format } of formats) expect(formatNumber(value, decimals)).toBe(format.format(value));
    }),
  );
});

test('every share of up to 300 has its whole percentage', () => {
  const format = new Intl.NumberFormat('en', { style: 'percent' });
  for (let all = 1; all <= 300; all += 1) {
    for (let count = 0; count <= all; count += 1) {
      expect(`${formatNumber((count / all) * 100)}%`, `${count} of ${all}`).toBe(format.format(count / all));
    }
  }
});

test.each([
  [1, '1 byte', '1 位元組'],
  [1_023, '1,023 bytes', '1,023 位元組'],
  [1_024, '1 kB', '1 kB'],
  [1_536, '1.5 kB', '1.5 kB'],
  [10_485_760, '10 MB', '10 MB'],
  [1_294_466_252, '1,234.5 MB', '1,234.5 MB'],
])('%d bytes are %s', (bytes, english, chinese) => {
  expect([formatFileSize({ language: 'en' }, bytes), formatFileSize({ language: 'zh-TW' }, bytes)]).toEqual([
    english,
    chinese,
  ]);
});

test.each(LANGUAGES)('every date and part of one is as people write it in %s', (language) => {
  for (const date of ['2026-01-01', '2026-02-28', '2024-02-29', '1999-12-31', '0026-09-05']) {
    for (let parts = 1; parts < 8; parts += 1) {
      const [hasYear, hasMonth, hasDay] = [4, 2, 1].map((bit) => (parts & bit) > 0) as [boolean, boolean, boolean];
      const format = new Intl.DateTimeFormat(LOCALES[language], {
        ...(hasYear && { year: 'numeric' }),
        ...(hasMonth && { month: 'long' }),
        ...(hasDay && { day: 'numeric' }),
        timeZone: 'UTC',
      });
      // In Chinese, `Intl` writes a day of a year as "2026年 (日: 1日)".
      const isOdd = language === 'zh-TW' && hasYear && hasDay && !hasMonth;
      const text = format.format(new Date(date)).replace(isOdd ? / \(日: (.*)\)/ : /$^/, '$1');
      expect(formatCalendarDate({ language }, date, { hasYear, hasMonth, hasDay })).toBe(text);
    }
  }
});

test.each(LANGUAGES)('times of every month are as people write them in %s, in UTC and elsewhere', (language) => {
  for (const zone of [undefined, 'zone'] as const) {
    for (const timeZone of ['UTC', 'Asia/Taipei']) {
      const format = new Intl.DateTimeFormat(LOCALES[language], {
        ...{ year: 'numeric', month: language === 'en' ? 'short' : 'numeric', day: 'numeric' },
        ...{ hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZone, ...(zone && { timeZoneName: 'short' }) },
      });
      for (let month = 0; month < 12; month += 1) {
        const time = new Date(Date.UTC(2026, month, 3 * month + 1, 2 * month, 59 - month));
        expect(formatDateTime({ language, timeZone }, time.toISOString(), zone)).toBe(format.format(time));
      }
    }
  }
});

test.each(LANGUAGES)('the months have their names in %s', (language) => {
  const format = new Intl.DateTimeFormat(language, { month: 'long', timeZone: 'UTC' });
  const names = Array.from({ length: 12 }, (_, month) => format.format(new Date(Date.UTC(2000, month))));
  expect(monthNames({ language })).toEqual(names);
});

test.each(LANGUAGES)('lists and alternatives are joined as in %s', (language) => {
  for (let length = 0; length < 5; length += 1) {
    const items = ['PDF', 'JPEG', '文字', 'a, b'].slice(0, length);
    const [list, alternatives] = (['conjunction', 'disjunction'] as const).map((type) =>
      new Intl.ListFormat(LOCALES[language], { type }).format(items),
    );
    expect(formatList({ language }, items)).toBe(list);
    expect(formatAlternatives({ language }, items)).toBe(alternatives);
  }
});
