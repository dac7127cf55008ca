/** The request that a section's form makes: save, carry out the action of the button, go on or show what is wrong. */
import type { RequestApp } from '#core/http/app.ts';
import { Problem } from '#core/problems/problems.ts';
import type { OpenedResponse } from '#core/responses/change.ts';
import { attachFaultText, invalidText } from '../fields/invalid.ts';
import { type PageContext, textOf } from '../shell/context.ts';
import type { FormFields } from '../shell/form-fields.ts';
import type { PageResult } from '../shell/result.ts';
import { isLanguage, languageCookie } from '../shell/session.ts';
import { connectPage, offPathPage } from './connect.ts';
import { firstIncomplete, type ShownSection, sectionAfter, sectionOnPath } from './navigation.ts';
import { sectionPage } from './section.ts';
import { type Action, actionOf, afterAction, attachIfAsked, removeIfAsked, storeFiles } from './section-actions.ts';
import { descriptionOf, missingElsewhere, sectionFields } from './section-fields.ts';
import { type Outcome, postedOf, removedIds, savePosted, textsOf } from './section-save.ts';
import { scriptResult } from './section-script.ts';

type SectionPost = {
  app: RequestApp;
  opened: OpenedResponse;
  params: Record<'responseId' | 'sectionId', string>;
  posted: FormFields;
  context: PageContext;
  fromScript: boolean;
};

/** Handles the request. */
export async function postSection(request: SectionPost): Promise<PageResult> {
  const { app, opened, params, posted: form, fromScript } = request;
  const action = actionOf(form.fields);
  const language = action.name === 'language' && isLanguage(action.questionId) ? action.questionId : undefined;
  const context = language ? { ...request.context, language, t: textOf(language) } : request.context;
  const cookies = language ? [languageCookie(app.config.cookies, language)] : [];
  const section = sectionOnPath(opened, params.sectionId);
  if (!section) return offPath(request, context);
  const posted = afterAction(postedOf(section.questions, form.fields), action, form.fields);
  const outcome = await savePosted(app, opened, posted);
  const saved = { ...opened, response: outcome.response };
  const { current, fileErrors, problem } = await actOnFiles(request, { context, saved, action, outcome });
  const shown = sectionOnPath(current, section.id);
  if (!shown) return offPath(request, context);
  const demandsAll = action.name === 'next';
  const kept = { ...outcome, response: current.response, ...(problem && { problem }) };
  const unsaved = { posted, outcome: kept, demandsAll, fileErrors };
  const fields = sectionFields(context, current, shown, unsaved);
  const removed = removedIds(shown.questions, form.fields);
  if (fromScript) return scriptResult(context, { section: shown, fields, posted, removed, action, problem });
  const removedTexts = removed.flatMap((id) => textsOf(id, form.fields));
  const isFaulty =
    problem ||
    removedTexts.length > 0 ||
    fields.some(({ error, conflict }) => error !== undefined || conflict !== undefined);
  const fromCheck = form.fields.get('from') === 'check';
  if (!isFaulty) return { cookies, ...destination(context, current, shown, { action, fromCheck }) };
  const { gate, response } = current;
  const description = descriptionOf(current, shown.id);
  const refused = problem && { problem, missingElsewhere: missingElsewhere(current, shown, problem) };
  const page = { gate, response, section: shown, description, fields, fromCheck, refused, removedTexts };
  const html = sectionPage(context, page);
  return { html, status: 400, cookies };
}

/** A section that is not on the path any more leads to the next step; what was typed into it is shown first. */
function offPath({ opened, posted: { fields }, fromScript }: SectionPost, context: PageContext): PageResult {
  if (fromScript) return { json: { problem: 'not_found' }, status: 409 };
  const location = `/r/${opened.response.id}`;
  const texts = removedIds([], fields).flatMap((id) => textsOf(id, fields));
  return texts.length === 0 ? { location } : { html: offPathPage(context, location, texts), status: 400 };
}

type Acted = { current: OpenedResponse; fileErrors: ReadonlyMap<string, string>; problem: Problem | undefined };

/** Stores and removes files after the answers have been saved; refused files are errors of their question. */
async function actOnFiles(
  { app, posted: { files } }: SectionPost,
  {
    context,
    saved,
    action,
    outcome,
  }: { context: PageContext; saved: OpenedResponse; action: Action; outcome: Outcome },
): Promise<Acted> {
  const none = { fileErrors: new Map<string, string>(), problem: outcome.problem };
  if (outcome.problem) return { current: saved, ...none };
  try {
    const attached = await attachIfAsked(app, await removeIfAsked(app, saved, action), action);
    const stored = await storeFiles(app, attached.opened, files);
    const questions = saved.structure.sections.flatMap(({ questions: each }) => each);
    const errors = questions.flatMap((question): [string, string][] => {
      if (stored.refused.has(question.id)) return [[question.id, invalidText(context, question)]];
      const fault = question.id === action.questionId ? attached.refused : undefined;
      return fault === undefined ? [] : [[question.id, attachFaultText(context, question, fault)]];
    });
    return { current: stored.opened, fileErrors: new Map(errors), problem: undefined };
  } catch (error) {
    if (error instanceof Problem && error.status === 400) return { current: saved, ...none, problem: error };
    throw error;
  }
}

type Leaving = { action: Action; fromCheck: boolean };

/** Where a section leads that has no faults. */
function destination(
  context: PageContext,
  current: OpenedResponse,
  section: ShownSection,
  leaving: Leaving,
): PageResult {
  const { response, gate } = current;
  const base = `/r/${response.id}`;
  const { name, questionId } = leaving.action;
  const own = `${base}/s/${section.id}${leaving.fromCheck ? '?from=check' : ''}`;
  switch (name) {
    case 'next':
      return { location: base + nextPath(current, section, leaving.fromCheck) };
    case 'back':
      if (leaving.fromCheck) return { location: base + endPath(response) };
      return { location: section.previousId === undefined ? `/f/${gate.formId}` : `${base}/s/${section.previousId}` };
    case 'save':
      return { location: `/f/${gate.formId}` };
    case 'connect':
      return connectPage(context, { responseId: response.id, questionId, back: own });
    case 'language':
      return { location: own };
    default:
      return { location: questionId === '' ? own : `${own}#q-${questionId}` };
  }
}

/** The page with all answers, below the path of the response. */
const endPath = ({ progress }: OpenedResponse['response']): string => (progress === 'SUBMITTED' ? '/done' : '/check');

/** What follows a section, below the path of the response. */
function nextPath(current: OpenedResponse, section: ShownSection, fromCheck: boolean): string {
  if (current.response.progress === 'SUBMITTED') return '/done?done=saved';
  const next = fromCheck ? firstIncomplete(current) : sectionAfter(current, section.id);
  return next === undefined ? '/check' : `/s/${next}`;
}
