/** Pages as a signed-in person requests them without a browser. */
import { expect } from 'vitest';
import { decodeEntities } from './entities.ts';
import { type Person, send } from './fixtures.ts';

const ORIGIN = 'http://127.0.0.1:3000';

/** Requests of a person: `show` expects a page, `post` sends a form. */
export function pagesOf({ token }: Pick<Person, 'token'>, headers: Record<string, string> = {}) {
  const own = { cookie: `access_token=${token}`, ...headers };
  const get = (path: string): Promise<Response> => send('GET', path, { headers: own });
  const post = (path: string, fields: readonly (readonly [string, string])[] = []): Promise<Response> =>
    send('POST', path, {
      headers: { ...own, origin: ORIGIN, 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(fields.map(([name, value]): [string, string] => [name, value])).toString(),
    });
  /** Sends a form with files. */
  const upload = (path: string, body: FormData): Promise<Response> =>
    send('POST', path, { headers: { ...own, origin: ORIGIN }, body });
  const show = async (path: string): Promise<string> => {
    const response = await get(path);
    expect([path, response.status]).toEqual([path, 200]);
    return response.text();
  };
  /** Posts the form of a section with the stamps that its page shows. */
  const postSection = async (path: string, fields: readonly (readonly [string, string])[]): Promise<Response> => {
    const stamps = [...(await show(path)).matchAll(/name="(s\.[^"]+)" value="([^"]*)"/g)];
    return post(path, [...stamps.map(([, name = '', value = '']) => [name, value] as const), ...fields]);
  };
  return { get, post, upload, show, postSection };
}

/** The text of a page as it is read, without elements and with single spaces. */
export const textOf = (html: string): string =>
  html
    .replaceAll(/<(?:head|noscript)>.*?<\/(?:head|noscript)>/gs, '')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ');

/** The fields of the form of a page as a browser sends them, without its buttons. */
export function fieldsOf(html: string): [string, string][] {
  const main = html.slice(html.indexOf('<main'));
  const form = main.slice(main.indexOf('<form'), main.indexOf('</form>'));
  const controls = form.matchAll(
    /<input ([^>]*)>|<textarea [^>]*?name="([^"]+)"[^>]*>\n([^<]*)<\/textarea>|<select [^>]*?name="([^"]+)"[^>]*>(.*?)<\/select>/gs,
  );
  return [...controls].flatMap(([, input, area, content, select, options]): [string, string][] => {
    if (area !== undefined) return [[area, decodeEntities(content ?? '')]];
    if (select !== undefined) {
      const value = /value="([^"]*)" selected/.exec(options ?? '') ?? /value="([^"]*)"/.exec(options ?? '');
      return [[select, decodeEntities(value?.[1] ?? '')]];
    }
    const name = /name="([^"]+)"/.exec(input ?? '')?.[1];
    const isBox = /type="(?:checkbox|radio)"/.test(input ?? '');
    if (name === undefined || (isBox && !/ checked/.test(input ?? ''))) return [];
    return [[name, decodeEntities(/value="([^"]*)"/.exec(input ?? '')?.[1] ?? '')]];
  });
}

/** Fills in the form of a page: the given names replace what it shows. */
export async function fillIn(
  by: Person,
  path: string,
  changes: readonly (readonly [string, string])[],
  action = 'save',
): Promise<Response> {
  const pages = pagesOf(by);
  const names = new Set(changes.map(([name]) => name));
  const shown = fieldsOf(await pages.show(path)).filter(([name]) => !names.has(name));
  return pages.post(path.replace(/\?.*/, ''), [...shown, ...changes, ['do', action]]);
}

/** Fills in the form of a page that says first what would be lost, and saves what it then shows. */
export async function fillInSeen(by: Person, path: string, changes: readonly (readonly [string, string])[]) {
  const warned = await fillIn(by, path, changes);
  expect(warned.status).toBe(409);
  return pagesOf(by).post(path, fieldsOf(await warned.text()));
}
