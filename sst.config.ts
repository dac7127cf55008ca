/// <reference path="./.sst/platform/config.d.ts" />
/** The deployment with SST. The resources are in `stacks/aws`; docs/operate explains how to deploy. */
export default $config({
  app: ({ stage }) => ({
    name: 'form-service',
    home: 'aws',
    removal: stage === 'production' ? 'retain' : 'remove',
    protect: stage === 'production',
    providers: {
      aws: {
        version: '7.20.0',
        region: process.env.AWS_REGION ?? 'eu-central-1',
        defaultTags: { tags: { service: 'form-service', stage } },
      },
    },
  }),
  async run() {
    const { createStack } = await import('#stacks/aws/stack.ts');
    return createStack($app.stage, process.env);
  },
});
