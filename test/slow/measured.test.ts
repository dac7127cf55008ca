/**
 * The measurements from which `docs/costs.md` is generated are those of the real handlers: what requests and a submission
 * use, with everything that the workers do after it. What a failing test received belongs into `stacks/operate/measured.ts`.
 */
import { expect, test } from 'vitest';
import { dynamoClient } from '#core/aws/clients.ts';
import { dynamoTable } from '#core/aws/dynamo-table.ts';
import { app } from '#core/http/app.ts';
import type { Mail } from '#core/mail/ports.ts';
import { invoker } from '#stacks/local/workers.ts';
import type { Measurements } from '#stacks/operate/bill.ts';
import { MEASURED, MEASURED_REQUESTS, type MeasuredRequest } from '#stacks/operate/measured.ts';
import { workerPlan } from '#stacks/plan.ts';
import { linkIn, newAddress } from '#test/support/addresses.ts';
import { type Meter, measure, measureCost } from '#test/support/cost.ts';
import { highlight, listCounts, newPoll, readHighlight, seedSubmissions } from '#test/support/counts.ts';
import { withApp } from '#test/support/faults.ts';
import { complete, filePlace, local, sentDirectly } from '#test/support/files.ts';
import { clientWith, newCast, newForm, type Person, send } from '#test/support/fixtures.ts';
import { fieldsOf } from '#test/support/pages.ts';
import { text } from '#test/support/responses.ts';
import { addressOf, ownSheets } from '#test/support/sheets.ts';
import { sweepIn } from '#test/support/sweeps.ts';
import { locationOf, newBrowser, solvedFields } from '#test/support/visitor.ts';
import { deliverStream } from '#test/support/workers.ts';

const QUESTIONS = 10;
const SAVES = 3;
const SUBMISSIONS = 20;
const ANSWER = 'The river was high this week, and brown after the rain.';

const cast = await newCast();
ownSheets();

/** A published form with ten questions, and answers to them. */
async function newSurvey(mails: boolean, spreadsheetId?: string, options: Parameters<typeof newForm>[3] = {}) {
  const { alice, slug } = cast;
  const kinds = Array.from({ length: QUESTIONS }, () => ({ type: 'SHORT_TEXT' as const }));
  const { formId, questionIds } = await newForm(alice, slug, [kinds], options);
  const params = { formId };
  const spreadsheetUrl = spreadsheetId === undefined ? null : addressOf(spreadsheetId);
  await alice.client.forms.updateForm({ params, body: { sendResponseEmail: mails, spreadsheetUrl } });
  return { params, answers: questionIds.map((id) => text(id, ANSWER)) };
}

type Survey = Awaited<ReturnType<typeof newSurvey>>;

/** What has been used since the start. */
type LoggedMeter = Meter & { logged: number };

/** Counts log lines instead of printing them, while some work is done. Returns what it used. */
async function usedBy(meter: LoggedMeter, work: () => Promise<unknown>): Promise<LoggedMeter> {
  const before = { ...meter };
  const { write } = process.stdout;
  process.stdout.write = (line: string | Uint8Array): boolean => {
    meter.logged += line.length;
    return true;
  };
  process.env.LOG = 'on';
  try {
    await work();
  } finally {
    process.env.LOG = 'off';
    process.stdout.write = write;
  }
  const { reads, writes, logged } = meter;
  return { reads: reads - before.reads, writes: writes - before.writes, logged: logged - before.logged };
}

/** A respondent reads the form, saves some times, and submits. Returns the number of requests. */
async function submitOnce({ client }: Pick<Person, 'client'>, { params, answers }: Survey): Promise<number> {
  await client.forms.getForm({ params });
  await client.sections.listSections({ params });
  const response = { responseId: (await client.responses.startResponse({ params })).body.id };
  for (let save = 1; save <= SAVES; save += 1) {
    const saved = answers.slice(0, Math.ceil((QUESTIONS * save) / SAVES));
    await client.responses.updateAnswers({ params: response, body: { answers: saved } });
  }
  await client.responses.submitResponse({ params: response, body: { answers: [] } });
  return 4 + SAVES;
}

/** Becomes a guest of a form by the API. */
async function becomeGuest({ params: { formId } }: Survey): Promise<Pick<Person, 'client'>> {
  const response = await send('POST', `/api/forms/${formId}/guests`, {});
  return { client: clientWith(((await response.json()) as { token: string }).token) };
}

/** SES reports each mail with these events. */
const MAIL_EVENTS = ['Send', 'Delivery'];

/** The read and write units of each of some submissions. */
const perSubmission = ({ reads, writes }: Meter): Meter => ({
  reads: reads / SUBMISSIONS,
  writes: writes / SUBMISSIONS,
});

async function measureSubmissions(): Promise<
  Omit<Measurements, 'journeys' | 'invitation' | 'addressed' | 'idleMinute'> & { api: Measurements['journeys']['api'] }
> {
  const meter: LoggedMeter = { reads: 0, writes: 0, logged: 0 };
  const { config } = app();
  const client = dynamoClient(config);
  measure(client, meter);
  const mailIds: string[] = [];
  const mail = {
    async send({ id }: Mail) {
      mailIds.push(id);
      return { result: 'done' as const };
    },
  };
  const mailWorkers = workerPlan.filter(({ source }) => source.type === 'mail-events');
  const streamRuns = workerPlan.filter(({ source }) => source.type === 'stream').length;
  const work = async (): Promise<void> => {
    await deliverStream();
    for (const id of mailIds.splice(0)) {
      for (const eventType of MAIL_EVENTS) {
        const event = { detail: { eventType, mail: { tags: { delivery: [id] } } } };
        for (const row of mailWorkers) await invoker(row)(event);
      }
    }
  };
  return withApp(
    () => ({ table: dynamoTable(client, config.tableName), mail }),
    async () => {
      let requests = 0;
      const submitAndWork = async (mails: boolean, guests = false) => {
        const survey = await newSurvey(mails, undefined, guests ? { audience: 'ANYONE' } : {});
        const submitAll = async (count: number): Promise<void> => {
          for (let each = 0; each < count; each += 1)
            requests = await submitOnce(guests ? await becomeGuest(survey) : cast.dave, survey);
        };
        await submitAll(2);
        await work();
        return { sent: await usedBy(meter, () => submitAll(SUBMISSIONS)), worked: await usedBy(meter, work) };
      };
      const plain = await submitAndWork(false);
      const mailed = await submitAndWork(true);
      const ofGuests = await submitAndWork(false, true);
      const total = ({ sent, worked }: typeof plain, kind: 'reads' | 'writes'): number => sent[kind] + worked[kind];
      const more = (kind: 'reads' | 'writes'): number => (total(ofGuests, kind) - total(plain, kind)) / SUBMISSIONS;
      return {
        api: { requests, ...perSubmission(plain.sent) },
        workers: {
          plain: { runs: streamRuns, ...perSubmission(plain.worked) },
          // The write units by which its submit costs more belong to the mail.
          mail: {
            runs: streamRuns + MAIL_EVENTS.length,
            reads:
              perSubmission(mailed.worked).reads + perSubmission(mailed.sent).reads - perSubmission(plain.sent).reads,
            writes:
              perSubmission(mailed.worked).writes +
              perSubmission(mailed.sent).writes -
              perSubmission(plain.sent).writes,
          },
        },
        guest: { reads: more('reads'), writes: more('writes') },
        lineBytes: plain.sent.logged / SUBMISSIONS / requests,
      };
    },
  );
}

/** What the workers use in a minute in which nothing is due. */
async function measureIdleMinute(): Promise<Measurements['idleMinute']> {
  const meter: LoggedMeter = { reads: 0, writes: 0, logged: 0 };
  const { config } = app();
  const client = dynamoClient(config);
  measure(client, meter);
  const scheduled = workerPlan.filter(({ source }) => source.type === 'schedule' && source.rate === '1 minute');
  const { reads, writes } = await withApp(
    () => ({ table: dynamoTable(client, config.tableName) }),
    () =>
      usedBy(meter, async () => {
        for (const row of scheduled) await invoker(row)({});
      }),
  );
  const memoryGb = scheduled.reduce((sum, { memoryMb }) => sum + memoryMb / 1_024, 0);
  return { reads, writes, runs: scheduled.length, memoryGb };
}

/** Guests of one step of a sending. */
const INVITED = 45;

/**
 * What a mail with an invitation uses, with its share of the sending, and what somebody who confirms an address uses more than somebody
 * with an account: on the pages from the bare link of the form to its first page, and as a guest who responds by the API.
 */
async function measureGuests(): Promise<Pick<Measurements, 'invitation' | 'addressed'>> {
  const meter: LoggedMeter = { reads: 0, writes: 0, logged: 0 };
  const { config } = app();
  const client = dynamoClient(config);
  measure(client, meter);
  const sent: Mail[] = [];
  const mail = {
    async send(each: Mail) {
      sent.push(each);
      return { result: 'done' as const };
    },
  };
  const mailWorkers = workerPlan.filter(({ source }) => source.type === 'mail-events');
  const work = async (): Promise<void> => {
    await deliverStream();
    for (const { id } of sent) {
      for (const eventType of MAIL_EVENTS) {
        const event = { detail: { eventType, mail: { tags: { delivery: [id] } } } };
        for (const row of mailWorkers) await invoker(row)(event);
      }
    }
  };
  const streamRuns = workerPlan.filter(({ source }) => source.type === 'stream').length;
  return withApp(
    () => ({ table: dynamoTable(client, config.tableName), mail }),
    async () => {
      const { alice, dave } = cast;
      const invited = await newSurvey(false, undefined, { audience: 'INVITED', visibility: 'PRIVATE' });
      const guests = Array.from({ length: INVITED }, () => ({ email: newAddress() }));
      await alice.client.invitations.createInvitations({ params: invited.params, body: { guests } });
      await work();
      const sending = await usedBy(meter, async () => {
        const body = { to: 'ALL', subject: 'Your river', text: 'Please answer.' } as const;
        await alice.client.invitations.sendInvitations({ params: invited.params, body });
        await work();
        // The second pass, which finds whom a lagging index has left out.
        await sweepIn(61);
      });
      expect(sent.splice(0)).toHaveLength(INVITED);

      const survey = await newSurvey(false, undefined, { audience: 'EMAIL', visibility: 'PRIVATE' });
      let requests = 0;
      const confirm = async (): Promise<Pick<Person, 'client'>> => {
        const { formId } = survey.params;
        const browser = newBrowser();
        const entry = `/f/${formId}/address`;
        await browser.get(`/f/${formId}`);
        await browser.show(entry);
        const email = newAddress();
        const asked = await browser.post(entry, [['email', email]]);
        const solved = solvedFields(await asked.text());
        await browser.show(locationOf(await browser.post(entry, solved)));
        await work();
        const link = linkIn(sent.splice(0).find(({ to }) => to === email)?.text);
        const begun = await browser.post(link.split('?')[0] ?? '', fieldsOf(await browser.show(link)));
        expect(locationOf(begun)).toBe(`/f/${formId}`);
        requests = 7;
        return { client: clientWith([...browser.jar.values()].at(-1)?.value) };
      };
      const of = async (survey: Survey, become: () => Promise<Pick<Person, 'client'>>) => {
        await submitOnce(await become(), survey);
        await work();
        const people: Pick<Person, 'client'>[] = [];
        const confirmed = await usedBy(meter, async () => {
          for (let each = 0; each < SUBMISSIONS; each += 1) people.push(await become());
        });
        const answered = await usedBy(meter, async () => {
          for (const person of people) await submitOnce(person, survey);
          await work();
        });
        return { confirmed: perSubmission(confirmed), answered: perSubmission(answered) };
      };
      const plain = await of(await newSurvey(false), async () => dave);
      const addressed = await of(survey, confirm);
      const more = (kind: 'reads' | 'writes') =>
        addressed.confirmed[kind] + addressed.answered[kind] - plain.answered[kind];
      return {
        invitation: { reads: sending.reads / INVITED, writes: sending.writes / INVITED },
        addressed: { requests, runs: streamRuns + MAIL_EVENTS.length, reads: more('reads'), writes: more('writes') },
      };
    },
  );
}

// Before the others, whose jobs become due while they run.
test('a minute in which nothing is due uses what the bill says', async () => {
  expect(await measureIdleMinute()).toEqual(MEASURED.idleMinute);
});

test('an invitation and a confirmed address use what the bill says', async () => {
  const { invitation, addressed } = await measureGuests();
  const { requests, runs } = MEASURED.addressed;
  expect(addressed).toMatchObject({ requests, runs });
  for (const kind of ['reads', 'writes'] as const) {
    expect([kind, invitation[kind].toFixed(1)]).toEqual([kind, MEASURED.invitation[kind].toFixed(1)]);
    expect([kind, addressed[kind].toFixed(1)]).toEqual([kind, MEASURED.addressed[kind].toFixed(1)]);
  }
});

test('a submission uses what the bill says', async () => {
  const { lineBytes, ...others } = await measureSubmissions();
  const { lineBytes: statedBytes, journeys, workers, guest } = MEASURED;
  expect(others).toEqual({ workers, guest, api: journeys.api });
  // Times in log lines differ in length.
  expect(Math.abs(lineBytes / statedBytes - 1)).toBeLessThan(0.05);
});

/** Measures requests on warm functions. */
async function measureRequests(): Promise<MeasuredRequest[]> {
  const { dave, erin } = cast;
  const measured: MeasuredRequest[] = [];
  const add = async <T>(request: string, run: () => Promise<T>): Promise<T> => {
    const { cost, result } = await measureCost(run);
    measured.push([request, cost.roundTrips, cost.calls, cost.capacityUnits]);
    return result;
  };
  const survey = await newSurvey(false);
  const forms = {
    'mails a copy': await newSurvey(true),
    'mails a copy and adds a row': await newSurvey(true, 'measured'),
  };
  const { params, answers } = survey;
  const { client } = dave;
  for (const each of [survey, ...Object.values(forms)]) await submitOnce(erin, each);
  const start = () => client.responses.startResponse({ params });
  const params1 = { responseId: (await add('start', start)).body.id };
  await add('save', () => client.responses.updateAnswers({ params: params1, body: { answers } }));
  await add('submit', () => client.responses.submitResponse({ params: params1, body: { answers: [] } }));
  for (const [delivers, form] of Object.entries(forms)) {
    const params2 = { responseId: (await client.responses.startResponse({ params: form.params })).body.id };
    await client.responses.updateAnswers({ params: params2, body: { answers: form.answers } });
    await add(`submit to a form that ${delivers}`, () =>
      client.responses.submitResponse({ params: params2, body: { answers: [] } }),
    );
  }
  const body = { answers, submit: true };
  await add('start with answers and `submit`', () => client.responses.startResponse({ params, body }));
  const headers = { 'idempotency-key': crypto.randomUUID() };
  await add('the same with `Idempotency-Key`', () => client.responses.startResponse({ params, body, headers }));
  const place = await filePlace(cast);
  const [first = '', ...others] = await sentDirectly(dave, place, local('a.txt'), local('b.txt'), local('c.txt'));
  await complete(dave, place, [first]);
  await add('complete two uploads (with S3)', () => complete(dave, place, others));
  for (const count of [10, 1_000]) {
    for (const [request, run] of Object.entries(await prepareReads(count))) await add(request, run);
  }
  return measured;
}

/** Reads of a form with some responses, which are counted, and have happened before. */
async function prepareReads(count: number): Promise<Record<string, () => Promise<unknown>>> {
  const { bob, dave } = cast;
  const poll = await newPoll(cast);
  await highlight(bob, poll, 0);
  await seedSubmissions(poll, count, dave.id);
  await deliverStream();
  const params = { formId: poll.formId };
  const viewId = (await bob.client.views.createView({ params, body: {} })).body.id;
  const questionId = poll.questions[0]?.id ?? '';
  const of = `of a form with ${count.toLocaleString('en')} responses`;
  const reads = {
    [`list of 50 responses ${of}`]: () => bob.client.responses.listResponses({ params, query: { limit: 50 } }),
    [`highlight ${of}`]: () => readHighlight(bob, poll),
    [`distinct answers to a choice question ${of}`]: () =>
      bob.client.views.listDistinctAnswers({ params: { ...params, viewId, questionId }, body: { filters: [] } }),
    [`statistics of two choice questions ${of}`]: () => bob.client.responses.getStatistics({ params }),
  };
  for (const read of Object.values(reads)) await read();
  expect(await listCounts(bob, poll)).toMatchObject({ submittedCount: count, counting: false });
  return reads;
}

test('requests cost what the table of requests says', async () => {
  expect(await measureRequests()).toEqual(MEASURED_REQUESTS);
});
