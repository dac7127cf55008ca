/** The settings of an identity provider: a provider is configuration, not code. */
import * as z from 'zod';
import { type Infer, schema } from '#core/schema/schema.ts';

/** Where in the claims each part of a profile is; `a.b` reaches into an object, an empty text names nothing. */
const ProfileMapping = schema(() =>
  z.object({
    subject: z.string().default('sub'),
    username: z.string().default('preferred_username'),
    email: z.string().default('email'),
    /** Where the provider says that it verified the e-mail address. */
    emailVerified: z.string().default('email_verified'),
    avatarUrl: z.string().default('picture'),
  }),
);
export type ProfileMapping = Readonly<Infer<typeof ProfileMapping>>;

/** An OpenID Connect issuer, whose discovery document names the endpoints, or explicit endpoints. */
export const ProviderSettings = schema(() => {
  const endpoints = z.object({ authorizationEndpoint: z.url(), tokenEndpoint: z.url(), userinfoEndpoint: z.url() });
  return z
    .object({
      /** Required in addition to explicit endpoints with the scope `openid`: ID tokens must name it. */
      issuer: z.url().optional(),
      ...endpoints.partial().shape,
      clientId: z.string().min(1),
      clientSecret: z.string().min(1).optional(),
      /** How the secret is sent: HTTP Basic or in the body; by default as the discovery document says. */
      clientAuthentication: z.enum(['basic', 'post']).optional(),
      /** With `openid`, an ID token is required and checked, including its nonce. */
      scopes: z.array(z.string().min(1)).default(['openid', 'email', 'profile']),
      /** Further parameters of the authorization request, such as `prompt`. */
      parameters: z.record(z.string(), z.string()).default({}),
      profile: ProfileMapping().prefault({}),
    })
    .refine((settings) => settings.issuer || endpoints.safeParse(settings).success, {
      error: 'needs an issuer, or authorizationEndpoint, tokenEndpoint and userinfoEndpoint',
    });
});
export type ProviderSettings = Infer<typeof ProviderSettings>;
