import { Session, drainPending } from 'chdb'
import { FacadeError } from './facade-error.ts'
import { SESSION_SETTINGS } from './request-parameters.ts'

/** One session serialises everything; several on one path run side by side, so requests borrow from a pool. */
export type Lease = {
  session: Session
  /** The request changed the session's state (SET, USE): the next borrower gets a fresh one. */
  spoil(): void
  release(): void
}
export type SessionPool = AsyncDisposable & {
  /** @throws FacadeError 202 when too many wait. */
  borrow(kind: 'read' | 'write'): Promise<Lease>
  busy(): { running: number; waiting: number }
}

const WAITING_MOST = 400
/**
 * Limits of every request that does not set its own; settings given at connect survive no `SET x = DEFAULT`, which is
 * why spoiled sessions are replaced.
 */
const CONNECTION_ARGS = Object.entries(SESSION_SETTINGS).map(([name, value]) => `--${name}=${value}`)

/**
 * Opens `size` sessions on the folder. Reads leave one session to writes, so that no question of an analyst holds up
 * ingest.
 *
 * @param configFile of a server; the first pool of a process decides
 */
export function openSessionPool(folder: string, size: number, configFile?: string): SessionPool {
  const connectionArgs = [...CONNECTION_ARGS, ...(configFile === undefined ? [] : [`--config-file=${configFile}`])]
  const open = () => new Session(folder, { connectionArgs })
  const idle = Array.from({ length: size }, open)
  const waiting: { kind: 'read' | 'write'; take: (session: Session) => void }[] = []
  let reads = 0
  const readsMost = Math.max(1, size - 1)

  const pump = () => {
    for (let at = 0; at < waiting.length && idle.length > 0;) {
      const next = waiting[at]
      if (!next || (next.kind === 'read' && reads >= readsMost)) at++
      else {
        const session = idle.pop()
        waiting.splice(at, 1)
        if (next.kind === 'read') reads++
        if (session) next.take(session)
      }
    }
  }
  return {
    borrow: (kind) =>
      new Promise((resolve, reject) => {
        if (waiting.length >= WAITING_MOST)
          return reject(
            new FacadeError(
              202,
              'TOO_MANY_SIMULTANEOUS_QUERIES',
              `Too many simultaneous queries: ${waiting.length} wait already`,
            ),
          )
        waiting.push({ kind, take: (session) => resolve(leaseOf(session)) })
        pump()
        function leaseOf(session: Session): Lease {
          let spoiled = false
          let released = false
          return {
            session,
            spoil: () => (spoiled = true),
            release() {
              if (released) return
              released = true
              if (kind === 'read') reads--
              if (spoiled) session.close()
              idle.push(spoiled ? open() : session)
              pump()
            },
          }
        }
      }),
    busy: () => ({ running: size - idle.length, waiting: waiting.length }),
    async [Symbol.asyncDispose]() {
      await drainPending()
      for (const session of idle) session.close()
    },
  }
}
