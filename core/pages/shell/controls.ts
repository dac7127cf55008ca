/**
 * The controls of forms outside questions, and their errors: a summary at the top that takes the focus, and the same
 * words beside each field.
 */
import type { PageContext } from './context.ts';
import { attribute, type Html, html, type Value } from './html.ts';
import { icon } from './icons.ts';

/** An error of a field; `target` is the id of the control that the summary links to. */
export type FieldError = { target: string; message: string };

/** Builds the title of a page; a page with errors starts with a prefix that says so. */
export const pageTitle = ({ t }: PageContext, title: string, hasErrors: boolean): string =>
  hasErrors ? t.errors.prefix + title : title;

/** Renders the summary of errors; nothing without errors. */
export const errorSummary = ({ t }: PageContext, errors: readonly FieldError[]): Html | undefined =>
  errors.length === 0
    ? undefined
    : html`<div class="error-summary" role="alert" tabindex="-1" data-error-summary aria-labelledby="error-summary-title">
<h2 id="error-summary-title">${t.errors.title}</h2>
<ul>${errors.map(({ target, message }) => html`<li><a href="#${target}">${message}</a></li>`)}</ul>
</div>`;

/** Renders the error beside a field; the id is for `aria-describedby`. */
export const fieldError = ({ t }: PageContext, id: string, message: string | undefined): Html | undefined =>
  message === undefined
    ? undefined
    : html`<p class="error" id="${id}-error"><span class="visually-hidden">${t.errors.prefix}</span>${message}</p>`;

export type Control = {
  /** The name of the field, and its id. */
  name: string;
  label: string;
  hint?: Html | string | undefined;
  /** What is wrong with the value, in the words of the reader. */
  error?: string | undefined;
  /** Shown, but not to be changed by this reader. */
  readOnly?: boolean | undefined;
};

/** A control with its label, hint and error; `control` receives the attributes that join them. */
function field(context: PageContext, { name, label, hint, error }: Control, control: (described: Html) => Html): Html {
  const ids = [...(hint === undefined ? [] : [`${name}-hint`]), ...(error === undefined ? [] : [`${name}-error`])];
  const described = html`${attribute('aria-describedby', ids.length > 0 && ids.join(' '))}${attribute('aria-invalid', error !== undefined && 'true')}`;
  return html`<div class="field${error !== undefined && ' invalid'}">
<label for="${name}" dir="auto">${label}</label>
${hint !== undefined && html`<p class="hint" id="${name}-hint">${hint}</p>`}
${fieldError(context, name, error)}
${control(described)}
</div>`;
}

type TextControl = Control & {
  value: string;
  type?: 'text' | 'email' | 'color' | 'datetime-local' | 'date' | 'number' | undefined;
  /** What keyboards on the screen offer. */
  inputMode?: 'url' | undefined;
  /** What browsers fill in; nothing by default. */
  autocomplete?: string | undefined;
  /** A name that is typed exactly, such as an address: no capitals, no corrections. */
  isExact?: boolean | undefined;
  required?: boolean | undefined;
  /** The page is opened to type here. */
  autofocus?: boolean | undefined;
  /** The stored moment of a local time. */
  moment?: string | null | undefined;
};

/** A field for one line of text. */
export const textField = (context: PageContext, { value, type = 'text', ...options }: TextControl): Html =>
  field(
    context,
    options,
    (described) =>
      html`<input dir="auto" id="${options.name}" name="${options.name}" type="${type}" value="${value}" autocomplete="${options.autocomplete ?? 'off'}"${attribute('autocapitalize', options.isExact && 'none')}${attribute('spellcheck', options.isExact && 'false')}${attribute('inputmode', options.inputMode)}${attribute('aria-required', options.required && 'true')}${attribute('readonly', options.readOnly)}${attribute('autofocus', options.autofocus)}${attribute('data-moment', options.moment ?? undefined)}${described}>`,
  );

/** A field for several lines of text; `toolbar`: what stands right above the text. */
export const textArea = (
  context: PageContext,
  { value, toolbar, ...options }: Control & { value: string; toolbar?: Html },
): Html =>
  field(
    context,
    options,
    (described) =>
      html`${toolbar}<textarea dir="auto" id="${options.name}" name="${options.name}" rows="3"${attribute('readonly', options.readOnly)}${described}>
${value}</textarea>`,
  );

/** One option of a select or of radio buttons. */
export type Option = { value: string; label: string; hint?: string | undefined; group?: string | undefined };

/** A field that offers options in a list. */
export const selectField = (
  context: PageContext,
  { value, options, ...control }: Control & { value: string; options: readonly Option[] },
): Html =>
  field(
    context,
    control,
    (described) =>
      html`<select id="${control.name}" name="${control.name}"${attribute('disabled', control.readOnly)}${described}>${options.map(
        (option) =>
          html`<option dir="auto" value="${option.value}"${attribute('selected', option.value === value)}>${option.label}</option>`,
      )}</select>`,
  );

/** Options as radio buttons, each with what it means. */
export const radioField = (
  context: PageContext,
  { name, label, hint, error, readOnly, value, options }: Control & { value: string; options: readonly Option[] },
): Html =>
  html`<fieldset class="field${error !== undefined && ' invalid'}"${attribute('aria-describedby', error !== undefined && `${name}-error`)}>
<legend class="field-legend">${label}</legend>
${hint !== undefined && html`<p class="hint">${hint}</p>`}
${fieldError(context, name, error)}
<div class="choices">${options.map(
    (option, index) =>
      html`<label class="choice"><input type="radio" name="${name}"${attribute('id', index === 0 && name)} value="${option.value}"${attribute('checked', option.value === value)}${attribute('disabled', readOnly)}><span dir="auto">${option.label}${option.hint !== undefined && html`<span class="choice-description">${option.hint}</span>`}</span></label>`,
  )}</div>
</fieldset>`;

/** A group of controls with a name and an error. `id`: unless one of its controls has its name as its id. */
export const fieldGroup = (
  context: PageContext,
  { name, label, error, id }: Pick<Control, 'name' | 'label' | 'error'> & { id?: string },
  content: Html,
): Html =>
  html`<fieldset class="field${error !== undefined && ' invalid'}"${attribute('id', id)}${attribute('tabindex', id !== undefined && '-1')}${attribute('aria-describedby', error !== undefined && `${name}-error`)}><legend class="field-legend">${label}</legend>
${fieldError(context, name, error)}
${content}</fieldset>`;

/** A box that is ticked or not; its value is sent if it is. */
export const checkbox = ({
  name,
  id,
  value,
  label,
  isOn,
}: {
  name: string;
  id?: string | undefined;
  value: string;
  label: string;
  isOn: boolean;
}): Html =>
  html`<label class="choice"><input type="checkbox" name="${name}"${attribute('id', id)} value="${value}"${attribute('checked', isOn)}><span dir="auto">${label}</span></label>`;

/** Several options as boxes, of which any can be ticked, below the names of their groups if they have any. */
export const checkboxes = (
  context: PageContext,
  { options, ...control }: Control & { options: readonly (Option & { isOn: boolean })[] },
): Html => {
  const groups = Map.groupBy(options, ({ group = '' }) => group);
  return fieldGroup(
    context,
    control,
    html`${[...groups].map(
      ([name, members]) =>
        html`<div${name !== '' && html` role="group" aria-label="${name}"`}>${name !== '' && html`<p class="hint">${name}</p>`}<div class="choices columns">${members.map(
          (option) => {
            const { value, label, isOn } = option;
            return checkbox({
              name: control.name,
              id: option === options[0] ? control.name : undefined,
              value,
              label,
              isOn,
            });
          },
        )}</div></div>`,
    )}`,
  );
};

/** A button out of sight that saves, as the first one of a form: Enter in a field presses the first one. */
export const enterSaves = ({ t }: PageContext): Html =>
  html`<button class="visually-hidden" name="do" value="save" tabindex="-1" aria-hidden="true">${t.shell.save}</button>`;

/** A setting that is on or off. */
export const switchField = ({ name, label, hint, readOnly, isOn }: Omit<Control, 'error'> & { isOn: boolean }): Html =>
  html`<div class="field"><label class="choice switch"><input type="checkbox" role="switch" id="${name}" name="${name}" value="on"${attribute('checked', isOn)}${attribute('disabled', readOnly)}${attribute('aria-describedby', hint !== undefined && `${name}-hint`)}><span>${label}${hint !== undefined && html`<span class="choice-description" id="${name}-hint">${hint}</span>`}</span></label></div>`;

/** A button that copies a text; only scripts can, so without them it is hidden. `label` says what it copies. */
export const copyButton = (
  { t }: PageContext,
  { text, label = t.shell.copy, tone = 'secondary' }: { text: string; label?: string; tone?: 'secondary' | 'quiet' },
): Html =>
  html`<button type="button" class="${tone}" hidden data-copy="${text}" data-copied="${t.shell.copied}" data-not-copied="${t.shell.notCopied}">${label}</button>`;

/** Renders the link to a form that its members share, with a button that copies it. */
export function shareLink(context: PageContext, formId: string): Html {
  const link = `${context.publicUrl}/f/${formId}`;
  return html`<p class="share-link"><a class="address" href="${link}">${link}</a>
${copyButton(context, { text: link })}</p>`;
}

/** Fields that are sent but not shown. */
export const hiddenFields = (values: Readonly<Record<string, string>>): Value =>
  Object.entries(values).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`);

/** Adds what was just done to an address, for `doneNotice`. */
export const addDone = (href: string, done: string): string => `${href}${href.includes('?') ? '&' : '?'}done=${done}`;

/**
 * Renders the message about what was done before, by the `done` of the address. Scripts show it above the content, where it
 * moves nothing, announce it and let it be dismissed.
 */
export function doneNotice({ t, path }: PageContext, texts: Readonly<Record<string, string>>): Html | undefined {
  const done = new URLSearchParams(path.split('?')[1]).get('done');
  const text = Object.entries(texts).find(([key]) => key === done)?.[1];
  return text === undefined
    ? undefined
    : html`<div class="flash" role="status" data-flash>${icon('check')}<p>${text}</p><button type="button" class="quiet" hidden data-dismiss aria-label="${t.shell.dismiss}">${icon('close')}</button></div>`;
}

/** A setting that two people have changed: its name, and the value that the other one has stored. */
export type Overwritten = { label: string; theirs: string };

/** Says that somebody else has changed the same settings: what is typed stays, what is stored is shown to copy. */
export const conflictNotice = (
  { t }: PageContext,
  { values, reload }: { values: readonly Overwritten[]; reload: string },
): Html =>
  html`<div class="notice warning" role="alert" tabindex="-1" data-error-summary><h2>${t.conflict.title}</h2>
<p>${t.conflict.detail}</p>
<dl class="facts">${values.map(({ label, theirs }) => html`<dt>${label}</dt><dd class="pre-line" dir="auto">${theirs === '' ? t.conflict.empty : theirs}</dd>`)}</dl>
<p class="actions"><a class="button secondary" href="${reload}">${t.conflict.useTheirs}</a></p></div>`;
