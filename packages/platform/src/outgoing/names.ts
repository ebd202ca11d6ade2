import dns from 'node:dns'
import net from 'node:net'
import { addressKey } from '@fairway/domain/web-security'

/** Names through one resolver. */
export type Names = {
  /** Every address of a name, IPv4 before IPv6; empty when it has none. @throws Error when nobody could be asked */
  addressesOf(name: string): Promise<string[]>
  /** The name that this one is an alias of (CNAME), null when it is none or nobody knows. */
  aliasOf(name: string): Promise<string | null>
  /** The names of an address (PTR); empty when it has none. @throws Error when nobody could be asked */
  namesOf(address: string): Promise<string[]>
  /** The texts of a name (TXT), each joined to one; empty when it has none. @throws Error when nobody could be asked */
  textsOf(name: string): Promise<string[]>
}

const ASKING = { timeout: 2_000, tries: 2 }
/** What a resolver says of a name that is not there, or not of this kind. */
const NOTHING: ReadonlySet<string> = new Set([dns.NODATA, dns.NOTFOUND])

/** Asks `host:port`; when it is empty the system, which knows its hosts file too. An address stands for itself. */
export function namesThrough(resolver: string): Names {
  const servers = new dns.promises.Resolver(ASKING)
  if (resolver) servers.setServers([resolver])
  const asked = (answer: Promise<string[]>) =>
    answer.catch((error: NodeJS.ErrnoException) => {
      if (NOTHING.has(error.code ?? '')) return []
      throw error
    })
  const lookUp = async (name: string): Promise<string[]> => {
    if (!resolver)
      return (await dns.promises.lookup(name, { all: true, order: 'ipv4first' })).map(({ address }) => address)
    const [v4, v6] = await Promise.allSettled([asked(servers.resolve4(name)), asked(servers.resolve6(name))])
    if (v4.status === 'rejected' && v6.status === 'rejected') throw v4.reason
    return [...(v4.status === 'fulfilled' ? v4.value : []), ...(v6.status === 'fulfilled' ? v6.value : [])]
  }
  return {
    addressesOf: async (name) => (net.isIP(name) === 0 ? lookUp(name) : [name]),
    aliasOf: async (name) => (await servers.resolveCname(name).catch(() => []))[0]?.toLowerCase() ?? null,
    namesOf: (address) => asked(servers.resolvePtr(reverseName(address))),
    textsOf: (name) => asked(servers.resolveTxt(name).then((texts) => texts.map((parts) => parts.join('')))),
  }
}

/** Where the names of an address stand. Node's own way back takes a resolver that fails for one that knows of none. */
function reverseName(address: string): string {
  const key = addressKey(address)
  if (key.length === 8) return `${Buffer.from(key, 'hex').toReversed().join('.')}.in-addr.arpa`
  return `${[...key].toReversed().join('.')}.ip6.arpa`
}
