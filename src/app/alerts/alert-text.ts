import type { AlertFormat } from './config.ts';

/** The least urgent first. */
const ALERT_LEVELS = ['info', 'warn', 'error'] as const;
export type AlertLevel = (typeof ALERT_LEVELS)[number];

/** Something that a person should know. */
export interface Alert {
  readonly time: number;
  readonly level: AlertLevel;
  readonly text: string;
}

/** How urgent an alert is beside others: a larger number is more so. */
export function urgency({ level }: Alert): number {
  return ALERT_LEVELS.indexOf(level);
}

/** What is posted. */
export interface AlertBody {
  readonly contentType: string;
  readonly body: string;
}

export interface AlertBodyOptions {
  /** Name of the deployment. */
  readonly deployment: string;
  readonly format: AlertFormat;
  readonly chat?: string | undefined;
  /** Alerts that were dropped beside these. Default: none. */
  readonly dropped?: number;
}

/** Longest text. Source: Discord takes 2,000 characters, the least of all the services. */
const TEXT_MAX = 1_900;

/** The body of a post for a service: one post, however many alerts. */
export function alertBody(alerts: readonly Alert[], options: AlertBodyOptions): AlertBody {
  const { deployment, format, chat, dropped = 0 } = options;
  const text = alertText(alerts, options);
  switch (format) {
    case 'slack':
      return json({ text });
    case 'discord':
      return json({ content: text });
    case 'telegram':
      return json({ chat_id: chat, text });
    case 'text':
      return { contentType: 'text/plain; charset=utf-8', body: text };
    case 'json': {
      const shown = alerts.map(({ time, ...alert }) => ({ time: isoOf(time), ...alert }));
      return json({ deployment, text, dropped, alerts: shown });
    }
    default:
      return format satisfies never;
  }
}

/** Alerts for people: one per line, the most urgent and then the oldest first, until it is full. */
export function alertText(
  alerts: readonly Alert[],
  { deployment, dropped = 0 }: Pick<AlertBodyOptions, 'deployment' | 'dropped'>,
): string {
  const [only] = alerts;
  if (alerts.length === 1 && dropped === 0) return cut(`${deployment}: ${only!.text}`, TEXT_MAX);
  const lines = [`${deployment}: ${alerts.length + dropped} alerts (times UTC)`];
  if (dropped > 0) lines.push(`(${dropped} others are only in the log)`);
  let length = lines.join('\n').length;
  const ordered = alerts.toSorted((a, b) => urgency(b) - urgency(a));
  for (const [at, { time, text }] of ordered.entries()) {
    const line = `${isoOf(time).slice(11, 19)} ${text}`;
    const left = alerts.length - at;
    const rest = `(${left} more are in the log)`;
    if (length + line.length + rest.length + 2 > TEXT_MAX) {
      // The first one is shown, however long it is.
      lines.push(at === 0 ? cut(line, TEXT_MAX - length - 1) : rest);
      break;
    }
    lines.push(line);
    length += line.length + 1;
  }
  return lines.join('\n');
}

function cut(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length - 1)}…`;
}

function json(value: object): AlertBody {
  return { contentType: 'application/json', body: JSON.stringify(value) };
}

function isoOf(time: number): string {
  return new Date(time).toISOString();
}
