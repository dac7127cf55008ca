/** The account of the mocks and of the emulator. */

export const ACCOUNT = '123456789012';
export const REGION = 'eu-central-1';

/** The ARN of a resource of a service. */
export const arnOf = (service: string, resource: string): string =>
  `arn:aws:${service}:${REGION}:${ACCOUNT}:${resource}`;

/** The ARN of a mocked resource of a type, such as `aws:lambda/function:Function`, by its name in the program. */
export const mockArn = (type: string, name: string): string =>
  type.replace(/^aws:(\w+)\/(\w+):\w+$/, (_, service, kind) => arnOf(service, `${kind}:${name}`));
