/** Stores one condition (`do=save`), or shows it with the test of another question. No other node changes. */
import { authorPages } from '#core/api/author-pages.ts';
import { editDraft, openDraft, reloadEdited } from '#core/forms/draft.ts';
import { type ConditionPage, parseTypedCondition, renderConditionPage } from '#core/pages/builder/condition.ts';
import { hashRules } from '#core/pages/builder/content-hash.ts';
import { withDone } from '#core/pages/builder/frame.ts';
import { renderLostRules } from '#core/pages/builder/lost-rules.ts';
import { explainEdit, lockedText } from '#core/pages/builder/questions.ts';
import { checkRules } from '#core/pages/builder/rule-fields.ts';
import { ruleAnchor } from '#core/pages/builder/rule-warnings.ts';
import { listOverwritten } from '#core/pages/builder/rule-words.ts';
import { rulesHref } from '#core/pages/builder/rules.ts';
import { loadGateHead } from '#core/pages/shell/form-frame.ts';
import { page } from '#core/pages/shell/page.ts';
import { saveTyped } from '#core/pages/shell/typed-form.ts';
import { getQuestionsTexts } from '#core/pages/text/questions.ts';
import { mapRulesToSections } from '#core/structure/rule-warnings.ts';
import { readNode, writeNode } from '#core/structure/rules.ts';
import type { Structure } from '#core/structure/structure.ts';

export const handler = page(
  authorPages.changeCondition,
  openDraft,
  async ({ app, gate, draft, stored: { structure }, caller, params: { nodeId }, posted, context }) => {
    const { fields } = posted;
    const { rules: texts } = getQuestionsTexts(context);
    const location = rulesHref(gate.formId);
    const typed = parseTypedCondition(fields);
    const lost = (current: Structure) =>
      renderLostRules(context, { structure: current, typed, posted, rulesHref: location });
    if (readNode(structure, nodeId)?.rules.length !== typed.rules.length) return lost(structure);
    const render = async (
      current: Structure,
      { status = 200, ...changes }: Partial<ConditionPage> & { status?: number },
    ) => {
      const stored = readNode(current, nodeId);
      if (!stored) return lost(current);
      const page = { gate, structure: current, nodeId, stored, typed, seen: fields.get('hash'), ...changes };
      return { html: renderConditionPage(context, await loadGateHead(app, gate), page), status };
    };
    const locked = lockedText(context, gate);
    if (locked !== undefined) return render(structure, { refusal: locked, status: 409 });
    if (fields.get('do') === 'question') return render(structure, {});
    const checked = checkRules(context, structure, typed);
    if ('errors' in checked) return render(structure, { errors: checked.errors, status: 400 });
    const anchor = ruleAnchor({ sectionId: mapRulesToSections(structure).get(nodeId), nodeId });
    return saveTyped({
      fields,
      contentHash: (current: Structure) => hashRules(readNode(current, nodeId)),
      listOverwritten: (current: Structure) =>
        listOverwritten(context, current, { stored: readNode(current, nodeId), typed: checked.rules }),
      reload: async () => (await reloadEdited(app, gate.formId)).structure,
      render,
      explain: (problem) => explainEdit(context, problem, texts.refused),
      save: (requireSeen) =>
        editDraft(app, { gate, draft, caller }, (current) => {
          const next = writeNode(current, nodeId, checked.rules, app.now().toISOString());
          requireSeen(current, next);
          return { next, body: `${withDone(location, 'saved')}${anchor}` };
        }),
    });
  },
);
