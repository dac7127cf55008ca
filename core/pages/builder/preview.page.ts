/**
 * Shows how a form begins or ends for its respondents, in the state that the address names. Shows the next page of a
 * form that an author tries. Nothing is stored.
 */
import type { Ports } from '#core/db/ports.ts';
import { openFormWithQuestions } from '#core/forms/edited.ts';
import { toGate } from '#core/forms/gate.ts';
import type { Form } from '#core/forms/model.ts';
import { answerLookup, findPath } from '#core/responses/answers.ts';
import { newResponse, saveValidAnswers } from '#core/responses/edits.ts';
import type { Response } from '#core/responses/model.ts';
import { loadPlacesLeft, type PlacesLeft } from '#core/responses/places-left.ts';
import { listAnsweredSections } from '#core/responses/preview.ts';
import { recallFrom } from '#core/responses/recall.ts';
import { walk } from '#core/structure/path.ts';
import type { Structure } from '#core/structure/structure.ts';
import { isSetByService } from '#core/structure/types/traits.ts';
import type { Field } from '../fields/control.ts';
import { answerList } from '../respondent/check.ts';
import { renderDonePage } from '../respondent/done.ts';
import { renderLandingPage } from '../respondent/landing.ts';
import { findNextSection, findSectionOnPath, type PageSection } from '../respondent/navigation.ts';
import { type Preview, renderSectionPage } from '../respondent/section.ts';
import { applyAction, parseAction } from '../respondent/section-actions.ts';
import { findDescription, sectionFields } from '../respondent/section-fields.ts';
import { mergeAnswers, parsePostedAnswers } from '../respondent/section-save.ts';
import type { PageContext } from '../shell/context.ts';
import { hiddenFields } from '../shell/controls.ts';
import { LIST, member, QUESTION_BYTES } from '../shell/declare-page.ts';
import { attribute, type Html, html } from '../shell/html.ts';
import { FORM_KIND, layout } from '../shell/layout.ts';
import { definePage } from '../shell/page.ts';
import { getQuestionsTexts } from '../text/questions.ts';
import { buildHref } from './frame.ts';
import { readKept, writeKept } from './preview.ts';

export const page = definePage({
  name: 'preview',
  audience: 'authors',
  path: '/build/{formId}/preview',
  access: member,
  needs: LIST,
  open: openFormWithQuestions,
  show: async ({ app, form, structure, query, context }) => ({
    html: previewState(context, await loadTried(app, { form, structure }), query.get('as')),
  }),
  post: {
    access: member,
    needs: LIST,
    maxFormBytes: QUESTION_BYTES,
    open: openFormWithQuestions,
    actions: {
      tryPreview: async ({ app, form, structure, posted, context }) => ({
        html: renderPreviewPage(context, await loadTried(app, { form, structure }), posted.fields),
      }),
    },
  },
});

/** What is tried. `places`: how many are left now, of the limits that the changes of the form have. */
type Tried = { form: Form; structure: Structure; places: PlacesLeft };

/** Adds the places that are left; no read for a form without limits. */
const loadTried = async (
  app: Pick<Ports, 'table'>,
  { form, structure }: Pick<Tried, 'form' | 'structure'>,
): Promise<Tried> => ({
  form,
  structure,
  places: await loadPlacesLeft(app, { gate: toGate(form, structure.version), structure }),
});

const STATES = ['open', 'not-yet', 'closed', 'archived', 'done'] as const;

type State = (typeof STATES)[number];

const previewHref = (formId: string): string => `${buildHref(formId)}/preview`;

/** Renders the banner: that nothing is stored, and links to the form in its other states. */
function banner(context: PageContext, { id }: Form, state?: State): Html {
  const { preview: texts } = getQuestionsTexts(context);
  const href = previewHref(id);
  return html`<div class="notice"><p><strong>${texts.banner}</strong> <a href="${buildHref(id)}">${texts.back}</a></p>
<nav class="tabs" aria-label="${texts.link}"><ul>${STATES.map((name) => html`<li><a href="${href}?as=${name}"${attribute('aria-current', name === state && 'page')}>${texts.states[name]}</a></li>`)}</ul></nav></div>`;
}

const DAY_MS = 86_400_000;

/** Returns the settings of a form in a state; its own times where they fit. */
function inState(form: Form, state: State, now: Date): Form {
  const at = (ms: number): string => new Date(now.getTime() + ms).toISOString();
  const open = { ...form, status: 'PUBLISHED' as const, publishTime: null, deadline: null };
  switch (state) {
    case 'open':
    case 'done':
      return { ...open, deadline: form.deadline !== null && form.deadline > at(0) ? form.deadline : null };
    case 'not-yet':
      return {
        ...open,
        publishTime: form.publishTime !== null && form.publishTime > at(0) ? form.publishTime : at(DAY_MS),
      };
    case 'closed':
      return { ...open, deadline: form.deadline !== null && form.deadline < at(0) ? form.deadline : at(-1_000) };
    case 'archived':
      return { ...open, status: 'ARCHIVED' };
  }
}

/** Renders how a form begins or ends, in the state of an address. */
function previewState(context: PageContext, tried: Tried, name: string | null): Html {
  const { form } = tried;
  const state = STATES.find((candidate) => candidate === name) ?? 'open';
  if (state === 'done') return donePage(context, tried, emptyResponse(context, form));
  const preview: Preview = { action: previewHref(form.id), fields: {}, banner: banner(context, form, state) };
  return renderLandingPage(context, {
    form: inState(form, state, context.now),
    responses: [],
    mayStart: true,
    placesLeft: tried.places.form,
    preview,
  });
}

/** Renders the page that follows a post: the section with its errors, another section, or the end. */
function renderPreviewPage(context: PageContext, tried: Tried, fields: URLSearchParams): Html {
  const { form, structure } = tried;
  const now = context.now.toISOString();
  const { response } = saveValidAnswers({ response: emptyResponse(context, form), structure }, readKept(fields), now);
  const current = { response, structure };
  if (fields.get('do') === 'submit') return donePage(context, tried, response);
  const section = findSectionOnPath(current, fields.get('section') ?? '');
  if (!section) return showSection(context, tried, response, firstSection(tried, response));
  const action = parseAction(fields);
  const posted = applyAction(parsePostedAnswers(section.questions, fields), action, fields);
  const { response: merged, outcome } = mergeAnswers(current, posted, now);
  const next = { structure, response: merged };
  const updatedSection = findSectionOnPath(next, section.id) ?? section;
  const demandsAll = action.name === 'next';
  const updatedFields = toPreviewFields(
    sectionFields(context, next, updatedSection, {
      unsaved: { posted, outcome, demandsAll },
      places: tried.places.choices,
    }),
  );
  if (action.name === 'back') {
    const previous = findSectionOnPath(next, section.previousId ?? '');
    return previous ? showSection(context, tried, next.response, previous) : previewState(context, tried, null);
  }
  const isFaulty = updatedFields.some(({ error }) => error !== undefined);
  if (demandsAll && !isFaulty) {
    const following = findSectionOnPath(next, findNextSection(next, section.id) ?? '');
    return following ? showSection(context, tried, next.response, following) : endPage(context, tried, next.response);
  }
  return showFields(context, tried, { response: next.response, section: updatedSection, fields: updatedFields });
}

/** A response that is not stored; its id, and so its reference, is made from that of the form. */
const emptyResponse = ({ now }: PageContext, { id }: Form): Response => newResponse(id, id, id, now.toISOString());

const firstSection = ({ structure }: Tried, response: Response): PageSection | undefined => {
  const [sectionId = ''] = walk(structure, answerLookup(response.answers)).sections;
  return findSectionOnPath({ structure, response }, sectionId);
};

function showSection(context: PageContext, tried: Tried, response: Response, section: PageSection | undefined): Html {
  if (!section) return endPage(context, tried, response);
  const fields = toPreviewFields(
    sectionFields(context, { response, structure: tried.structure }, section, { places: tried.places.choices }),
  );
  return showFields(context, tried, { response, section, fields });
}

/** Marks the fields of a section as those of a preview, where files and accounts that cannot be given are no faults. */
const toPreviewFields = (fields: readonly Field[]): Field[] =>
  fields.map((field) => ({
    ...field,
    isPreview: true,
    error: isSetByService(field.question.type) ? undefined : field.error,
  }));

type Shown = { response: Response; section: PageSection; fields: Field[] };

function showFields(context: PageContext, { form, structure }: Tried, { response, section, fields }: Shown): Html {
  const gate = toGate(form, structure.version);
  const description = findDescription({ response, structure }, section.id);
  const kept = { answers: writeKept(structure, response), section: section.id };
  const preview = { action: previewHref(form.id), fields: kept, banner: banner(context, form) };
  return renderSectionPage(context, { gate, response, section, description, fields, fromCheck: false, preview });
}

/** Renders the end of the path: the answers as a respondent sees them before the submit. */
function endPage(context: PageContext, { form, structure }: Tried, response: Response): Html {
  const { preview: texts } = getQuestionsTexts(context);
  const { complete } = walk(structure, answerLookup(response.answers));
  const sections = listAnsweredSections({ response, structure });
  return layout(context, {
    title: `${texts.end} · ${form.title}`,
    dressing: form.dressing,
    kind: FORM_KIND,
    main: html`${banner(context, form)}
<h1>${texts.end}</h1>
${complete ? html`<p>${texts.endLead}</p>` : html`<div class="notice warning"><p>${texts.stops}</p></div>`}
${answerList(context, { response, sections, missing: [], mayChange: false, headingLevel: 2 })}
<form method="post" action="${previewHref(form.id)}" data-once data-disposable>${hiddenFields({ answers: writeKept(structure, response) })}
<p class="actions">${complete && html`<button name="do" value="submit">${context.t.check.submit}</button>`}<a class="button secondary" href="${previewHref(form.id)}">${texts.again}</a></p></form>`,
  });
}

/** The address in the sample of a submitted response. */
const SAMPLE_ADDRESS = 'name@example.org';

/** Renders the page that follows a submit, as if these answers had been submitted. */
function donePage(context: PageContext, { form, structure }: Tried, response: Response): Html {
  const at = context.now.toISOString();
  const submitted: Response = { ...response, progress: 'SUBMITTED', submittedAt: at, updatedAt: at };
  return renderDonePage(context, {
    gate: toGate(form, structure.version),
    response: submitted,
    sections: listAnsweredSections({ response, structure }),
    message: form.messageAfterSubmission ?? '',
    recall: recallFrom({ response, structure }, findPath({ response, structure })),
    mailTo: form.sendResponseEmail ? SAMPLE_ADDRESS : undefined,
    mayEdit: form.allowEditResponse,
    mayCancel: true,
    wasEdited: false,
    preview: { action: previewHref(form.id), fields: {}, banner: banner(context, form, 'done') },
  });
}
