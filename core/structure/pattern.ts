/**
 * Runs the patterns of conditions by RE2 (`re2js`), never by the platform's backtracking engine (contract section 6),
 * and refuses those that would make RE2 slow (performance section 4). Pure but for its cache of compiled patterns.
 * Only `path.ts`, `check.ts` and `edits.ts` beside it import this file: re2js is 151 KB.
 */
import { RE2JS, RE2JSException, RE2JSSyntaxException } from 're2js';
import { characters } from '#core/schema/schema.ts';
import { MAX_PATTERN_CHARACTERS } from '#core/structure/workflow-model.ts';

/** A subject is searched up to here; no answer is longer (contract section 7, LONG_TEXT). */
export const MAX_SUBJECT_CHARACTERS = 10_000;
/** The most instructions that a pattern may compile to. */
export const MAX_PROGRAM = 1_000;
/**
 * The most steps of a pattern that may be alive at one character of the subject. RE2's time is characters × steps
 * alive, so this is what keeps the worst search of 10,000 characters at about 50 ms, while a list of a dozen choice
 * ids, whose steps rule each other out, fits in.
 */
export const MAX_ALIVE = 200;
/** The most steps that a pattern may have when its repetitions are written out, before it is compiled at all. */
const MAX_WRITTEN_OUT = 20_000;
/** The most ranges beyond ASCII that a pattern may have while it ignores case. */
const MAX_FOLDED_RANGES = 8;
/** A pattern of so few steps searches 10,000 characters in 2 ms, however hostile. */
const SMALL_PROGRAM = 12;
const MAX_CACHED = 500;
/** What the states that a search discovers may take, per pattern, instead of re2js's 8 MB. */
const MAX_STATE_BYTES = 262_144;

/** Why a pattern is refused: RE2 does not know its `syntax`, or it is beyond our bound on `size`. */
export type PatternFault = { kind: 'syntax' | 'size'; message: string };

type Entry = { compiled: RE2JS } | { fault: PatternFault };

const cache = new Map<string, Entry>();

/** What is wrong with a pattern, or null when it may be searched for. Never throws. */
export function patternFault(pattern: string): PatternFault | null {
  const entry = lookUp(pattern);
  return 'fault' in entry ? entry.fault : null;
}

/** The message of what is wrong with a pattern, or null when it may be searched for. Never throws. */
export const checkPattern = (pattern: string): string | null => patternFault(pattern)?.message ?? null;

/**
 * Whether the pattern is found anywhere in the first 10,000 characters of a subject. Throws when `checkPattern` finds
 * a fault in the pattern: what a faulty pattern means is for the caller to say.
 */
export function matches(pattern: string, subject: string): boolean {
  const entry = lookUp(pattern);
  if ('fault' in entry) throw new Error(`a faulty pattern cannot be searched for: ${entry.fault.message}`);
  return entry.compiled.test(cut(subject));
}

/**
 * How many steps a pattern takes at each character of a subject, at most; 0 for one that is faulty, plain text, or so
 * small that hundreds of them do not matter. What the conditions of a form may cost together is bounded by the sum
 * (`edits.ts`).
 */
export function patternSteps(pattern: string): number {
  const entry = lookUp(pattern);
  if ('fault' in entry || entry.compiled.re2().prefixComplete) return 0;
  const steps = entry.compiled.programSize();
  return steps > SMALL_PROGRAM ? steps : 0;
}

/** How many patterns are kept compiled; never more than 500. */
export const cachedPatterns = (): number => cache.size;

/** The longest subject in UTF-16 units can only be longer in units than in characters, so most need no counting. */
function cut(subject: string): string {
  if (subject.length <= MAX_SUBJECT_CHARACTERS) return subject;
  return Array.from(subject.slice(0, 2 * MAX_SUBJECT_CHARACTERS))
    .slice(0, MAX_SUBJECT_CHARACTERS)
    .join('');
}

/** The least recently used pattern makes room: a Map keeps the order in which its keys were set. */
function lookUp(pattern: string): Entry {
  if (pattern.length > MAX_PATTERN_CHARACTERS && characters(pattern) > MAX_PATTERN_CHARACTERS) {
    return refused('size', `The pattern is longer than ${MAX_PATTERN_CHARACTERS} characters.`);
  }
  const known = cache.get(pattern);
  const entry = known ?? compile(pattern);
  if (known) cache.delete(pattern);
  cache.set(pattern, entry);
  if (cache.size > MAX_CACHED) {
    const [oldest] = cache.keys();
    if (oldest !== undefined) cache.delete(oldest);
  }
  return entry;
}

const refused = (kind: PatternFault['kind'], message: string): Entry => ({ fault: { kind, message } });

function compile(pattern: string): Entry {
  if (isSlowToFold(pattern)) return refused('size', tooManyFolded);
  const foreign = foreignSyntax(pattern);
  if (foreign) return refused('syntax', foreign);
  if (writtenOut(pattern) > MAX_WRITTEN_OUT) return refused('size', tooBig(`more than ${MAX_WRITTEN_OUT} steps`));
  try {
    const compiled = RE2JS.compile(RE2JS.translateRegExp(pattern));
    const size = compiled.programSize();
    if (size > MAX_PROGRAM) return refused('size', tooBig(`${size} steps, of which ${MAX_PROGRAM} are allowed`));
    if (mostAlive(compiled) > MAX_ALIVE) return refused('size', tooAmbiguous);
    boundStates(compiled);
    return { compiled };
  } catch (error) {
    if (error instanceof RE2JSException) return refused('syntax', explain(error));
    throw error;
  }
}

const tooBig = (steps: string): string =>
  `The pattern is too big: written out it has ${steps}. Lower or remove the counts in braces, such as {1,30}.`;
const tooAmbiguous =
  `The pattern is too ambiguous to be searched for quickly: more than ${MAX_ALIVE} of its steps can fit the same ` +
  'character at once. Lower or remove the counts in braces, such as {1,300}, or shorten it.';

const tooManyFolded =
  `The pattern ignores case in more than ${MAX_FOLDED_RANGES} ranges of letters beyond ASCII, which is slow to ` +
  'compile. Leave out (?i), or name classes such as \\pL instead of ranges.';

/** RE2 folds a range letter by letter, which takes 4 ms for a range over all alphabets. */
function isSlowToFold(pattern: string): boolean {
  if (!/\(\?[A-Za-z]*i/.test(pattern)) return false;
  return (pattern.match(/-(?:[^\p{ASCII}]|\\[xup])/gu)?.length ?? 0) > MAX_FOLDED_RANGES;
}

/** What `translateRegExp` would silently turn into literal text although its author meant something else. */
function foreignSyntax(pattern: string): string | undefined {
  for (const { 0: escaped, index } of pattern.matchAll(/\\[\s\S]/g)) {
    const isReference = escaped === '\\8' || escaped === '\\9' || (escaped === '\\k' && pattern[index + 2] === '<');
    if (isReference) return unsupported('a back-reference', escaped);
  }
  return undefined;
}

const unsupported = (what: string, text: string): string =>
  `The pattern uses ${what} (${text}), which RE2 patterns do not have.`;

/** RE2's own words for its error, but plain ones for what people bring along from other engines. */
function explain(error: RE2JSException): string {
  if (!(error instanceof RE2JSSyntaxException)) return `The pattern does not compile: ${error.message}.`;
  const place = error.getPattern() ?? '';
  const lookAround = /^\(\?<?[=!]/.exec(place)?.[0];
  if (lookAround) return unsupported('look-around', lookAround);
  if (/^\\[1-9]/.test(place)) return unsupported('a back-reference', place);
  const shown = place.length > 40 ? `${place.slice(0, 40)}…` : place;
  return `The pattern does not compile: ${error.error}${shown === '' ? '' : ` at "${shown}"`}.`;
}

const TOKEN =
  /\\[\s\S]|\[\^?(?:\\[\s\S]|[^\]\\])*\]|\((?:\?(?:[A-Za-z-]*:|P?<\w+>))?|\{(?<min>\d{1,4})(?:,(?<max>\d{0,4}))?\}|[\s\S]/gu;

/**
 * Roughly how many steps a pattern has when its counted repetitions are written out. It keeps a pattern such as
 * `(?:abc|bcd){1000}` twenty times over, which takes RE2 a third of a second to compile, from being compiled.
 */
function writtenOut(pattern: string): number {
  const outer: number[] = [];
  let total = 0;
  let last = 0;
  for (const { 0: token, groups } of pattern.matchAll(TOKEN)) {
    if (groups?.min !== undefined) {
      const times = Math.max(Number(groups.max || groups.min), 1);
      total += last * (times - 1);
      last *= times;
      continue;
    }
    if (token.startsWith('(')) {
      outer.push(total);
      total = 0;
      last = 0;
      continue;
    }
    last = token === ')' ? total + 1 : 1;
    total = (token === ')' ? (outer.pop() ?? 0) : total) + last;
  }
  return outer.reduce((sum, each) => sum + each, total);
}

/** What re2js shows of a compiled program; its own types say `any`. */
type Program = { start: number; numInst(): number; getInst(at: number): Instruction };
type Instruction = { out: number; runes: ArrayLike<number>; matchRune(rune: number): boolean };

/**
 * An upper bound of the steps alive after any one character: for each class of characters that the program tells
 * apart, everything that can follow the steps that fit it. Steps through big classes such as `\pL` count twice,
 * because telling whether a character is in them takes twice as long.
 */
function mostAlive(compiled: RE2JS): number {
  const program: Program = compiled.re2().prog;
  const { classBounds } = compiled.re2().dfa;
  const instructions = Array.from({ length: program.numInst() }, (_, at) => program.getInst(at));
  const weights = instructions.map(({ runes }) => (runes.length > 8 ? 2 : 1));
  if (weights.reduce((sum, weight) => sum + weight, 0) <= MAX_ALIVE) return 0;
  if (compiled.re2().prefixComplete) return 0; // plain text: searched for as such, without any steps
  let most = 0;
  for (const rune of [0, ...classBounds]) {
    const following = instructions.filter((each) => each.matchRune(rune)).map(({ out }) => out);
    const alive: number[] = compiled.re2().dfa.closure([program.start, ...following], EVERY_ASSERTION).pcs;
    most = Math.max(
      most,
      alive.reduce((sum, at) => sum + (weights[at] ?? 0), 0),
    );
    if (most > MAX_ALIVE) break;
  }
  return most;
}

/** Every flag of `^ $ \b \B \A \z`, held true at once. */
const EVERY_ASSERTION = 0xff;

/** Less memory for states also means less time: a hostile search falls back to the plain engine sooner. */
function boundStates(compiled: RE2JS): void {
  const { dfa } = compiled.re2();
  dfa.stateBudget = MAX_STATE_BYTES;
  dfa.memBudget = MAX_STATE_BYTES;
}
