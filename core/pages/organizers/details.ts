/**
 * The fields that organizations and units have in common: name, description and free-form metadata, which people edit as
 * rows of a name and a value. Values that nobody changes are stored exactly as before.
 */
import { OrganizationInput, UnitInput } from '#core/organizations/model.ts';
import { sha256 } from '#core/schema/hash.ts';
import { isLine } from '#core/schema/text.ts';
import type { PageContext } from '../shell/context.ts';
import { type FieldError, fieldError, type Overwritten, textArea, textField } from '../shell/controls.ts';
import { attribute, type Html, html } from '../shell/html.ts';
import { getOrganizersTexts } from '../text/organizers.ts';

/** A member of the metadata: a text, or any other JSON value as JSON. */
type Row = { key: string; value: string; isJson: boolean };

/** The typed details. `slug` is undefined for units, which have none. */
export type TypedDetails = { name: string; description: string; slug?: string | undefined; rows: readonly Row[] };

export type StoredDetails = { name: string; description: string; slug?: string; metadata: Record<string, unknown> };

/** The messages for fields that are not valid, by the name of the field. */
export type DetailErrors = Partial<Record<'name' | 'description' | 'slug' | 'metadata', string>>;

export const NO_DETAILS: TypedDetails = { name: '', description: '', rows: [] };

/** Rows without content for further metadata. */
const BLANK_ROWS = 2;
/** The most rows that are read from a form: more would exceed the size of the metadata. */
const MAX_ROWS = 1_000;

/** Converts stored details to fields. A text that a field of one line would change is shown as JSON. */
export const toTypedDetails = ({ name, description, slug, metadata }: StoredDetails): TypedDetails => ({
  name,
  description,
  slug,
  rows: Object.entries(metadata).map(([key, value]) =>
    typeof value === 'string' && isLine(value)
      ? { key, value, isJson: false }
      : { key, value: JSON.stringify(value), isJson: true },
  ),
});

/** Parses the details of a posted form; line ends that a browser has changed are restored from `stored`. */
export function parsePostedDetails(fields: URLSearchParams, stored?: StoredDetails): TypedDetails {
  const rows: Row[] = [];
  for (let index = 0; index < MAX_ROWS && fields.has(`key.${index}`); index += 1) {
    const row = { key: fields.get(`key.${index}`) ?? '', value: fields.get(`value.${index}`) ?? '' };
    if (row.key !== '' || row.value !== '') rows.push({ ...row, isJson: fields.has(`json.${index}`) });
  }
  const description = fields.get('description') ?? '';
  const isUnchanged = stored?.description.replaceAll('\r\n', '\n') === description;
  return {
    name: (fields.get('name') ?? '').trim(),
    description: isUnchanged ? stored.description : description,
    slug: fields.get('slug')?.trim(),
    rows,
  };
}

/** Converts rows to metadata; undefined if a value that is marked as JSON is not valid JSON. */
function parseMetadata(rows: readonly Row[]): Record<string, unknown> | undefined {
  try {
    return Object.fromEntries(rows.map(({ key, value, isJson }) => [key, isJson ? JSON.parse(value) : value]));
  } catch {
    return undefined;
  }
}

/** Validates typed details. Returns the input of an operation, or the messages for the fields that are not valid. */
export function checkDetails(
  context: PageContext,
  typed: TypedDetails,
): { input: OrganizationInput } | { errors: DetailErrors } {
  const texts = getOrganizersTexts(context).settings;
  const metadata = parseMetadata(typed.rows);
  if (!metadata) return { errors: { metadata: texts.jsonInvalid } };
  const hasDuplicateKey = Object.keys(metadata).length < typed.rows.length;
  const { name, description, slug } = typed;
  const schema = slug === undefined ? UnitInput() : OrganizationInput();
  const parsed = schema.safeParse({ name, description, slug, metadata });
  if (parsed.success && !hasDuplicateKey) return { input: { ...parsed.data, slug: slug ?? '' } };
  const messages = {
    name: texts.nameInvalid,
    description: texts.descriptionInvalid,
    slug: texts.slugInvalid,
    metadata: texts.metadataInvalid,
  };
  const invalid = new Set([
    ...(parsed.error?.issues.map(({ path }) => String(path[0])) ?? []),
    ...(hasDuplicateKey ? ['metadata'] : []),
  ]);
  return { errors: Object.fromEntries(Object.entries(messages).filter(([member]) => invalid.has(member))) };
}

/** Hashes stored details, so that a form can detect that they have changed since it was shown. */
export const hashDetails = ({ name, description, slug, metadata }: StoredDetails): string =>
  sha256(JSON.stringify([name, description, slug, metadata]), 'base64url').slice(0, 16);

/** Lists the stored values that differ from the typed ones. */
export function listOverwritten(context: PageContext, stored: StoredDetails, typed: TypedDetails): Overwritten[] {
  const { settings } = getOrganizersTexts(context);
  const theirs = toTypedDetails(stored);
  const formatRows = (rows: readonly Row[]): string => rows.map(({ key, value }) => `${key}: ${value}`).join('\n');
  const pairs = [
    { label: settings.name, theirs: theirs.name, mine: typed.name },
    { label: settings.slug, theirs: theirs.slug ?? '', mine: typed.slug ?? '' },
    { label: settings.description, theirs: theirs.description, mine: typed.description },
    { label: settings.metadata, theirs: formatRows(theirs.rows), mine: formatRows(typed.rows) },
  ];
  return pairs.filter((pair) => pair.theirs !== pair.mine);
}

/** Converts errors for the summary of a page. */
export const toFieldErrors = (errors: DetailErrors): FieldError[] =>
  Object.entries(errors).map(([member, message]) => ({ target: member === 'metadata' ? 'key.0' : member, message }));

type Fields = {
  typed: TypedDetails;
  errors: DetailErrors;
  readOnly?: boolean;
  hasSlug: boolean;
  /** The stored slug, which its organization can keep. */
  ownSlug?: string;
};

/** Renders the fields of name, slug, description and metadata. */
export function detailFields(
  context: PageContext,
  { typed, errors, readOnly = false, hasSlug, ownSlug = '' }: Fields,
): Html {
  const { settings } = getOrganizersTexts(context);
  const blankRow = { key: '', value: '', isJson: false };
  const rows = readOnly ? typed.rows : [...typed.rows, ...Array.from({ length: BLANK_ROWS }, () => blankRow)];
  return html`${textField(context, { name: 'name', label: settings.name, value: typed.name, error: errors.name, readOnly, required: true })}
${hasSlug && slugField(context, { typed, errors, readOnly, ownSlug })}
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

/** Renders the slug with a line in which the scripts say whether it is available. */
function slugField(
  context: PageContext,
  { typed, errors, readOnly, ownSlug }: Required<Pick<Fields, 'typed' | 'errors' | 'readOnly' | 'ownSlug'>>,
): Html {
  const { settings } = getOrganizersTexts(context);
  const texts = { available: settings.slugAvailable, taken: settings.slugTaken, invalid: settings.slugInvalid };
  return html`<div>${textField(context, { name: 'slug', label: settings.slug, hint: settings.slugHint, value: typed.slug ?? '', error: errors.slug, readOnly, isExact: true, required: true })}
${!readOnly && html`<p class="slug-status" role="status" data-slug-status="${JSON.stringify(texts)}" data-own="${ownSlug}"></p>`}</div>`;
}
