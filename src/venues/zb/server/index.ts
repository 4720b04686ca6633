export { type Answer, ServerError } from './answers.ts';
export {
  type KeyConfig,
  limitsSchema,
  type ServerConfig,
  type ServerLimits,
  serverSchema,
} from './config.ts';
export type { Peak, ServerCounts } from './counts.ts';
export type { DialectName } from './dialect.ts';
export { tryPort } from './http.ts';
export type { KeySettings } from './keys.ts';
export type { ServerOperator } from './operator.ts';
export type { PushConnection, PushSession } from './push/session.ts';
export { OPERATION_NAMES, type ZbRequest } from './requests.ts';
export { type ServedZb, type ServeZbOptions, serveZb } from './serve.ts';
export { type ZbServer, type ZbServerOptions, zbServer } from './server.ts';
