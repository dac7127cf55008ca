/** Runs before a step of `upgrade.ts`: requests go to the deployment that it names, and stores to its table. */
import { parseConfig } from '#core/aws/config.ts';
import { createApp, replaceApp } from '#core/http/app.ts';

Object.assign(process.env, JSON.parse(process.env.UPGRADE_ENVIRONMENT ?? '{}'));
replaceApp(createApp(parseConfig(process.env)));
