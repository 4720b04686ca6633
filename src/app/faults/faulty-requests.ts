import { delay, EMPTY, ignoreElements, map, type Observable, of, switchMap } from 'rxjs';
import { CODES } from '../../exchange/index.ts';
import type { Clock } from '../../kernel/index.ts';
import type { Answer, DialectName } from '../../venues/zb/server/index.ts';
import type { RequestFault } from './fault.ts';

const PAGE = '<!DOCTYPE html><html><head><title>502 Bad Gateway</title></head><body></body></html>';

/** Source: wire facts, overloaded servers. */
const BUSY = '{"result":false,"message":"服务端忙碌"}';
const TIMED_OUT = `{"code":${CODES.general},"message":"响应超时"}`;

/**
 * The answer to a request that a fault hits; none where the connection breaks.
 *
 * The request reaches the exchange as often as `answer` is subscribed to. `clock`: the callers'
 * time.
 */
export function hitBy(
  fault: RequestFault,
  surroundings: {
    readonly answer: Observable<Answer>;
    readonly clock: Clock;
    readonly dialect: DialectName;
  },
): Observable<Answer> {
  const { answer, clock, dialect } = surroundings;
  const instead = (other: Answer, taken: boolean): Observable<Answer> =>
    taken ? answer.pipe(map(() => other)) : of(other);
  switch (fault.kind) {
    case 'answerDelayed':
      return answer.pipe(delay(fault.delayMs, clock));
    case 'answerLost':
      return answer.pipe(ignoreElements());
    case 'answerTruncated':
      return answer.pipe(map(({ body, ...rest }) => ({ ...rest, body: firstHalf(body) })));
    case 'requestDropped':
      return EMPTY;
    case 'requestDuplicated':
      return answer.pipe(switchMap((first) => answer.pipe(map(() => first))));
    case 'htmlPage':
      return instead(pageOf(fault.status), fault.taken);
    case 'busy':
      return instead(jsonOf(BUSY), fault.taken);
    case 'timedOut':
      return instead(jsonOf(TIMED_OUT), fault.taken);
    case 'maintenance':
      return of(refusal(dialect, { code: CODES.maintenance, message: 'Under maintenance' }));
    case 'refused':
      return of(refusal(dialect, fault));
    default:
      return fault satisfies never;
  }
}

/** A refusal as the exchange itself writes it: the code is a text in the recorded dialect. */
function refusal(
  dialect: DialectName,
  { code, message }: { readonly code: number; readonly message: string },
): Answer {
  return jsonOf(JSON.stringify({ code: dialect === 'recorded' ? String(code) : code, message }));
}

function jsonOf(body: string): Answer {
  return { status: 200, body };
}

function pageOf(status: number): Answer {
  return { status, body: PAGE, contentType: 'text/html; charset=utf-8' };
}

function firstHalf(text: string): string {
  return text.slice(0, Math.ceil(text.length / 2));
}
