/** One mutation of a valid request: of its JSON, bytes, parts, headers, path, query or caller. */
import fc from 'fast-check';
import { nameOf } from '#test/support/requests.ts';
import { type Draw, pick, weigh } from './draw.ts';
import type { Ground, Shown } from './ground.ts';
import { BYTES, CREDENTIALS, HEADERS, HUGE, METHODS, PATHS, QUERIES, SEGMENTS } from './hostile-http.ts';
import { PART_FAULTS } from './multipart.ts';
import { bytesOf, type Draft, withParameters } from './request.ts';
import { HOSTILE_TEXTS, OWN_ORIGIN, REDIRECTS } from './texts.ts';
import { changeOne, flood, vary } from './values.ts';

type Known = { ground: Ground; shown: Shown; draw: Draw };
/** Returns what it changes of a request. */
type Mutation = (draft: Draft, known: Known) => Partial<Draft>;

const ANY: readonly (readonly [weight: number, mutation: Mutation])[] = [
  [30, () => ({})],
  [5, ({ headers }, { draw }) => ({ headers: { ...headers, ...Object.fromEntries(draw(someHeaders)) } })],
  [4, sendStateOfOthers],
  [5, changeSegment],
  [1, ({ path }, { draw }) => ({ path: pick(draw, PATHS)(path), pathIsMutated: true })],
  [1, (_, { draw }) => ({ method: pick(draw, METHODS), pathIsMutated: true })],
  [1, (_, { draw }) => ({ query: pick(draw, QUERIES) })],
  [1, changeBytes],
  [9, changeCaller],
];

const OF_QUERY: typeof ANY = [
  [6, changeQuery],
  [3, setParameter],
  [4, ({ query }, { draw }) => ({ query: withParameters(query, { limit: draw(fc.integer({ min: 1, max: 3 })) }) })],
  [4, (draft, { shown }) => shown.nextPages.get(nameOf(draft.declaration)) ?? {}],
  [2, (_, { draw, shown }) => ({ query: `cursor=${encodeURIComponent(pick(draw, ['none', ...shown.cursors]))}` })],
  [4, (_, { draw }) => ({ query: pick(draw, QUERIES) })],
];

const OF_JSON: typeof ANY = [
  [28, ({ json }, { draw }) => ({ json: changeOne(json ?? {}, draw) })],
  [30, ({ json }, { draw }) => ({ json: vary(json, draw) })],
  [3, ({ json }, { draw }) => ({ json: flood(json, draw) })],
  [6, changeBytes],
];

const OF_PARTS: typeof ANY = [
  [40, ({ bytes, headers }, { draw }) => changeParts(bytes, headers, draw)],
  [4, changeBytes],
];

/** Mutates a request in one way, or not at all. */
export function mutate(draft: Draft, known: Known): Draft {
  const { query, body } = draft.declaration;
  const mutations = [...ANY, ...(query ? OF_QUERY : []), ...(draft.bytes ? OF_PARTS : body ? OF_JSON : [])];
  return { ...draft, ...weigh(known.draw, mutations)(draft, known) };
}

/** Huge bodies are rare, because each takes as long as hundreds of other requests. */
function changeBytes(draft: Draft, { draw }: Known): Partial<Draft> {
  const changes = draw(fc.nat({ max: 60 })) === 60 ? HUGE : BYTES;
  return { bytes: pick(draw, changes)(bytesOf(draft) ?? Buffer.alloc(0)) };
}

const someHeaders = fc.array(fc.constantFrom(...HEADERS), { minLength: 1, maxLength: 3 });

function changeParts(bytes: Buffer | undefined, headers: Draft['headers'], draw: Draw): Partial<Draft> {
  const type = headers['content-type'] ?? '';
  const parts = { text: bytes?.toString('latin1') ?? '', type, boundary: type.split('boundary=')[1] ?? '' };
  const changed = pick(draw, pick(draw, PART_FAULTS))(parts);
  return { bytes: Buffer.from(changed.text, 'latin1'), headers: { ...headers, 'content-type': changed.type } };
}

/** Sends a version that another response showed, or an idempotency key that other requests send too. */
function sendStateOfOthers({ headers }: Draft, { draw, shown }: Known): Partial<Draft> {
  const sent = draw(fc.boolean())
    ? { 'if-match': pick(draw, ['*', ...shown.etags]) }
    : { 'idempotency-key': pick(draw, [crypto.randomUUID(), `shared-${draw(fc.nat({ max: 30 }))}`]) };
  return { headers: { ...headers, ...sent } };
}

function changeSegment({ declaration, path }: Draft, { ground, draw }: Known): Partial<Draft> {
  const segments = path.split('/');
  const isParameter = `/api${declaration.path}`.split('/').map((segment) => segment.startsWith('{'));
  const indexes = segments.flatMap((_, index) => (isParameter[index] ? [index] : []));
  if (indexes.length === 0) return {};
  // A known id is routed to the same operation; anything else may be routed to another or none.
  const isKnown = draw(fc.boolean());
  segments[pick(draw, indexes)] = isKnown ? encodeURIComponent(pick(draw, ground.ids)) : pick(draw, SEGMENTS);
  return { path: segments.join('/'), pathIsMutated: !isKnown };
}

function changeQuery({ query }: Draft, { draw }: Known): Partial<Draft> {
  const changed = changeOne(Object.fromEntries(new URLSearchParams(query)), draw);
  // A long text is as many members; a thousand parameters are more than any URL holds.
  return { query: withParameters('', Object.fromEntries(Object.entries(Object(changed)).slice(0, 1_000))) };
}

/** Gives one of the declared parameters a hostile value. */
function setParameter({ declaration, query }: Draft, { draw }: Known): Partial<Draft> {
  const name = pick(draw, ['none', ...Object.keys(declaration.query?.().shape ?? {})]);
  return { query: withParameters(query, { [name]: pick(draw, [...REDIRECTS, ...HOSTILE_TEXTS]) }) };
}

function changeCaller({ headers }: Draft, { ground, draw }: Known): Partial<Draft> {
  const { authorization: _, ...others } = headers;
  const { token } = pick(draw, ground.people);
  const origin = pick(draw, [OWN_ORIGIN, 'https://evil.example']);
  const credential: Record<string, string> = weigh(draw, [
    [10, { authorization: `Bearer ${token}` }],
    [1, {}],
    [1, { authorization: `Bearer ${ground.expiredToken}` }],
    [2, { cookie: `access_token=${token}`, origin }],
    [1, { authorization: `Bearer ${token.slice(0, -4)}AAAA` }],
    [2, { authorization: pick(draw, CREDENTIALS) }],
  ]);
  return { headers: { ...others, ...credential } };
}
