/** The calls to AWS that functions make in a test file, to be compared with their permissions. */
import { afterAll, beforeAll } from 'vitest';
import { parseConfig } from '#core/aws/config.ts';
import { app, createApp, replaceApp } from '#core/http/app.ts';
import { allFunctions, type DeployedFunction } from '#stacks/functions.ts';
import { closeNow, listen } from '#stacks/local/gateway/listening.ts';
import { arnOf } from '#test/deployment/synthesis/account.ts';
import { type Call, recordCallsTo } from '#test/emulator/calls.ts';
import { type Granted, grantedTo } from '#test/emulator/policies.ts';

const ENDPOINTS = ['DYNAMODB_ENDPOINT', 'S3_ENDPOINT', 'SES_ENDPOINT'] as const;

/**
 * Records the requests of a test file to the emulators of AWS. `during` attributes those of some work to the function of a
 * handler; `functions` are all functions, with what their needs grant on the resources of the file.
 */
export function recordCalls() {
  const calls = new Map<string, Map<string, Call>>();
  let recorded: Map<string, Call> | undefined;
  const servers = ENDPOINTS.map((name) => ({
    name,
    server: recordCallsTo(process.env[name] ?? '', () => recorded),
  }));
  let before = app;
  beforeAll(async () => {
    const endpoints = await Promise.all(
      servers.map(async ({ name, server }) => [name, `http://127.0.0.1:${await listen(server, 0)}`] as const),
    );
    const previous = replaceApp(createApp(parseConfig({ ...process.env, ...Object.fromEntries(endpoints) })));
    before = () => previous;
  });
  afterAll(async () => {
    replaceApp(before());
    for (const { server } of servers) await closeNow(server);
  });
  return {
    calls,
    functions: (): Granted => grantedTo(allFunctions, ownArns()),
    async during<T>(file: DeployedFunction['file'], work: () => Promise<T>): Promise<T> {
      const name = allFunctions.find((each) => each.file === file)?.name ?? file;
      recorded = calls.get(name) ?? new Map();
      calls.set(name, recorded);
      try {
        return await work();
      } finally {
        recorded = undefined;
      }
    },
  };
}

/** The resources of a test file, as they would be named in the emulated account. */
const ownArns = () => ({
  table: arnOf('dynamodb', `table/${process.env.TABLE_NAME}`),
  bucket: `arn:aws:s3:::${process.env.BUCKET_NAME}`,
  sender: arnOf('ses', 'identity/forms@example.org'),
  identity: arnOf('ses', 'identity'),
  configurationSet: arnOf('ses', 'configuration-set/forms'),
});
