/** A person who answers a form on its pages, without JavaScript, and the assets that the pages name. */
import { expect } from 'vitest';
import { type Person, send } from '#test/support/fixtures.ts';

/** Follows a page's assets and those that they name; every one of them must be there. Returns their addresses. */
export async function loadAssets(text: string, loaded = new Set<string>()): Promise<Set<string>> {
  for (const [path] of text.matchAll(/\/assets\/[\w.-]+/g)) {
    if (loaded.has(path)) continue;
    loaded.add(path);
    const response = await send('GET', path);
    expect([path, response.status]).toEqual([path, 200]);
    const isText = /css|javascript/.test(response.headers.get('content-type') ?? '');
    if (isText) await loadAssets(await response.text(), loaded);
    else await response.body?.cancel();
  }
  return loaded;
}

export type Page = { path: string; html: string };

/** Sends a request with the cookie of a person, and opens the page to which it leads, as a browser does. */
async function navigate(person: Person, method: string, path: string, body?: URLSearchParams): Promise<Page> {
  const form = { origin: process.env.PUBLIC_URL ?? '', 'content-type': 'application/x-www-form-urlencoded' };
  const response = await send(method, path, {
    headers: { cookie: `access_token=${person.token}`, ...(body ? form : {}) },
    ...(body ? { body: body.toString() } : {}),
  });
  const html = await response.text();
  const location = response.headers.get('location');
  if (location) return navigate(person, 'GET', location);
  expect([method, path, response.status], html).toEqual([method, path, 200]);
  return { path, html };
}

/** Opens a page. */
export const open = (person: Person, path: string): Promise<Page> => navigate(person, 'GET', path);

/** Posts the form of a page: some fields, and the stamps and the revision that the page holds. Returns the page to which it leads. */
export function post(person: Person, path: string, fields: Record<string, string> = {}, page?: Page): Promise<Page> {
  const stamps = [...(page?.html ?? '').matchAll(/name="(s\.[^"]+|revision)" value="([^"]*)"/g)];
  const entries = stamps.map(([, name = '', value = '']): [string, string] => [name, value]);
  return navigate(person, 'POST', path, new URLSearchParams([...entries, ...Object.entries(fields)]));
}
