import { isEnabled, type Logger, type LogLevel, loggerTo } from '../../kernel/index.ts';
import type { AlertLevel } from './alert-text.ts';

/** The same logger; what it is told at that level or above is told as an alert too. */
export function alertingLogger(
  logger: Logger,
  { level, tell }: { readonly level: 'warn' | 'error'; readonly tell: Tell },
): Logger {
  const isAlert = (asked: LogLevel): asked is 'warn' | 'error' =>
    asked === 'error' || asked === level;
  return loggerTo(
    (asked, fields, text) => {
      if (isAlert(asked)) tell(asked, text);
      logger[asked](fields, text);
    },
    (asked) => isAlert(asked) || isEnabled(logger, asked),
  );
}

type Tell = (level: AlertLevel, text: string) => void;
