/**
 * `npm run delete-person -- USER_ID`: deletes a person's responses, memberships and account. It needs `TABLE_NAME` and
 * `AWS_REGION` of the stage, and credentials that may write the table; the workers remove files and rows afterwards.
 */
import { deletePerson } from '#core/deletion/person.ts';
import { app } from '#core/http/app.ts';

const [userId] = process.argv.slice(2);
if (!userId) {
  console.error('usage: npm run delete-person -- USER_ID');
  process.exit(2);
}
const current = app();
const ports = {
  ...current,
  ifMatch: () => undefined,
  async commit<R>(writes: Parameters<typeof current.table.write>[0], result: R): Promise<R> {
    await current.table.write(writes);
    return result;
  },
};
const { isFound, responses } = await deletePerson(ports, userId);
console.log(
  isFound
    ? `${userId} is deleted with ${responses} responses. The workers remove files and rows within two hours. Repeat this when their access token has expired.`
    : `There is no account ${userId}; ${responses} responses of it are deleted.`,
);
