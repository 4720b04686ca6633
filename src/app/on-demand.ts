/**
 * The rooms of this floor that commands enter. Each is loaded when it is entered for the first
 * time: no command waits for what only others need.
 */
export const rooms = {
  alerts: () => import('./alerts/try-alerts.ts'),
  backtest: () => import('./backtest/index.ts'),
  compare: () => import('./compare/index.ts'),
  errors: () => import('./errors.ts'),
  exchange: () => import('./exchange/serve-exchange.ts'),
  history: () => import('./history/index.ts'),
  journal: () => import('./journal/index.ts'),
  nouns: () => import('./nouns.ts'),
  replay: () => import('./replay/index.ts'),
  positions: () => import('./terminal/set-position.ts'),
  run: () => import('./run-deployment.ts'),
  settle: () => import('./terminal/settle-order.ts'),
  settings: () => import('./config/generated.ts'),
  terminal: () => import('./terminal/index.ts'),
} as const;
