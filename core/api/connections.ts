/** Operations of connecting an account as the answer to a question. */
import { CallbackQuery, CONNECT_CALLBACK_PATH, ConnectQuery } from '#core/identity/model.ts';
import { declare } from './declare.ts';

export const connections = declare('connections', {
  startConnection: {
    method: 'GET',
    path: '/responses/{responseId}/questions/{questionId}/oauth',
    summary: 'Connect an account as the answer to a question',
    description: 'For a browser: redirects to the provider of the question, which redirects to the callback.',
    access: { credential: 'user', guests: true, target: 'response', roles: ['owner'] },
    needs: ['table:read', 'states:sign', 'providers:call'],
    query: ConnectQuery,
    success: { status: 302, description: 'The page of the provider.', cookies: true },
    problems: {
      400: 'The question is not of type OAUTH_CONNECT or is off the path, its provider is not configured, the origin of `r` is not allowed, or the form is not open.',
      403: 'The caller does not own the response, or it is submitted and the form does not allow editing.',
      503: 'The provider cannot be reached, or storage is busy; try again later.',
    },
  },
  finishConnection: {
    method: 'GET',
    path: CONNECT_CALLBACK_PATH,
    summary: 'Callback of the connection of an account',
    description:
      'Stores the profile as the answer. `r` gets `status=success`, or `status=error&error=<code>`: the code of the provider, or `missing_code`, `exchange_failed`, `profile_failed`, `not_editable`. The state works once, for ten minutes, in the browser in which the connection was started.',
    access: { credential: 'none' },
    needs: ['table:read', 'table:write', 'states:sign', 'providers:call'],
    query: CallbackQuery,
    success: { status: 302, description: 'Back to `r`.', cookies: true },
    otherSuccess: {
      status: 200,
      description: 'A page with the outcome, if the request had no `r`.',
      contentType: 'text/html',
      cookies: true,
    },
    problems: {
      400: 'The state is malformed, expired, used, or belongs to another provider or browser.',
      404: 'The provider is unknown or not configured.',
    },
  },
});
