/** The IAM actions are those of the SDK's commands that the adapters send, so that none is missing and none is left over. */
import { expect, test } from 'vitest';
import { allFunctions } from '#stacks/functions.ts';
import { GRANTS, listGrants } from '#stacks/grants.ts';
import { filesOf } from '#test/support/sources.ts';

/** The actions of each command. */
const ACTIONS: Readonly<Record<string, readonly string[]>> = {
  GetItem: ['dynamodb:GetItem'],
  BatchGetItem: ['dynamodb:BatchGetItem'],
  Query: ['dynamodb:Query'],
  PutItem: ['dynamodb:PutItem'],
  UpdateItem: ['dynamodb:UpdateItem'],
  DeleteItem: ['dynamodb:DeleteItem'],
  // A transaction needs the permissions of its items.
  TransactWriteItems: ['dynamodb:PutItem', 'dynamodb:UpdateItem', 'dynamodb:DeleteItem', 'dynamodb:ConditionCheckItem'],
  BatchWriteItem: ['dynamodb:BatchWriteItem'],
  SendEmail: ['ses:SendEmail'],
  SendRawEmail: ['ses:SendRawEmail'],
  GetObject: ['s3:GetObject'],
  HeadObject: ['s3:GetObject'],
  PutObject: ['s3:PutObject'],
  CreateMultipartUpload: ['s3:PutObject'],
  UploadPart: ['s3:PutObject'],
  CompleteMultipartUpload: ['s3:PutObject'],
  AbortMultipartUpload: ['s3:AbortMultipartUpload'],
  DeleteObjects: ['s3:DeleteObject'],
  ListObjectsV2: ['s3:ListBucket'],
};

test('the granted actions are those of the commands in the adapters', () => {
  const texts = filesOf('core/aws/{dynamo-*,s3-*,ses-*}.ts').map(({ text }) => text);
  const commands = texts.flatMap((text) => [...text.matchAll(/new (\w+)Command\(/g)].map(([, name = '']) => name));
  const used = new Set(commands.flatMap((name) => ACTIONS[name] ?? [`an action for ${name}Command`]));
  const granted = new Set(Object.values(GRANTS).flatMap((grants) => grants.flatMap(({ actions }) => actions)));
  expect([...granted].sort()).toEqual([...used].sort());
});

test('only functions about files of answers, and those that remove objects of any kind, may touch these files', () => {
  const mayTouchFiles = allFunctions.filter(({ needs }) =>
    listGrants(needs).some(({ targets }) => targets.some(({ path }) => path.startsWith('/files'))),
  );
  expect(mayTouchFiles.map(({ name }) => name).filter((name) => !name.startsWith('Files'))).toEqual([
    // Downloads, uploads and pictures of answers.
    'PagesRespondents',
    'WorkerDeliver',
    'WorkerSweep',
    // Archives of files.
    'WorkerBuildExports',
  ]);
  const deletable = (name: string): string[] =>
    listGrants(allFunctions.find((each) => each.name === name)?.needs ?? [])
      .filter(({ actions }) => actions.includes('s3:DeleteObject'))
      .flatMap(({ targets }) => targets.map(({ path }) => path));
  const removing = allFunctions.map(({ name }) => name).filter((name) => deletable(name).length > 0);
  expect(removing).toEqual(['FilesCompleteUploads', 'PagesRespondents', 'WorkerDeliver', 'WorkerSweep']);
  for (const name of removing.slice(0, 2)) expect([name, deletable(name)]).toEqual([name, ['/files/*']]);
  const cover = allFunctions.find(({ name }) => name === 'FormsGetCover');
  const paths = listGrants(cover?.needs ?? []).flatMap(({ targets }) => targets.filter(({ of }) => of === 'bucket'));
  expect(paths).toEqual([{ of: 'bucket', path: '/covers/*' }]);
});
