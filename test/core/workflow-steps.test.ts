/** What all conditions of a form may cost together, so that walking a response stays short (`edits.ts`). */
import { expect, test } from 'vitest';
import { patternSteps } from '#core/structure/pattern.ts';
import { MAX_STEPS_OF_ALL, replaceWorkflow } from '#core/structure/workflow-edits.ts';
import { condition, form, id, LATER, question, section } from '#test/support/workflow.ts';

const COSTLY = 'a.{180}[c-d]';

/** a(q) → c0 → c1 → … → end, each condition with the pattern on q, either branch leading on. */
function chain(count: number, pattern: string) {
  const name = (index: number): string => (index < count ? `c${index}` : 'end');
  const conditions = Array.from({ length: count }, (_, index) =>
    condition(name(index), { asks: 'q', pattern }, name(index + 1), name(index + 1)),
  );
  return form('a', [section('a', name(0), [question('q')]), ...conditions]);
}

const put = (structure: ReturnType<typeof form>) =>
  replaceWorkflow(
    structure,
    structure.nodes.map(({ type: _, ...node }) => node),
    LATER,
  );

test('a workflow whose patterns on text would together take too many steps is refused at the one that is too much', () => {
  const fitting = Math.floor(MAX_STEPS_OF_ALL / patternSteps(COSTLY));
  expect(fitting).toBeGreaterThan(1);
  expect(put(chain(fitting, COSTLY))).toHaveProperty('structure');
  const beyond = chain(fitting + 1, COSTLY);
  const last = beyond.nodes.findIndex((node) => node.id === id(`c${fitting}`));
  expect(put(beyond)).toMatchObject({ faults: [{ pointer: `/body/${last}/conditionRule/pattern` }] });
});

test('hundreds of conditions with ordinary patterns fit, and plain texts cost nothing', () => {
  expect(patternSteps('yes')).toBe(0);
  expect(put(chain(300, '^no$|x'))).toHaveProperty('structure');
});
