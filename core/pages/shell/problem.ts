/** Renders the page of a problem. */
import type { Problem } from '#core/problems/problems.ts';
import { isId } from '#core/schema/schema.ts';
import type { PageContext } from './context.ts';
import type { FormFields } from './form-fields.ts';
import { type Html, html } from './html.ts';
import { layout } from './layout.ts';
import type { Labels } from './typed-fields.ts';

const hasText = <T extends object>(code: string, texts: T): code is Extract<keyof T, string> =>
  Object.hasOwn(texts, code);

/** Finds the texts for a problem. */
export const problemText = ({ t }: PageContext, { code }: Pick<Problem, 'code'>): { title: string; detail: string } =>
  hasText(code, t.problem) ? t.problem[code] : t.problem.other;

/** The largest form that is repeated, in bytes: anybody can send one, and the page takes more bytes for the same fields. */
export const MAX_REPEATED_BYTES = 262_144;

/** A form that can be sent again as it was. `labels`: of the fields that its page declares. */
export type Repeat = {
  action: string;
  posted: FormFields;
  labels?: ((context: PageContext) => Labels) | undefined;
};

/** What somebody has typed or chosen, in words; fields that no label names have none. */
export type Typed = { label?: string | undefined; text: string };

/**
 * Renders a problem in the language of the reader; the code is shown if the problem has no text of its own. The posted
 * fields of a form stay on the page, to send them again.
 */
export function renderProblemPage(context: PageContext, problem: Problem, repeat?: Repeat): Html {
  const { t } = context;
  const { code, status } = problem;
  // Somebody who has lost access may not get it back, and can at least copy what they have typed.
  const typed = repeat && (status === 403 || status === 404) ? listTyped(context, repeat) : undefined;
  const repeatHtml = repeat && typed?.length !== 0 ? renderRepeatForm(context, repeat) : undefined;
  const { title, detail } = repeat && hasText(code, t.lost) ? t.lost[code] : problemText(context, problem);
  return renderMessage(
    context,
    title,
    html`<p>${detail} ${!hasText(code, t.problem) && html`<code>${code}</code>`}</p>
${status === 401 && html`<p><a class="button" href="/sign-in" target="_blank">${t.shell.signInInNewTab}</a></p>`}
${repeatHtml && typed && typedList(context, typed)}
${repeatHtml}
${!repeatHtml && status === 503 && html`<p><a class="button" href="${context.path}">${t.shell.tryAgain}</a></p>`}
${!repeatHtml && status !== 401 && html`<p><a class="button secondary" href="/">${t.shell.home}</a></p>`}`,
  );
}

/** `back`: a link to what is stored now. */
export type LostPage = {
  title: string;
  detail: string;
  typed: readonly Typed[];
  repeat: Repeat;
  back: { href: string; text: string };
};

/**
 * Renders the page of a form whose resource was deleted while it was filled in: what was typed, in the words of its page, to
 * copy it, and a button that sends it again if the resource was put back.
 */
export function renderLostPage(context: PageContext, { title, detail, typed, repeat, back }: LostPage): Html {
  return renderMessage(
    context,
    title,
    html`<p>${detail}</p>
${typedList(context, typed)}
${renderRepeatForm(context, repeat)}
<p><a class="button secondary" href="${back.href}">${back.text}</a></p>`,
  );
}

const renderMessage = (context: PageContext, title: string, content: Html): Html =>
  layout(context, {
    title,
    kind: 'message',
    main: html`<div class="card">
<h1>${title}</h1>
${content}
</div>`,
  });

const typedList = ({ t }: PageContext, typed: readonly Typed[]): Html =>
  html`<h2>${t.kept.typed}</h2><p>${t.kept.typedDetail}</p><ul class="plain-list">${typed.map(
    ({ label, text }) =>
      html`<li>${label !== undefined && html`<strong>${label}</strong> `}<span class="pre-line" dir="auto">${text}</span></li>`,
  )}</ul>`;

/**
 * Fields that nobody types, besides those that a page declares as chosen: ids, hashes, buttons, and values of lists in forms without
 * declared fields.
 */
const TECHNICAL =
  /^(?:do|id|hash|stamp|confirmed|as|asked|audience|timeZone|place|sections|rule\.test|(?:[skn]|was)\..*)$/;

/** Lists the values of a form that people may have typed, with the labels of their fields. */
function listTyped(context: PageContext, { posted, labels }: Repeat): Typed[] {
  const texts = new Map(Object.entries(context.t.kept.labels));
  const declared = new Map(Object.entries(labels?.(context) ?? {}));
  return [...posted.fields].flatMap(([name, text]) => {
    const { label = texts.get(name), isChosen = TECHNICAL.test(name) } = declared.get(name) ?? {};
    return isChosen || text === 'on' || isId(text) || text.trim() === '' ? [] : [{ label, text }];
  });
}

/** The form with its fields hidden; undefined if that is too large. */
function renderRepeatForm({ t }: PageContext, { action, posted: { fields, files } }: Repeat): Html | undefined {
  const form = html`<form method="post" action="${action}" data-once>
${[...fields].map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
${files.length > 0 && html`<p>${t.shell.filesNotKept}</p>`}
<p><button>${t.shell.tryAgain}</button></p>
</form>`;
  return Buffer.byteLength(form.toString()) > MAX_REPEATED_BYTES ? undefined : form;
}
