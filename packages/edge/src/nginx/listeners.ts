import { type HeldSockets, type HostPort, Problem, closeSocket, heldKey, openHeldListener } from '@fairway/platform'
import { takenSentence } from './program.ts'

/** The sockets that every nginx of ours is started with. */
export type Listeners = Disposable & {
  /** File descriptors, each for one address of the configuration. */
  fds(): number[]
  /** Whether all are ours to pass on; else nginx opens them, and only when the one before has let go. */
  areHeld(): boolean
  /** Opens those that nobody holds yet. @throws Problem when another program has one */
  want(addresses: readonly HostPort[]): Promise<void>
}

/** @param mayBeOurs an nginx of before may listen at what is taken */
export function listeners(given: HeldSockets, mayBeOurs: () => boolean): Listeners {
  const held = new Map<string, number>()
  let wanted: string[] = []
  return {
    fds: () => wanted.flatMap((key) => held.get(key) ?? []),
    areHeld: () => wanted.every((key) => held.has(key)),
    async want(addresses) {
      for (const at of addresses) {
        const key = heldKey(at)
        const fd = held.get(key) ?? given[key] ?? (await openOwn(at, mayBeOurs))
        if (fd !== null) held.set(key, fd)
      }
      wanted = addresses.map(heldKey)
    },
    [Symbol.dispose]() {
      for (const fd of held.values()) closeSocket(fd)
    },
  }
}

async function openOwn(at: HostPort, mayBeOurs: () => boolean): Promise<number | null> {
  try {
    return await openHeldListener(at)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    if (code === 'EADDRINUSE' && mayBeOurs()) return null
    throw new Problem(takenSentence(`${at.host}:${at.port}`, code), { cause: error })
  }
}
