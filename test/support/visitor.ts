/** Somebody who reads pages in a browser without scripts: it keeps the cookies that it gets, each below its path. */
import { expect } from 'vitest';
import { type Person, send } from './fixtures.ts';
import { fieldsOf } from './pages.ts';
import { solve } from './prepared.ts';

const ORIGIN = 'http://127.0.0.1:3000';

type Fields = readonly (readonly [string, string])[];
type Init = { body?: string; headers?: Record<string, string> };

/** `session`: whoever is signed in; `read`: what happens while a page is read, such as that time passes. */
type Visitor = { language?: string; session?: Pick<Person, 'token'>; read?: () => void };

/**
 * A browser of a visitor. `lines`: the cookies that it got, as they were sent; `show` expects a page; `post` sends a form, from this
 * service unless another origin is given.
 */
export function newBrowser({ language, session, read }: Visitor = {}) {
  const jar = new Map<string, { value: string; path: string }>();
  const lines: string[] = [];
  if (session) jar.set('access_token', { value: session.token, path: '/' });
  const request = async (method: string, path: string, init: Init = {}): Promise<Response> => {
    const sent = [...jar].filter(([, { path: below }]) => path.startsWith(below));
    const cookie = sent.map(([name, { value }]) => `${name}=${value}`).join('; ');
    const own = { ...(language && { 'accept-language': language }), ...(cookie !== '' && { cookie }) };
    const response = await send(method, path, { ...init, headers: { ...own, ...init.headers } });
    for (const line of response.headers.getSetCookie()) {
      lines.push(line);
      const [pair = '', ...attributes] = line.split('; ');
      const [name = '', value = ''] = pair.split('=');
      const below = attributes.find((each) => each.startsWith('Path='))?.slice('Path='.length) ?? '/';
      if (value === '') jar.delete(name);
      else jar.set(name, { value, path: below });
    }
    return response;
  };
  const get = (path: string) => request('GET', path);
  const show = async (path: string): Promise<string> => {
    const response = await get(path);
    expect([path, response.status]).toEqual([path, 200]);
    read?.();
    return response.text();
  };
  const post = (path: string, fields: Fields = [], origin = ORIGIN) =>
    request('POST', path, {
      headers: { origin, 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(fields.map(([name, value]): [string, string] => [name, value])).toString(),
    });
  return { jar, lines, get, show, post };
}

/** Where a response leads; empty if it leads nowhere. */
export const locationOf = (response: Response): string => response.headers.get('location') ?? '';

/** The fields of a page that asks for a proof of work, with the proof. */
export function solvedFields(html: string): [string, string][] {
  const fields = fieldsOf(html);
  const challenge = new Map(fields).get('challenge') ?? '';
  return fields.map(([name, value]) => [name, name === 'solution' ? solve(challenge) : value]);
}
