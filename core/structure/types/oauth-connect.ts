/** OAUTH_CONNECT: an account with a provider, which its callback confirms. */
import * as z from 'zod';
import { fault, refuse } from '#core/problems/answer-faults.ts';
import { type Infer, schema } from '#core/schema/schema.ts';
import type { QuestionTypeRules } from './type.ts';

/** The longest username of a connected account. */
export const MAX_CONNECTED_USERNAME = 200;

export const ConnectProvider = schema(() => z.enum(['PROVIDER_ONE', 'PROVIDER_TWO']).meta({ id: 'ConnectProvider' }));
export type ConnectProvider = Infer<typeof ConnectProvider>;

export const oauthConnect: QuestionTypeRules<{ oauthConnect?: ConnectProvider | undefined }> = {
  build: ({ oauthConnect: provider }) => (provider ? { oauthConnect: provider } : {}),
  check: () => refuse('', 'connected'),
  storedFaults: (question, { value }) => {
    const isOther = typeof value === 'object' && 'provider' in value && value.provider !== question.oauthConnect;
    return isOther ? [fault('', 'other_provider')] : [];
  },
  display: ({ value }) => (typeof value === 'object' && 'username' in value ? value.username : ''),
  maxCharacters: MAX_CONNECTED_USERNAME,
};
