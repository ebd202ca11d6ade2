import type { PlaceLimits } from './places.ts'

export type TcpCounters = { accepted: number; refused: number; queries: number; timedOut: number }
/** `unsentBytes` wait for clients to read them, in all connections together. */
export type TcpLimits = PlaceLimits & { idleMs: number; unsentBytes: number }

/** Room for resolvers that keep connections open, and none for those that only take places (RFC 7766 6.2.3, 10). */
export const TCP_LIMITS: TcpLimits = {
  connections: 2000,
  connectionsPerPeer: 200,
  idleMs: 10_000,
  unsentBytes: 16 << 20,
}
