/** The pictures of the people of the local provider: initials on a disc, at `/pictures/<username>.svg`. */
import { html } from 'hono/html';
import { plainPages } from '../gateway/plain-pages.ts';
import type { PageHandler } from '../gateway/server.ts';
import type { ProviderPerson } from './people.ts';

export const PICTURE_TYPE = 'image/svg+xml';

/** The address of the picture of a person at an origin. */
export const pictureUrl = (origin: string, { preferred_username }: ProviderPerson): string =>
  `${origin}/pictures/${encodeURIComponent(preferred_username)}.svg`;

/** The picture at a path; undefined when it is not that of one of the people. */
export function renderPicture(people: readonly ProviderPerson[], path: string): string | undefined {
  const person = people.find((each) => pictureUrl('', each) === path);
  if (!person) return undefined;
  const initials = [...person.name.matchAll(/\b\w/g)].join('').slice(0, 2);
  return html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 96 96" role="img" aria-label="${person.name}">
<circle cx="48" cy="48" r="48" fill="#1f4e79"/>
<text x="48" y="62" text-anchor="middle" font-family="sans-serif" font-size="40" fill="#ffffff">${initials}</text>
</svg>`.toString();
}

/** Serves the pictures beside the service: unlike the provider, it has the same address at the next start. */
export const picturePages = (people: readonly ProviderPerson[]): PageHandler =>
  plainPages((path) => {
    const body = renderPicture(people, path);
    return body === undefined ? undefined : { type: PICTURE_TYPE, body };
  });
