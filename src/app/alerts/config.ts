import { z } from 'zod';
import { DAY_MS, VARIABLE_NAME } from '../../kernel/index.ts';

/** The formats of posts, one per kind of service. */
const ALERT_FORMATS = ['json', 'slack', 'discord', 'telegram', 'text'] as const;
export type AlertFormat = (typeof ALERT_FORMATS)[number];

const DEFAULTS = {
  format: 'json',
  level: 'error',
  pauseMs: 10_000,
  aliveEveryMs: 60_000,
} as const;

const REFERENCE = 'a reference { env: NAME } to an environment variable is wanted';

const address = z.strictObject(
  {
    env: z
      .string()
      .regex(VARIABLE_NAME, 'the name of an environment variable is wanted')
      .describe('Name of the environment variable that holds the address.'),
  },
  {
    error: ({ code, input }) =>
      code === 'invalid_type' && input !== null
        ? `no address in plain text: ${REFERENCE}`
        : undefined,
  },
);

/** The settings of alerts: where a run posts them, and how. */
export const alertsConfigSchema = z
  .strictObject({
    url: address
      .optional()
      .describe(
        'Where alerts are posted, by reference to the environment. Default: nowhere; `aliveUrl` alone is called.',
      ),
    format: z
      .enum(ALERT_FORMATS)
      .optional()
      .describe(
        'What is posted: `json` for programs of your own, `slack` (Mattermost too), `discord`, ' +
          '`telegram` (the address of its `sendMessage`), `text` plain text, as ntfy takes it. ' +
          `Default: \`${DEFAULTS.format}\`.`,
      ),
    chat: z.string().min(1).optional().describe('The chat that `telegram` posts to.'),
    level: z
      .enum(['warn', 'error'])
      .optional()
      .describe(
        'Least level of the log that is posted. `error`: what a person should look at; `warn`: ' +
          `also what resolves itself. Default: \`${DEFAULTS.level}\`.`,
      ),
    fills: z.boolean().optional().describe('Whether each fill is posted, too. Default: false.'),
    pauseMs: z
      .int()
      .min(1_000)
      .optional()
      .describe(
        'Least time between two posts; what comes meanwhile is posted together. Default: ' +
          `${DEFAULTS.pauseMs}.`,
      ),
    aliveUrl: address
      .optional()
      .describe(
        'What is called as long as the run lives, by reference to the environment: a service ' +
          'that alerts you when the calls stop. Default: nothing.',
      ),
    aliveEveryMs: z
      .int()
      .min(1_000)
      .max(DAY_MS)
      .optional()
      .describe(`How often \`aliveUrl\` is called. Default: ${DEFAULTS.aliveEveryMs}.`),
  })
  .superRefine((settings, issues) => {
    const { url, format = DEFAULTS.format, chat, aliveUrl } = settings;
    const refuse = (path: string, message: string): void =>
      issues.addIssue({ code: 'custom', path: [path], message });
    if (url === undefined && aliveUrl === undefined)
      return refuse('url', `it is missing, ${REFERENCE}`);
    for (const key of ['format', 'chat', 'level', 'fills', 'pauseMs'] as const)
      if (url === undefined && settings[key] !== undefined)
        refuse(key, 'nothing is posted, url is wanted with it');
    if (aliveUrl === undefined && settings.aliveEveryMs !== undefined)
      refuse('aliveEveryMs', 'nothing is called, aliveUrl is wanted with it');
    if (format === 'telegram' && chat === undefined)
      refuse('chat', 'it is missing, the chat that telegram posts to is wanted');
    if (url !== undefined && format !== 'telegram' && chat !== undefined)
      refuse('chat', `${format} has no chats, format: telegram is wanted with it`);
  });
export type AlertsConfig = z.infer<typeof alertsConfigSchema>;

/** The same settings, with a default where a deployment sets nothing. */
export function withDefaults(settings: AlertsConfig) {
  const {
    format = DEFAULTS.format,
    level = DEFAULTS.level,
    pauseMs = DEFAULTS.pauseMs,
    aliveEveryMs = DEFAULTS.aliveEveryMs,
  } = settings;
  return { ...settings, format, level, pauseMs, aliveEveryMs };
}
