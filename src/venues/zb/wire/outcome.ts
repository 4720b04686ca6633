import { CODES, ExchangeFailure, type FailureKind } from '../../../exchange/index.ts';
import { messageOf } from '../../../kernel/index.ts';
import { WireError } from './errors.ts';
import { parseJson } from './json.ts';
import { excerpt, type Fields, isFields } from './read.ts';

/** What came back over HTTP. */
export interface WireAnswer {
  readonly status: number;
  readonly body: string;
}

/**
 * Codes by which the exchange refuses for certain: nothing happened. Source: wire facts, table of
 * codes. Not 1002 (internal error), for the server itself does not know how far it came. Nor 1001,
 * which stands for many things: see `GENERAL_REFUSALS`.
 */
const REJECTIONS: ReadonlySet<number> = new Set([
  ...[1003, 1004, 1005, 1006, 1007, 1008, 1009, 1010, 1012, 1013],
  ...[2001, 2002, 2003, 2004, 2005, 2006, 2007, 2008, 2009],
  ...[3001, 3002, 3003, 3004, 3005, 3006, 3007, 3008, 3009, 3010, 3011, 3012],
]);
/** Codes for requests that come too fast, or for a lock: nothing happened. Source: wire facts. */
const LIMITS: ReadonlySet<number> = new Set([CODES.locked, CODES.tooFrequent]);
/** HTTP's own status for requests that come too fast. Source: RFC 6585, 4. */
const TOO_MANY_REQUESTS = 429;

/**
 * Texts under code 1001 that refuse for certain, whole or up to a colon. Any other text may come
 * from a server that lost track of a request it had taken ("响应超时"): then a lookup decides. Source:
 * wire facts, table of codes; from the second on the answers of the exchange simulator.
 */
const GENERAL_REFUSALS: ReadonlySet<string> = new Set([
  'Error Market',
  'Cannot place an order: the PostOnly order would take, a price that rests is wanted',
  'Cannot withdraw',
  'GET wanted',
  'Too many channels',
  'Unknown operation',
  'Unknown path',
  'User-Agent wanted',
]);

/**
 * What an answer's code and text say about the outcome.
 *
 * A code that is not in the table counts as `unknown`: it may belong to an order that was taken. So
 * does a text under 1001 that is no known refusal. Reads are judged alike, which does no harm.
 */
export function kindOf(code: number | undefined, text: string): FailureKind {
  if (code === undefined) return 'unknown';
  if (LIMITS.has(code)) return 'limited';
  if (code === CODES.general) return isGeneralRefusal(text) ? 'rejected' : 'unknown';
  return REJECTIONS.has(code) ? 'rejected' : 'unknown';
}

/** The beginning of the refusal of an address that was never created; a currency follows. */
const NO_ADDRESS = 'Cannot show the deposit address of ';

function isGeneralRefusal(text: string): boolean {
  const head = text.split(':', 1)[0]!;
  return GENERAL_REFUSALS.has(text) || GENERAL_REFUSALS.has(head) || head.startsWith(NO_ADDRESS);
}

/**
 * The value of an answer, or its failure. `action` completes "Cannot ...", such as `place an
 * order`.
 *
 * @throws {ExchangeFailure} and nothing else, whatever the answer: `rejected` and `limited` only if
 * the exchange clearly says so, `unknown` for all that cannot be read for certain.
 */
export function readAnswer<T>(
  answer: WireAnswer,
  { action, read }: { readonly action: string; readonly read: (json: unknown) => T },
): T {
  try {
    const json = parseAnswer(answer);
    const failure = failureOf(json, action);
    if (failure !== undefined) throw failure;
    // A request that failed half-way may still report success in its body.
    if (answer.status < 200 || answer.status > 299) throw new WireError('the status is no success');
    return read(json);
  } catch (error) {
    throw error instanceof ExchangeFailure ? error : illegibleAnswer(answer, { action, error });
  }
}

/**
 * The body as JSON. The body of a server error is not read: what it says is not to be relied on.
 */
function parseAnswer({ status, body }: WireAnswer): unknown {
  if (status >= 500) throw new WireError('the server failed');
  return parseJson(body);
}

function illegibleAnswer(
  answer: WireAnswer,
  { action, error }: { readonly action: string; readonly error: unknown },
): ExchangeFailure {
  const kind = answer.status === TOO_MANY_REQUESTS ? 'limited' : 'unknown';
  const is = `HTTP ${answer.status} ${JSON.stringify(excerpt(answer.body))} (${messageOf(error)})`;
  return new ExchangeFailure(kind, `Cannot ${action}: the answer is ${is}, JSON is wanted`, {
    cause: error,
  });
}

/** The failure in an answer's envelope; undefined for a success. */
function failureOf(json: unknown, action: string): ExchangeFailure | undefined {
  if (!isFields(json)) return undefined;
  const { code, text, success } = envelopeOf(json);
  if (success) return undefined;
  const named = code === undefined ? '' : `${code} `;
  // The text may already begin with the action.
  const said = text.startsWith(`Cannot ${action}: `)
    ? text.slice(`Cannot ${action}: `.length)
    : text;
  const message = `Cannot ${action}: the exchange answered ${named}${JSON.stringify(excerpt(said))}`;
  return new ExchangeFailure(kindOf(code, text), message, { code });
}

/** Code, text and verdict of an envelope. Source: contract, Errors 1; wire facts, Dialects. */
export function envelopeOf(json: Fields): {
  readonly code: number | undefined;
  readonly text: string;
  readonly success: boolean;
} {
  const { code: rawCode, message } = json;
  const code = codeOf(rawCode);
  const nested = isFields(message) ? message : undefined;
  const text = nested === undefined ? (message ?? '') : (nested.des ?? '');
  const refused = json.result === false || json.success === false || nested?.isSuc === false;
  const success = !refused && (rawCode === undefined || code === CODES.success);
  // A refusal with the code of success: the code does not say what happened.
  return {
    code: refused && code === CODES.success ? undefined : code,
    text: String(text),
    success,
  };
}

function codeOf(value: unknown): number | undefined {
  const code = typeof value === 'string' && value !== '' ? Number(value) : value;
  return typeof code === 'number' && Number.isInteger(code) ? code : undefined;
}
