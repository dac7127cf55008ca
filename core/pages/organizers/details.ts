/**
 * The fields that organizations and units have in common: name, description and free-form metadata, which people edit as
 * rows of a name and a value. What nobody changes is stored exactly as it was.
 */
import { OrganizationInput, UnitInput } from '#core/organizations/model.ts';
import { sha256 } from '#core/schema/hash.ts';
import { isLine } from '#core/schema/text.ts';
import type { PageContext } from '../shell/context.ts';
import { type FieldError, fieldError, type Overwritten, textArea, textField } from '../shell/controls.ts';
import { attribute, type Html, html } from '../shell/html.ts';
import { organizersText } from '../text/organizers.ts';

/** A member of the metadata: a text, or any other JSON value as JSON. */
type Row = { key: string; value: string; isJson: boolean };

/** What was typed. `slug` is undefined for units, which have none. */
export type TypedDetails = { name: string; description: string; slug?: string | undefined; rows: readonly Row[] };

/** What is stored. */
export type StoredDetails = { name: string; description: string; slug?: string; metadata: Record<string, unknown> };

/** The messages for fields that are not valid, by the name of the field. */
export type DetailErrors = Partial<Record<'name' | 'description' | 'slug' | 'metadata', string>>;

export const NO_DETAILS: TypedDetails = { name: '', description: '', rows: [] };

/** Rows without content for further metadata. */
const BLANK_ROWS = 2;
/** The most rows that are read from a form: more have no room in the metadata. */
const MAX_ROWS = 1_000;

/** Stored details as they are shown. A text that a field of one line would change is shown as JSON. */
export const typedDetails = ({ name, description, slug, metadata }: StoredDetails): TypedDetails => ({
  name,
  description,
  slug,
  rows: Object.entries(metadata).map(([key, value]) =>
    typeof value === 'string' && isLine(value)
      ? { key, value, isJson: false }
      : { key, value: JSON.stringify(value), isJson: true },
  ),
});

/** The details of a posted form; line ends that a browser has changed are those of `stored` again. */
export function postedDetails(fields: URLSearchParams, stored?: StoredDetails): TypedDetails {
  const rows: Row[] = [];
  for (let index = 0; index < MAX_ROWS && fields.has(`key.${index}`); index += 1) {
    const row = { key: fields.get(`key.${index}`) ?? '', value: fields.get(`value.${index}`) ?? '' };
    if (row.key !== '' || row.value !== '') rows.push({ ...row, isJson: fields.has(`json.${index}`) });
  }
  const description = (fields.get('description') ?? '').replaceAll('\r\n', '\n');
  const isUnchanged = stored?.description.replaceAll('\r\n', '\n') === description;
  return {
    name: (fields.get('name') ?? '').trim(),
    description: isUnchanged ? stored.description : description,
    slug: fields.get('slug')?.trim(),
    rows,
  };
}

/** The metadata of rows; undefined if a value that is marked as JSON is none. */
function metadataOf(rows: readonly Row[]): Record<string, unknown> | undefined {
  try {
    return Object.fromEntries(rows.map(({ key, value, isJson }) => [key, isJson ? JSON.parse(value) : value]));
  } catch {
    return undefined;
  }
}

/** The input of an operation, or the messages for what is not valid. */
export function checkDetails(
  context: PageContext,
  typed: TypedDetails,
): { input: OrganizationInput } | { errors: DetailErrors } {
  const texts = organizersText(context).settings;
  const metadata = metadataOf(typed.rows);
  if (!metadata) return { errors: { metadata: texts.jsonInvalid } };
  const hasTwice = Object.keys(metadata).length < typed.rows.length;
  const { name, description, slug } = typed;
  const schema = slug === undefined ? UnitInput() : OrganizationInput();
  const parsed = schema.safeParse({ name, description, slug, metadata });
  if (parsed.success && !hasTwice) return { input: { ...parsed.data, slug: slug ?? '' } };
  const messages = {
    name: texts.nameInvalid,
    description: texts.descriptionInvalid,
    slug: texts.slugInvalid,
    metadata: texts.metadataInvalid,
  };
  const invalid = new Set([
    ...(parsed.error?.issues.map(({ path }) => String(path[0])) ?? []),
    ...(hasTwice ? ['metadata'] : []),
  ]);
  return { errors: Object.fromEntries(Object.entries(messages).filter(([member]) => invalid.has(member))) };
}

/** A short hash of stored details, by which a form notices that they have changed since it was shown. */
export const detailsStamp = ({ name, description, slug, metadata }: StoredDetails): string =>
  sha256(JSON.stringify([name, description, slug, metadata]), 'base64url').slice(0, 16);

/** The stored values that differ from the typed ones. */
export function overwrittenDetails(context: PageContext, stored: StoredDetails, typed: TypedDetails): Overwritten[] {
  const { settings } = organizersText(context);
  const theirs = typedDetails(stored);
  const show = (rows: readonly Row[]): string => rows.map(({ key, value }) => `${key}: ${value}`).join('\n');
  const pairs = [
    { label: settings.name, theirs: theirs.name, mine: typed.name },
    { label: settings.slug, theirs: theirs.slug ?? '', mine: typed.slug ?? '' },
    { label: settings.description, theirs: theirs.description, mine: typed.description },
    { label: settings.metadata, theirs: show(theirs.rows), mine: show(typed.rows) },
  ];
  return pairs.filter((pair) => pair.theirs !== pair.mine);
}

/** The errors for the summary of a page. */
export const detailErrors = (errors: DetailErrors): FieldError[] =>
  Object.entries(errors).map(([member, message]) => ({ target: member === 'metadata' ? 'key.0' : member, message }));

type Fields = { typed: TypedDetails; errors: DetailErrors; readOnly?: boolean; hasSlug: boolean };

/** The fields. */
export function detailFields(context: PageContext, { typed, errors, readOnly = false, hasSlug }: Fields): Html {
  const { settings } = organizersText(context);
  const blank = { key: '', value: '', isJson: false };
  const rows = readOnly ? typed.rows : [...typed.rows, ...Array.from({ length: BLANK_ROWS }, () => blank)];
  return html`${textField(context, { name: 'name', label: settings.name, value: typed.name, error: errors.name, readOnly, required: true })}
${hasSlug && textField(context, { name: 'slug', label: settings.slug, hint: settings.slugHint, value: typed.slug ?? '', error: errors.slug, readOnly, isExact: true, required: true })}
${textArea(context, { name: 'description', label: settings.description, hint: settings.descriptionHint, value: typed.description, error: errors.description, readOnly })}
<fieldset class="field${errors.metadata !== undefined && ' invalid'}">
<legend class="field-legend">${settings.metadata}</legend>
<p class="hint">${settings.metadataHint}</p>
${fieldError(context, 'metadata', errors.metadata)}
<div class="metadata-rows">${rows.map(
    ({ key, value, isJson }, index) => html`<div class="metadata-row">
<input id="key.${index}" name="key.${index}" value="${key}" aria-label="${settings.key(index + 1)}" autocomplete="off" spellcheck="false"${attribute('readonly', readOnly)}>
<input name="value.${index}" value="${value}" aria-label="${settings.value(index + 1)}" autocomplete="off" spellcheck="false"${attribute('readonly', readOnly)}>
<label class="column-option"><input type="checkbox" name="json.${index}"${attribute('checked', isJson)}${attribute('disabled', readOnly)} aria-label="${settings.json} ${index + 1}"><span aria-hidden="true">${settings.json}</span></label>
</div>`,
  )}</div>
</fieldset>`;
}
