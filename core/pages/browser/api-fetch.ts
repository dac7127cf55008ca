/** Requests to the API with the cookies of the session, which is renewed once when it has expired. */

/** Sends a request like `fetch`; after a 401, renews the session and sends it once more. */
export async function apiFetch(path: string, init: RequestInit): Promise<Response> {
  const options = { ...init, ...(init.body ? { headers: { 'content-type': 'application/json' } } : {}) };
  const response = await fetch(path, options);
  if (response.status !== 401) return response;
  const renewed = await fetch('/api/auth/refresh', { method: 'POST' });
  return renewed.ok ? fetch(path, options) : response;
}
