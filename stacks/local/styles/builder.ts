/** What the pages of authors and organizers are made of, in its states. */
import { renderSVG } from 'uqr';
import { renderEditor } from '#core/pages/builder/editor.ts';
import { lookSample, swatches } from '#core/pages/builder/look.ts';
import { richTextField } from '#core/pages/builder/rich-text-field.ts';
import { drawRules } from '#core/pages/builder/rule-drawing.ts';
import { tableFields } from '#core/pages/builder/rule-table.ts';
import { testFields } from '#core/pages/builder/section-rules.ts';
import { detailFields } from '#core/pages/organizers/details.ts';
import { newMember } from '#core/pages/organizers/members.ts';
import { formSearch } from '#core/pages/organizers/organization.ts';
import { loadLanguage, type PageContext } from '#core/pages/shell/context.ts';
import { type Html, html, trusted } from '#core/pages/shell/html.ts';
import { ICON_NAMES, icon } from '#core/pages/shell/icons.ts';
import type { RichText } from '#core/rich-text/model.ts';
import { LANGUAGES, type Language } from '#core/schema/format.ts';
import type { Question } from '#core/structure/question-model.ts';
import type { Structure } from '#core/structure/structure.ts';

export const TIME = '2026-05-01T12:00:00.000Z';
const dates = { createdAt: TIME, updatedAt: TIME };
const common = { description: null, required: false, ...dates };
const CHOICE: Question = {
  ...common,
  id: 'choice',
  title: 'Which lake?',
  type: 'SINGLE_CHOICE',
  choices: [
    { id: 'a', name: 'Loch Ness' },
    { id: 'b', name: 'Windermere' },
  ],
};
const TEXT: Question = { ...common, id: 'text', title: 'Why?', type: 'SHORT_TEXT' };

/** Two sections, of which a condition skips the second. */
export const STRUCTURE: Structure = {
  formId: 'form',
  version: 1,
  nodes: [
    { id: 'start', type: 'START', label: '', payload: {}, next: 'first' },
    { id: 'first', type: 'SECTION', label: 'Lakes', payload: {}, next: 'condition' },
    {
      id: 'condition',
      type: 'CONDITION',
      label: '',
      payload: {},
      conditionRule: { source: 'CHOICE', question: 'choice', pattern: '^a$' },
      nextTrue: 'second',
      nextFalse: 'end',
    },
    { id: 'second', type: 'SECTION', label: 'Depths', payload: {}, next: 'end' },
    { id: 'end', type: 'END', label: '', payload: {} },
  ],
  sections: [
    { id: 'first', description: null, questions: [CHOICE, TEXT], ...dates },
    { id: 'second', description: null, questions: [], ...dates },
  ],
  removed: [],
};

/** A text whose size Markdown does not express. */
const FOREIGN: RichText = {
  type: 'doc',
  content: [{ type: 'paragraph', content: [{ type: 'text', text: 'A lake' }] }],
};

const buildContext = async (language: Language): Promise<PageContext> => ({
  ...(await loadLanguage(language)),
  timeZone: 'UTC',
  connectTitles: { PROVIDER_ONE: 'Example ID' },
  nonce: '',
  signedIn: true,
  path: '/styles',
  publicUrl: '',
  now: new Date(TIME),
});

/** The drawings of the structure: their layout is loaded once. */
const DRAWINGS = new Map(
  await Promise.all(
    LANGUAGES.map(
      async (language) => [language, await drawRules(await buildContext(language), STRUCTURE, undefined)] as const,
    ),
  ),
);

/** Renders the sections of the page. */
export const builderParts = (context: PageContext): Html =>
  html`${[icons(), rows(), organization(context), details(context), editor(context), look(context), rules(context)]}`;

const part = (name: string, content: Html): Html =>
  html`<section class="section-heading" aria-label="${name}"><h2>${name}</h2>${content}</section>`;

const icons = (): Html =>
  part('Icons', html`<p>${ICON_NAMES.map((name) => html`<span class="swatch">${icon(name)} ${name}</span>`)}</p>`);

const MOVES = ['up', 'down'] as const;

const rows = (): Html =>
  part(
    'Lists of a form',
    html`<ul class="rows tasks">${(['good', 'bad', ''] as const).map(
      (tone) =>
        html`<li><div class="row-text"><h3><a href="#parts">A task</a></h3><div class="muted small">What it is about<ul class="faults"><li><a href="#parts">What is missing</a></li></ul><ul class="warnings"><li><a href="#parts">What is odd</a></li></ul></div></div><div class="row-side"><span class="tag ${tone}">${tone || 'optional'}</span></div></li>`,
    )}</ul>
<div class="card builder-section section-heading" role="group" aria-label="A section"><h3>A section with a dense list</h3>
<ol class="rows dense">${[1, 2].map(
      (number) =>
        html`<li><div class="row-text"><h4><a href="#parts">Question ${number}</a></h4><p class="muted small">Short text <span class="tag info">required</span></p></div><div class="row-side">${MOVES.map((name) => html`<button type="button" class="quiet" aria-label="Move question ${number} ${name}"${name === 'up' && number === 1 && html` disabled`}>${icon(name)}</button>`)}<a class="button quiet" href="/styles/confirmation" data-dialog>Delete question ${number}</a></div></li>`,
    )}</ol></div>
<ol class="rows order dense section-heading"><li><button type="button" class="quiet handle" data-handle aria-label="Move a question by arrow keys">${icon('handle')}</button><div class="row-text"><h3>A question that is dragged</h3></div><div class="row-side"><input type="text" inputmode="numeric" value="1" aria-label="Its place"></div></li><li data-dragged><button type="button" class="quiet handle" aria-label="Move another question by arrow keys">${icon('handle')}</button><div class="row-text"><h3>A question while it is dragged</h3></div></li></ol>`,
  );

const organization = (context: PageContext): Html =>
  part(
    'Lists of an organization',
    html`${newMember(context, '#parts', { email: 'nobody', error: 'Enter an e-mail address' })}
${formSearch(context, 'lakes', { status: undefined, search: 'survey' })}
<div class="actions paging"><a class="button secondary" href="#parts">First page</a><a class="button secondary" href="#parts">Next page</a></div>`,
  );

/** The address of the picture of the sampled form. */
export const COVER = '/api/forms/styles/cover';

const look = (context: PageContext): Html =>
  part(
    'A form beside its settings',
    html`<div class="beside"><p>Its settings</p>${lookSample(context, { id: 'styles', title: 'Lakes', coverImage: 'cover' }, STRUCTURE)}</div>`,
  );

const editor = (context: PageContext): Html =>
  part(
    'A form that is edited',
    renderEditor(context, { formId: 'styles', structure: STRUCTURE, isEditable: true, newId: '', sectionId: null }),
  );

const details = (context: PageContext): Html =>
  part(
    'Fields of authors',
    html`${detailFields(context, { typed: { name: 'Rivers', slug: 'rivers', description: '', metadata: [{ key: 'area', value: '3', isJson: true }] }, errors: {}, hasSlug: true, hint: 'What it is for' })}
${richTextField(context, { name: 'rich', label: 'A text with a format', value: 'A **deep** lake\n\n- and\n- wide', document: null, action: '/styles' })}
${richTextField(context, { name: 'foreign', label: 'A text that another client wrote', value: undefined, document: FOREIGN, action: '/styles' })}
<p class="hint swatches">${swatches(context, '#ffee00')}</p>
<div class="field invalid"><label for="bad-file">A file that was refused</label><p class="error" id="bad-file-error">Choose a picture of at most 2 MB</p><input class="file" type="file" id="bad-file" aria-describedby="bad-file-error"></div>
<div class="qr" role="img" aria-label="A QR code">${trusted(renderSVG('http://localhost:3000/', { ecc: 'M', border: 2 }))}</div>`,
  );

const rules = (context: PageContext): Html => {
  const targets = [
    { value: '', label: '–' },
    { value: 'second', label: 'Depths' },
  ];
  const rule = (question: Question, index: number) => ({
    rule: { nodeId: '', questionId: question.id, selected: ['a'], test: 'is', text: 'Deep', to: '', target: 'second' },
    index,
    question,
  });
  const errors = { 'value-1': 'Enter a text', 'target-0': 'Choose where it leads' };
  const table = {
    questionId: 'choice',
    rows: [
      { choiceId: 'a', target: '' },
      { choiceId: 'b', target: 'second' },
    ],
  };
  return part(
    'Rules',
    html`${[CHOICE, TEXT].map(
      (question, index) =>
        html`<fieldset class="card rule"><legend class="visually-hidden">Rule ${index + 1}</legend><div class="choice-row"><h3 class="choice-texts">${question.title}</h3><div class="choice-buttons">${([...MOVES, 'close'] as const).map((name) => html`<button type="button" class="quiet" aria-label="${name} rule ${index + 1}">${icon(name)}</button>`)}</div></div>${testFields(context, { structure: STRUCTURE, errors }, rule(question, index))}</fieldset>`,
    )}
${tableFields(context, { structure: STRUCTURE, table: { ...table, otherwise: undefined }, targets, errors })}
${DRAWINGS.get(context.language)}`,
  );
};
