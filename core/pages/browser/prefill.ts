/** Keeps the answers of a prefilled link in this tab while a person signs in, and gives them to the page of the form. */

const KEY = 'prefill';

/** Keeps the answers of a prefilled link through the sign-in. */
export function keepPrefill(): void {
  const { pathname, search, hash } = location;
  const to = pathname === '/sign-in' ? new URLSearchParams(search).get('to') : undefined;
  if (to && /^#[qo]\./.test(hash)) {
    const [path] = to.split('?');
    sessionStorage.setItem(KEY, JSON.stringify([path, hash.slice(1)]));
    history.replaceState(null, '', pathname + search);
  }
  const [path, answers] = JSON.parse(sessionStorage.getItem(KEY) ?? '[]');
  if (path !== pathname || typeof answers !== 'string') return;
  sessionStorage.removeItem(KEY);
  if (search === '') location.replace(`${pathname}?${answers}`);
}
