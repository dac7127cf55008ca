/** The form of a section as it is posted without scripts: it is stored, then the next page follows, or this one with its errors. */
import type { Problem } from '#core/problems/problems.ts';
import type { Current } from '#core/responses/answers.ts';
import type { OpenedResponse } from '#core/responses/change.ts';
import { isPending } from '#core/responses/pending-edit.ts';
import { loadPlacesLeft } from '#core/responses/places-left.ts';
import { findQuestion } from '#core/structure/structure.ts';
import { connectTitle } from '../fields/oauth-connect.ts';
import { loadLanguage, type PageContext } from '../shell/context.ts';
import { type Html, html } from '../shell/html.ts';
import { layout } from '../shell/layout.ts';
import type { PageResult } from '../shell/result.ts';
import { buildLanguageCookie, isLanguage } from '../shell/session.ts';
import { redirectToProvider } from './connect.ts';
import { findFirstIncomplete, findNextSection, type PageSection, questionFragment } from './navigation.ts';
import { renderSectionPage } from './section.ts';
import { type Action, parseAction } from './section-actions.ts';
import { findDescription, markLater, sectionFields } from './section-fields.ts';
import { findRemovedIds, listTypedTexts } from './section-save.ts';
import { type SectionPost, type StoredPost, storePosted } from './section-store.ts';

/**
 * Renders the texts that were typed into a section that left the path of the response, to copy them. `next` is the path at
 * which the respondent continues.
 */
function renderOffPathPage(context: PageContext, next: string, texts: readonly string[]): Html {
  const { title, detail } = context.t.section.offPath;
  return layout(context, {
    title,
    kind: 'message',
    main: html`<div class="card"><h1>${title}</h1><p>${detail}</p>
${texts.map((text) => html`<blockquote class="pre-line" dir="auto">${text}</blockquote>`)}
<p><a class="button" href="${next}">${context.t.shell.continue}</a></p></div>`,
  });
}

/** Stores a posted section. Returns the redirect of its button, or the page with its errors. */
export async function submitSection(request: SectionPost): Promise<PageResult> {
  const { name, questionId: language } = parseAction(request.posted.fields);
  if (name !== 'language' || !isLanguage(language)) return respond(request, await storePosted(request));
  const inLanguage = { ...request, context: { ...request.context, ...(await loadLanguage(language)) } };
  const result = await respond(inLanguage, await storePosted(inLanguage));
  return { ...result, cookies: [buildLanguageCookie(request.app.config.cookies, language)] };
}

async function respond(request: SectionPost, stored: StoredPost | undefined): Promise<PageResult> {
  if (!stored) return respondOffPath(request);
  const { context, posted: form } = request;
  const { current, editable, section, action, unsaved } = stored;
  const { problem } = unsaved.outcome;
  const fields = markLater(editable, sectionFields(context, current, section, { unsaved }));
  const pending = isPending(editable);
  const removed = findRemovedIds(section.questions, form.fields);
  const removedTexts = removed.flatMap((id) => listTypedTexts(id, form.fields));
  const isFaulty =
    problem ||
    removedTexts.length > 0 ||
    fields.some(({ error, conflict }) => error !== undefined || conflict !== undefined);
  const fromCheck = form.fields.get('from') === 'check';
  if (!isFaulty) return chooseDestination(context, current, section, { action, fromCheck, pending });
  const { gate, response } = current;
  const description = findDescription(current, section.id);
  const refused = problem && {
    problem,
    missingInOtherSections: listMissingInOtherSections(current, section, problem),
  };
  const { choices: places } = await loadPlacesLeft(request.app, current);
  const shown = fields.map((field) => ({ ...field, places }));
  const data = { gate, response, section, description, fields: shown, fromCheck, refused, removedTexts, pending };
  return { html: renderSectionPage(context, data), status: problem?.code === 'content_too_large' ? 413 : 400 };
}

/** Redirects from a section that is no longer on the path; text that was typed into it is shown first. */
function respondOffPath({ opened, posted: { fields }, context }: SectionPost): PageResult {
  const location = `/r/${opened.response.id}`;
  const texts = findRemovedIds([], fields).flatMap((id) => listTypedTexts(id, fields));
  return texts.length === 0 ? { location } : { html: renderOffPathPage(context, location, texts), status: 400 };
}

/** Lists the titles of questions in other sections that a change would leave without a required answer. */
const listMissingInOtherSections = ({ structure }: Current, section: PageSection, problem: Problem): string[] =>
  [...problem.faultsByQuestion.keys()].flatMap((id) => {
    const place = findQuestion(structure, id);
    return place && place.section.id !== section.id ? [place.question.title] : [];
  });

type LeaveOptions = { action: Action; fromCheck: boolean; pending: boolean };

/** Chooses the page that follows a section without faults. */
function chooseDestination(
  context: PageContext,
  current: OpenedResponse,
  section: PageSection,
  options: LeaveOptions,
): PageResult {
  const { response, gate } = current;
  const base = `/r/${response.id}`;
  const { name, questionId } = options.action;
  const sectionPath = `${base}/s/${section.id}${options.fromCheck ? '?from=check' : ''}`;
  switch (name) {
    case 'next':
      return { location: base + nextPath(current, section, options) };
    case 'back':
      if (options.fromCheck) return { location: base + endPath(response) };
      if (section.previousId === undefined) return { location: `/f/${gate.formId}` };
      return {
        location: `${base}/s/${section.previousId}${questionFragment(current, section.previousId, 'last')}`,
      };
    case 'save':
      return { location: `/f/${gate.formId}?done=saved` };
    case 'connect': {
      const service = connectTitle(context, findQuestion(current.structure, questionId)?.question);
      const back = gate.layout === 'ONE_QUESTION' ? `${sectionPath}#q-${questionId}` : sectionPath;
      return redirectToProvider(context, { responseId: response.id, questionId, service, back });
    }
    case 'language':
      return { location: sectionPath };
    default:
      return { location: questionId === '' ? sectionPath : `${sectionPath}#q-${questionId}` };
  }
}

/** Returns the path of the page with all answers, below the path of the response. */
const endPath = ({ progress }: OpenedResponse['response']): string => (progress === 'SUBMITTED' ? '/done' : '/check');

/** Returns the path of the next page, below the path of the response. */
function nextPath(current: OpenedResponse, section: PageSection, { fromCheck, pending }: LeaveOptions): string {
  const isSubmitted = current.response.progress === 'SUBMITTED';
  if (isSubmitted && !pending) return '/done?done=saved';
  const returns = fromCheck || pending;
  const next = returns ? findFirstIncomplete(current) : findNextSection(current, section.id);
  if (next !== undefined) return `/s/${next}${returns ? questionFragment(current, next, 'unfinished') : ''}`;
  return isSubmitted ? '/change' : '/check';
}
