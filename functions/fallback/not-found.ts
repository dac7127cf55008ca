/** The function of requests that match no route. */
import { notFound } from '#core/http/not-found.ts';

export const handler = notFound;
