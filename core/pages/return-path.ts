/** Where a form leads back to. */
import { allowedTarget } from '#core/identity/redirects.ts';

/** A path of this service from a request; `/` for anything else, such as another site. */
export function returnPath(text: string | null | undefined, publicUrl: string): string {
  const own = { publicUrl, allowedOrigins: [] };
  const url = text?.startsWith('/') ? allowedTarget(text, own, publicUrl) : undefined;
  return url ? url.pathname + url.search + url.hash : '/';
}

/** Where a person goes who has signed in: to choose names first, unless they only want to answer a form. */
export const afterSignIn = ({ onboarded }: { onboarded: boolean }, to: string): string =>
  onboarded || to.startsWith('/f/') || to.startsWith('/r/') ? to : `/onboarding?to=${encodeURIComponent(to)}`;
