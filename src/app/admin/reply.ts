/** What the admin port answers: always a JSON object, with `error` in it where something is wrong. */
export interface Reply {
  readonly status: number;
  readonly body: object;
}

export function done(body: object): Reply {
  return { status: 200, body };
}

export function refused(status: number, error: string): Reply {
  return { status, body: { error } };
}

/** The reply as text: maps as objects, exact decimals as texts. */
export function jsonOf(body: object): string {
  const plain = (_key: string, value: unknown): unknown =>
    value instanceof Map ? Object.fromEntries(value) : value;
  return `${JSON.stringify(body, plain, 2)}\n`;
}
