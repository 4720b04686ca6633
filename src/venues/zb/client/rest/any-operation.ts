import type { Observable } from 'rxjs';
import {
  type CallParameters,
  callParameters,
  type Json,
  type JsonFields,
  readAny,
} from '../../wire/index.ts';
import type { SignedRequests } from './signed-requests.ts';

/** Sends any signed operation by its name. */
export function callAny(
  requests: SignedRequests,
  { method, parameters }: { readonly method: string; readonly parameters: CallParameters },
): Observable<JsonFields | readonly Json[]> {
  return requests.send(`call ${method}`, {
    parameters: () => callParameters(method, parameters),
    read: readAny,
  });
}
