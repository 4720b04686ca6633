import { CODES } from '../../../exchange/index.ts';
import { envelopeOf } from './outcome.ts';
import { type Fields, fieldsOf, illegible } from './read.ts';

/** The text that goes with code 1000. Source: wire facts, the recorded answer of `order`. */
export const SUCCESS_MESSAGE = '操作成功';

/**
 * The fields of an answer that says the code of success: its absence counts as none, for what
 * changes anything must not be taken for done.
 *
 * @throws {WireError}
 */
export function acknowledged(json: unknown): Fields {
  const answer = fieldsOf(json, 'answer');
  const { code, success } = envelopeOf(answer);
  if (!success || code === undefined) illegible('the answer', json, `code ${CODES.success}`);
  return answer;
}

/** An answer of success that carries nothing else. @throws {WireError} where it says no code. */
export function readAcknowledged(json: unknown): void {
  acknowledged(json);
}

/** What stands in the `datas` of a nested message. Source: contract, Errors 1. @throws {WireError} */
export function datasOf(json: unknown): unknown {
  return fieldsOf(acknowledged(json).message, "answer's message").datas;
}
