/** Serves a static asset, precompressed. Its name contains a hash of its content, so browsers keep it for a year. */
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import type { HttpResponse } from '#core/http/result.ts';
import { respondAsset } from '#core/pages/shell/asset-response.ts';

// The app is loaded for assets of other builds only: assets of this build need neither storage nor settings.
export const handler = (event: APIGatewayProxyEventV2): Promise<HttpResponse> =>
  respondAsset(event, async () => (await import('#core/http/app.ts')).app().bucket);
