/** Before all tests of the deployment: SST's components, the bundle of every function, and the resources of the stages. */
import type { TestProject } from 'vitest/node';
import { buildAssets } from '#stacks/build/assets.ts';
import type { Bundle } from '#stacks/build/bundle.ts';
import { newSecrets } from '#stacks/operate/new-keys.ts';
import { BUNDLES, bundleAll } from './bundles.ts';
import { installPlatform, type Synthesized, synthesize } from './synthesize.ts';

const { TOKEN_PUBLIC_KEYS } = newSecrets();

/** The stages whose deployments are tested, with settings as `.env.<stage>` would hold them. */
const STAGES = {
  /** With everything that is optional. */
  production: {
    TOKEN_PUBLIC_KEYS,
    DOMAIN: 'forms.example.org',
    ALLOWED_ORIGINS: 'https://app.example.org,https://admin.example.org',
    ALARM_EMAIL: 'operators@example.org',
    MONTHLY_BUDGET: '250',
    DASHBOARD: 'true',
    OPERATOR_EMAILS: 'oscar@example.org',
    MAIL_DOMAIN: 'example.org',
    MAIL_FROM: 'Forms <forms@example.org>',
    OPTIONAL_SECRETS: 'LOGIN_PROVIDER_1,PROVIDER_ONE,SHEETS_KEY',
    LOGIN_TITLES: '{"LOGIN_PROVIDER_1":"Example ID"}',
    CONNECT_TITLES: '{"PROVIDER_ONE":"Example Code"}',
  },
  /** A person's own stage, with nothing that is optional. */
  alice: { TOKEN_PUBLIC_KEYS, MAIL_FROM: 'alice@example.org', INTERNAL_LOGIN: 'true' },
  /** After the loss of its table. */
  restored: { TOKEN_PUBLIC_KEYS, MAIL_FROM: 'alice@example.org', RESTORED_TABLE: 'forms-restored' },
} satisfies Record<string, Readonly<Record<string, string>>>;

declare module 'vitest' {
  interface ProvidedContext {
    bundles: Bundle[];
    stages: Record<keyof typeof STAGES, Synthesized & { settings: Readonly<Record<string, string>> }>;
  }
}

export async function setup({ provide }: TestProject): Promise<void> {
  installPlatform();
  const [built] = await Promise.all([bundleAll(), buildAssets()]);
  provide('bundles', built);
  const synthesizeStage = async (name: keyof typeof STAGES) => ({
    ...{ ...(await synthesize(name, STAGES[name], BUNDLES)), settings: STAGES[name] },
  });
  provide('stages', {
    production: await synthesizeStage('production'),
    alice: await synthesizeStage('alice'),
    restored: await synthesizeStage('restored'),
  });
}
