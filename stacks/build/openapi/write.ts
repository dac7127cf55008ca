/** Writes the OpenAPI document to `openapi.json` next to this file: `npm run generate`. */
import { writeFileSync } from 'node:fs';
import { operations } from '#core/api/index.ts';
import { openApiDocument, openApiText } from './document.ts';

writeFileSync(new URL('openapi.json', import.meta.url), openApiText(openApiDocument(operations)));
