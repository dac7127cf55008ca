/**
 * Matches the patterns of conditions: lists of ids and plain texts are compared, others searched for with RE2 (`re2js`),
 * which takes linear time. Rejects patterns that would still be slow. Pure except for the cache of compiled patterns.
 *
 * Size limit: a pattern has at most 500 characters, 2,000 for choices, and at most 600 steps with its counted repetitions expanded. Each
 * character, class, escape, operator and parenthesis is one step; `(?:ab){3}` counts as `(?:ab)(?:ab)(?:ab)`. If a
 * pattern ignores case, a range of letters beyond ASCII counts as 50 more, because RE2 folds each letter (4 ms). The
 * slowest known patterns within the limit (`[\pL ]{0,595}[yz]`) search 10,000 characters in 0.3 to 0.5 s and use 1 to
 * 2 MB; common ones take less than 1 ms. `pattern-cost.ts` limits all patterns of a form together.
 */
import type { RE2JSException, RE2Set } from 're2js';
import { countCharacters } from '#core/schema/schema.ts';
import { readLiteral } from './pattern-literal.ts';
import { loadRe2 } from './re2.ts';
import { type ConditionRule, MAX_CONDITIONS, MAX_PATTERN_CHARACTERS } from './workflow-model.ts';

/** Only this many characters of a subject are searched; no answer is longer. */
export const MAX_SUBJECT_CHARACTERS = 10_000;
export const MAX_PATTERN_STEPS = 600;
const FOLDED_RANGE_STEPS = 50;
/** The memory for the states of a search, per pattern; beyond it, re2js continues without caching states. */
const MAX_STATE_BYTES = 65_536;

/**
 * What the cache holds: more patterns than a form may have conditions, so that walking one never compiles a pattern again,
 * and at most 48 MB of compiled ones, a step being up to 4 KB (`\pL`). The patterns of one form are within both limits.
 */
export const MAX_CACHED_PATTERNS = 2 * MAX_CONDITIONS;
export const MAX_CACHED_STEPS = 12_000;
/** The characters of the subjects of which a pattern remembers whether it matches: one request often walks several times. */
const MAX_REMEMBERED_CHARACTERS = 2 * MAX_SUBJECT_CHARACTERS;

/** Why a pattern is rejected: RE2 cannot compile it (`syntax`), or it exceeds the `size` limit. */
type PatternFault = { kind: 'syntax' | 'size'; message: string };

type Entry = { steps: number } & ({ matches(subject: string): boolean } | { fault: PatternFault });

/** From the one that was used longest ago to the latest. */
const cache = new Map<string, Entry>();
let cachedSteps = 0;

/** What the subjects of a pattern are: ids of choices, or other texts. */
export type PatternSource = NonNullable<ConditionRule['source']>;

/** Returns the fault of a pattern, or null if it is valid. Never throws. */
export function patternFault(pattern: string, source: PatternSource = 'NON_CHOICE'): PatternFault | null {
  const tooLong = lengthFault(pattern, source);
  if (tooLong !== null) return { kind: 'size', message: tooLong };
  const entry = lookUp(pattern);
  return 'fault' in entry ? entry.fault : null;
}

/** Returns the message of the fault of a pattern, or null if it is valid. Never throws. */
export const checkPattern = (pattern: string, source?: PatternSource): string | null =>
  patternFault(pattern, source)?.message ?? null;

/**
 * Whether a pattern matches anywhere in the first 10,000 characters of a subject. Throws an Error for an invalid
 * pattern; callers check `patternFault` first.
 */
export function matches(pattern: string, subject: string): boolean {
  const entry = lookUp(pattern);
  if ('fault' in entry) throw new Error(`cannot search for a faulty pattern: ${entry.fault.message}`);
  return entry.matches(truncateSubject(subject));
}

/** Counts the patterns in the cache, and the steps of those that RE2 compiled. */
export const countCachedPatterns = (): { patterns: number; steps: number } => ({
  patterns: cache.size,
  steps: cachedSteps,
});

/** What stands around a pattern that matches a whole text. */
const WHOLE = ['\\A(?:', ')\\z'] as const;
/** Returns the pattern that matches what another one matches, but only the whole of a text. */
export const toWholePattern = (pattern: string): string => WHOLE.join(pattern);

/** Returns the message of the fault of a pattern for whole texts, or null if it is valid. Never throws. */
export const checkWholePattern = (pattern: string): string | null =>
  // Alone too: `a)(b` would be valid with what stands around it.
  checkPattern(pattern) ?? checkPattern(toWholePattern(pattern));

/** Whether a pattern matches the whole of a text; false for a faulty pattern. */
export const matchesWhole = (pattern: string, subject: string): boolean =>
  checkWholePattern(pattern) === null && matches(toWholePattern(pattern), subject);

/** Cuts a subject to the searched part. A text has at least as many UTF-16 units as characters, so most need no counting. */
function truncateSubject(subject: string): string {
  if (subject.length <= MAX_SUBJECT_CHARACTERS) return subject;
  return Array.from(subject.slice(0, 2 * MAX_SUBJECT_CHARACTERS))
    .slice(0, MAX_SUBJECT_CHARACTERS)
    .join('');
}

function lookUp(pattern: string): Entry {
  const cached = cache.get(pattern);
  if (cached) cache.delete(pattern);
  const entry = cached ?? compile(pattern);
  cache.set(pattern, entry);
  if (!cached) cachedSteps += entry.steps;
  for (const [oldest, { steps }] of cache) {
    if (oldest === pattern || (cache.size <= MAX_CACHED_PATTERNS && cachedSteps <= MAX_CACHED_STEPS)) break;
    cache.delete(oldest);
    cachedSteps -= steps;
  }
  return entry;
}

const faultEntry = (kind: PatternFault['kind'], message: string): Entry => ({ steps: 0, fault: { kind, message } });

function lengthFault(pattern: string, source: PatternSource): string | null {
  const max = MAX_PATTERN_CHARACTERS[source];
  const isWhole = pattern.startsWith(WHOLE[0]) && pattern.endsWith(WHOLE[1]);
  return countCharacters(pattern) > max + (isWhole ? WHOLE.join('').length : 0)
    ? `The pattern is longer than ${max} characters.`
    : null;
}

/** Returns the message for a pattern that is too long or has too many steps, or null. Compiles nothing. */
export function patternSizeFault(pattern: string, source: PatternSource = 'NON_CHOICE'): string | null {
  const tooLong = lengthFault(pattern, source);
  if (tooLong !== null || readLiteral(pattern)) return tooLong;
  const steps = patternSteps(pattern);
  if (steps <= MAX_PATTERN_STEPS) return null;
  const size = `with its counts written out it has ${steps} steps, at most ${MAX_PATTERN_STEPS} are allowed`;
  return `The pattern is too big: ${size}. Lower or remove the counts in braces, such as {1,30}.`;
}

function compile(pattern: string): Entry {
  const size = patternSizeFault(pattern, 'CHOICE');
  if (size !== null) return faultEntry('size', size);
  const literal = readLiteral(pattern);
  if (literal) return { steps: 0, matches: literal };
  const message = backReferenceMessage(pattern);
  if (message) return faultEntry('syntax', message);
  const { RE2JS, RE2JSException, RE2Set } = loadRe2();
  try {
    // A set of one pattern, because only sets have a public limit for the memory of a search.
    const compiled = new RE2Set(RE2Set.UNANCHORED, 0, MAX_STATE_BYTES);
    compiled.add(RE2JS.translateRegExp(pattern));
    compiled.compile();
    return { steps: patternSteps(pattern), matches: rememberMatches(compiled) };
  } catch (error) {
    if (error instanceof RE2JSException) return faultEntry('syntax', explain(error));
    throw error;
  }
}

/** Searches each subject once, as long as it is remembered. */
function rememberMatches(compiled: RE2Set): (subject: string) => boolean {
  const results = new Map<string, boolean>();
  let characters = 0;
  return (subject) => {
    const known = results.get(subject);
    if (known !== undefined) return known;
    const isMatch = compiled.match(subject).length > 0;
    characters += subject.length;
    if (characters > MAX_REMEMBERED_CHARACTERS) {
      results.clear();
      characters = subject.length;
    }
    results.set(subject, isMatch);
    return isMatch;
  };
}

/** Returns the message for back-references, which `translateRegExp` would silently turn into literal text. */
function backReferenceMessage(pattern: string): string | undefined {
  for (const { 0: escaped, index } of pattern.matchAll(/\\[\s\S]/g)) {
    const isReference = escaped === '\\8' || escaped === '\\9' || (escaped === '\\k' && pattern[index + 2] === '<');
    if (isReference) return unsupportedMessage('a back-reference', escaped);
  }
  return undefined;
}

const unsupportedMessage = (construct: string, text: string): string =>
  `The pattern uses ${construct} (${text}), which RE2 patterns do not have.`;

/** The message of RE2, or a clearer one for syntax that only other engines support. */
function explain(error: RE2JSException): string {
  if (!(error instanceof loadRe2().RE2JSSyntaxException)) return `The pattern does not compile: ${error.message}.`;
  const place = error.getPattern() ?? '';
  const lookAround = /^\(\?<?[=!]/.exec(place)?.[0];
  if (lookAround) return unsupportedMessage('look-around', lookAround);
  if (/^\\[1-9]/.test(place)) return unsupportedMessage('a back-reference', place);
  const excerpt = place.length > 40 ? `${place.slice(0, 40)}…` : place;
  return `The pattern does not compile: ${error.error}${excerpt === '' ? '' : ` at "${excerpt}"`}.`;
}

/**
 * Quoted text, an escape, a class, flags, the start of a group, a counted repetition, or any other character. No name in
 * braces has more than 40 characters.
 */
const TOKEN =
  /(?<quoted>\\Q[\s\S]*?(?:\\E|$))|\\[xupP]\{[^}]{0,40}\}|\\[\s\S]|\[\^?\]?(?:\\[\s\S]|\[:\w+:\]|[^\]\\])*\]|(?<flags>\(\?[A-Za-z-]+\))|\((?:\?(?:[A-Za-z-]*:|P?<\w+>))?|\{(?<min>\d+)(?:,(?<max>\d*))?\}|[\s\S]/gu;
const RANGE_BEYOND_ASCII = /-(?:[^\p{ASCII}]|\\[xup])/gu;

/**
 * Counts the steps of a pattern with its counted repetitions expanded, computed from the text before RE2 compiles
 * it. RE2 compiles a pattern to at most about twice as many instructions, and a search takes at most characters ×
 * instructions.
 */
export function patternSteps(pattern: string): number {
  const ignoresCase = /\(\?[A-Za-z]*i/.test(pattern);
  const outer: number[] = [];
  let total = 0;
  let last = 0;
  for (const { 0: token, groups } of loadRe2().RE2JS.translateRegExp(pattern).matchAll(TOKEN)) {
    // A class without an end: no pattern, and looking for the end of each that follows would take quadratic time.
    if (token === '[') return total + pattern.length;
    if (groups?.min !== undefined) {
      const times = Math.max(Number(groups.max || groups.min), 1);
      total += last * (times - 1);
      last *= times;
    } else if (groups?.flags !== undefined) {
      // Flags are not a step: RE2 repeats the token before them: `a{30}(?i){9}` is 270 times `a`.
    } else if (token.startsWith('(')) {
      outer.push(total);
      total = 1;
      last = 0;
    } else if (token === ')') {
      last = total + 1;
      total = (outer.pop() ?? 0) + last;
    } else {
      const foldedRanges = ignoresCase ? (token.match(RANGE_BEYOND_ASCII)?.length ?? 0) : 0;
      last = (groups?.quoted?.length ?? 1) + FOLDED_RANGE_STEPS * foldedRanges;
      total += last;
    }
  }
  return outer.reduce((sum, steps) => sum + steps, total);
}
