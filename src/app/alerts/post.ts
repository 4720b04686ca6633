import { messageOf } from '../../kernel/index.ts';

/** A post without an answer fails after this time, milliseconds. */
const TIMEOUT_MS = 10_000;
/** How many characters of a refusing answer are reported. */
const ANSWER_MAX = 200;
/** Characters of an answer that are read: most are read whole, so that the socket is reused. */
const READ_MAX = 65_536;

/** The outcome of a post: taken, refused by an answer, or failed without one. */
export type Posted =
  | { readonly kind: 'taken' }
  | { readonly kind: 'refused'; readonly status: number; readonly reason: string }
  | { readonly kind: 'failed'; readonly reason: string };

export interface PostOptions {
  readonly method: 'GET' | 'POST';
  readonly contentType?: string;
  readonly body?: string;
  /** Ends the request early, with the run. Default: nothing does. */
  readonly signal?: AbortSignal;
}

/** Sends a request and reads its answer. Never throws: a failure is returned. */
export async function postTo(url: string, options: PostOptions): Promise<Posted> {
  const { method, contentType, body, signal } = options;
  const timeout = AbortSignal.timeout(TIMEOUT_MS);
  try {
    const answer = await fetch(url, {
      ...{ method, redirect: 'manual' },
      signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
      ...(body !== undefined && { body }),
      ...(contentType !== undefined && { headers: { 'content-type': contentType } }),
    });
    const text = await beginningOf(answer);
    if (answer.ok) return { kind: 'taken' };
    const { status } = answer;
    const said = text.trim().slice(0, ANSWER_MAX);
    return {
      ...{ kind: 'refused', status },
      reason: `it answered ${status}${said === '' ? '' : ` (${said})`}`,
    };
  } catch (thrown) {
    if (signal?.aborted === true) {
      return { kind: 'failed', reason: 'it had not answered when the run was over' };
    }
    // The error of fetch just says that it failed; its cause says why.
    const { cause } = thrown as { readonly cause?: unknown };
    return { kind: 'failed', reason: messageOf(cause ?? thrown) };
  }
}

/**
 * The text of an answer; only its beginning if it breaks off, has no end, or unpacks to gigabytes.
 */
async function beginningOf({ body }: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  try {
    for await (const chunk of body ?? []) {
      text += decoder.decode(chunk, { stream: true });
      if (text.length >= READ_MAX) break;
    }
  } catch {
    // The status has already told the outcome of the post.
  }
  return text;
}

/** Statuses by which a service asks to come again: timed out, too early, too many. */
const LATER = new Set([408, 425, 429]);

/** Whether the same post may be taken later. */
export function retries(posted: Exclude<Posted, { kind: 'taken' }>): boolean {
  return posted.kind === 'failed' || posted.status >= 500 || LATER.has(posted.status);
}
