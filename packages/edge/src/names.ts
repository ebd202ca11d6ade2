import type { Log, OutgoingGate } from '@fairway/platform'

export type NameTable = Record<string, string[]>
/** Names to resolve, each with an organisation that wants it. */
export type Wanted = ReadonlyMap<string, string>
export type OriginNames = Disposable & {
  /** Resolves those not yet known and answers with what is known of them after `FIRST_ANSWER_MS` at the latest. */
  ensure(names: Wanted): Promise<NameTable>
  unresolved(): string[]
}

const REFRESH_MS = 30_000
const FIRST_ANSWER_MS = 2_000

/**
 * Keeps origins' host names resolved, so that no request waits for a resolver and the last good addresses outlive its
 * outage.
 * `changed` is called with names whose addresses are new.
 * Whoever owns a name decides where it leads, and may change it at any time: each time it is resolved, its addresses go
 * through the gate.
 */
export function originNames(options: {
  gate: OutgoingGate
  wanted: () => Wanted
  changed: (table: NameTable) => void
  log: Log
  refreshMs?: number
}): OriginNames {
  const known = new Map<string, string[]>()
  const resolveOne = async (name: string, organizationId: string): Promise<boolean> => {
    try {
      const addresses = (await options.gate.addresses({ organizationId, purpose: 'origin' }, name, null)).sort()
      if (known.get(name)?.join() === addresses.join()) return false
      known.set(name, addresses)
      options.log.info({ event: 'origin.resolved', name, addresses })
      return true
    } catch (error) {
      // The last good addresses stay in use.
      options.log.warn({ event: 'origin.unresolved', name, kept: known.get(name)?.length ?? 0, err: error })
      return false
    }
  }
  const tableOf = (names: string[]): NameTable =>
    Object.fromEntries(names.flatMap((name) => (known.has(name) ? [[name, known.get(name) ?? []]] : [])))
  const refresh = async (names: Wanted) => {
    const asked = [...names].map(async ([name, owner]) => ((await resolveOne(name, owner)) ? [name] : []))
    const news = (await Promise.all(asked)).flat()
    if (news.length > 0) options.changed(tableOf(news))
  }
  const timer = setInterval(() => {
    const wanted = options.wanted()
    for (const name of known.keys()) if (!wanted.has(name)) known.delete(name)
    void refresh(wanted)
  }, options.refreshMs ?? REFRESH_MS)
  timer.unref()
  return {
    async ensure(names) {
      const unknown = new Map([...names].filter(([name]) => !known.has(name)))
      let giveUp: NodeJS.Timeout | undefined
      if (unknown.size > 0)
        await Promise.race([
          refresh(unknown),
          new Promise((resolve) => (giveUp = setTimeout(resolve, FIRST_ANSWER_MS))),
        ])
      clearTimeout(giveUp)
      return tableOf([...names.keys()])
    },
    unresolved: () => [...options.wanted().keys()].filter((name) => !known.has(name)),
    [Symbol.dispose]: () => clearInterval(timer),
  }
}
