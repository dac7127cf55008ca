/** All checks of a deployment, by what they make sure of. */
import { checkAlarms, checkBudget, checkDashboard } from './alarms.ts';
import { checkApiStage, checkCors, checkRoutes } from './api.ts';
import { checkBundles, checkCode } from './bundles.ts';
import type { Check } from './description.ts';
import { checkEnvironment, checkFunctions, checkLogs, checkSecrets, checkTimeouts } from './functions.ts';
import { checkGrants, checkPolicySizes, checkTrust, checkWildcards } from './roles.ts';
import { checkAssets, checkBucketAccess, checkBucketLifecycle, checkTable } from './storage.ts';
import { checkApp } from './tags.ts';
import { checkMailEvents, checkSchedules, checkStreams } from './workers.ts';

export const CHECKS = {
  'every route of the plan leads to its function': checkRoutes,
  'the API limits and logs its requests': checkApiStage,
  'the API allows the origins that are named': checkCors,
  'the table is the one of the key design': checkTable,
  'the bucket is private and over TLS only': checkBucketAccess,
  'the bucket tidies itself': checkBucketLifecycle,
  'the bucket has the assets of the pages': checkAssets,
  'every function has its runtime, memory and time': checkFunctions,
  'every function ends in time, and an export has enough of it': checkTimeouts,
  'every log has a retention': checkLogs,
  'every function has the environment of its needs': checkEnvironment,
  'no secret is in clear': checkSecrets,
  'no role has a wildcard': checkWildcards,
  'only Lambda assumes the roles of functions': checkTrust,
  'every function may do what it needs, and nothing else': checkGrants,
  'no policy outgrows its limit': checkPolicySizes,
  'every function has its code': checkCode,
  'no bundle contains what its function does not use': checkBundles,
  'every stream mapping is as declared and loses nothing': checkStreams,
  'every schedule is as declared': checkSchedules,
  'events of mails reach their worker': checkMailEvents,
  'every alarm notifies and says what to do': checkAlarms,
  'the operators are told what is spent': checkBudget,
  'the dashboard shows what is watched': checkDashboard,
  'everything is tagged, and production is protected': checkApp,
} as const satisfies Record<string, Check>;
