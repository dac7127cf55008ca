/** Stores one condition (`do=save`), or shows it with the test of another question. No other node changes. */
import { authorPages } from '#core/api/author-pages.ts';
import { editDraft, openDraftSection, reloadEdited } from '#core/forms/draft.ts';
import { conditionPage, parseTypedCondition } from '#core/pages/builder/condition.ts';
import { withDone } from '#core/pages/builder/frame.ts';
import { mayEditQuestions } from '#core/pages/builder/questions.ts';
import { checkRules } from '#core/pages/builder/rule-fields.ts';
import { ruleAnchor } from '#core/pages/builder/rule-warnings.ts';
import { describeRules } from '#core/pages/builder/rule-words.ts';
import { rulesHref } from '#core/pages/builder/rules.ts';
import { rulesStamp } from '#core/pages/builder/stamp.ts';
import { loadGateHead } from '#core/pages/shell/form-frame.ts';
import { page } from '#core/pages/shell/page.ts';
import { getQuestionsTexts } from '#core/pages/text/questions.ts';
import { Problem, problems } from '#core/problems/problems.ts';
import { mapRulesToSections } from '#core/structure/rule-warnings.ts';
import { readNode, writeNode } from '#core/structure/rules.ts';
import type { Structure } from '#core/structure/structure.ts';

export const handler = page(
  authorPages.changeCondition,
  openDraftSection,
  async ({ app, gate, draft, stored, caller, params: { nodeId }, posted, context }) => {
    const { rules: texts } = getQuestionsTexts(context);
    const typed = parseTypedCondition(posted.fields);
    const again = async (structure: Structure, changes: object, status = 200) => {
      const current = readNode(structure, nodeId);
      if (!current) return { location: rulesHref(gate.formId) };
      const data = { gate, structure, nodeId, stored: current, typed, seen: posted.fields.get('stamp'), ...changes };
      return { html: conditionPage(context, await loadGateHead(app, gate), data), status };
    };
    const before = readNode(stored.structure, nodeId);
    const isComplete = before?.rules.length === typed.rules.length;
    if (!mayEditQuestions(gate) || !isComplete) return { location: rulesHref(gate.formId) };
    if (posted.fields.get('do') === 'question') return again(stored.structure, {});
    const checked = checkRules(context, stored.structure, typed);
    if ('errors' in checked) return again(stored.structure, { errors: checked.errors }, 400);
    try {
      await editDraft(app, { gate, draft, caller }, (structure) => {
        const current = readNode(structure, nodeId);
        if (!current || posted.fields.get('stamp') !== rulesStamp(current)) throw problems.stale();
        return { next: writeNode(structure, nodeId, checked.rules, app.now().toISOString()), body: undefined };
      });
      const place = ruleAnchor({ sectionId: mapRulesToSections(stored.structure).get(nodeId), nodeId });
      return { location: `${withDone(rulesHref(gate.formId), 'saved')}${place}` };
    } catch (error) {
      if (!(error instanceof Problem) || error.status === 413) throw error;
      const { structure } = await reloadEdited(app, gate.formId);
      const theirs = readNode(structure, nodeId);
      const overwritten =
        theirs && error.code === 'stale_version'
          ? [{ label: texts.title, theirs: describeRules(context, structure, theirs).join('\n') }]
          : [];
      return again(structure, overwritten.length > 0 ? { overwritten } : { refusal: texts.refused }, 409);
    }
  },
);
