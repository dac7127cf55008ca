/**
 * The fields of a form that edits something stored, each declared once: how its value is shown, read, checked, named and
 * rendered, and how it is told to somebody who typed another one. A page declares its fields as an object by name.
 */
import { isDeepStrictEqual } from 'node:util';
import type { Problem } from '#core/problems/problems.ts';
import type { PageContext } from './context.ts';
import {
  type Control,
  checkboxes,
  type FieldError,
  fieldError,
  type Option,
  type Overwritten,
  radioField,
  selectField,
  switchField,
  textArea,
  textField,
} from './controls.ts';
import { type Html, html } from './html.ts';

/**
 * A value as it is typed: a text, whether a switch is on, several of them; undefined for one that the form does not let its
 * reader type.
 */
export type Value = string | boolean | undefined | readonly Value[] | { readonly [name: string]: Value };

type Zone = Pick<PageContext, 'timeZone'>;

/** `invalid`: the message for a value that an operation refuses; without it, no value is refused. */
type Words = { label: string; hint?: Control['hint']; invalid?: string };

/** What an operation gets for a value, also as several members, or the messages for what is not valid, also by control. */
type Parsed =
  | { value: unknown }
  | { members: Readonly<Record<string, unknown>> }
  | { error: string }
  | { errors: Readonly<Record<string, string>> };

/** A field of a form: `S` is what is stored, `V` the value as it is typed. */
export type TypedField<S, V extends Value = Value> = {
  /** The stored value, as it would be typed; times in a zone. */
  show(stored: S, zone: Zone): V;
  /** Reads the posted value. */
  read(posted: URLSearchParams, name: string, stored: S): V;
  /** Converts a value that differs from the stored one for an operation, or says why it is none. */
  parse(context: PageContext, typed: V, field: { name: string; stored: S }): Parsed;
  /** Whether the form has it; without this, it has. The operation gets null for one that it has not. */
  isOffered?(stored: S): boolean;
  /** Whether a value is stored, which stays if it is not changed; without this, there is one. */
  isStored?(stored: S): boolean;
  words(context: PageContext): Words;
  /** The labels of its controls, by name, where it has several; without this, there is one of its name. */
  labels?(context: PageContext, name: string): Labels;
  /** Whether its value is chosen from a list and is a name in the code, which nobody has typed; without this, it is typed. */
  isChosen?: true;
  /** Says what is stored. */
  tell(context: PageContext, shown: V): string;
  /** Lists what differs, where that has several names; without this, it is the whole value. */
  compare?(context: PageContext, values: { typed: V; shown: V; stored: S }): Overwritten[];
  /** Finds the control and message for a part that the operation refuses; without this, those of the whole. */
  explain?(context: PageContext, path: readonly PropertyKey[], field: { name: string; typed: V }): FieldError;
  /** `action`: where the form is posted; `errors`: those of all controls. */
  render(
    context: PageContext,
    control: Control,
    values: { typed: V; stored: S; action: string; errors: Errors },
  ): Html | undefined;
};

/** The labels of controls, by name, and whether their values are chosen from a list. */
export type Labels = Readonly<Record<string, { label: string; isChosen: boolean }>>;

type Errors = Readonly<Record<string, string | undefined>>;

type Fields<S> = Readonly<Record<string, TypedField<S>>>;

/** What was typed into some fields, by name. */
export type Typed<F> = { [K in keyof F]: F[K] extends { show(...args: never[]): infer V extends Value } ? V : never };

/** The messages for fields that are not valid, by name; those of parts by the id of their control. */
export type FieldErrors<F> = { readonly [K in keyof F & string]?: string } & Readonly<Record<string, string>>;

/** Returns the stored values as they would be typed. */
export const showFields = <S, F extends Fields<S>>(fields: F, stored: S, zone: Zone): Typed<F> =>
  mapFields(fields, (field: TypedField<S>) => field.show(stored, zone));

/** Reads the values of a posted form. */
export const readFields = <S, F extends Fields<S>>(fields: F, posted: URLSearchParams, stored: S): Typed<F> =>
  mapFields(fields, (field: TypedField<S>, name) => field.read(posted, name, stored));

/** Fills in what is not typed, and what is empty. */
export const completeFields = <S, F extends Fields<S>>(fields: F, typed: Typed<F>, defaults: Typed<F>): Typed<F> =>
  mapFields(fields, (_field, name) => complete(typed[name], defaults[name]));

function complete(typed: Value, initial: Value): Value {
  if (typed === undefined || typed === '') return initial;
  if (Array.isArray(typed)) return typed.length === 0 ? initial : typed;
  if (typeof typed !== 'object' || typeof initial !== 'object') return typed;
  const defaults = new Map(Object.entries(initial));
  return Object.fromEntries(Object.entries(typed).map(([name, value]) => [name, complete(value, defaults.get(name))]));
}

/** Lists the labels of the controls of fields, by name. */
export const listLabels = <S>(context: PageContext, fields: Fields<S>, prefix = ''): Labels =>
  Object.assign(
    {},
    ...Object.entries(fields).map(
      ([name, field]): Labels =>
        field.labels?.(context, `${prefix}${name}`) ?? {
          [`${prefix}${name}`]: { label: field.words(context).label, isChosen: field.isChosen === true },
        },
    ),
  );

const mapFields = <S, F extends Fields<S>>(
  fields: F,
  convert: (field: TypedField<S>, name: string) => Value,
): Typed<F> =>
  Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, convert(field, name)])) as Typed<F>;

/** A schema of the input of an operation, whose members have the names of the fields. */
type Schema<P> = {
  safeParse(
    input: unknown,
  ): { success: true; data: P } | { success: false; error: { issues: { path: PropertyKey[] }[] } };
};

/**
 * Returns the input of an operation for the values that differ from the stored ones, or a message for each that is not valid.
 * `base`: what the operation gets for those that do not differ.
 */
export function checkFields<S, F extends Fields<S>, P>(
  context: PageContext,
  fields: F,
  schema: Schema<P>,
  { typed, stored, base }: { typed: Typed<F>; stored: S; base?: Readonly<Record<string, unknown>> },
): { patch: P } | { errors: FieldErrors<F> } {
  const parsed = parseFields(context, fields, { typed, stored });
  const errors: Record<string, string> = parsed.errors;
  const checked = schema.safeParse({ ...base, ...parsed.members });
  for (const { path } of checked.success ? [] : checked.error.issues) {
    const [name = '', ...rest] = path.map(String);
    const field = fields[name];
    const fault = field && explainField(context, field, rest, { name, typed: typed[name] });
    errors[fault?.target ?? name] ??= fault?.message ?? '';
  }
  return checked.success && Object.keys(errors).length === 0
    ? { patch: checked.data }
    : { errors: errors as FieldErrors<F> };
}

/**
 * Explains the faults that an operation found in the values of some fields, each at its control; undefined if it found another
 * one, or none.
 */
export function explainFaults<S, F extends Fields<S>>(
  context: PageContext,
  fields: F,
  { typed, problem }: { typed: Typed<F>; problem: Pick<Problem, 'errors'> },
): FieldErrors<F> | undefined {
  const errors: Record<string, string> = {};
  for (const { pointer } of problem.errors) {
    const [name = '', ...path] = pointer.split('/').slice(2);
    const field = fields[name];
    if (!field || typed[name] === undefined) return undefined;
    const { target, message } = explainField(context, field, path, { name, typed: typed[name] });
    errors[target] ??= message;
  }
  return problem.errors.length > 0 ? (errors as FieldErrors<F>) : undefined;
}

/** Lists errors for a summary, where each begins with the label of its field: several fields may have the same message. */
export function listFieldErrors<S>(context: PageContext, fields: Fields<S>, errors: Errors): FieldError[] {
  const labels = listLabels(context, fields);
  return Object.entries(errors).map(([target, message = '']) => {
    const control = labels[target];
    return { target, message: control === undefined ? message : context.t.errors.ofField(control.label, message) };
  });
}

/** Converts the values that differ from the stored ones; an error is named after its control, which begins with `prefix`. */
function parseFields<S, F extends Fields<S>>(
  context: PageContext,
  fields: F,
  { typed, stored, prefix = '', isNew = false }: { typed: Typed<F>; stored: S; prefix?: string; isNew?: boolean },
): { members: Record<string, unknown>; errors: Record<string, string> } {
  const shown = showFields(fields, stored, context);
  const members: Record<string, unknown> = {};
  const errors: Record<string, string> = {};
  for (const [name, field] of Object.entries(fields)) {
    const target = `${prefix}${name}`;
    if (field.isOffered?.(stored) === false) {
      members[name] = null;
      continue;
    }
    const isStored = !isNew && (field.isStored?.(stored) ?? true);
    if (typed[name] === undefined) {
      // The form did not have it yet: its kind was chosen just now.
      if (!isStored) errors[target] = field.words(context).invalid ?? '';
      continue;
    }
    if (isStored && isDeepStrictEqual(typed[name], shown[name])) continue;
    const parsed = field.parse(context, typed[name], { name: target, stored });
    if ('errors' in parsed) Object.assign(errors, parsed.errors);
    else if ('error' in parsed) errors[target] = parsed.error;
    else Object.assign(members, 'members' in parsed ? parsed.members : { [name]: parsed.value });
  }
  return { members, errors };
}

const explainField = <S, V extends Value>(
  context: PageContext,
  field: TypedField<S, V>,
  path: readonly PropertyKey[],
  { name, typed }: { name: string; typed: V },
): FieldError =>
  field.explain?.(context, path, { name, typed }) ?? { target: name, message: field.words(context).invalid ?? '' };

/** Lists the stored values that differ from the typed ones. */
export function listOverwrittenFields<S, F extends Fields<S>>(
  context: PageContext,
  fields: F,
  { typed, stored }: { typed: Typed<F>; stored: S },
): Overwritten[] {
  const shown = showFields(fields, stored, context);
  return Object.entries(fields)
    .filter(([name]) => typed[name] !== undefined && !isDeepStrictEqual(typed[name], shown[name]))
    .flatMap(
      ([name, field]) =>
        field.compare?.(context, { typed: typed[name], shown: shown[name], stored }) ?? [
          { label: field.words(context).label, theirs: field.tell(context, shown[name]) },
        ],
    );
}

type Page<S, F> = { typed: Typed<F>; stored: S; errors: Errors; action: string };

/** Renders all fields in their order. `hints`: those that need more than words. */
export const renderFields = <S, F extends Fields<S>>(
  context: PageContext,
  fields: F,
  { hints, ...page }: Page<S, F> & { hints?: { [K in keyof F]?: Control['hint'] } },
): Html => {
  const rendered = renderEach<S, F>(context, fields, { ...page, hints });
  return html`${Object.values(rendered).map(
    (field) =>
      field &&
      html`${field}
`,
  )}`;
};

/** Renders each field by itself, for a page that arranges them. */
export const renderEach = <S, F extends Fields<S>>(
  context: PageContext,
  fields: F,
  {
    prefix = '',
    hints,
    ...page
  }: Page<S, F> & { prefix?: string; hints?: { [K in keyof F]?: Control['hint'] } | undefined },
): { [K in keyof F]: Html | undefined } => {
  const { typed, stored, errors, action } = page;
  const rendered = Object.entries(fields).map(([member, field]) => {
    const { label, hint } = field.words(context);
    const name = `${prefix}${member}`;
    const control = { name, label, hint: hints?.[member] ?? hint, error: errors[name] };
    // One that the posted form did not have yet is shown as it is stored.
    const value = typed[member] ?? (field.isOffered?.(stored) ? field.show(stored, context) : undefined);
    return [member, field.render(context, control, { typed: value, stored, action, errors })];
  });
  return Object.fromEntries(rendered) as { [K in keyof F]: Html | undefined };
};

/** The words of a field in the language of the reader. */
export type WordsOf = (context: PageContext) => Words;

type LineOptions = {
  required?: boolean;
  /** An empty text stays one; without this, it is null. */
  keepsEmpty?: boolean;
  /** Spaces around it are left out, unless they are stored. */
  trimmed?: boolean;
  /** It may have several lines. */
  long?: boolean;
  /** An address or a name, which keyboards must not change. */
  exact?: boolean;
  inputMode?: 'url';
};

/** A text. */
export const line = <S>(
  get: (stored: S) => string | null | undefined,
  words: WordsOf,
  { required, keepsEmpty = required, trimmed, long, exact, inputMode }: LineOptions = {},
): TypedField<S, string> => ({
  show: (stored) => get(stored) ?? '',
  read: (posted, name, stored) => {
    const text = posted.get(name) ?? '';
    return trimmed && text !== get(stored) ? text.trim() : text;
  },
  parse: (_context, typed) => ({ value: typed === '' && !keepsEmpty ? null : typed }),
  words,
  tell: (_context, shown) => shown,
  render: (context, control, { typed }) =>
    long
      ? textArea(context, { ...control, value: typed })
      : textField(context, { ...control, value: typed, required, isExact: exact, inputMode }),
});

/** A switch; `states`: what on and off are called. */
export const toggle = <S>(
  get: (stored: S) => boolean,
  words: WordsOf,
  states: (context: PageContext) => { on: string; off: string },
): TypedField<S, boolean> => ({
  show: get,
  read: (posted, name) => posted.get(name) === 'on',
  parse: (_context, typed) => ({ value: typed }),
  words,
  tell: (context, shown) => states(context)[shown ? 'on' : 'off'],
  render: (_context, { error: _, ...control }, { typed }) => switchField({ ...control, isOn: typed }),
});

/** One of some values, with the label of each. */
export const choice = <S, O extends string>(
  get: (stored: S) => O,
  words: WordsOf,
  labels: (context: PageContext) => Readonly<Record<O, string>>,
): TypedField<S, string> => ({
  show: get,
  read: (posted, name) => posted.get(name) ?? '',
  parse: (_context, typed) => ({ value: typed }),
  isChosen: true,
  words,
  tell: (context, shown) => labels(context)[shown as O],
  render: (context, control, { typed }) => {
    const options = Object.entries<string>(labels(context)).map(([value, label]) => ({ value, label }));
    return radioField(context, { ...control, value: typed, options });
  },
});

/** One of some values in a list; `''` is none. `parse`: its value for an operation. */
export const select = <S>(
  get: (stored: S) => string,
  words: WordsOf,
  options: (context: PageContext, stored: S) => readonly Option[],
  parse: (typed: string) => unknown = (typed) => (typed === '' ? null : typed),
): TypedField<S, string> => ({
  show: get,
  read: readTrimmed,
  parse: (_context, typed) => ({ value: parse(typed) }),
  isChosen: true,
  words,
  tell: (_context, shown) => shown,
  compare: (context, { shown, stored }) => {
    const { label } = words(context);
    return [{ label, theirs: options(context, stored).find(({ value }) => value === shown)?.label ?? shown }];
  },
  render: (context, control, { typed, stored }) =>
    selectField(context, { ...control, value: typed, options: options(context, stored) }),
});

const readTrimmed = (posted: URLSearchParams, name: string): string => (posted.get(name) ?? '').trim();

type NumberOptions = {
  /** Reads another kind of number than a whole one; NaN for a text that is none. */
  parse?: (text: string) => number;
  /** It may be empty, which is null. */
  optional?: boolean;
};

/** A number. */
export const number = <S>(
  get: (stored: S) => number | null | undefined,
  words: WordsOf,
  { parse = parseWholeNumber, optional }: NumberOptions = {},
): TypedField<S, string> => ({
  show: (stored) => String(get(stored) ?? ''),
  read: readTrimmed,
  parse: (_context, typed) => ({ value: optional && typed === '' ? null : parse(typed) }),
  words,
  tell: (_context, shown) => shown,
  render: (context, control, { typed }) => textField(context, { ...control, value: typed, isExact: true }),
});

/** Reads a whole number that is typed with digits only, so that nothing else is taken for one; NaN for another text. */
export const parseWholeNumber = (text: string): number => (/^\d{1,9}$/.test(text) ? Number(text) : Number.NaN);

/** Several of some values, as boxes; a box may stand for several values, with spaces between them. */
export const several = <S>(
  get: (stored: S) => readonly string[],
  words: WordsOf,
  options: (context: PageContext, typed: readonly string[]) => readonly Option[],
): TypedField<S, readonly string[]> => ({
  show: get,
  read: (posted, name) => posted.getAll(name).flatMap((values) => values.split(' ')),
  parse: (_context, typed) => ({ value: typed }),
  isChosen: true,
  words,
  tell: (_context, shown) => shown.join(', '),
  render: (context, control, { typed }) =>
    checkboxes(context, {
      ...control,
      options: options(context, typed).map(({ value, label, group: ofGroup }) => ({
        value,
        label,
        group: ofGroup,
        isOn: value.split(' ').every((each) => typed.includes(each)),
      })),
    }),
});

type GroupOptions<F> = {
  /** It is null when every member is null or off. */
  optional?: boolean;
  /** Arranges the members; without this, they are below each other. */
  layout?: (context: PageContext, control: Control, members: { [K in keyof F]: Html | undefined }) => Html;
};

/**
 * Members of one object, such as an option of a question. The name of a control is that of the object and of the member:
 * `date-minDate`. A form without any of these controls types none of them. `get`: the stored object.
 */
export const group = <S, F extends Fields<S>>(
  get: (stored: S) => object | null | undefined,
  words: WordsOf,
  fields: F,
  { optional, layout }: GroupOptions<F> = {},
): TypedField<S, Typed<F> | undefined> => ({
  show: (stored, zone) => showFields(fields, stored, zone),
  read: (posted, name, stored) =>
    Object.keys(fields).some((member) => posted.has(`${name}-${member}`))
      ? mapFields(fields, (field: TypedField<S>, member) => field.read(posted, `${name}-${member}`, stored))
      : undefined,
  isStored: (stored) => optional === true || get(stored) != null,
  parse: (context, typed, { name, stored }) => {
    if (typed === undefined) return { value: null };
    const current = get(stored);
    const { members, errors } = parseFields(context, fields, {
      ...{ typed, stored, prefix: `${name}-` },
      isNew: current == null,
    });
    if (Object.keys(errors).length > 0) return { errors };
    const value = { ...current, ...members };
    return { value: optional && Object.values(value).every((each) => each === null || each === false) ? null : value };
  },
  words,
  labels: (context, name) => listLabels(context, fields, `${name}-`),
  tell: () => '',
  compare: (context, { typed, stored }) => (typed ? listOverwrittenFields(context, fields, { typed, stored }) : []),
  explain: (context, [member = '', ...path], { name, typed }) => {
    const field = fields[String(member)];
    return field && typed
      ? explainField(context, field, path, { name: `${name}-${String(member)}`, typed: typed[String(member)] })
      : { target: name, message: words(context).invalid ?? '' };
  },
  render: (context, control, { typed, ...page }) => {
    if (!typed) return undefined;
    const members = renderEach<S, F>(context, fields, { ...page, typed, prefix: `${control.name}-` });
    return layout
      ? layout(context, control, members)
      : html`${control.error !== undefined && html`<div id="${control.name}" tabindex="-1">${fieldError(context, control.name, control.error)}</div>`}${Object.values(
          members,
        ).map(
          (member) =>
            member &&
            html`${member}
`,
        )}`;
  },
});
