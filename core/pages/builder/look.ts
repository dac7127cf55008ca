/** The look of a form: colour, fonts, layout of its sections, and cover, with a sample of a question in them. */
import { FONTS } from '#core/forms/fonts.ts';
import type { Form, FormPatch } from '#core/forms/model.ts';
import { type Dressing, DressingPatch, FormLayout } from '#core/forms/settings.ts';
import { previewText } from '#core/rich-text/text.ts';
import { sectionsInOrder } from '#core/structure/path.ts';
import { type Structure, sectionTitle } from '#core/structure/structure.ts';
import type { PageContext } from '../shell/context.ts';
import {
  conflictNotice,
  errorSummary,
  type FieldError,
  fieldError,
  hiddenFields,
  type Overwritten,
  pageTitle,
} from '../shell/controls.ts';
import { pageColors, renderDressing, renderFontSamples } from '../shell/dressing.ts';
import type { FormHead } from '../shell/form-frame.ts';
import { type Html, html } from '../shell/html.ts';
import {
  checkFields,
  choice,
  type FieldErrors,
  line,
  renderEach,
  select,
  showFields,
  type Typed,
  type TypedField,
} from '../shell/typed-fields.ts';
import { hashContent, seenHash } from '../shell/typed-form.ts';
import { getBuilderTexts } from '../text/builder.ts';
import { builderLayout, buildHref } from './frame.ts';

type Look = Pick<Form, 'dressing' | 'layout'>;
type LookTexts = ReturnType<typeof getBuilderTexts>['look'];

/** A font; the standard one is empty. */
const font = (
  get: (dressing: Dressing) => string | undefined,
  label: (texts: LookTexts) => string,
): TypedField<Look, string> =>
  select(
    ({ dressing }) => get(dressing) ?? '',
    (context) => {
      const texts = getBuilderTexts(context).look;
      return { label: label(texts), invalid: texts.fontInvalid };
    },
    (context) => [
      { value: '', label: getBuilderTexts(context).look.standardFont },
      ...FONTS.map(({ id, name }) => ({ value: id, label: name })),
    ],
  );

/** What sections look like: all questions, or one at a time. A posted form without it leaves it as it is. */
const layout: TypedField<Look, string> = {
  ...choice<Look, Form['layout']>(
    (form) => form.layout,
    (context) => {
      const { layout: label, layoutHint: hint, layoutInvalid: invalid } = getBuilderTexts(context).look;
      return { label, hint, invalid };
    },
    (context) => getBuilderTexts(context).look.layouts,
  ),
  read: (posted, name, stored) => posted.get(name) ?? stored.layout,
};

/** The colour and the fonts, empty for the standard, and the layout of sections. */
export const LOOK = {
  color: line<Look>(
    ({ dressing }) => dressing.color,
    (context) => {
      const { color: label, colorHint: hint, colorInvalid: invalid } = getBuilderTexts(context).look;
      return { label, hint, invalid };
    },
    { trimmed: true, exact: true },
  ),
  headerFont: font(
    ({ headerFont }) => headerFont,
    ({ headerFont }) => headerFont,
  ),
  questionFont: font(
    ({ questionFont }) => questionFont,
    ({ questionFont }) => questionFont,
  ),
  textFont: font(
    ({ textFont }) => textFont,
    ({ textFont }) => textFont,
  ),
  layout,
};

type TypedLook = Typed<typeof LOOK>;

/** Hashes the stored look. */
export const hashLook = (form: Form): string => hashContent(showFields(LOOK, form, { timeZone: 'UTC' }));

const chosenMembers = ({ layout: _, ...dressing }: TypedLook): Dressing =>
  Object.fromEntries(Object.entries(dressing).filter(([, value]) => value !== ''));

/** The patch of an operation, or the messages for what is not valid. */
export function checkLook(
  context: PageContext,
  values: { typed: TypedLook; stored: Form },
): { patch: FormPatch } | { errors: FieldErrors<typeof LOOK> } {
  const checked = checkFields(context, LOOK, DressingPatch().extend({ layout: FormLayout().optional() }), values);
  if ('errors' in checked) return checked;
  const { layout: chosen, ...dressing } = checked.patch;
  return { patch: { dressing, ...(chosen && { layout: chosen }) } };
}

export type LookPage = {
  form: Form;
  /** The questions of the form, of which the sample shows the first one. */
  structure: Structure;
  typed: TypedLook;
  errors: FieldErrors<typeof LOOK> & { cover?: string };
  overwritten?: readonly Overwritten[];
  /** The hash of the form or sample that is shown again. */
  seen?: string | null;
};

/** Renders the page, itself in the look that it shows, so that the sample needs no styles of its own. */
export function renderLookPage(context: PageContext, head: FormHead, page: LookPage): Html {
  const { form, structure, typed, errors, overwritten = [] } = page;
  const texts = getBuilderTexts(context).look;
  const href = `${buildHref(form.id)}/look`;
  const faults: FieldError[] = Object.entries(errors).map(([target, message]) => ({ target, message }));
  const rendered = renderEach(context, LOOK, {
    ...{ typed, stored: form, errors, action: href },
  });
  const dressing: Dressing =
    'patch' in checkLook(context, { typed, stored: form }) ? chosenMembers(typed) : form.dressing;
  return builderLayout(context, head, {
    current: 'look',
    isTab: true,
    width: 'wide',
    title: pageTitle(context, texts.title, faults.length > 0),
    head: html`${renderDressing(dressing, context.nonce)}${renderFontSamples(context.nonce)}`,
    main: html`${errorSummary(context, faults)}
${overwritten.length > 0 && conflictNotice(context, { values: overwritten, reload: href })}
<div class="beside">
<form method="post" action="${href}" class="card" novalidate data-look>
${hiddenFields({ hash: seenHash(hashLook(form), page) })}
${rendered.color}
${palette(context)}
<p class="hint swatches" data-swatches>${dressing.color !== undefined && swatches(context, dressing.color)}</p>
${rendered.layout}
${rendered.headerFont}${rendered.questionFont}${rendered.textFont}
<details><summary>${texts.allFonts}</summary><p class="hint">${texts.allFontsHint}</p>
<ul class="plain-list">${FONTS.map(({ id, name }) => html`<li class="font-${id}">${name}</li>`)}</ul></details>
<p class="actions"><button name="do" value="save">${context.t.shell.save}</button><button class="secondary" formmethod="get" data-sample>${texts.showSample}</button></p>
</form>
${lookSample(context, form, structure)}
</div>
${cover(context, form, errors.cover)}`,
  });
}

/** The most choices and characters of a description in the sample. */
const MAX_SAMPLE_CHOICES = 3;

const MAX_SAMPLE_CHARACTERS = 200;

type SampledForm = Pick<Form, 'id' | 'title' | 'coverImage'>;

/**
 * The beginning of the form: its cover and title, and the title and first question of its first section; a made-up question
 * if it has none. Each font is named above what it is used for.
 */
export function lookSample(context: PageContext, form: SampledForm, structure: Structure): Html {
  const texts = getBuilderTexts(context).look;
  const section = sectionsInOrder(structure).find(({ questions }) => questions.length > 0);
  const [question] = section?.questions ?? [];
  const sample = question
    ? {
        title: question.title,
        text: previewText(question.description, MAX_SAMPLE_CHARACTERS),
        choices: question.choices?.slice(0, MAX_SAMPLE_CHOICES).map(({ name }) => name) ?? [],
      }
    : { title: texts.sampleQuestion, text: '', choices: texts.sampleChoices };
  const use = (font: 'headerFont' | 'questionFont' | 'textFont'): Html =>
    html`<p class="muted small">${texts[font]}</p>`;
  return html`<section aria-label="${texts.sample}"><p class="muted">${texts.sample}</p>
<div class="card">${form.coverImage !== null && coverImage(form)}
${use('headerFont')}<h2 dir="auto">${form.title}</h2>${section && html`<h3 dir="auto">${sectionTitle(structure, section.id)}</h3>`}
${use('questionFont')}<p class="question-title" dir="auto">${sample.title}</p>
${use('textFont')}<p class="hint" dir="auto">${sample.text || texts.sampleText}</p>
<div class="choices">${sample.choices.map((choice) => html`<div class="choice"><span dir="auto">${choice}</span></div>`)}</div>
<p class="actions"><span class="button" aria-hidden="true">${context.t.landing.start}</span></p></div></section>`;
}

const coverImage = ({ id }: SampledForm): Html =>
  html`<div class="cover"><img src="/api/forms/${id}/cover" alt="" width="1200" height="400"></div>`;

/** The colour as it is shown on light and dark pages, where it is corrected until it can be read. */
export function swatches(context: PageContext, color: string): Html {
  const texts = getBuilderTexts(context).look;
  const { light, dark } = pageColors(color);
  const swatch = (fill: string, label: string): Html =>
    html`<span class="swatch"><svg width="24" height="24" aria-hidden="true"><rect width="24" height="24" rx="6" fill="${fill}"/></svg> ${label} <code>${fill}</code></span>`;
  return html`${texts.corrected} ${swatch(light, texts.light)} ${swatch(dark, texts.dark)}`;
}

/** Colours to begin with: dark enough to be shown as they are on light pages. */
const PALETTE = [
  ...['#1f6f5c', '#3f6212', '#854d0e', '#b3401b', '#b91c1c', '#be185d'],
  ...['#7e22ce', '#4f46e5', '#1d4ed8', '#0369a1', '#155e75', '#475569'],
];

/** Swatches and a picker that write into the field of the colour; without scripts only the field is there. */
function palette(context: PageContext): Html {
  const texts = getBuilderTexts(context).look;
  return html`<div class="palette" role="group" aria-label="${texts.palette}" data-palette hidden>${PALETTE.map(
    (color) =>
      html`<button type="button" class="icon" data-color="${color}" title="${color}" aria-label="${texts.paletteColor(color)}"><svg width="28" height="28" aria-hidden="true"><rect width="28" height="28" rx="14" fill="${color}"/></svg></button>`,
  )}<label class="picker"><span class="visually-hidden">${texts.picker}</span><input type="color" data-picker></label></div>`;
}

function cover(context: PageContext, form: Form, error: string | undefined): Html {
  const texts = getBuilderTexts(context).look;
  const href = `${buildHref(form.id)}/cover`;
  return html`<section class="section-heading"><h2>${texts.cover}</h2>
<form method="post" action="${href}" enctype="multipart/form-data" class="card" novalidate data-once>
<div class="field${error !== undefined && ' invalid'}"><label for="cover" class="visually-hidden">${texts.cover}</label>
<p class="hint" id="cover-hint">${texts.coverHint}</p>
${fieldError(context, 'cover', error)}
<input class="file" type="file" id="cover" name="cover" accept="image/webp,image/png,image/jpeg" data-cover aria-describedby="cover-hint"></div>
<p class="actions"><button name="do" value="upload">${texts.upload}</button>${form.coverImage !== null && html`<button class="danger" name="do" value="remove">${texts.remove}</button>`}</p>
</form></section>`;
}
