import type { Logger } from '../../kernel/index.ts';
import type { AlertLevel } from './alert-text.ts';

/** The same logger; what it is told at that level or above is told as an alert too. */
export function alertingLogger(
  logger: Logger,
  { level, tell }: { readonly level: 'warn' | 'error'; readonly tell: Tell },
): Logger {
  return {
    debug: (fields, text) => logger.debug(fields, text),
    info: (fields, text) => logger.info(fields, text),
    warn: (fields, text) => {
      if (level === 'warn') tell('warn', text);
      logger.warn(fields, text);
    },
    error: (fields, text) => {
      tell('error', text);
      logger.error(fields, text);
    },
    isLevelEnabled: (asked) => asked === 'error' || asked === level || enabled(logger, asked),
  };
}

type Tell = (level: AlertLevel, text: string) => void;

function enabled(logger: Logger, level: 'debug' | 'info' | 'warn' | 'error'): boolean {
  return logger.isLevelEnabled?.(level) ?? true;
}
