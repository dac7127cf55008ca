/** Every resource is tagged, by the default tags of the provider, so that costs can be told apart by stage. */
import * as z from 'zod';
import { type Check, differing } from './description.ts';

const App = z.object({
  protect: z.boolean(),
  removal: z.string(),
  providers: z.object({
    aws: z.object({ defaultTags: z.object({ tags: z.record(z.string(), z.string()) }).optional() }),
  }),
});

/** Tags, and what happens to the data of a stage that is removed. */
export const checkApp: Check = ({ app, stage }) => {
  const { protect, removal, providers } = App.parse(app);
  return [
    ...differing('the tags', providers.aws.defaultTags?.tags, { service: 'form-service', stage: stage.name }),
    ...differing('the removal of data', removal, stage.isProduction ? 'retain' : 'remove'),
    ...differing('the protection of the stage', protect, stage.isProduction),
  ];
};
