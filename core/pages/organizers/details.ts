/**
 * The fields that organizations and units have in common: name, description and free-form metadata, which people edit as
 * rows of a name and a value, or as JSON where rows cannot hold it. Values that nobody changes are stored exactly as before.
 */
import { parseJsonText } from '#core/http/request.ts';
import { OrganizationInput, UnitInput } from '#core/organizations/model.ts';
import { isLine } from '#core/schema/text.ts';
import type { PageContext } from '../shell/context.ts';
import { type FieldError, fieldError, type Overwritten, textArea, textField } from '../shell/controls.ts';
import { attribute, type Html, html } from '../shell/html.ts';
import { hashContent } from '../shell/typed-form.ts';
import { getOrganizersTexts } from '../text/organizers.ts';

/** A member of the metadata: a text, or any other JSON value as JSON. */
type Row = { key: string; value: string; isJson: boolean };

/** Typed metadata: rows, or the text of a JSON object. */
type TypedMetadata = readonly Row[] | string;

/** The typed details. `slug` is undefined for units, which have none. */
export type TypedDetails = {
  name: string;
  description: string;
  slug?: string | undefined;
  metadata: TypedMetadata;
};

type StoredDetails = { name: string; description: string; slug?: string; metadata: Record<string, unknown> };

/** The messages for fields that are not valid, by the name of the field. */
export type DetailErrors = Partial<Record<'name' | 'description' | 'slug' | 'metadata', string>>;

export const NO_DETAILS: TypedDetails = { name: '', description: '', metadata: [] };

/** Rows without content for further metadata. */
const BLANK_ROWS = 2;

/** The most members that are shown as rows. */
const MAX_ROWS = 100;

/** Whether a field of one line keeps a text as it is. */
const fitsInput = (text: string): boolean => isLine(text) && text.isWellFormed();

/** Converts stored details to fields. A value that a field of one line would change is shown as JSON. */
export const toTypedDetails = ({ name, description, slug, metadata }: StoredDetails): TypedDetails => ({
  name,
  description,
  slug,
  metadata: toTypedMetadata(metadata),
});

/** Converts metadata to rows; to JSON if a name does not fit a row, a row would be blank, or there are too many. */
function toTypedMetadata(metadata: StoredDetails['metadata']): TypedMetadata {
  const entries = Object.entries(metadata);
  const fitsRow = ([key, value]: [string, unknown]): boolean => fitsInput(key) && (key !== '' || value !== '');
  if (entries.length > MAX_ROWS || !entries.every(fitsRow)) return formatMetadata(metadata);
  return entries.map(([key, value]) =>
    typeof value === 'string' && fitsInput(value)
      ? { key, value, isJson: false }
      : { key, value: JSON.stringify(value), isJson: true },
  );
}

/** Formats metadata as JSON with a line for each member. */
function formatMetadata(metadata: StoredDetails['metadata']): string {
  const lines = Object.entries(metadata).map(([key, value]) => `  ${JSON.stringify(key)}: ${JSON.stringify(value)}`);
  return `{\n${lines.join(',\n')}\n}`;
}

/** Parses the details of a posted form; line ends that a browser has changed are restored from `stored`. */
export function parsePostedDetails(fields: URLSearchParams, stored?: StoredDetails): TypedDetails {
  const description = fields.get('description') ?? '';
  const isUnchanged = stored?.description.replaceAll('\r\n', '\n') === description;
  const name = fields.get('name') ?? '';
  return {
    name: name === stored?.name ? name : name.trim(),
    description: isUnchanged ? stored.description : description,
    slug: fields.get('slug')?.trim(),
    metadata: fields.get('metadata') ?? parsePostedRows(fields),
  };
}

/** Parses the rows of a posted form, without the blank ones. */
function parsePostedRows(fields: URLSearchParams): Row[] {
  const rows: Row[] = [];
  for (let index = 0; fields.has(`key.${index}`); index += 1) {
    const row = { key: fields.get(`key.${index}`) ?? '', value: fields.get(`value.${index}`) ?? '' };
    if (row.key !== '' || row.value !== '') rows.push({ ...row, isJson: fields.has(`json.${index}`) });
  }
  return rows;
}

/** Converts typed metadata to its value; undefined for JSON that the API would not take either. */
function parseMetadata(typed: TypedMetadata): unknown {
  try {
    // In a body of the API the object is a member, and its values are one level deeper.
    if (typeof typed === 'string') return parseJsonText(typed, 1);
    return Object.fromEntries(typed.map(({ key, value, isJson }) => [key, isJson ? parseJsonText(value, 2) : value]));
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
  const metadata = parseMetadata(typed.metadata);
  const isObject = typeof typed.metadata === 'string';
  if (metadata === undefined) return { errors: { metadata: isObject ? texts.objectInvalid : texts.jsonInvalid } };
  const hasDuplicateKey = !isObject && Object.keys(Object(metadata)).length < typed.metadata.length;
  const { name, description, slug } = typed;
  const schema = slug === undefined ? UnitInput() : OrganizationInput();
  const parsed = schema.safeParse({ name, description, slug, metadata });
  if (parsed.success && !hasDuplicateKey) return { input: { ...parsed.data, slug: slug ?? '' } };
  const messages = {
    name: texts.nameInvalid,
    description: texts.descriptionInvalid,
    slug: texts.slugInvalid,
    metadata: isObject ? texts.objectInvalid : texts.metadataInvalid,
  };
  const invalid = new Set([
    ...(parsed.error?.issues.map(({ path }) => String(path[0])) ?? []),
    ...(hasDuplicateKey ? ['metadata'] : []),
  ]);
  return { errors: Object.fromEntries(Object.entries(messages).filter(([member]) => invalid.has(member))) };
}

/** Hashes stored details. */
export const hashDetails = ({ name, description, slug, metadata }: StoredDetails): string =>
  hashContent([name, description, slug, metadata]);

/** Lists the stored values that differ from the typed ones. */
export function listOverwritten(context: PageContext, stored: StoredDetails, typed: TypedDetails): Overwritten[] {
  const { settings } = getOrganizersTexts(context);
  const theirs = toTypedDetails(stored);
  const format = (metadata: TypedMetadata): string =>
    typeof metadata === 'string' ? metadata : metadata.map(({ key, value }) => `${key}: ${value}`).join('\n');
  const pairs = [
    { label: settings.name, theirs: theirs.name, mine: typed.name },
    { label: settings.slug, theirs: theirs.slug ?? '', mine: typed.slug ?? '' },
    { label: settings.description, theirs: theirs.description, mine: typed.description },
    { label: settings.metadata, theirs: format(theirs.metadata), mine: format(typed.metadata) },
  ];
  return pairs.filter((pair) => pair.theirs !== pair.mine);
}

/** Converts errors for the summary of a page. */
export const toFieldErrors = (errors: DetailErrors, { metadata }: TypedDetails): FieldError[] =>
  Object.entries(errors).map(([member, message]) => {
    const isRows = member === 'metadata' && typeof metadata !== 'string';
    return { target: isRows ? 'key.0' : member, message };
  });

type Fields = {
  typed: TypedDetails;
  errors: DetailErrors;
  readOnly?: boolean;
  hasSlug: boolean;
  /** What the description is for. */
  hint: string;
  /** The stored slug, which its organization can keep. */
  ownSlug?: string;
  /** The name is typed first. */
  autofocus?: boolean;
};

/** Renders the fields of name, slug, description and metadata. */
export function detailFields(
  context: PageContext,
  { typed, errors, readOnly = false, hasSlug, hint, ownSlug = '', autofocus }: Fields,
): Html {
  const { settings } = getOrganizersTexts(context);
  return html`${textField(context, { name: 'name', label: settings.name, value: typed.name, error: errors.name, readOnly, required: true, autofocus })}
${hasSlug && slugField(context, { typed, errors, readOnly, ownSlug })}
${textArea(context, { name: 'description', label: settings.description, hint, value: typed.description, error: errors.description, readOnly })}
${
  typeof typed.metadata === 'string'
    ? textArea(context, {
        name: 'metadata',
        label: settings.metadata,
        hint: settings.objectHint,
        value: typed.metadata,
        error: errors.metadata,
        readOnly,
      })
    : metadataRows(context, typed.metadata, { error: errors.metadata, readOnly })
}`;
}

/** Renders rows of metadata, with blank ones for further members. */
function metadataRows(
  context: PageContext,
  typed: readonly Row[],
  { error, readOnly }: { error: string | undefined; readOnly: boolean },
): Html {
  const { settings } = getOrganizersTexts(context);
  const blankRow = { key: '', value: '', isJson: false };
  const rows = readOnly ? typed : [...typed, ...Array.from({ length: BLANK_ROWS }, () => blankRow)];
  // Few people need them, so they are open only where there are some.
  const isOpen = typed.length > 0 || error !== undefined;
  return html`<details class="field"${attribute('open', isOpen)}><summary>${settings.metadata}</summary>
<fieldset class="field${error !== undefined && ' invalid'}">
<legend class="visually-hidden">${settings.metadata}</legend>
<p class="hint">${settings.metadataHint}</p>
${fieldError(context, 'metadata', error)}
<div class="metadata-rows">${rows.map(
    ({ key, value, isJson }, index) => html`<div class="metadata-row">
<input dir="auto" id="key.${index}" name="key.${index}" value="${key}" aria-label="${settings.key(index + 1)}" placeholder="${settings.key(index + 1)}" autocomplete="off" spellcheck="false"${attribute('readonly', readOnly)}>
<input dir="auto" name="value.${index}" value="${value}" aria-label="${settings.value(index + 1)}" placeholder="${settings.value(index + 1)}" autocomplete="off" spellcheck="false"${attribute('readonly', readOnly)}>
<label class="column-option"><input type="checkbox" name="json.${index}"${attribute('checked', isJson)}${attribute('disabled', readOnly)} aria-label="${settings.json} ${index + 1}"><span aria-hidden="true">${settings.json}</span></label>
</div>`,
  )}</div>
</fieldset></details>`;
}

/** Renders the slug with a line in which the scripts say whether it is available. */
function slugField(
  context: PageContext,
  { typed, errors, readOnly, ownSlug }: Required<Pick<Fields, 'typed' | 'errors' | 'readOnly' | 'ownSlug'>>,
): Html {
  const { settings } = getOrganizersTexts(context);
  const texts = { available: settings.slugAvailable, taken: settings.slugTaken, invalid: settings.slugInvalid };
  const isNew = ownSlug === '';
  const hint = isNew ? `${settings.slugHint} ${settings.slugEmpty}` : settings.slugHint;
  return html`<div>${textField(context, { name: 'slug', label: settings.slug, hint, value: typed.slug ?? '', error: errors.slug, readOnly, isExact: true, required: !isNew })}
${!readOnly && html`<p class="slug-status" role="status" data-slug-status="${JSON.stringify(texts)}" data-own="${ownSlug}"></p>`}</div>`;
}
