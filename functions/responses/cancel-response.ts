/** Makes a submitted response a draft again. */
import { responses } from '#core/api/responses.ts';
import { operation } from '#core/http/operation.ts';
import { cancel } from '#core/responses/changes.ts';
import { openResponse } from '#core/responses/open.ts';
import { changeResponse, summaryOf } from '#core/responses/service.ts';

export const handler = operation(responses.cancelResponse, openResponse, ({ opened, app }) =>
  changeResponse(app, opened, ({ response }, now) => cancel(response, now), summaryOf),
);
