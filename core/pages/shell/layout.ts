/** The frame of every page: head, header with the language switch, main content, footer. */

import type { Dressing } from '#core/forms/settings.ts';
import { LANGUAGES } from '#core/schema/format.ts';
import { LANGUAGE_NAMES } from '../text/texts.ts';
import { assetUrl } from './assets.ts';
import type { PageContext } from './context.ts';
import { renderDressing } from './dressing.ts';
import { attribute, type Html, html } from './html.ts';
import { icon } from './icons.ts';

export type Layout = {
  /** The title of the browser tab, before the name of the service. */
  title: string;
  main: Html;
  /** More elements of the head. */
  head?: Html | undefined;
  /** Colour and fonts of the form that the page shows. */
  dressing?: Dressing | undefined;
  /** `wide` is for tables. */
  width?: 'reading' | 'wide';
  /**
   * The id of a form that the language switch submits, so that nothing typed is lost: it sends `do=language:…`. Enter in
   * a field sends `do=next`.
   */
  languageForm?: string | undefined;
  /** Forms of the page are sent in place, and links to confirmations open a dialog. */
  isInPlace?: boolean;
  /** Whether answers are given on the page, or were given before it, which its scripts save. */
  isAnswering?: boolean;
  /** A class of the body. */
  kind?: string;
  /** The position of a member's page: the pages above it, from the home page on, and the other organizations. */
  frame?: { crumbs: readonly Link[]; organizations?: OtherOrganizations | undefined } | undefined;
};

/** A link with its text. */
export type Link = { href: string; name: string };

/** Some organizations to which the reader can switch; the home page lists all. */
export type OtherOrganizations = { links: readonly Link[]; hasMore: boolean };

/** Renders a complete page. */
export function layout(context: PageContext, options: Layout): Html {
  const { t, language } = context;
  return html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${options.title === '' ? t.shell.brand : `${options.title} · ${t.shell.brand}`}</title>
<meta name="color-scheme" content="light dark">
<link rel="icon" type="image/svg+xml" href="${assetUrl('icon.svg')}">
<link rel="stylesheet" href="${assetUrl('style.css')}">
${options.dressing && renderDressing(options.dressing, context.nonce)}
${options.head}
<script type="module" src="${assetUrl('page.js')}"></script>
${options.isAnswering && html`<script type="module" src="${assetUrl('answers.js')}"></script>`}
${options.isInPlace && html`<script type="module" src="${assetUrl('in-place.js')}" data-in-place="${JSON.stringify({ notSent: t.shell.notSent, dismiss: t.shell.dismiss })}"></script>`}
</head>
<body${attribute('class', options.kind)} data-width="${options.width ?? 'reading'}">
<a class="skip" href="#main">${t.shell.skip}</a>
${siteHeader(context, options)}
${options.frame && breadcrumb(context, options.frame)}
<main id="main" tabindex="-1"${attribute('data-posted', context.isPosted)}>
${options.main}
</main>
</body>
</html>
`;
}

function breadcrumb({ t }: PageContext, { crumbs, organizations }: NonNullable<Layout['frame']>): Html {
  const destinations = [
    ...(organizations?.links ?? []),
    ...(organizations?.hasMore ? [{ href: '/', name: t.shell.allOrganizations }] : []),
  ].map(({ href, name }) => html`<a href="${href}">${name}</a>`);
  return html`<nav class="breadcrumb" aria-label="${t.shell.breadcrumb}"><ol>
<li><a href="/">${t.shell.home}</a></li>
${crumbs.map(({ href, name }) => html`<li><a href="${href}">${name}</a></li>`)}
</ol>${destinations.length > 0 && menu(html`${t.shell.switchOrganization}`, destinations)}</nav>`;
}

/**
 * A list of links and buttons that opens below its summary. Scripts also close it with Escape, and when something else is
 * pressed or has the focus.
 */
export const menu = (summary: Html, items: readonly Html[], kind = ''): Html =>
  html`<details class="menu${kind && ` ${kind}`}"><summary>${summary}${icon('open')}</summary><ul>${items.map((item) => html`<li>${item}</li>`)}</ul></details>`;

function siteHeader(context: PageContext, { languageForm, frame }: Layout): Html {
  const { t, signedIn } = context;
  const languages = languageForm === undefined ? languageSwitch(context) : languageButtons(context, languageForm);
  const signOut = html`<form method="post" action="/sign-out"><button class="quiet">${t.shell.signOut}</button></form>`;
  return html`<header class="site-header">
<a class="brand" href="/"><span class="brand-mark" aria-hidden="true"></span>${t.shell.brand}</a>
<div class="site-actions">
${signedIn && frame ? accountMenu(context, [languages, signOut]) : [languages, signedIn && signOut]}
</div>
</header>`;
}

/** The name of the reader, and below it their account and what else they can do on every page. */
const accountMenu = ({ t, readerName }: PageContext, items: readonly Html[]): Html =>
  menu(
    html`${icon('person')}<span class="menu-name">${readerName || t.shell.account}</span>`,
    [html`<a href="/account">${t.shell.account}</a>`, ...items],
    'account-menu',
  );

const otherLanguages = (context: PageContext) => LANGUAGES.filter((language) => language !== context.language);

/** A form with a button for each other language; the reader returns to the same page. */
const languageSwitch = (context: PageContext): Html => html`<form method="post" action="/language">
<input type="hidden" name="to" value="${context.path}">
${otherLanguages(context).map(
  (language) =>
    html`<button class="quiet" name="language" value="${language}" lang="${language}">${LANGUAGE_NAMES[language]}</button>`,
)}
</form>`;

/**
 * Buttons that belong to another form on the page. The hidden one comes first: Enter in a field of the form presses it.
 */
const languageButtons = (context: PageContext, form: string): Html => html`<div>
<button class="visually-hidden" form="${form}" name="do" value="next" tabindex="-1" aria-hidden="true">${context.t.shell.continue}</button>
${otherLanguages(context).map(
  (language) =>
    html`<button class="quiet" form="${form}" name="do" value="language:${language}" formnovalidate lang="${language}">${LANGUAGE_NAMES[language]}</button>`,
)}
</div>`;
