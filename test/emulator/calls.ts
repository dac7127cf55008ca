/** What IAM would authorize of a request to AWS: actions, each on a resource, with the values of condition keys. */
import { arnOf } from './ministack.ts';
import type { PassedRequest } from './pass-on.ts';

/** An action on the ARN of a resource. */
export type Call = { action: string; resource: string; context?: Readonly<Record<string, string>> };

/** The calls that a request makes. Throws for a service or operation of which it does not know the actions. */
export function callsOf(request: PassedRequest): Call[] {
  const { headers, url } = request;
  const scope = headers.authorization ?? new URL(url, 'http://aws').searchParams.get('X-Amz-Credential') ?? '';
  const [, service = ''] = /\/\d{8}\/[^/]+\/([a-z0-9]+)\/aws4_request/.exec(scope) ?? [];
  switch (service) {
    case 'dynamodb':
      return tableCalls(operationOf(request), JSON.parse(request.body.toString()));
    case 's3':
      return objectCalls(request);
    case 'ssm':
      return parameterCalls(operationOf(request), JSON.parse(request.body.toString()));
    case 'ses':
      return mailCalls(new URLSearchParams(request.body.toString()));
    default:
      throw new Error(`unknown request to AWS: ${service} ${request.method} ${url}`);
  }
}

/** `GetItem` of the header `x-amz-target: DynamoDB_20120810.GetItem`. */
const operationOf = ({ headers }: PassedRequest): string => String(headers['x-amz-target']).split('.').at(-1) ?? '';

type Member = { TableName: string };
type TableInput = {
  TableName?: string;
  IndexName?: string;
  RequestItems?: Record<string, unknown>;
  TransactItems?: Record<string, Member>[];
};

/** DynamoDB authorizes each item of a transaction by the action that it is. */
const TRANSACTED: Readonly<Record<string, string>> = {
  Put: 'PutItem',
  Update: 'UpdateItem',
  Delete: 'DeleteItem',
  ConditionCheck: 'ConditionCheckItem',
  Get: 'GetItem',
};

function tableCalls(operation: string, input: TableInput): Call[] {
  const call = (action: string, table: string): Call => ({
    action: `dynamodb:${action}`,
    resource: arnOf('dynamodb', `table/${table}`),
  });
  const { TableName, IndexName, RequestItems, TransactItems } = input;
  if (RequestItems) return Object.keys(RequestItems).map((table) => call(operation, table));
  if (TransactItems) {
    return TransactItems.flatMap((item) =>
      Object.entries(item).map(([kind, { TableName: table }]) => call(TRANSACTED[kind] ?? kind, table)),
    );
  }
  return [call(operation, IndexName ? `${TableName}/index/${IndexName}` : (TableName ?? ''))];
}

/** Objects are addressed by path. A download or upload with a presigned URL is authorized as a call of the signer. */
function objectCalls({ method, url, body }: PassedRequest): Call[] {
  const { pathname, searchParams } = new URL(url, 'http://aws');
  const [bucket = '', ...key] = decodeURIComponent(pathname).slice(1).split('/');
  const call = (action: string, ...path: string[]): Call => ({
    action: `s3:${action}`,
    resource: [`arn:aws:s3:::${bucket}`, ...path].join('/'),
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
  const resources = [
    `identity/${address}`,
    `identity/${input.get('Destination.ToAddresses.member.1')}`,
    `configuration-set/${input.get('ConfigurationSetName')}`,
  ];
  return resources.map((resource) => ({
    action: `ses:${input.get('Action')}`,
    resource: arnOf('ses', resource),
    context: { 'ses:FromAddress': address },
  }));
}
