/** Lists the fonts available for forms. */
import { signedIn } from '#core/accounts/accounts.ts';
import { forms } from '#core/api/forms.ts';
import { FONTS } from '#core/forms/fonts.ts';
import { operation } from '#core/http/operation.ts';

export const handler = operation(forms.listFonts, signedIn, async () => ({ body: [...FONTS] }));
