import dns from 'node:dns'
import net from 'node:net'
import { isBogon } from '@fairway/domain'
import type { Log } from '@fairway/platform'

export type NameTable = Record<string, string[]>
export type OriginNames = Disposable & {
  /** Resolves those not yet known and answers with what is known of them after `FIRST_ANSWER_MS` at the latest. */
  ensure(names: string[]): Promise<NameTable>
  unresolved(): string[]
}

const REFRESH_MS = 30_000
const FIRST_ANSWER_MS = 2_000

/**
 * Keeps origins' host names resolved, so that no request waits for a resolver and the last good addresses outlive its
 * outage.
 * `resolver` is `host:port`; empty asks the system, which knows /etc/hosts too. `changed` is called with names whose
 * addresses are new.
 * Whoever owns a name decides where it leads: into our own networks only where that is allowed.
 */
export function originNames(options: {
  resolver: string
  wanted: () => string[]
  changed: (table: NameTable) => void
  log: Log
  refreshMs?: number
  privateOrigins?: 'refuse' | 'allow'
}): OriginNames {
  const lookup = options.resolver ? askResolver(options.resolver) : askSystem
  const known = new Map<string, string[]>()
  const resolveOne = async (name: string): Promise<boolean> => {
    try {
      const addresses = (await lookup(name))
        .filter((address) => net.isIP(address) !== 0 && (options.privateOrigins === 'allow' || !isBogon(address)))
        .sort()
      if (addresses.length === 0 || known.get(name)?.join() === addresses.join()) return false
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
  const refresh = async (names: string[]) => {
    const news = (await Promise.all(names.map(async (name) => ((await resolveOne(name)) ? [name] : [])))).flat()
    if (news.length > 0) options.changed(tableOf(news))
  }
  const timer = setInterval(() => {
    const wanted = new Set(options.wanted())
    for (const name of known.keys()) if (!wanted.has(name)) known.delete(name)
    void refresh([...wanted])
  }, options.refreshMs ?? REFRESH_MS)
  timer.unref()
  return {
    async ensure(names) {
      const unknown = names.filter((name) => !known.has(name))
      let giveUp: NodeJS.Timeout | undefined
      if (unknown.length > 0)
        await Promise.race([
          refresh(unknown),
          new Promise((resolve) => (giveUp = setTimeout(resolve, FIRST_ANSWER_MS))),
        ])
      clearTimeout(giveUp)
      return tableOf(names)
    },
    unresolved: () => options.wanted().filter((name) => !known.has(name)),
    [Symbol.dispose]: () => clearInterval(timer),
  }
}

async function askSystem(name: string): Promise<string[]> {
  return (await dns.promises.lookup(name, { all: true })).map((found) => found.address)
}

function askResolver(server: string): (name: string) => Promise<string[]> {
  const resolver = new dns.promises.Resolver({ timeout: 1000, tries: 2 })
  resolver.setServers([server])
  return async (name) => {
    const [v4, v6] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
    if (v4.status === 'rejected' && v6.status === 'rejected') throw v4.reason
    return [...(v4.status === 'fulfilled' ? v4.value : []), ...(v6.status === 'fulfilled' ? v6.value : [])]
  }
}
