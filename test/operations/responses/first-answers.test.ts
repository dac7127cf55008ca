/** Which questions were ever answered is noted once for a form, however many functions save answers. */
import { expect, test } from 'vitest';
import { keys } from '#core/db/keys.ts';
import type { ChangePorts } from '#core/db/ports.ts';
import type { Write } from '#core/db/table.ts';
import { app } from '#core/http/app.ts';
import { recordFirstAnswers } from '#core/responses/change.ts';
import { saveAnswers } from '#core/responses/edits.ts';
import { createResponse } from '#core/responses/store.ts';
import { parseAnswered, parseStructure } from '#core/structure/store.ts';
import type { Structure } from '#core/structure/structure.ts';
import { newForm, writingApp } from '#test/support/fixtures.ts';
import { castAt, draftOf, NOW, text } from '#test/support/responses.ts';

const cast = await castAt();
const FUNCTIONS = 12;

async function newStructure(): Promise<{ structure: Structure; questionIds: string[] }> {
  const { alice, slug } = cast;
  const { formId, questionIds } = await newForm(alice, slug, [[{ type: 'SHORT_TEXT' }, { type: 'SHORT_TEXT' }]]);
  const structure = parseStructure((await app().table.read([keys.formStructure(formId)]))[0]);
  if (!structure) throw new Error('the form has a structure');
  return { structure, questionIds };
}

/** An app whose commits are recorded. */
function recordingApp() {
  const commits: (readonly Write[])[] = [];
  const ports = writingApp();
  const recording: ChangePorts = {
    ...ports,
    commit: (writes, result) => {
      commits.push(writes);
      return ports.commit(writes, result);
    },
  };
  return { recording, commits };
}

const noteKey = ({ formId }: Structure) => keys.formAnswered(formId);
const notes = (commits: readonly (readonly Write[])[], structure: Structure) =>
  commits.filter((writes) => writes.some((write) => 'update' in write && write.update.sk === noteKey(structure).sk));

/** A function that has shown the form before anybody answered, and now stores a new response with these answers. */
async function submitIn(
  ports: ChangePorts,
  structure: Structure,
  answered: Set<string>,
  questionIds: readonly string[],
) {
  const draft = draftOf({ formId: structure.formId, sectionIds: [] }, cast.dave.id, NOW);
  const inputs = questionIds.map((questionId) => text(questionId, 'x'));
  const response = saveAnswers({ response: draft, structure }, inputs, NOW);
  const { records, onWritten } = await recordFirstAnswers(ports, { response, structure, answered });
  await ports.commit([createResponse(response), ...records], undefined);
  onWritten();
}

test('functions that all began before the first answer write it once', async () => {
  const { structure, questionIds } = await newStructure();
  const { recording, commits } = recordingApp();
  const functions = Array.from({ length: FUNCTIONS }, () => new Set<string>());
  for (const answered of functions) await submitIn(recording, structure, answered, questionIds);
  expect(commits).toHaveLength(FUNCTIONS);
  expect(notes(commits, structure).length).toBeLessThanOrEqual(1);
  const [item] = await app().table.read([noteKey(structure)]);
  expect(parseAnswered(item)).toEqual({ ids: new Set(questionIds), revision: 1 });
  for (const answered of functions) expect(answered).toEqual(new Set(questionIds));
});

test('only questions that nobody has answered are added, and what is known is not read again', async () => {
  const { structure, questionIds } = await newStructure();
  const [first = '', second = ''] = questionIds;
  const { recording, commits } = recordingApp();
  await submitIn(recording, structure, new Set(), [first]);
  const late = new Set<string>();
  await submitIn(recording, structure, late, [first, second]);
  const added = notes(commits, structure).map((writes) =>
    writes.flatMap((write) => ('add' in write ? [write.add] : [])),
  );
  expect(added).toEqual([
    [expect.objectContaining({ ids: new Set([first]) })],
    [expect.objectContaining({ ids: new Set([second]) })],
  ]);
  let reads = 0;
  const counting: ChangePorts = {
    ...recording,
    table: {
      ...recording.table,
      read: (wanted) => {
        reads += 1;
        return recording.table.read(wanted);
      },
    },
  };
  await submitIn(counting, structure, late, [first, second]);
  expect(reads).toBe(0);
});
