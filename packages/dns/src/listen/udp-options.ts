import type { HostPort, Log } from '@fairway/platform'
import type { Libc } from '@fairway/platform/lean'
import type { Handler } from './handler.ts'

/** `dgram` is Node's own and goes everywhere; `mmsg` takes and gives datagrams in batches, on Linux. */
export type UdpTransport = 'dgram' | 'mmsg'

/** `batched` are those received in batches, `own` the heartbeat's, `faults` how often batches were ended. */
export type UdpCounters = {
  received: number
  batched: number
  own: number
  sent: number
  sendErrors: number
  dropped: number
  faults: number
}

export type UdpOptions = {
  at: HostPort
  handler: Pick<Handler, 'handle' | 'expect' | 'prefetch'>
  log: Log
  transport?: UdpTransport
  /** Others may listen on the same address and share its datagrams: so many, this one among them. 0 is none. */
  sharers?: number
  libc?: Libc | null
  beatMs?: number
}
