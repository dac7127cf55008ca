/**
 * Patterns that find numbers and dates within bounds: RE2 compares no values, but their digits. Pure.
 *
 * A number is compared in its canonical form: a point, no plus, no zeros before the first or after the last digit, as
 * `-0.5`, `0` or `1200`. A date is compared with one of the same parts, as it is displayed: `2026-06-15`, `2026-06`, `06-15`.
 */

/** The bounds of a range, both included; without one, the range has no end there. */
export type Range = { from?: string | undefined; to?: string | undefined };

/** Builds the pattern of the numbers in a range; `from` and `to` are canonical, and `from` is not the larger one. */
export function numberPattern({ from, to }: Range): string {
  const isNegative = (bound: string | undefined): bound is string => bound?.startsWith('-') === true;
  const below = isNegative(from) ? from.slice(1) : undefined;
  const above = isNegative(to) ? to.slice(1) : undefined;
  const negative = from === undefined || below !== undefined ? [`-${join(listMagnitudes(above, below))}`] : [];
  const positive = above === undefined ? listMagnitudes(below === undefined ? from : undefined, to) : [];
  return `^${join([...negative, ...positive], true)}[.\\d]*$`;
}

/** Builds the pattern of the dates in a range; `isStrict`: without the bounds themselves. */
export const datePattern = ({ from, to }: Range, isStrict = false): string =>
  `^${join(listDates(from, to, isStrict), true)}[-\\d]*$`;

/** Joins alternatives, in a group unless there is one; `isGroup`: with a group in any case. */
const join = (alternatives: readonly string[], isGroup = alternatives.length !== 1): string =>
  isGroup ? `(?:${alternatives.join('|')})` : alternatives.join('');

/** Writes one of the digits from `first` to `last`; none if there are none. */
function listDigits(first: number, last: number, following: string): string[] {
  if (first > last) return [];
  if (first === 0 && last === 9) return [`\\d${following}`];
  return [`${first === last ? first : `[${first}-${last}]`}${following}`];
}

const repeat = (count: number): string => (count === 0 ? '' : count === 1 ? '\\d' : `\\d{${count}}`);

type Decimal = { digits: string; fraction: string };

const parse = (text: string): Decimal => {
  const [digits = '', fraction = ''] = text.split('.');
  return { digits, fraction };
};

/** Lists the numbers without a sign in a range, by the count of the digits before the point. */
function listMagnitudes(from: string | undefined, to: string | undefined): string[] {
  const [low, high] = [from === undefined ? undefined : parse(from), to === undefined ? undefined : parse(to)];
  const shortest = low?.digits.length ?? 1;
  const longest = high?.digits.length;
  if (shortest === longest) return listSameLength(shortest, low, high, shortest > 1);
  const most = longest === undefined ? '' : longest - 2;
  const between =
    longest === undefined || longest - 1 > shortest
      ? [`[1-9]\\d${most === shortest ? `{${most}}` : `{${shortest},${most}}`}\\b`]
      : [];
  return [
    ...listSameLength(shortest, low, undefined, shortest > 1),
    ...between,
    ...(longest === undefined ? [] : listSameLength(longest, undefined, high, longest > 1)),
  ];
}

/** Lists the numbers in a range with `count` further digits before the point; `isFirst`: the next one is not zero. */
function listSameLength(count: number, low?: Decimal, high?: Decimal, isFirst = false): string[] {
  const least = isFirst ? 1 : 0;
  // Whatever follows the digits of the lower bound is not less than it.
  if (low && low.fraction === '' && /^0*$/.test(low.digits)) return listSameLength(count, undefined, high, isFirst);
  if (count === 0) return !low && !high ? ['\\b'] : listFractions(low?.fraction ?? '', high?.fraction);
  if (!low && !high) return listDigits(least, 9, `${repeat(count - 1)}\\b`);
  const rest = ({ digits, fraction }: Decimal): Decimal => ({ digits: digits.slice(1), fraction });
  const first = low ? Number(low.digits[0]) : least;
  const last = high ? Number(high.digits[0]) : 9;
  if (low && high && first === last) return prefix(first, listSameLength(count - 1, rest(low), rest(high)));
  // Nothing but zeros after its first digit: that digit needs no alternative of its own.
  const isRound = low !== undefined && low.fraction === '' && /^.0*$/.test(low.digits);
  return [
    ...(low && !isRound ? prefix(first, listSameLength(count - 1, rest(low))) : []),
    ...listDigits(low && !isRound ? first + 1 : first, high ? last - 1 : last, `${repeat(count - 1)}\\b`),
    ...(high ? prefix(last, listSameLength(count - 1, undefined, rest(high))) : []),
  ];
}

const prefix = (digit: number | string, following: readonly string[]): string[] =>
  following.length === 0 ? [] : [`${digit}${join(following)}`];

/** Lists what follows the digits before the point, which are those of a bound. */
const listFractions = (low: string, high: string | undefined): string[] => [
  ...(low === '' ? ['$'] : []),
  ...(high === '' ? [] : prefix('\\.', listDecimals(low, high, true))),
];

/** Lists the digits after the point that are left to compare; `isFirst`: there is at least one. */
function listDecimals(low: string, high: string | undefined, isFirst = false): string[] {
  if (low === '' && high === undefined) return [''];
  const ends = low === '' && !isFirst ? ['$'] : [];
  if (high === '') return ends;
  const first = Number(low[0] ?? 0);
  const last = high === undefined ? 9 : Number(high[0]);
  if (low !== '' && high !== undefined && first === last)
    return prefix(first, listDecimals(low.slice(1), high.slice(1)));
  return [
    ...ends,
    ...(low === '' ? [] : prefix(first, listDecimals(low.slice(1), undefined))),
    ...listDigits(low === '' ? first : first + 1, high === undefined ? last : last - 1, ''),
    ...(high === undefined ? [] : prefix(last, listDecimals('', high.slice(1)))),
  ];
}

/** Lists the dates in a range; a bound of which nothing is left is the date itself. */
function listDates(low: string | undefined, high: string | undefined, isStrict: boolean): string[] {
  if (low === '' || high === '') return isStrict ? [] : ['$'];
  if (low === undefined && high === undefined) return [''];
  const [from = '', to = ''] = [low?.[0], high?.[0]];
  const rest = (bound: string | undefined): string | undefined => bound?.slice(1);
  if (from === '-' || to === '-') return prefix('-', listDates(rest(low), rest(high), isStrict));
  if (from === to) return prefix(from, listDates(rest(low), rest(high), isStrict));
  return [
    ...(low === undefined ? [] : prefix(from, listDates(rest(low), undefined, isStrict))),
    ...listDigits(low === undefined ? 0 : Number(from) + 1, high === undefined ? 9 : Number(to) - 1, ''),
    ...(high === undefined ? [] : prefix(to, listDates(undefined, rest(high), isStrict))),
  ];
}
