/** The sender of mails in SES, with a configuration set that reports the status of each mail to EventBridge. */
import type { Stage } from '../stage.ts';

/** The events that the worker of mail events records. */
const EVENTS = ['send', 'delivery', 'bounce', 'complaint', 'reject'] as const;

type MailResources = {
  sender: $util.Output<string>;
  /** The ARN of all identities of the account, without the name. */
  identity: $util.Output<string>;
  configurationSet: $util.Output<string>;
  configurationSetName: $util.Output<string>;
};

/**
 * Creates the identity of the sender: the domain, with its records in Route 53, or one address, which its owner confirms
 * by a link. Mails that bounced or were complained about are not sent to the same address again.
 */
export function createMail({ sender }: Stage): MailResources {
  const { accountId } = aws.getCallerIdentityOutput();
  const { region } = aws.getRegionOutput();
  const bus = $interpolate`arn:aws:events:${region}:${accountId}:event-bus/default`;
  const email = new sst.aws.Email('Mail', {
    sender,
    events: [{ name: 'worker', types: [...EVENTS], bus }],
    transform: { configurationSet: { suppressionOptions: { suppressedReasons: ['BOUNCE', 'COMPLAINT'] } } },
  });
  const { identity, configurationSet } = email.nodes;
  return {
    sender: identity.arn,
    identity: $interpolate`arn:aws:ses:${region}:${accountId}:identity`,
    configurationSet: configurationSet.arn,
    configurationSetName: configurationSet.configurationSetName,
  };
}
