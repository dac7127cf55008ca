/** What mails contain: the path of a submission and nothing else, text as text, and nothing that runs or loads. */
import { describe, expect, test } from 'vitest';
import { contrastRatio } from '#core/forms/colors.ts';
import { renderExportMail } from '#core/mail/export-mail.ts';
import { renderMemberMail } from '#core/mail/member-mail.ts';
import { local, upload } from '#test/support/files.ts';
import { newForm, type Person, person } from '#test/support/fixtures.ts';
import { mailsTo, ownSes } from '#test/support/mail.ts';
import { pagesOf } from '#test/support/pages.ts';
import { branchedForm, castAt, pass, respond, type Sent, save, sent, start, text } from '#test/support/responses.ts';
import { runSweep } from '#test/support/sweeps.ts';

const cast = await castAt();
const ownMail = ownSes();

/** Submits a response to a form and returns its mail. */
async function sendMail(by: Person, formId: string, answers: Sent[], settings: object = {}) {
  const { alice } = cast;
  await alice.client.forms.updateForm({ params: { formId }, body: { sendResponseEmail: true, ...settings } });
  await respond(by, formId, answers);
  await runSweep();
  const [mail, ...others] = mailsTo(ownMail(), by);
  if (!mail || others.length > 0) throw new Error('one mail was expected');
  return mail;
}

const HOSTILE = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "'><svg/onload=alert(1)>",
  '</title><style>*{display:none}</style>',
  '{{7*7}} <!--',
];

describe('a copy of a submission', () => {
  test('has the sections of the path in its order, also unanswered questions, and no others', async () => {
    const { alice, slug } = cast;
    const dave = await person('dave');
    const form = await branchedForm(
      { person: alice, slug },
      {
        first: [{ type: 'SHORT_TEXT', title: 'Did you like it?' }],
        yes: [
          { type: 'SHORT_TEXT', title: 'What did you like?' },
          { type: 'LONG_TEXT', title: 'What else?' },
        ],
        no: [{ type: 'SHORT_TEXT', title: 'What went wrong?' }],
        last: [{ type: 'RATING', title: 'How was it?', scale: { minVal: 1, maxVal: 5, icon: 'star' } }],
      },
    );
    const answers = [
      text(form.asked, 'yes'),
      text(form.yes[0] ?? '', 'The frogs'),
      sent(form.last[0] ?? '', 'RATING', 4),
    ];
    const mail = await sendMail(dave, form.formId, answers);
    for (const part of [mail.html, mail.text]) {
      const order = [
        'Did you like it?',
        'yes',
        'What did you like?',
        'The frogs',
        'What else?',
        'Not answered',
        'How was it?',
      ];
      const places = order.map((each) => part.indexOf(each));
      expect(places).toEqual(places.toSorted((a, b) => a - b));
      expect(Math.min(...places)).toBeGreaterThan(0);
      expect(part).toContain('4 of 5');
      expect(part).not.toContain('What went wrong?');
    }
  });

  test.for([
    ['en', '15 June 2024', '3 of 5', 'notes.txt (5 bytes)', '1 May 2026, 12:00 UTC'],
    ['zh-TW', '2024年6月15日', '3 / 5', 'notes.txt (5 位元組)', '2026/5/1\u200912:00 [UTC]'],
  ] as const)('in %s writes dates, scales, sizes and times as pages do', async ([language, ...expected]) => {
    const { alice, slug } = cast;
    const dave = await person('dave');
    const uploadFile = { allowedFileTypes: ['TXT' as const], maxFileAmount: 1, maxFileSizeLimit: 1_000 };
    const { formId, questionIds } = await newForm(alice, slug, [
      [
        { type: 'DATE', date: { hasYear: true, hasMonth: true, hasDay: true } },
        { type: 'LINEAR_SCALE', scale: { minVal: 1, maxVal: 5 } },
        { type: 'UPLOAD_FILE', uploadFile },
      ],
    ]);
    await alice.client.forms.updateForm({ params: { formId }, body: { sendResponseEmail: true } });
    const [date = '', scale = '', files = ''] = questionIds;
    const id = await start(dave, formId);
    await upload(dave, { responseId: id, questionId: files }, [local('notes.txt', 'frogs')]);
    const answers = [sent(date, 'DATE', '2024-06-15'), sent(scale, 'LINEAR_SCALE', 3)];
    const headers = { 'accept-language': language };
    await dave.client.responses.submitResponse({ params: { responseId: id }, body: { answers }, headers });
    await runSweep();
    const [mail] = mailsTo(ownMail(), dave);
    for (const part of [mail?.html, mail?.text]) for (const text of expected) expect(part).toContain(text);
  });

  test.for([
    ['Asia/Taipei', '1 May 2026, 20:00 GMT+8'],
    ['america/new_york', '1 May 2026, 08:00 GMT-4'],
    ['', '1 May 2026, 12:00 UTC'],
    ['+08:00', '1 May 2026, 12:00 UTC'],
    ['Nowhere/"><b>', '1 May 2026, 12:00 UTC'],
  ] as const)('has the organization, the reference, and times in the zone of its browser: %s', async ([zone, time]) => {
    const { alice, bob, slug } = cast;
    const dave = await person('dave');
    const { formId, questionIds } = await newForm(alice, slug, [[{ type: 'SHORT_TEXT' }]]);
    const settings = { sendResponseEmail: true, dressing: { color: '#ffee00' } };
    await alice.client.forms.updateForm({ params: { formId }, body: settings });
    const id = await start(dave, formId, [text(questionIds[0] ?? '', 'Frogs')]);
    const pages = pagesOf(dave);
    const action = /name="timeZone" data-own-zone/.exec(await pages.show(`/r/${id}/check`));
    await pages.post(`/r/${id}/submit`, [['timeZone', zone]]);
    await runSweep();
    const [mail] = mailsTo(ownMail(), dave);
    const [, reference = ''] = /class="reference">([^<]*)</.exec(await pages.show(`/r/${id}/done`)) ?? [];
    const { name } = (await alice.client.orgs.getOrganization({ params: { slug } })).body;
    for (const part of [mail?.html, mail?.text])
      for (const expected of [`Asked by ${name}`, `Reference: ${reference}`, time]) expect(part).toContain(expected);
    expect([action !== null, reference]).toEqual([true, expect.stringMatching(/^(?:[0-9A-Z]{5}-){2}[0-9A-Z]{5}$/)]);
    // The form's colour, dark enough for the white text of the button.
    const [, colour = ''] = /class="button" style="background:(#[0-9a-f]{6})/.exec(mail?.html ?? '') ?? [];
    const rgb = [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16)) as [number, number, number];
    expect(rgb[2]).toBeLessThan(rgb[0]);
    expect(contrastRatio(rgb, [255, 255, 255])).toBeGreaterThanOrEqual(4.5);
    const found = await pagesOf(bob).show(`/review/${formId}?${new URLSearchParams({ q: reference })}`);
    expect(found).toContain(`/review/${formId}/r/${id}`);
  });

  test('that was changed before it was sent says so', async () => {
    const { alice, slug } = cast;
    const dave = await person('dave');
    const { formId, questionIds } = await newForm(alice, slug, [[{ type: 'SHORT_TEXT' }]]);
    const body = { sendResponseEmail: true, allowEditResponse: true };
    await alice.client.forms.updateForm({ params: { formId }, body });
    const id = await respond(dave, formId, [text(questionIds[0] ?? '', 'Frogs')]);
    pass(5 * 60);
    await save(dave, id, [text(questionIds[0] ?? '', 'Herons')]);
    await runSweep();
    const [mail] = mailsTo(ownMail(), dave);
    for (const part of [mail?.html, mail?.text]) {
      expect(part).toContain('that you submitted on 1 May 2026, 12:00 UTC and changed on 1 May 2026, 12:05 UTC.');
      expect(part).toContain('Herons');
    }
    pass(-5 * 60);
  });

  test.for(HOSTILE)('shows %s as text in titles, questions, answers and the closing message', async (hostile) => {
    const { alice, slug } = cast;
    const dave = await person('dave');
    const { formId, questionIds } = await newForm(alice, slug, [[{ type: 'LONG_TEXT', title: hostile }]]);
    const settings = { title: hostile, messageAfterSubmission: hostile };
    const {
      html,
      text: plain,
      subject,
    } = await sendMail(dave, formId, [sent(questionIds[0] ?? '', 'LONG_TEXT', hostile)], settings);
    expect(html).not.toMatch(/<(?:script|img|svg|iframe|object|link|form|input)\b/i);
    expect(html.match(/<style>/g)).toHaveLength(1);
    expect(html.split('&lt;').length).toBeGreaterThanOrEqual(4);
    expect(plain.split(hostile)).toHaveLength(5);
    expect(subject).toBe(`Your response: ${hostile}`);
  });

  test('loads no external content and has no address but that of the response', async () => {
    const { alice, slug } = cast;
    const dave = await person('dave');
    const { formId, questionIds } = await newForm(alice, slug, [[{ type: 'SHORT_TEXT' }]]);
    const { html } = await sendMail(dave, formId, [text(questionIds[0] ?? '', 'Frogs')]);
    const addresses = [...html.matchAll(/(?:href|src|background|action)="([^"]*)"|url\(([^)]*)\)/g)];
    expect(new Set(addresses.map(([, address]) => address))).toEqual(
      new Set([expect.stringMatching(/^http:\/\/127\.0\.0\.1:3000\/r\/[0-9a-f-]{36}$/)]),
    );
  });

  test('keeps line breaks and names the files of an answer', async () => {
    const { alice, slug } = cast;
    const dave = await person('dave');
    const { formId, questionIds } = await newForm(alice, slug, [[{ type: 'LONG_TEXT' }]]);
    const mail = await sendMail(dave, formId, [sent(questionIds[0] ?? '', 'LONG_TEXT', 'one\ntwo')]);
    expect(mail.html).toContain('one<br>two');
    expect(mail.text).toContain('  one\n  two');
  });
});

describe('the mail of an export', () => {
  test.for([
    ['en', 'Your export is ready: Lakes & rivers', '12,345 responses'],
    ['zh-TW', '匯出檔案已備妥：Lakes & rivers', '12,345 份回覆'],
  ] as const)('in %s has the title, the number of responses and the link', ([language, subject, rows]) => {
    const link = 'https://forms.example.org/api/exports/1/download';
    const mail = renderExportMail({ title: 'Lakes & rivers', link, rows: 12_345, language });
    expect(mail.subject).toBe(subject);
    expect(mail.text).toContain(rows);
    expect(mail.text).toContain(link);
    expect(mail.html).toContain(`href="${link}"`);
    expect(mail.html).toContain('Lakes &amp; rivers');
    expect(mail.html).toContain(`<html lang="${language}">`);
  });
});

describe('the mail to a new member', () => {
  const link = 'https://forms.example.org/o/rivers';

  test.for([
    ['en', 'You were added to Lakes & rivers', 'alice added you to this organization.'],
    ['zh-TW', '你已加入組織：Lakes & rivers', 'alice 已將你加入這個組織。'],
  ] as const)('in %s has the organization, who added the person, and the link', ([language, subject, added]) => {
    const mail = renderMemberMail({ language, organization: 'Lakes & rivers', addedBy: 'alice', link });
    expect(mail.subject).toBe(subject);
    for (const part of [mail.html, mail.text]) expect(part).toContain(added);
    expect(mail.text).toContain(link);
    expect(mail.html).toContain(`href="${link}"`);
    expect(mail.html).toContain('Lakes &amp; rivers');
    expect(mail.html).toContain(`<html lang="${language}">`);
  });

  test('of an admin without a name says so, and texts stay texts', () => {
    for (const organization of HOSTILE) {
      const mail = renderMemberMail({ language: 'en', organization, addedBy: undefined, link });
      expect(mail.text).toContain('An admin added you');
      expect(mail.html).not.toContain(organization);
    }
  });
});
