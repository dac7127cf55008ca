/** The monthly budget of the account, which tells the operators what is spent. AWS computes it a few times a day. */
import type { Stage } from '../stage.ts';

/** Creates a budget that notifies an address: when 80 % are spent, all of it, or all of it is foreseen. */
export function createBudget(stage: Stage, dollars: number, address: string): aws.budgets.Budget {
  const notification = (notificationType: 'ACTUAL' | 'FORECASTED', threshold: number) => ({
    notificationType,
    threshold,
    thresholdType: 'PERCENTAGE',
    comparisonOperator: 'GREATER_THAN',
    subscriberEmailAddresses: [address],
  });
  return new aws.budgets.Budget('Budget', {
    name: `form-service-${stage.name}`,
    budgetType: 'COST',
    timeUnit: 'MONTHLY',
    limitAmount: String(dollars),
    limitUnit: 'USD',
    notifications: [notification('ACTUAL', 80), notification('ACTUAL', 100), notification('FORECASTED', 100)],
  });
}
