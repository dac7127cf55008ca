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
  /** `wide` is for tables, `list` for rows of which each has a title and, beside it, what can be done. */
  width?: 'reading' | 'wide' | 'list';
  /**
   * The id of a form that the language switch submits, so that nothing typed is lost: it sends `do=language:…`. Enter in
   * a field sends `do=next`.
   */
  languageForm?: string | undefined;
  /** Forms of the page are sent in place, and links to confirmations open a dialog. */
  isInPlace?: boolean;
  /** Whether answers are given on the page, or were given before it, which its scripts save. */
  isAnswering?: boolean;
  /** Whether a script shows one question at a time; browsers draw nothing before it has run. */
  isOneQuestion?: boolean;
  /** A class of the body. */
  kind?: string;
  /** The bar of a member's page. */
  frame?: Frame | undefined;
};

/** The one bar above every page of a member. */
export type Frame = {
  /** The pages above this one, below the home page; an organization comes first. */
  crumbs: readonly Crumb[];
  /** The other organizations of the reader. */
  organizations?: OtherOrganizations | undefined;
  /** In which state is what the page is about. */
  status?: Html | undefined;
  tabs?: Tabs | undefined;
  /** Links beside the tabs; on a phone they are in the menu of the account. */
  actions?: readonly Html[];
};

/** A link with the menu that opens beside it. */
export type Crumb = Link & { menu?: { label: string; items: readonly Html[] } };

/** Links between pages, of which one may be where the reader is. */
export type Tabs = { label: string; links: readonly (Link & { isCurrent: boolean })[] };

/** A link with its text. */
export type Link = { href: string; name: string };

/** Some organizations to which the reader can switch; the home page lists all. */
export type OtherOrganizations = { links: readonly Link[]; hasMore: boolean };

/** The class of the pages of respondents, which look like their form: what is of this service is below them. */
export const FORM_KIND = 'dressed';

/** Renders a complete page. */
export function layout(context: PageContext, options: Layout): Html {
  const { t, language } = context;
  const isOfForm = options.kind === FORM_KIND;
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
${options.isOneQuestion && html`<script type="module" src="${assetUrl('one-question.js')}" blocking="render"></script>`}
${options.isInPlace && html`<script type="module" src="${assetUrl('in-place.js')}" data-in-place="${JSON.stringify({ notSent: t.shell.notSent, dismiss: t.shell.dismiss })}"></script>`}
</head>
<body${attribute('class', options.kind)} data-width="${options.width ?? 'reading'}"${attribute('data-framed', options.frame !== undefined)}>
<a class="skip" href="#main">${t.shell.skip}</a>
${isOfForm ? formBand(context, options) : siteHeader(context, options)}
<main id="main" tabindex="-1"${attribute('data-posted', context.isPosted)}>
${options.main}
</main>
${isOfForm && siteFooter(context, options)}
</body>
</html>
`;
}

/** Renders where the page is: the organization, beside which its reader can switch, and what is in it. */
function renderPlace({ t }: PageContext, { crumbs, organizations }: Frame): Html {
  const others = [
    ...(organizations?.links ?? []),
    ...(organizations?.hasMore ? [{ href: '/', name: t.shell.allOrganizations }] : []),
  ].map(({ href, name }) => html`<a href="${href}" dir="auto">${name}</a>`);
  const switchMenu = others.length > 0 ? { label: t.shell.switchOrganization, items: others } : undefined;
  return html`<nav class="place" aria-label="${t.shell.breadcrumb}"><ol>
<li><a class="brand" href="/"><span class="brand-mark" aria-hidden="true"></span><span${attribute('class', crumbs.length > 0 && 'visually-hidden')}>${t.shell.brand}</span></a></li>
${crumbs.map(({ href, name, menu: own }, index) => {
  const opens = own ?? (index === 0 ? switchMenu : undefined);
  return html`<li><a href="${href}" dir="auto">${name}</a>${opens && menu(html`<span class="visually-hidden">${opens.label}</span>`, opens.items)}</li>`;
})}
</ol></nav>`;
}

/** Renders links between pages in a row, which scrolls where it is too long. */
export const tabs = ({ label, links }: Tabs): Html =>
  html`<nav class="tabs" aria-label="${label}"><ul>${links.map(
    ({ href, name, isCurrent }) =>
      html`<li><a href="${href}"${attribute('aria-current', isCurrent && 'page')}>${name}</a></li>`,
  )}</ul></nav>`;

/**
 * A list of links and buttons that opens below its summary. Scripts also close it with Escape, and when something else is
 * pressed or has the focus.
 */
export const menu = (summary: Html, items: readonly Html[], kind = ''): Html =>
  html`<details class="menu${kind && ` ${kind}`}"><summary>${summary}${icon('open')}</summary><ul>${items.map((item) => html`<li>${item}</li>`)}</ul></details>`;

function siteHeader(context: PageContext, { frame }: Layout): Html {
  const { t, signedIn } = context;
  const languages = languageSwitch(context);
  const signOut = html`<form method="post" action="/sign-out"><button class="quiet">${t.shell.signOut}</button></form>`;
  if (frame) {
    const { status, actions = [] } = frame;
    return html`<header class="site-header app-bar">
${renderPlace(context, frame)}
${status}
${frame.tabs && tabs(frame.tabs)}
<div class="site-actions">${actions}${signedIn ? accountMenu(context, [...actions, languages, signOut]) : languages}</div>
</header>`;
  }
  return html`<header class="site-header">
<a class="brand" href="/"><span class="brand-mark" aria-hidden="true"></span>${t.shell.brand}</a>
<div class="site-actions">
${[languages, signedIn && signOut]}
</div>
</header>`;
}

/** The band in the colour of a form. The button is the first of the page: Enter in a field of the form presses it. */
const formBand = ({ t }: PageContext, { languageForm }: Layout): Html =>
  html`<div class="band" aria-hidden="true">${
    languageForm !== undefined &&
    html`<button class="visually-hidden" form="${languageForm}" name="do" value="next" tabindex="-1">${t.shell.continue}</button>`
  }</div>`;

/** What is of this service, below a page that is of a form. */
function siteFooter(context: PageContext, { languageForm }: Layout): Html {
  const { t, signedIn } = context;
  return html`<footer class="site-footer"><a class="brand" href="/"><span class="brand-mark" aria-hidden="true"></span>${t.shell.brand}</a>
<div class="site-actions">${languageForm === undefined ? languageSwitch(context) : languageButtons(context, languageForm)}
${signedIn && html`<form method="post" action="/sign-out"><button class="quiet">${t.shell.signOut}</button></form>`}</div></footer>`;
}

/** The name of the reader, and below it their account and what else they can do on every page. */
const accountMenu = ({ t, readerName }: PageContext, items: readonly Html[]): Html =>
  menu(
    html`${icon('person')}${icon('more')}<span class="menu-name" dir="auto">${readerName || t.shell.account}</span>`,
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

/** Buttons that belong to another form on the page. */
const languageButtons = (context: PageContext, form: string): Html =>
  html`<div>${otherLanguages(context).map(
    (language) =>
      html`<button class="quiet" form="${form}" name="do" value="language:${language}" formnovalidate lang="${language}">${LANGUAGE_NAMES[language]}</button>`,
  )}</div>`;
