/**
 * Signs in at the local identity provider without a browser: follows its redirects, keeps its cookies, picks a person on
 * its page or denies, and stops before the callback is requested.
 */
import { decodeEntities } from './entities.ts';

const MAX_STEPS = 10;

/**
 * Returns the callback URL to which the provider redirects the browser, with `code` and `state`, or `error` and `state`.
 * `who` is a username or a `sub` on the provider's page, or `deny`. Throws with the provider's response when it does not
 * redirect to the callback. Calls with the same `cookies` come from the same browser.
 */
export async function pick(
  authorizationUrl: string,
  who: string | 'deny',
  cookies: Map<string, string> = new Map(),
): Promise<string> {
  const { origin } = new URL(authorizationUrl);
  let url = authorizationUrl;
  let form: URLSearchParams | undefined;
  for (let step = 0; step < MAX_STEPS; step += 1) {
    const response = await fetch(url, {
      redirect: 'manual',
      headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
      ...(form ? { method: 'POST', body: form } : {}),
    });
    keep(cookies, response);
    const page = await response.text();
    const location = response.headers.get('location');
    if (location !== null) {
      url = new URL(location, url).href;
      form = undefined;
      if (new URL(url).origin !== origin) return url;
    } else if (response.status === 200 && form === undefined) {
      form = choice(page, who);
    } else {
      throw new Error(`the provider responds with ${response.status} at ${url}: ${page}`);
    }
  }
  throw new Error(`the provider redirects more than ${MAX_STEPS} times: ${url}`);
}

function keep(cookies: Map<string, string>, response: Response): void {
  for (const line of response.headers.getSetCookie()) {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
    if (value === '') cookies.delete(name);
    else cookies.set(name, value);
  }
}

/** The form that the button of a person, or the one to deny, posts. */
function choice(page: string, who: string): URLSearchParams {
  if (who === 'deny') return new URLSearchParams({ deny: 'yes' });
  const buttons = page.matchAll(/<button name="sub" value="([^"]*)"[^>]*>Continue as ([^<]*)<\/button>/g);
  for (const [, sub = '', username = ''] of buttons) {
    if (decodeEntities(username) === who || decodeEntities(sub) === who)
      return new URLSearchParams({ sub: decodeEntities(sub) });
  }
  throw new Error(`there is no ${who} on the provider's page: ${page}`);
}
