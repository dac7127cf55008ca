/** Handles the form of a section: saves, carries out the action of the button, then redirects or shows the errors. */
import type { RequestApp } from '#core/http/app.ts';
import { Problem } from '#core/problems/problems.ts';
import type { OpenedResponse } from '#core/responses/change.ts';
import { formatList } from '#core/schema/format.ts';
import { findQuestion } from '#core/structure/structure.ts';
import { attachFaultText, faultText } from '../fields/invalid.ts';
import { connectTitle } from '../fields/oauth-connect.ts';
import { loadLanguage, type PageContext } from '../shell/context.ts';
import type { FormFields } from '../shell/form-fields.ts';
import { type Html, html } from '../shell/html.ts';
import { layout } from '../shell/layout.ts';
import type { PageResult } from '../shell/result.ts';
import { buildLanguageCookie, isLanguage } from '../shell/session.ts';
import { redirectToProvider } from './connect.ts';
import { findFirstIncomplete, findNextSection, findSectionOnPath, type PageSection } from './navigation.ts';
import { renderSectionPage } from './section.ts';
import {
  type Action,
  applyAction,
  attachIfRequested,
  parseAction,
  removeIfRequested,
  storeFiles,
} from './section-actions.ts';
import {
  findDescription,
  findRemovedIds,
  listMissingInOtherSections,
  listTypedTexts,
  parsePostedAnswers,
  type SaveOutcome,
  savePosted,
  sectionFields,
} from './section-save.ts';
import { buildScriptResult } from './section-script.ts';

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
${texts.map((text) => html`<blockquote class="pre-line">${text}</blockquote>`)}
<p><a class="button" href="${next}">${context.t.shell.continue}</a></p></div>`,
  });
}

type SectionPost = {
  app: RequestApp;
  opened: OpenedResponse;
  params: Record<'responseId' | 'sectionId', string>;
  posted: FormFields;
  context: PageContext;
  fromScript: boolean;
};

/** Saves a posted section. Returns a redirect, the page with its errors, or JSON for scripts. */
export async function postSection(request: SectionPost): Promise<PageResult> {
  const { app, opened, params, posted: form, fromScript } = request;
  const action = parseAction(form.fields);
  const language = action.name === 'language' && isLanguage(action.questionId) ? action.questionId : undefined;
  const context = language ? { ...request.context, ...(await loadLanguage(language)) } : request.context;
  const cookies = language ? [buildLanguageCookie(app.config.cookies, language)] : [];
  const section = findSectionOnPath(opened, params.sectionId);
  if (!section) return respondOffPath(request, context);
  const posted = applyAction(parsePostedAnswers(section.questions, form.fields), action, form.fields);
  const outcome = await savePosted(app, opened, { posted, fromScript });
  const saved = { ...opened, response: outcome.response };
  const { current, fileErrors, problem } = await actOnFiles(request, { context, saved, action, outcome });
  const currentSection = findSectionOnPath(current, section.id);
  if (!currentSection) return respondOffPath(request, context);
  // Nothing is demanded of answers that could not be stored.
  const demandsAll = action.name === 'next' && !problem;
  const updatedOutcome = { ...outcome, response: current.response, ...(problem && { problem }) };
  const unsaved = { posted, outcome: updatedOutcome, demandsAll, fileErrors };
  const fields = sectionFields(context, current, currentSection, unsaved);
  const removed = findRemovedIds(currentSection.questions, form.fields);
  if (fromScript)
    return buildScriptResult(context, {
      gate: current.gate,
      section: currentSection,
      fields,
      posted,
      removed,
      action,
      problem,
    });
  const removedTexts = removed.flatMap((id) => listTypedTexts(id, form.fields));
  const isFaulty =
    problem ||
    removedTexts.length > 0 ||
    fields.some(({ error, conflict }) => error !== undefined || conflict !== undefined);
  const fromCheck = form.fields.get('from') === 'check';
  if (!isFaulty) return { cookies, ...chooseDestination(context, current, currentSection, { action, fromCheck }) };
  const { gate, response } = current;
  const description = findDescription(current, currentSection.id);
  const refused = problem && {
    problem,
    missingInOtherSections: listMissingInOtherSections(current, currentSection, problem),
  };
  const data = { gate, response, section: currentSection, description, fields, fromCheck, refused, removedTexts };
  const html = renderSectionPage(context, data);
  return { html, status: problem?.code === 'content_too_large' ? 413 : 400, cookies };
}

/** Redirects from a section that is no longer on the path; text that was typed into it is shown first. */
function respondOffPath({ opened, posted: { fields }, fromScript }: SectionPost, context: PageContext): PageResult {
  if (fromScript) return { json: { problem: 'not_found' }, status: 409 };
  const location = `/r/${opened.response.id}`;
  const texts = findRemovedIds([], fields).flatMap((id) => listTypedTexts(id, fields));
  return texts.length === 0 ? { location } : { html: renderOffPathPage(context, location, texts), status: 400 };
}

type FileResult = { current: OpenedResponse; fileErrors: ReadonlyMap<string, string>; problem: Problem | undefined };

/** Stores and removes files after the answers have been saved; refused files are errors of their question. */
async function actOnFiles(
  { app, posted: { files } }: SectionPost,
  {
    context,
    saved,
    action,
    outcome,
  }: { context: PageContext; saved: OpenedResponse; action: Action; outcome: SaveOutcome },
): Promise<FileResult> {
  const noFileErrors = { fileErrors: new Map<string, string>(), problem: outcome.problem };
  if (outcome.problem) return { current: saved, ...noFileErrors };
  try {
    const attached = await attachIfRequested(app, await removeIfRequested(app, saved, action), action);
    const stored = await storeFiles(app, attached.opened, files);
    const questions = saved.structure.sections.flatMap(({ questions: sectionQuestions }) => sectionQuestions);
    const errors = questions.flatMap((question): [string, string][] => {
      const names = stored.refused.get(question.id);
      if (names) {
        const list = formatList(context, names);
        return [[question.id, context.t.section.invalid.notAttached(list, faultText(context, question))]];
      }
      const fault = question.id === action.questionId ? attached.refused : undefined;
      return fault === undefined ? [] : [[question.id, attachFaultText(context, question, fault)]];
    });
    return { current: stored.opened, fileErrors: new Map(errors), problem: undefined };
  } catch (error) {
    if (error instanceof Problem && error.status === 400) return { current: saved, ...noFileErrors, problem: error };
    throw error;
  }
}

type LeaveOptions = { action: Action; fromCheck: boolean };

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
      return { location: base + nextPath(current, section, options.fromCheck) };
    case 'back':
      if (options.fromCheck) return { location: base + endPath(response) };
      return { location: section.previousId === undefined ? `/f/${gate.formId}` : `${base}/s/${section.previousId}` };
    case 'save':
      return { location: `/f/${gate.formId}` };
    case 'connect': {
      const service = connectTitle(context, findQuestion(current.structure, questionId)?.question);
      return redirectToProvider(context, { responseId: response.id, questionId, service, back: sectionPath });
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
function nextPath(current: OpenedResponse, section: PageSection, fromCheck: boolean): string {
  if (current.response.progress === 'SUBMITTED') return '/done?done=saved';
  const next = fromCheck ? findFirstIncomplete(current) : findNextSection(current, section.id);
  return next === undefined ? '/check' : `/s/${next}`;
}
