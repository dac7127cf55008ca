/** How a respondent is named. */
import type { showShortUser } from '#core/accounts/model.ts';
import { reviewText } from '../text/review.ts';
import type { View } from '../view.ts';

type Person = ReturnType<typeof showShortUser>;

/** The name of a respondent, or what else identifies them. */
export const personName = (view: Pick<View, 'language'>, { name, username, emails }: Person): string =>
  name || username || emails[0] || reviewText(view).table.someone;
