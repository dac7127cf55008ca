/**
 * `npm run migrate -- NAME`: queues a migration of stored items, which the worker `sweep` carries out. It needs
 * `TABLE_NAME` and `AWS_REGION` of the stage, and credentials that may write the table.
 */
import { MIGRATION_NAMES, startMigration } from '#core/delivery/migrations.ts';
import { app } from '#core/http/app.ts';

const name = MIGRATION_NAMES.find((each) => each === process.argv[2]);
if (!name) {
  console.error(`usage: npm run migrate -- NAME, where NAME is one of: ${MIGRATION_NAMES.join(', ')}`);
  process.exit(2);
}
await startMigration(app(), name);
console.log(`The migration ${name} is queued; its receipt appears in the log of the worker sweep.`);
