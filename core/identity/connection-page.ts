/** The page that shows the outcome of connecting an account when there is no page to return to. */
import type { Outcome } from '#core/identity/redirects.ts';
import { escapeHtml } from '#core/schema/html.ts';

const STYLE = `body { font: 1.125rem/1.5 system-ui, sans-serif; max-width: 34rem; margin: 4rem auto; padding: 0 1rem; color: #1b2733; background: #fff; }
@media (prefers-color-scheme: dark) { body { color: #e8edf2; background: #10161c; } }`;

/** Explains the error codes of this service to the respondent. */
const MEANINGS: Readonly<Record<string, string>> = {
  access_denied: 'You did not allow the connection.',
  missing_code: 'The other service sent you back without saying who you are.',
  exchange_failed: 'The other service did not confirm who you are.',
  profile_failed: 'The other service did not tell who you are.',
  not_editable: 'The answer cannot be changed any more: the form is closed, or the question is gone.',
};

/** Renders the page as HTML. */
export function outcomePage({ status, error = '' }: Outcome): string {
  if (status === 'success') {
    return page(
      'Account connected',
      '<p>Your account is the answer now. You can close this page and go on with the form.</p>',
    );
  }
  const meaning = Object.hasOwn(MEANINGS, error) ? MEANINGS[error] : undefined;
  return page(
    'Account not connected',
    `<p>${escapeHtml(meaning ?? 'The other service refused the connection.')} Close this page, go back to the form and try again.</p>
<p>Error code: <code>${escapeHtml(error)}</code></p>`,
  );
}

const page = (title: string, content: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${title}</h1>
${content}
</main>
</body>
</html>
`;
