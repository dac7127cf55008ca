/** The service account of the local spreadsheet API: its key file, and access tokens for assertions that it signed. */
import { generateKeyPairSync } from 'node:crypto';
import { decodeJwt, importSPKI, jwtVerify } from 'jose';

const EMAIL = 'forms@local-demo.iam.gserviceaccount.com';
/** Those of the two APIs whose calls are served: writing spreadsheets, reading what is known about files. */
const SCOPES = [
  'https://www.googleapis.com/auth/spreadsheets',
  'https://www.googleapis.com/auth/drive.metadata.readonly',
];
const TOKEN_SECONDS = 3_600;

/** The status and the body of a response. */
export type ApiResult = { status: number; body: object };

const newKeyPair = () =>
  generateKeyPairSync('rsa', {
    modulusLength: 2_048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
let keyPair: ReturnType<typeof newKeyPair> | undefined;

/** A new account. Those of a process have one key pair, which takes a tenth of a second to make. */
export function serviceAccount() {
  keyPair ??= newKeyPair();
  const { publicKey, privateKey } = keyPair;
  const tokens = new Set<string>();
  return {
    /** The content of its key file, for the token endpoint at an address. */
    key: (token_uri: string) => ({ type: 'service_account', client_email: EMAIL, private_key: privateKey, token_uri }),
    /** The result of a token request. */
    async issue(body: string, audience: string): Promise<ApiResult> {
      try {
        await checkAssertion(new URLSearchParams(body).get('assertion') ?? '', publicKey, audience);
      } catch (error) {
        return { status: 400, body: { error: 'invalid_grant', error_description: String(error) } };
      }
      const token = crypto.randomUUID();
      tokens.add(token);
      return { status: 200, body: { access_token: token, expires_in: TOKEN_SECONDS, token_type: 'Bearer' } };
    },
    /** Whether an `Authorization` header has a token that was issued. */
    isValid: (authorization = ''): boolean => tokens.has(authorization.replace(/^Bearer /, '')),
  };
}

async function checkAssertion(assertion: string, publicKey: string, audience: string): Promise<void> {
  // Tests set the clock of the service, so the assertion is checked at the time of its issue.
  const currentDate = new Date((decodeJwt(assertion).iat ?? 0) * 1_000);
  const key = await importSPKI(publicKey, 'RS256');
  const { payload } = await jwtVerify(assertion, key, {
    issuer: EMAIL,
    audience,
    maxTokenAge: TOKEN_SECONDS,
    currentDate,
  });
  if (payload.scope !== SCOPES.join(' ')) throw new Error('the scope is unknown');
}
