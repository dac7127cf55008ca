/** Deleting a person leaves nothing that names them. */
import { beforeAll, describe, expect, test } from 'vitest';
import type { Table } from '#core/db/table.ts';
import { deletePerson } from '#core/deletion/person.ts';
import { app } from '#core/http/app.ts';
import { findOrCreateAccount } from '#core/identity/identities.ts';
import { newKey, postWithKey, settings } from '#test/support/building.ts';
import { withTable } from '#test/support/faults.ts';
import { type Cast, newCast, newForm, newOrganization, person, writingApp } from '#test/support/fixtures.ts';
import { fillIn } from '#test/support/pages.ts';
import { respond, start, text } from '#test/support/responses.ts';
import { newSession } from '#test/support/sessions.ts';
import { itemsMentioning } from '#test/support/stored.ts';

let cast: Cast;
let formId: string;
let questionId: string;
beforeAll(async () => {
  cast = await newCast();
  const form = await newForm(cast.alice, cast.slug, [[{ type: 'SHORT_TEXT' }]]);
  formId = form.formId;
  [questionId = ''] = form.questionIds;
});

describe('a deleted person', () => {
  test('is gone with responses, memberships, names and identities', async () => {
    const name = `frank-${crypto.randomUUID()}`;
    const frank = await person(name);
    const [email] = (await frank.client.users.getCurrentUser({})).body.emails;
    const profile = { subject: name, username: '', email: email ?? '', emailVerified: true, avatarUrl: '' };
    expect((await findOrCreateAccount(app(), 'LOGIN_PROVIDER_1', profile)).id).toBe(frank.id);
    await newSession(frank);
    await newOrganization(cast.alice, frank);
    await respond(frank, formId, [text(questionId, 'By the river')]);
    await start(frank, formId);
    await respond(cast.dave, formId, [text(questionId, 'Also by the river')]);
    expect(await deletePerson(writingApp(), frank.id)).toEqual({ isFound: true, responses: 2 });
    expect(await itemsMentioning(frank.id)).toEqual([]);
    expect(await itemsMentioning(email ?? '')).toEqual([]);
    const { body } = await cast.alice.client.responses.listResponses({ params: { formId } });
    expect(body.responses.map(({ respondent }) => respondent.id)).toEqual([cast.dave.id]);
    expect(await deletePerson(writingApp(), frank.id)).toEqual({ isFound: false, responses: 0 });
  });

  test('leaves nothing that their access token has started since, when the deletion is repeated', async () => {
    const hank = await person(`hank-${crypto.randomUUID()}`);
    await deletePerson(writingApp(), hank.id);
    await respond(hank, formId, [text(questionId, 'On the way out')]);
    expect(await deletePerson(writingApp(), hank.id)).toEqual({ isFound: false, responses: 1 });
    expect(await itemsMentioning(hank.id)).toEqual([]);
  });

  test('leaves no membership that somebody added meanwhile', async () => {
    const ivan = await person(`ivan-${crypto.randomUUID()}`);
    let added = 0;
    const addingLast = ({ write }: Table): Partial<Table> => ({
      write: async (writes) => {
        const isAccount = writes.some((one) => 'remove' in one && one.remove.sk === 'ACCOUNT');
        if (isAccount && added === 0) {
          added += 1;
          await newOrganization(cast.alice, ivan);
        }
        await write(writes);
      },
    });
    await withTable(addingLast, () => deletePerson(writingApp(), ivan.id));
    expect(added).toBe(1);
    expect(await itemsMentioning(ivan.id)).toEqual([]);
  });

  test('is no member of an organization that is being deleted', async () => {
    const judy = await person(`judy-${crypto.randomUUID()}`);
    const { slug } = await newOrganization(cast.alice, judy);
    await cast.alice.client.orgs.deleteOrganization({ params: { slug } });
    await deletePerson(writingApp(), judy.id);
    expect(await itemsMentioning(judy.id)).toEqual([]);
  });

  test('cannot be the last admin of an organization', async () => {
    const gina = await person(`gina-${crypto.randomUUID()}`);
    await newOrganization(gina);
    await respond(gina, formId, [text(questionId, 'In the hills')]);
    const before = await itemsMentioning(gina.id);
    await expect(deletePerson(writingApp(), gina.id)).rejects.toMatchObject({ status: 400 });
    expect(await itemsMentioning(gina.id)).toEqual(before);
  });
});

/** Where `docs/operate/privacy.md` says that the id of a deleted person stays, of what this one does. */
const KEPT = ['FORM CHANGES', 'FORM GATE', 'FORM HEAD', 'FORM LISTING', 'FORM VERSIONS', 'IDEMPOTENCY IDEMPOTENCY'];

test('the id of a deleted person who made forms stays only where the documents say it', async () => {
  const kate = await person(`kate-${crypto.randomUUID()}`);
  const { slug } = await newOrganization(cast.alice, kate);
  await postWithKey(kate, `/orgs/${slug}/forms`, newKey(), settings());
  const { formId: own, sectionIds } = await newForm(kate, slug, [[]]);
  const path = `/build/${own}/s/${sectionIds[0]}`;
  await fillIn(kate, path, [['title', 'Rivers']]);
  await kate.client.forms.publishChanges({ params: { formId: own }, body: {} });
  await fillIn(kate, path, [['title', 'Lakes']]);
  await newSession(kate);
  await respond(kate, own, []);
  await deletePerson(writingApp(), kate.id);
  const kinds = (await itemsMentioning(kate.id)).map((item) => item.replace(/^([A-Z]+)#\S+/, '$1'));
  expect([...new Set(kinds)].sort()).toEqual(KEPT);
});
