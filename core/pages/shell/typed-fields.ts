/**
 * The fields of a form that edits something stored, each declared once: how its value is shown, read, checked, named and
 * rendered, and how it is told to somebody who typed another one. A page declares its fields as an object by name.
 */
import type { PageContext } from './context.ts';
import { type Control, type Overwritten, radioField, switchField, textArea, textField } from './controls.ts';
import { type Html, html } from './html.ts';

/** A value as it is typed: a text, whether a switch is on; undefined for one that the form does not let its reader type. */
type Value = string | boolean | undefined;

type Zone = Pick<PageContext, 'timeZone'>;

/** `invalid`: the message for a value that an operation refuses; without it, no value is refused. */
type Words = { label: string; hint?: Control['hint']; invalid?: string };

/** A field of a form: `S` is what is stored, `V` the value as it is typed. */
export type TypedField<S, V extends Value = Value> = {
  /** The stored value, as it would be typed; times in a zone. */
  show(stored: S, zone: Zone): V;
  /** Reads the posted value. */
  read(posted: URLSearchParams, name: string, stored: S): V;
  /** Converts a value that differs from the stored one for an operation, or says why it is none. */
  parse(context: PageContext, typed: V): { value: unknown } | { error: string };
  words(context: PageContext): Words;
  /** Says what is stored. */
  tell(context: PageContext, shown: V): string;
  /** `action`: where the form is posted. */
  render(context: PageContext, control: Control, values: { typed: V; stored: S; action: string }): Html;
};

type Fields<S> = Readonly<Record<string, TypedField<S>>>;

/** What was typed into some fields, by name. */
export type Typed<F> = { [K in keyof F]: F[K] extends { show(...args: never[]): infer V extends Value } ? V : never };

/** The messages for fields that are not valid, by name. */
export type FieldErrors<F> = Partial<Record<keyof F & string, string>>;

/** Returns the stored values as they would be typed. */
export const showFields = <S, F extends Fields<S>>(fields: F, stored: S, zone: Zone): Typed<F> =>
  mapFields(fields, (field: TypedField<S>) => field.show(stored, zone));

/** Reads the values of a posted form. */
export const readFields = <S, F extends Fields<S>>(fields: F, posted: URLSearchParams, stored: S): Typed<F> =>
  mapFields(fields, (field: TypedField<S>, name) => field.read(posted, name, stored));

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

/** Returns the input of an operation for the values that differ from the stored ones, or a message for each that is not valid. */
export function checkFields<S, F extends Fields<S>, P>(
  context: PageContext,
  fields: F,
  schema: Schema<P>,
  { typed, stored }: { typed: Typed<F>; stored: S },
): { patch: P } | { errors: FieldErrors<F> } {
  const shown = showFields(fields, stored, context);
  const values: Record<string, unknown> = {};
  const errors: Record<string, string> = {};
  for (const [name, field] of Object.entries(fields)) {
    if (typed[name] === undefined || typed[name] === shown[name]) continue;
    const parsed = field.parse(context, typed[name]);
    if ('error' in parsed) errors[name] = parsed.error;
    else values[name] = parsed.value;
  }
  const checked = schema.safeParse(values);
  for (const { path } of checked.success ? [] : checked.error.issues) {
    const name = String(path[0]);
    errors[name] ??= fields[name]?.words(context).invalid ?? '';
  }
  return checked.success && Object.keys(errors).length === 0
    ? { patch: checked.data }
    : { errors: errors as FieldErrors<F> };
}

/** Lists the stored values that differ from the typed ones. */
export function listOverwrittenFields<S, F extends Fields<S>>(
  context: PageContext,
  fields: F,
  { typed, stored }: { typed: Typed<F>; stored: S },
): Overwritten[] {
  const shown = showFields(fields, stored, context);
  return Object.entries(fields)
    .filter(([name]) => typed[name] !== undefined && typed[name] !== shown[name])
    .map(([name, field]) => ({
      label: field.words(context).label,
      theirs: field.tell(context, shown[name]),
    }));
}

/** Renders all fields in their order. `hints`: those that need more than words. */
export const renderFields = <S, F extends Fields<S>>(
  context: PageContext,
  fields: F,
  page: {
    typed: Typed<F>;
    stored: S;
    errors: FieldErrors<F>;
    action: string;
    hints?: { [K in keyof F]?: Control['hint'] };
  },
): Html => {
  const { typed, stored, errors, action, hints } = page;
  return html`${Object.entries(fields).map(([name, field]) => {
    const { label, hint } = field.words(context);
    const control = { name, label, hint: hints?.[name] ?? hint, error: errors[name] };
    return html`${field.render(context, control, { typed: typed[name], stored, action })}
`;
  })}`;
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
  get: (stored: S) => string | null,
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
  read: (posted, name) => posted.has(name),
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
  words,
  tell: (context, shown) => labels(context)[shown as O],
  render: (context, control, { typed }) => {
    const options = Object.entries<string>(labels(context)).map(([value, label]) => ({ value, label }));
    return radioField(context, { ...control, value: typed, options });
  },
});
