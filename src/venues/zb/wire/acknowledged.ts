import { CODES } from '../../../exchange/index.ts';
import { envelopeOf } from './outcome.ts';
import { type Fields, fieldsOf, illegible } from './read.ts';

/** The text that goes with code 1000. Source: wire facts, the recorded answer of `order`. */
export const SUCCESS_MESSAGE = '操作成功';

/**
 * The fields of an answer with the code of success. A missing code is no success: a request that
 * changes something must not be taken for done without it.
 *
 * @throws {WireError}
 */
export function acknowledged(json: unknown): Fields {
  const answer = fieldsOf(json, 'answer');
  const { code, success } = envelopeOf(answer);
  if (!success || code === undefined) illegible('the answer', json, `code ${CODES.success}`);
  return answer;
}

/** An answer that says only that it was a success. @throws {WireError} without that code. */
export function readAcknowledged(json: unknown): void {
  acknowledged(json);
}

/** The `datas` of a nested message. Source: contract, Errors 1. @throws {WireError} */
export function datasOf(json: unknown): unknown {
  return fieldsOf(acknowledged(json).message, "answer's message").datas;
}
