/**
 * How many submissions a second one form takes before something is full: what each submission uses of every resource
 * that all submissions of a form share, against the limit of that resource. `docs/scale.md` has the table;
 * `test/stacks/scale.test.ts` counts the units on the real handlers.
 */

/** A resource that all submissions of one form share. */
export type Resource = {
  name: string;
  /** Units that one submission uses: of the hottest partition, where there are several. */
  perSubmission: number;
  /** Units a second that it gives. */
  perSecond: number;
  /** What to do when it is full. */
  raise: string;
};

/** DynamoDB gives each partition so many write and read units a second. */
const PARTITION_WRITES = 1_000;
const PARTITION_READS = 3_000;

/**
 * Units by partition of one submission in three requests (start, save, submit) to a form that mails a copy. Index
 * partitions of a form and of due deliveries are four each.
 */
export const UNITS = {
  /** Consistent reads of the gate of the form: by each request, for the mail, and for each batch that is counted. */
  gateReads: 4.2,
  /** Writes to one of the partitions that list drafts: the start, and the submit, which removes the entry. */
  draftEntries: 2 / 4,
  /** Writes to one of the partitions that list submissions. */
  submittedEntries: 1 / 4,
  /** Writes to one of the partitions of what is due: queued, claimed (removed and added), done. */
  dueEntries: 4 / 4,
} as const;

/** The resources in the order in which a form fills them. */
export const RESOURCES: readonly Resource[] = (
  [
    {
      name: 'requests to the API',
      perSubmission: 7,
      perSecond: 500,
      raise: '`RATE_LIMIT` in `stacks/aws/api.ts`, up to the quota of the account (10,000 a second)',
    },
    {
      name: 'mails (a usual rate of SES)',
      perSubmission: 1,
      perSecond: 14,
      raise: 'the sending rate of SES; until then mails wait, for 72 hours at most',
    },
    {
      name: 'reads of the gate of the form',
      perSubmission: UNITS.gateReads,
      perSecond: PARTITION_READS,
      raise: 'keep the gate in a warm function for a second, which delays closing a form by as much',
    },
    {
      name: 'entries of due deliveries, with mail',
      perSubmission: UNITS.dueEntries,
      perSecond: PARTITION_WRITES,
      raise: '`DUE_SHARDS` in `core/db/keys.ts`',
    },
    {
      name: 'entries of drafts',
      perSubmission: UNITS.draftEntries,
      perSecond: PARTITION_WRITES,
      raise: '`RESPONSE_SHARDS` in `core/db/keys.ts`; or one request that starts and submits, which needs no draft',
    },
    {
      name: 'concurrent functions (60 ms a request)',
      perSubmission: 7 * 0.06,
      perSecond: 1_000,
      raise: 'the quota of concurrent executions',
    },
    {
      name: 'write units of the table (a default quota)',
      perSubmission: 30,
      perSecond: 40_000,
      raise: 'the quota of the table; a new table starts at 4,000 and doubles within half an hour',
    },
    {
      name: 'entries of submissions',
      perSubmission: UNITS.submittedEntries,
      perSecond: PARTITION_WRITES,
      raise: '`RESPONSE_SHARDS`',
    },
  ] satisfies Resource[]
).toSorted((a, b) => largestRate(a) - largestRate(b));

/** How many submissions a second a resource takes. */
export function largestRate({ perSubmission, perSecond }: Resource): number {
  return perSecond / perSubmission;
}

const RATES = [10, 1_000, 10_000];

/** The table of `docs/scale.md`: how full each resource is at some rates of submissions to one form. */
export const scaleTable = (): string =>
  [
    `| Resource | Full at | ${RATES.map((rate) => `${rate.toLocaleString('en')} a second`).join(' | ')} | When it is full, raise |`,
    `|---|---|${RATES.map(() => '---').join('|')}|---|`,
    ...RESOURCES.map((resource) => {
      const full = Math.floor(largestRate(resource)).toLocaleString('en');
      const shares = RATES.map((rate) => `${Math.ceil((100 * rate) / largestRate(resource)).toLocaleString('en')} %`);
      return `| ${resource.name} | ${full} a second | ${shares.join(' | ')} | ${resource.raise} |`;
    }),
  ].join('\n');
