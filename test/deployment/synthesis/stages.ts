/** The stages whose deployments are tested, with settings as `.env.<stage>` would hold them. */
import { newSecrets } from '#stacks/operate/new-keys.ts';

const { TOKEN_PUBLIC_KEYS } = newSecrets();

export const STAGES = {
  /** With everything that is optional. */
  production: {
    TOKEN_PUBLIC_KEYS,
    DOMAIN: 'forms.example.org',
    ALLOWED_ORIGINS: 'https://app.example.org,https://admin.example.org',
    ALARM_EMAIL: 'operators@example.org',
    MONTHLY_BUDGET: '250',
    OPERATOR_EMAILS: 'oscar@example.org',
    MAIL_DOMAIN: 'example.org',
    MAIL_FROM: 'Forms <forms@example.org>',
    OPTIONAL_SECRETS: 'LOGIN_PROVIDER_1,PROVIDER_ONE,SHEETS_KEY',
    LOGIN_TITLES: '{"LOGIN_PROVIDER_1":"Example ID"}',
  },
  /** A person's own stage, with nothing that is optional. */
  alice: { TOKEN_PUBLIC_KEYS, MAIL_FROM: 'alice@example.org', INTERNAL_LOGIN: 'true' },
  /** After the loss of its table. */
  restored: { TOKEN_PUBLIC_KEYS, MAIL_FROM: 'alice@example.org', RESTORED_TABLE: 'forms-restored' },
} as const satisfies Record<string, Readonly<Record<string, string>>>;

export type StageName = keyof typeof STAGES;
