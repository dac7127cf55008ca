/** The owner of a spreadsheet: the organization whose form used it first, until no form of it does. */
import { describe, expect, test } from 'vitest';
import { keys } from '#core/db/keys.ts';
import { app } from '#core/http/app.ts';
import { beforeFirstWrite } from '#test/support/faults.ts';
import { expectProblem, newForm, newOrganization, type Person } from '#test/support/fixtures.ts';
import { castAt } from '#test/support/responses.ts';
import { addressOf, setSpreadsheet } from '#test/support/sheets.ts';
import { finishDeletions } from '#test/support/sweeps.ts';

const cast = await castAt();

const SETTINGS = { title: 'Lakes', visibility: 'PUBLIC', allowEditResponse: true } as const;

/** A form of the organization of alice, and one of another organization of chelsea. */
async function twoForms() {
  const { alice, chelsea, slug } = cast;
  const other = await newOrganization(chelsea);
  const [own, foreign] = await Promise.all([newForm(alice, slug, []), newForm(chelsea, other.slug, [])]);
  return { own: own.formId, foreign: foreign.formId, otherSlug: other.slug, address: addressOf(`owned-${own.formId}`) };
}

const isValid = async ({ client }: Person, spreadsheetUrl: string): Promise<boolean> =>
  (await client.forms.verifySpreadsheet({ body: { spreadsheetUrl } })).body.isValid;

/** Whether a person may set the spreadsheet of a form. */
async function maySet(by: Person, formId: string, address: string): Promise<boolean> {
  const problem = await setSpreadsheet(by, formId, address).then(
    () => undefined,
    (error: unknown) => expectProblem(Promise.reject(error)),
  );
  if (problem === undefined) return true;
  expect(problem).toMatchObject({ status: 400, errors: [{ pointer: '/body/spreadsheetUrl' }] });
  return false;
}

const owner = async (address: string): Promise<unknown> => {
  const [, id = ''] = /\/d\/([^/]*)\//.exec(address) ?? [];
  return (await app().table.read([keys.sheetOwner(id)]))[0];
};

describe('a spreadsheet that a form uses', () => {
  test('is refused to other organizations, when a form is changed and when it is created', async () => {
    const { alice, chelsea } = cast;
    const { own, foreign, otherSlug, address } = await twoForms();
    await setSpreadsheet(alice, own, address);
    expect(await maySet(chelsea, foreign, address)).toBe(false);
    expect(await maySet(chelsea, foreign, `${address}?usp=sharing`)).toBe(false);
    const body = { ...SETTINGS, spreadsheetUrl: address };
    const problem = await expectProblem(chelsea.client.forms.createForm({ params: { slug: otherSlug }, body }));
    expect(problem).toMatchObject({ status: 400, errors: [{ pointer: '/body/spreadsheetUrl' }] });
    const stored = (await chelsea.client.forms.getForm({ params: { formId: foreign } })).body;
    expect(stored.spreadsheetUrl).toBeNull();
  });

  test('is not valid for other organizations, and not looked at', async () => {
    const { alice, bob, chelsea } = cast;
    const { own } = await twoForms();
    const address = addressOf('local-demo');
    expect(await isValid(chelsea, address)).toBe(true);
    await setSpreadsheet(alice, own, address);
    expect([await isValid(alice, address), await isValid(bob, address)]).toEqual([true, true]);
    expect(await isValid(chelsea, address)).toBe(false);
    await setSpreadsheet(alice, own, null);
    expect(await isValid(chelsea, address)).toBe(true);
  });

  test('may be used by other forms of the organization, and is free once none does', async () => {
    const { alice, chelsea, slug } = cast;
    const { own, foreign, address } = await twoForms();
    const body = { ...SETTINGS, spreadsheetUrl: address };
    const created = await alice.client.forms.createForm({ params: { slug }, body });
    await setSpreadsheet(alice, own, address);
    await setSpreadsheet(alice, own, address);
    await setSpreadsheet(alice, own, null);
    expect(await maySet(chelsea, foreign, address)).toBe(false);
    await setSpreadsheet(alice, created.body.id, addressOf(`another-${own}`));
    expect(await owner(address)).toBeUndefined();
    expect(await maySet(chelsea, foreign, address)).toBe(true);
    expect(await maySet(alice, own, address)).toBe(false);
  });

  test.for(['form', 'organization'] as const)('is free once its %s is deleted', async (what) => {
    const { alice, chelsea } = cast;
    const { own, foreign, otherSlug, address } = await twoForms();
    await setSpreadsheet(chelsea, foreign, address);
    if (what === 'form') await chelsea.client.forms.deleteForm({ params: { formId: foreign } });
    else await chelsea.client.orgs.deleteOrganization({ params: { slug: otherSlug } });
    await finishDeletions();
    expect(await owner(address)).toBeUndefined();
    expect(await maySet(alice, own, address)).toBe(true);
  });
});

describe('two forms at once', () => {
  test('of two organizations: one gets the spreadsheet', async () => {
    const { alice, chelsea } = cast;
    const { own, foreign, address } = await twoForms();
    const results = await Promise.all([maySet(alice, own, address), maySet(chelsea, foreign, address)]);
    expect(results.toSorted()).toEqual([false, true]);
  });

  test('of one organization share it', async () => {
    const { alice, slug } = cast;
    const forms = await Promise.all(Array.from({ length: 4 }, () => newForm(alice, slug, [])));
    const address = addressOf(`shared-${forms[0]?.formId}`);
    await Promise.all(forms.map(({ formId }) => setSpreadsheet(alice, formId, address)));
    expect(await owner(address)).toMatchObject({ forms: 4 });
    await Promise.all(forms.map(({ formId }) => setSpreadsheet(alice, formId, null)));
    expect(await owner(address)).toBeUndefined();
  });

  test('of one organization, one that comes while the other leaves: the organization keeps it', async () => {
    const { alice, chelsea } = cast;
    const { own, foreign, address } = await twoForms();
    await setSpreadsheet(alice, own, address);
    const second = await newForm(alice, cast.slug, []);
    await beforeFirstWrite(
      () => setSpreadsheet(alice, second.formId, address),
      () => setSpreadsheet(alice, own, null),
    );
    expect(await owner(address)).toMatchObject({ forms: 1 });
    await beforeFirstWrite(
      () => setSpreadsheet(alice, second.formId, null),
      () => setSpreadsheet(alice, own, address),
    );
    expect(await owner(address)).toMatchObject({ forms: 1 });
    expect(await maySet(chelsea, foreign, address)).toBe(false);
  });
});
