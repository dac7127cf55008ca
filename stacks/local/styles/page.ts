/**
 * The parts of the pages in their states: `/styles` in English, `/styles/zh-TW` in Chinese. It is only served on this machine,
 * to look at and to check.
 */
import { randomBytes } from 'node:crypto';
import { barTable, columnChart, formatShare } from '#core/pages/review/chart.ts';
import { renderConfirmationPage } from '#core/pages/shell/confirmation.ts';
import { loadLanguage, type PageContext, renderTime } from '#core/pages/shell/context.ts';
import {
  conflictNotice,
  copyButton,
  doneNotice,
  errorSummary,
  radioField,
  selectField,
  switchField,
  textArea,
  textField,
} from '#core/pages/shell/controls.ts';
import { type Html, html } from '#core/pages/shell/html.ts';
import { icon } from '#core/pages/shell/icons.ts';
import { layout, menu } from '#core/pages/shell/layout.ts';
import { LANGUAGE_NAMES } from '#core/pages/text/texts.ts';
import { LANGUAGES, type Language } from '#core/schema/format.ts';
import { HTML, plainPages } from '../gateway/plain-pages.ts';
import type { PageHandler } from '../gateway/server.ts';
import { builderParts, COVER } from './builder.ts';
import { questionStates } from './questions.ts';
import { reviewParts } from './review.ts';

const buildHref = (language: Language): string => (language === 'en' ? '/styles' : `/styles/${language}`);

const CONTEXTS = { en: await loadLanguage('en'), 'zh-TW': await loadLanguage('zh-TW') };

/** A page that asks for confirmation, for the dialog. */
const CONFIRMATION = '/styles/confirmation';

/** A cover. */
const PICTURE =
  '<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="400"><rect width="1200" height="400" fill="#357"/></svg>';

/** Serves the page in each language. */
export const stylesPages = (): PageHandler =>
  plainPages((path) => {
    if (path === COVER) return { type: 'image/svg+xml', body: PICTURE };
    const language = path === CONFIRMATION ? 'en' : LANGUAGES.find((candidate) => buildHref(candidate) === path);
    if (language === undefined) return undefined;
    const nonce = randomBytes(16).toString('base64');
    const context = buildContext(language, nonce);
    const body = path === CONFIRMATION ? renderConfirmation(context) : renderStyles(context);
    return { type: HTML, body: body.toString(), policy: policy(nonce) };
  });

/** That of the pages themselves. */
const policy = (nonce: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

const NOW = new Date('2026-05-01T12:00:00Z');

const buildContext = (language: Language, nonce: string): PageContext => ({
  ...CONTEXTS[language],
  timeZone: 'UTC',
  connectTitles: { PROVIDER_ONE: 'Example ID' },
  nonce,
  signedIn: true,
  readerName: 'Ann of the Lakes',
  path: `${buildHref(language)}?done=saved`,
  publicUrl: 'http://localhost:3000',
  now: NOW,
});

const renderConfirmation = (context: PageContext): Html =>
  renderConfirmationPage(context, {
    title: 'Delete this question?',
    lead: 'What is lost with it.',
    action: '/styles',
    confirm: 'Delete the question',
    cancel: context.t.shell.cancel,
    cancelHref: '/styles',
  });

function renderStyles(context: PageContext): Html {
  return layout(context, {
    title: 'Styles',
    width: 'wide',
    isInPlace: true,
    dressing: { color: '#8a2be2', headerFont: 'lora' },
    frame: {
      crumbs: [{ href: '#parts', name: 'Rivers' }],
      organizations: { links: [{ href: '#parts', name: 'Lakes' }], hasMore: true },
      status: html`<span class="tag good">${context.t.home.formStatus.PUBLISHED}</span>`,
      tabs: {
        label: context.t.form.pages,
        links: (['edit', 'rules', 'settings', 'look', 'share', 'responses'] as const).map((page) => ({
          href: '#parts',
          name: context.t.form[page],
          isCurrent: page === 'rules',
        })),
      },
      actions: [html`<a class="button" href="#parts">${context.t.form.publish}</a>`],
    },
    main: html`<h1 id="parts">Styles</h1>
<p class="lead">${LANGUAGES.map((other) => html`<a href="${buildHref(other)}">${LANGUAGE_NAMES[other]}</a> `)}</p>
${[texts(context), buttons(context), notices(context), controls(context), lists(), builderParts(context), reviewParts(context), charts(), questionStates(context)]}`,
  });
}

const part = (name: string, content: Html): Html =>
  html`<section class="section-heading" aria-label="${name}"><h2>${name}</h2>${content}</section>`;

const TONES = ['', 'active', 'info', 'good', 'bad'] as const;

const texts = (context: PageContext): Html =>
  part(
    'Texts',
    html`<h3>A heading</h3><p class="lead">A lead with <a href="#parts">a link</a>.</p><p>A text with <strong>weight</strong> and <code>code</code>.</p>
<p class="muted">A muted text, and <span class="small">a small one</span>.</p><p class="hint">A hint.</p>
<p>${renderTime(context, NOW.toISOString(), 'zone')}</p><p>${TONES.map((tone) => html`<span class="tag ${tone}">${tone || 'plain'}</span> `)}</p>
<dl class="facts"><dt>A name</dt><dd>A value</dd><dt>Another name</dt><dd>Another value</dd></dl>`,
  );

const buttons = (context: PageContext): Html =>
  part(
    'Buttons',
    html`${['', 'large', 'secondary', 'quiet', 'danger'].map(
      (kind) =>
        html`<p class="actions"><button type="button" class="${kind}">${kind || 'plain'}</button><button type="button" class="${kind}" disabled>${kind || 'plain'}</button><a class="button ${kind}" href="#parts">${kind || 'plain'}</a></p>`,
    )}
<p class="share-link"><a class="address" href="#parts">http://localhost:3000/f/…</a>${copyButton(context, { text: 'copied' })}</p>`,
  );

const notices = (context: PageContext): Html =>
  part(
    'Notices',
    html`${doneNotice(context, { saved: 'Something was done.' })}
<div class="notice"><h3>A notice</h3><p>What it says.</p></div>
<div class="notice info"><h3>An information</h3><p>What it tells.</p></div>
<div class="notice warning"><h3>A warning</h3><p>What it warns of.</p></div>
<div class="notice warning" role="alert"><h3>A refusal</h3><p>What was not done, and why.</p></div>
${errorSummary(context, [{ target: 'text-error', message: 'Enter a text' }])}
${conflictNotice(context, {
  values: [
    { label: 'Name', theirs: 'Theirs' },
    { label: 'Description', theirs: '' },
  ],
  reload: '#parts',
})}
<div class="empty"><h3>Nothing here</h3><p>What one can do about it.</p></div>`,
  );

const OPTIONS = [
  { value: 'a', label: 'Loch Ness', hint: 'It is deep' },
  { value: 'b', label: 'Windermere' },
];

/** Each control as it is, with an error, and read-only. */
const controls = (context: PageContext): Html =>
  part(
    'Controls',
    html`${(['plain', 'error', 'readOnly'] as const).map((state) => {
      const common = (name: string) => ({
        name: `${name}-${state}`,
        label: `${name}, ${state}`,
        hint: 'A hint',
        error: state === 'error' ? 'Enter a value' : undefined,
        readOnly: state === 'readOnly',
      });
      return html`${textField(context, { ...common('text'), value: 'A text' })}
${textField(context, { ...common('date'), type: 'date', value: '2026-05-01' })}
${textArea(context, { ...common('area'), value: 'Two\nlines' })}
${selectField(context, { ...common('select'), value: 'a', options: OPTIONS })}
${radioField(context, { ...common('radio'), value: 'a', options: OPTIONS })}
${switchField({ ...common('switch'), isOn: true })}
${switchField({ ...common('switch-off'), isOn: false })}`;
    })}
<p class="slug-status" data-tone="good">Available</p><p class="slug-status" data-tone="bad">Taken</p>
<label for="file">A file</label><input class="file" type="file" id="file">
<progress class="progress-bar" max="3" value="1" aria-label="Progress"></progress>
<progress class="job-progress" aria-label="Progress of a job"></progress>`,
  );

const lists = (): Html =>
  part(
    'Lists',
    html`<nav class="tabs" aria-label="Tabs"><ul><li><a href="#parts" aria-current="page">One</a></li><li><a href="#parts">Two</a></li></ul></nav>
<ul class="rows">${TONES.map((tone) => html`<li><div class="row-text"><h3><a class="row-link" href="#parts">A row</a></h3><p class="muted small">What it is about</p></div><div class="row-side"><span class="tag ${tone}">${tone || 'plain'}</span><a class="button secondary" href="#parts">Do</a></div></li>`)}</ul>
<div class="landing card section-heading"><div class="landing-band" aria-hidden="true"></div><p class="landing-by"><span class="monogram" aria-hidden="true">R</span>Rivers</p><h3>A form</h3><ul class="landing-facts"><li>${icon('list')}<span>Up to 3 sections</span></li><li>${icon('clock')}<span>Closes <strong>in 3 days</strong></span></li></ul></div>
<div class="page-title"><h3>A title</h3>${menu(html`Create`, [html`<a href="#parts">Rivers</a>`], 'create-menu')}</div>
<div class="card section-heading"><h3>A card</h3><p>What is in it.</p></div>
<details><summary>More</summary><p>What was folded away.</p></details>
<ul class="chips"><li><a class="chip" href="#parts" aria-current="true"><span class="chip-text">Chosen</span></a></li><li><a class="chip" href="#parts"><span class="chip-text">Not chosen</span></a></li></ul>
<ul class="tree"><li><a href="#parts">North</a><ul class="tree"><li><a href="#parts">North-East</a></li></ul></li></ul>`,
  );

const SHARES = [1, 0.42, 0];

const charts = (): Html =>
  part(
    'Charts',
    html`<section class="card statistic"><h3>Bars in a table</h3>
<dl class="figures"><div><dt>A figure</dt><dd>3.33</dd></div><div><dt>Another figure</dt><dd>4</dd></div></dl>
${barTable({
  caption: 'Three rows with bars',
  heads: ['A row', 'A count', 'A share'],
  rows: SHARES.map((share) => ({
    label: 'A row with a label',
    share,
    numbers: [String(100 * share), formatShare(share)],
  })),
  showsHeads: true,
})}</section>
<section class="card statistic"><h3>Columns</h3>${columnChart([3, 0, 12, 7], ['The first', 'The last'])}
<details class="chart-table"><summary>What they show</summary><p>A table.</p></details>
<ul class="newest"><li><p>An answer</p><a class="small" href="#parts">Its response</a></li></ul></section>`,
  );
