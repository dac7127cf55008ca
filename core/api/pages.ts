/**
 * All pages for people. Each audience has a file of its own, so that its function loads no other declarations. A page's
 * handler is found by its name: `showHome` is `functions/pages/show-home.ts`.
 */
import { assetPages } from './asset-pages.ts';
import { authorPages } from './author-pages.ts';
import { builderPages } from './builder-pages.ts';
import { kebabCase } from './declare.ts';
import type { PageDeclaration } from './declare-pages.ts';
import { organizerPages } from './organizer-pages.ts';
import { respondentPages } from './respondent-pages.ts';
import { reviewPages } from './review-pages.ts';

export const pages: readonly PageDeclaration[] = [
  respondentPages,
  reviewPages,
  organizerPages,
  builderPages,
  authorPages,
  assetPages,
].flatMap((declarations): PageDeclaration[] => Object.values(declarations));

/** Builds the path of a page's handler file. */
export const pageFile = ({ name }: PageDeclaration): string => `functions/pages/${kebabCase(name)}.ts`;
