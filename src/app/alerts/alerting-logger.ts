import { isEnabled, type Logger, type LogLevel, loggerTo } from '../../kernel/index.ts';
import type { AlertLevel } from './alert-text.ts';

/** A logger that also sends what is logged at that level or above as an alert. */
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
