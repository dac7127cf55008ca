/** What IAM would authorize of requests to AWS: actions, each on a resource, with the values of condition keys. */
import { createServer, type IncomingHttpHeaders, type Server, request as send } from 'node:http';
import { arnOf } from '#test/deployment/synthesis/account.ts';

/** An action on the ARN of a resource. */
export type Call = { action: string; resource: string; context?: Readonly<Record<string, string>> };
type PassedRequest = { method: string; url: string; headers: IncomingHttpHeaders; body: Buffer };

/** Creates a server that passes requests on, unchanged but for their path: `pathAt` returns path and query at `target`. */
export const passOn = (target: string, pathAt: (request: PassedRequest) => string): Server =>
  createServer(async (incoming, outgoing) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk);
    const { method = 'GET', url = '/', headers } = incoming;
    const body = Buffer.concat(chunks);
    const path = pathAt({ method, url, headers, body });
    const { hostname, port } = new URL(target);
    const passed = send({ hostname, port, method, path, headers }, (response) => {
      outgoing.writeHead(response.statusCode ?? 502, response.rawHeaders);
      response.pipe(outgoing);
    });
    passed.once('error', (error) => {
      outgoing.writeHead(502).end(error.message);
    });
    passed.end(body);
  });

/** Creates a server that stands for AWS before an emulator, and adds its calls to the current record, equal ones once. */
export const recordCallsTo = (emulator: string, current: () => Map<string, Call> | undefined): Server =>
  passOn(emulator, (request) => {
    const record = current();
    if (record) for (const call of callsOf(request)) record.set(JSON.stringify(call), call);
    return request.url;
  });

/** The calls that a request makes. Throws for a service or operation of which it does not know the actions. */
export function callsOf(request: PassedRequest): Call[] {
  const { headers, url, body } = request;
  const scope = headers.authorization ?? new URL(url, 'http://aws').searchParams.get('X-Amz-Credential') ?? '';
  const [, service = ''] = /\/\d{8}\/[^/]+\/([a-z0-9]+)\/aws4_request/.exec(scope) ?? [];
  // `GetItem` of `DynamoDB_20120810.GetItem`.
  const operation = String(headers['x-amz-target']).replace(/^.*\./, '');
  switch (service) {
    case 'dynamodb':
      return tableCalls(operation, JSON.parse(body.toString()));
    case 's3':
      return objectCalls(request);
    case 'ssm':
      return parameterCalls(operation, JSON.parse(body.toString()));
    case 'ses':
      return mailCalls(new URLSearchParams(body.toString()));
    default:
      throw new Error(`unknown request to AWS: ${service} ${request.method} ${url}`);
  }
}

type TableInput = {
  TableName?: string;
  IndexName?: string;
  RequestItems?: Record<string, unknown>;
  TransactItems?: Record<string, { TableName: string }>[];
};

/** DynamoDB authorizes each item of a transaction by the action that it is. */
function tableCalls(operation: string, { TableName = '', IndexName, RequestItems, TransactItems }: TableInput): Call[] {
  const call = (action: string, table: string): Call => ({
    ...{ action: `dynamodb:${action}`, resource: arnOf('dynamodb', `table/${table}`) },
  });
  if (RequestItems) return Object.keys(RequestItems).map((table) => call(operation, table));
  if (TransactItems) {
    return TransactItems.flatMap((items) => Object.entries(items)).map(([kind, item]) =>
      call(`${kind}Item`, item.TableName),
    );
  }
  return [call(operation, IndexName ? `${TableName}/index/${IndexName}` : TableName)];
}

/** Objects are addressed by path. A download or upload with a presigned URL is authorized as a call of the signer. */
function objectCalls({ method, url, body }: PassedRequest): Call[] {
  const { pathname, searchParams } = new URL(url, 'http://aws');
  const [bucket = '', ...key] = decodeURIComponent(pathname).slice(1).split('/');
  const call = (action: string, ...path: string[]): Call => ({
    ...{ action: `s3:${action}`, resource: [`arn:aws:s3:::${bucket}`, ...path].join('/') },
  });
  if (searchParams.has('delete')) {
    return [...body.toString().matchAll(/<Key>([^<]*)<\/Key>/g)].map(([, each = '']) => call('DeleteObject', each));
  }
  if (searchParams.has('list-type')) {
    return [{ ...call('ListBucket'), context: { 's3:prefix': searchParams.get('prefix') ?? '' } }];
  }
  if (method === 'DELETE' && searchParams.has('uploadId')) return [call('AbortMultipartUpload', ...key)];
  const actions: Readonly<Record<string, string>> = { GET: 'GetObject', HEAD: 'GetObject', DELETE: 'DeleteObject' };
  return [call(actions[method] ?? 'PutObject', ...key)];
}

const parameterCalls = (operation: string, { Names = [] }: { Names?: string[] }): Call[] =>
  Names.map((name) => ({ action: `ssm:${operation}`, resource: arnOf('ssm', `parameter${name}`) }));

/** SES checks the identity of the sender and the configuration set and, in the sandbox, the identity of the recipient. */
function mailCalls(input: URLSearchParams): Call[] {
  const [, address = ''] = /([^<>\s]+@[^<>\s]+?)>?$/.exec(input.get('Source') ?? '') ?? [];
  const recipient = input.get('Destination.ToAddresses.member.1');
  const sets = `configuration-set/${input.get('ConfigurationSetName')}`;
  return [`identity/${address}`, `identity/${recipient}`, sets].map((resource) => ({
    ...{ action: `ses:${input.get('Action')}`, resource: arnOf('ses', resource) },
    context: { 'ses:FromAddress': address },
  }));
}
