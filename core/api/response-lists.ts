/** Operations that list responses or count them, apart from the others, which are part of the functions that start fastest. */
import { CountDocument } from '#core/exports/counts-model.ts';
import { ResponseList, ResponseListQuery } from '#core/responses/model.ts';
import { PlacesDocument } from '#core/responses/places-model.ts';
import { ListQuery } from '#core/schema/schema.ts';
import { FilterResult, ResponseQuery } from '#core/table/model.ts';
import { Statistics, StatisticsInput, StatisticsZone } from '#core/table/statistics-model.ts';
import { declare } from './declare.ts';

export const responseLists = declare('responses', {
  listResponses: {
    method: 'GET',
    path: '/forms/{formId}/responses',
    summary: 'List the responses to a form: all of them for members, their own for others',
    access: { credential: 'user', target: 'form' },
    needs: ['table:read', 'table:list'],
    query: ResponseListQuery,
    success: {
      status: 200,
      description: 'Responses, newest first. A name that a respondent changes is in lists within a minute.',
      body: ResponseList,
    },
  },
  listMyResponses: {
    method: 'GET',
    path: '/forms/{formId}/responses/me',
    summary: "List the current user's own responses to a form",
    access: { credential: 'user', guests: true, target: 'form' },
    needs: ['table:read', 'table:list'],
    query: ListQuery,
    success: { status: 200, description: 'Own responses, newest first.', body: ResponseList },
  },
  getPlaces: {
    method: 'GET',
    path: '/forms/{formId}/places',
    summary: 'Get how many places a form and its limited choices have left',
    access: { credential: 'user', guests: true, target: 'form' },
    needs: ['table:read', 'table:list'],
    success: { status: 200, description: 'The places that are left.', body: PlacesDocument },
  },
  getStatistics: {
    method: 'GET',
    path: '/forms/{formId}/statistics',
    summary: 'Get how often each answer was given, when, and where respondents stopped',
    access: { credential: 'user', target: 'form', roles: ['member'] },
    needs: ['table:read', 'table:list'],
    query: StatisticsZone,
    success: { status: 200, description: 'Counts of all submitted responses.', body: Statistics },
  },
  queryStatistics: {
    method: 'POST',
    path: '/forms/{formId}/statistics/query',
    summary: 'Get the statistics of the submitted responses that match a filter and a search',
    access: { credential: 'user', target: 'form', roles: ['member'] },
    needs: ['table:read', 'table:list'],
    body: StatisticsInput,
    success: { status: 200, description: 'Counts of the newest 1,000 responses that match.', body: Statistics },
    problems: { 404: 'There is no such form, or a question never belonged to it.' },
  },
  countStatistics: {
    method: 'POST',
    path: '/forms/{formId}/statistics/count',
    summary: 'Have the statistics of all submitted responses counted that match a filter and a search',
    description:
      'A job reads all of them. The same request of the same person returns the same job while it is under way, and for 24 hours unless the form or a submitted response has changed since. Another request takes the place of the last one: a person has one such job, a form five.',
    access: { credential: 'user', target: 'form', roles: ['member'] },
    needs: ['table:read', 'table:list', 'table:write'],
    body: StatisticsInput,
    success: {
      status: 202,
      description: 'The job; `Location` is its address. Read it until it is DONE, then it has `statistics`.',
      body: CountDocument,
    },
    problems: {
      404: 'There is no such form, or a question never belonged to it.',
      413: 'The form has more than 1,000,000 submitted responses.',
      429: 'Five other people have all responses of this form counted.',
    },
  },
  getStatisticsCount: {
    method: 'GET',
    path: '/forms/{formId}/statistics/count',
    summary: 'Get the statistics that were counted for the current user, or how far that is',
    access: { credential: 'user', target: 'form', roles: ['member'] },
    needs: ['table:read', 'exports:read'],
    success: { status: 200, description: 'The job, with its result.', body: CountDocument },
  },
  filterResponses: {
    method: 'POST',
    path: '/forms/{formId}/responses/query',
    summary: 'Filter, search and sort submitted responses',
    access: { credential: 'user', target: 'form', roles: ['member'] },
    needs: ['table:read', 'table:list'],
    query: ListQuery,
    body: ResponseQuery,
    success: { status: 200, description: 'A page of the responses that match.', body: FilterResult },
    problems: {
      400: 'The body is invalid, answers to the question of `sort` have no order, or the form has too many responses to sort by them.',
      404: 'There is no such form, or a question never belonged to it.',
    },
  },
});
