/** Operations of connecting an account as the answer to a question (contract section 10). */
import { CallbackQuery } from '#core/accounts/model.ts';
import { ConnectQuery } from '#core/identity/connection-model.ts';
import { declare } from './declare.ts';

export const connections = declare('connections', {
  startConnection: {
    method: 'GET',
    path: '/responses/{responseId}/questions/{questionId}/oauth',
    summary: 'Connect an account as the answer to a question',
    description: 'For a browser: it goes to the provider that the question names, and comes back through the callback.',
    access: { credential: 'user', target: 'response', roles: ['owner'] },
    needs: ['table:read', 'providers:call'],
    query: ConnectQuery,
    success: { status: 302, description: 'The page of the provider.', cookies: true },
    problems: {
      400: 'The question connects no account or is off the path, its provider is not configured, `r` leads to an origin that is not allowed, or the form is not open.',
      403: 'The caller does not own the response, or it is submitted and the form does not allow editing.',
      503: 'The provider cannot be reached, or storage is busy; repeat later.',
    },
  },
  finishConnection: {
    method: 'GET',
    path: '/oauth/callback/{provider}',
    summary: 'Come back from the provider of a connection',
    description:
      'Stores the profile as the answer. `r` gets `status=success`, or `status=error&error=<code>`: the code of the provider, or `missing_code`, `exchange_failed`, `profile_failed`, `not_editable`. The state works once, for ten minutes, in the browser in which the connection was started.',
    access: { credential: 'none' },
    needs: ['table:read', 'table:write', 'providers:call'],
    query: CallbackQuery,
    success: { status: 302, description: 'Back to `r`.', cookies: true },
    otherSuccess: {
      status: 200,
      description: 'A page that says how it went, where no `r` was given.',
      contentType: 'text/html',
      cookies: true,
    },
    problems: {
      400: 'The state is malformed, expired, used, of another provider or of another browser.',
      404: 'There is no such provider here.',
    },
  },
});
