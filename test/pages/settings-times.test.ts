/** Times in the settings of a form: typed in the zone of the author, and the stored moment moves only if it is changed. */
import { expect, test } from 'vitest';
import { newCast, newForm } from '#test/support/fixtures.ts';
import { fieldsOf, fillIn, pagesOf, textOf } from '#test/support/pages.ts';

const cast = await newCast();

/** A form of Alice with the page of its settings, and a function that reads its times. */
async function newTimedForm(times: { publishTime?: string; deadline?: string } = {}) {
  const { formId } = await newForm(cast.alice, cast.slug, [[]], { publish: false });
  const { updateForm, getForm } = cast.alice.client.forms;
  await updateForm({ params: { formId }, body: times });
  const read = async () => {
    const { publishTime, deadline } = (await getForm({ params: { formId } })).body;
    return { publishTime, deadline };
  };
  return { path: `/build/${formId}/settings`, read };
}

test('a time is that of the zone which the browser names', async () => {
  const { path, read } = await newTimedForm();
  const fields = [
    ['timeZone', 'America/New_York'],
    ['publishTime', '2031-01-01T00:00'],
    ['deadline', '2031-07-01T23:59'],
  ] as const;
  expect((await fillIn(cast.alice, path, fields)).status).toBe(303);
  expect(await read()).toEqual({ publishTime: '2031-01-01T05:00:00.000Z', deadline: '2031-07-02T03:59:00.000Z' });
});

test('without scripts the zone is named, and the stored moment is beside the field', async () => {
  const { path } = await newTimedForm({ deadline: '2031-07-01T23:59:00.000Z' });
  const page = textOf(await pagesOf(cast.alice).show(path));
  expect(page).toMatch(/Closes .*Time zone: UTC · Stored: 1 Jul 2031, 23:59 UTC/);
});

test.for([
  ['2027-03-28T02:30', '02:30 does not exist on 28 March 2027 in Europe/Berlin'],
  ['2027-10-31T02:30', '02:30 comes twice on 31 October 2027 in Europe/Berlin'],
] as const)('%s is refused where clocks change, and stays as typed', async ([deadline, message]) => {
  const { path, read } = await newTimedForm();
  const fields = [
    ['timeZone', 'Europe/Berlin'],
    ['deadline', deadline],
  ] as const;
  const response = await fillIn(cast.alice, path, fields);
  expect(response.status).toBe(400);
  const html = await response.text();
  expect(textOf(html)).toContain(message);
  expect(fieldsOf(html)).toEqual(expect.arrayContaining(fields.map((field) => [...field])));
  expect(await read()).toMatchObject({ deadline: null });
});

test('a zone that nobody knows is refused, and the times are asked for in a known one', async () => {
  const { path, read } = await newTimedForm();
  const response = await fillIn(cast.alice, path, [
    ['timeZone', 'Mars/Base'],
    ['deadline', '2031-07-01T23:59'],
  ]);
  expect(response.status).toBe(400);
  const html = await response.text();
  expect(textOf(html)).toContain('enter the time in the zone UTC');
  expect(fieldsOf(html)).toContainEqual(['timeZone', 'UTC']);
  expect(await read()).toMatchObject({ deadline: null });
});

test.for([
  ['Asia/Taipei', '2031-07-01T20:45:12.345Z', '2031-07-02T04:45'],
  // The second 2:30 of the night in which clocks go back.
  ['Europe/Berlin', '2031-10-26T01:30:59.999Z', '2031-10-26T02:30'],
] as const)('saving in %s does not move a moment that is left as it is', async ([timeZone, deadline, shown]) => {
  const { path, read } = await newTimedForm({ deadline });
  const fields = [
    ['timeZone', timeZone],
    ['deadline', shown],
    ['title', 'Renamed'],
  ] as const;
  expect((await fillIn(cast.alice, path, fields)).status).toBe(303);
  expect(await read()).toMatchObject({ deadline });
});

test('two authors in different zones have the same times, and a later one is shown in the zone of its reader', async () => {
  const { path, read } = await newTimedForm({ deadline: '2031-07-01T12:00:00.000Z' });
  const opened = fieldsOf(await pagesOf(cast.bob).show(path));
  const post = (timeZone: string, deadline: string, title: string) => {
    const changes = { timeZone, deadline, title };
    const rest = opened.filter(([name]) => !Object.hasOwn(changes, name));
    return pagesOf(cast.bob).post(path, [...rest, ...Object.entries(changes), ['do', 'save']]);
  };
  expect(
    (
      await fillIn(cast.alice, path, [
        ['timeZone', 'Asia/Tokyo'],
        ['deadline', '2031-07-02T10:00'],
      ])
    ).status,
  ).toBe(303);
  // What Bob typed is the same moment.
  expect(
    (await post('Europe/Paris', '2031-07-02T03:00', opened.find(([name]) => name === 'title')?.[1] ?? '')).status,
  ).toBe(303);
  const conflict = await post('Europe/Paris', '2031-07-01T14:00', 'Mine');
  expect(conflict.status).toBe(409);
  expect(textOf(await conflict.text())).toMatch(/Closes 2031-07-02[T ]03:00 \(Europe\/Paris\)/);
  expect(await read()).toMatchObject({ deadline: '2031-07-02T01:00:00.000Z' });
});

test('times in lists and on pages name their zone', async () => {
  const { path } = await newTimedForm({ publishTime: '2099-01-01T11:22:00.000Z' });
  const formId = path.split('/')[2];
  await cast.alice.client.workflow.getWorkflow({ params: { formId: formId ?? '' } });
  await cast.alice.client.forms.publishForm({ params: { formId: formId ?? '' } });
  const versions = await pagesOf(cast.alice).show(`/build/${formId}/versions`);
  expect(versions).toMatch(/<time [^>]*>[^<]* UTC<\/time>/);
});
