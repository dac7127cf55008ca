/** The functions that respondents call most, whose size and start are measured. */
import { plan } from '#stacks/plan.ts';

const OPERATIONS = [
  'responses.startResponse',
  'responses.updateAnswers',
  'responses.submitResponse',
  'forms.getForm',
  'sections.listSections',
];

/** Their rows in the plan. */
export const hotFunctions = plan.filter(({ operation }) => OPERATIONS.includes(operation));
