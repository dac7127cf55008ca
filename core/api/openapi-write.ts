/** Writes the OpenAPI document to `openapi.json` beside this file: `npm run generate`. */
import { writeFileSync } from 'node:fs';
import { operations } from './index.ts';
import { openApiDocument, openApiText } from './openapi.ts';

writeFileSync(new URL('openapi.json', import.meta.url), openApiText(openApiDocument(operations)));
