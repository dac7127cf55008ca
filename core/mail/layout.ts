/**
 * The frame of every mail, as mail programs render it: tables and inline styles for programs that ignore style sheets,
 * and a style sheet for dark mode where it is supported. No images, no scripts, no external content, no tracking.
 */
import { html, raw } from 'hono/html';
import type { Language } from '#core/schema/format.ts';
import type { MailTexts } from './texts.ts';

/** A part of an HTML document, already escaped. */
export type Markup = ReturnType<typeof html>;

const FONTS =
  "font-family:system-ui,-apple-system,'Segoe UI',Roboto,'Noto Sans TC','PingFang TC','Microsoft JhengHei',sans-serif";
const WRAP = 'overflow-wrap:anywhere;word-break:break-word';

/** Inline styles of the light design; the classes of the same elements recolour them in dark mode. */
export const STYLES = {
  title: `margin:0;font-size:24px;line-height:1.3;font-weight:700;color:#1b2733;${WRAP}`,
  section: `margin:0;font-size:18px;line-height:1.4;font-weight:700;color:#1b2733;${WRAP}`,
  text: `margin:0;font-size:16px;line-height:1.5;color:#1b2733;${WRAP}`,
  label: `margin:0;font-size:14px;line-height:1.45;font-weight:600;color:#51606e;${WRAP}`,
  quiet: `margin:0;font-size:13px;line-height:1.5;color:#5b6975;${WRAP}`,
  empty: 'margin:0;font-size:16px;line-height:1.5;color:#5b6975',
} as const;

const STYLE_SHEET = `:root { color-scheme: light dark; supported-color-schemes: light dark; }
@media (max-width: 480px) { .page { padding: 0 !important; } .card { border-radius: 0 !important; } .cell { padding-left: 20px !important; padding-right: 20px !important; } }
@media (prefers-color-scheme: dark) {
  .page { background: #10161c !important; }
  .card { background: #19222b !important; border-color: #31404e !important; }
  .ink { color: #e8edf2 !important; }
  .soft { color: #aab7c3 !important; }
  .line { border-color: #31404e !important; }
  .button { background: #8fc1f0 !important; color: #0d1620 !important; }
  .link { color: #8fc1f0 !important; }
}`;

/** The colour of the band above a mail whose form has none. */
const DEFAULT_COLOR = '#1d5fa8';

type Frame = {
  language: Language;
  title: string;
  /** `#rgb` or `#rrggbb`. */
  color?: string | undefined;
  /** Rows of the table of the mail. */
  rows: readonly Markup[];
  /** Why the reader gets the mail. */
  reason: string;
};

/** Renders a row of a mail. `top`: the space above it, in pixels. */
export const renderRow = (content: Markup, top = 16): Markup =>
  html`<tr><td class="cell" style="padding:${top}px 32px 0">${content}</td></tr>
`;

/** Renders the HTML document of a mail. */
export const renderDocument = ({ language, title, color = DEFAULT_COLOR, rows, reason }: Frame): string =>
  String(html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<meta name="format-detection" content="telephone=no, date=no, address=no, email=no">
<title>${title}</title>
<style>${raw(STYLE_SHEET)}</style>
</head>
<body class="page" style="margin:0;padding:0;background:#eef1f4;${raw(FONTS)}">
<div role="main" lang="${language}">
<table role="presentation" class="page" width="100%" cellpadding="0" cellspacing="0" border="0" style="background:#eef1f4">
<tr><td class="page" align="center" style="padding:24px 12px">
<table role="presentation" class="card" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width:600px;background:#ffffff;border:1px solid #d5dce3;border-radius:8px;text-align:left;${raw(FONTS)}">
<tr><td style="height:6px;line-height:6px;font-size:0;background:${color};border-radius:7px 7px 0 0">&nbsp;</td></tr>
${rows}
${renderRow(html`<p class="soft" style="${STYLES.quiet}">${reason}</p>`, 28)}
<tr><td style="height:28px;line-height:28px;font-size:0">&nbsp;</td></tr>
</table>
</td></tr>
</table>
</div>
</body>
</html>
`);

/** Renders a button that opens an address, and the address as text. */
export const renderButton = (label: string, address: string, texts: MailTexts): Markup =>
  html`<table role="presentation" cellpadding="0" cellspacing="0" border="0"><tr><td class="button" style="background:#1d5fa8;border-radius:6px"><a class="button" href="${address}" style="display:inline-block;padding:12px 20px;font-size:16px;line-height:20px;font-weight:600;color:#ffffff;text-decoration:none;border-radius:6px">${label}</a></td></tr></table>
<p class="soft" style="${STYLES.quiet};padding-top:12px">${texts.address}<br><a class="link" href="${address}" style="color:#1d5fa8">${address}</a></p>`;

/** Renders a text with its line breaks. */
export const renderLines = (text: string): Markup =>
  html`${text.split(/\r\n|\r|\n/).map((line, index) => (index === 0 ? html`${line}` : html`<br>${line}`))}`;
