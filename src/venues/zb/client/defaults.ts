/** The defaults of a deployment. Times in milliseconds. */
export const DEFAULTS = {
  requestTimeoutMs: 5_000,
  connections: 16,
  urgentConnections: 4,
  timeOffsetMs: 0,
  /** Source: wire facts, WebSocket, heartbeat. */
  pingIntervalMs: 5_000,
  /** Source: wire facts, WebSocket, heartbeat. */
  silenceMs: 20_000,
  reconnectMinMs: 500,
  reconnectMaxMs: 30_000,
} as const;
