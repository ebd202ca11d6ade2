import { type Config, DnsClient, type FoundRole, type OutgoingGate, ownPeer, urlOf } from '@fairway/platform'

const TIMEOUT_MS = 2_000
const MOST_BYTES = 4_096
/** Where the world asks. A trial listens elsewhere, and all of its machines do. */
const [DNS_PORT, HTTP_PORT] = [53, 80]

/** Whether a name server or an edge answers at one of the addresses that names lead to, whoever hears from it. */
export async function answersItself(
  config: Config,
  gate: OutgoingGate,
  role: FoundRole,
  addresses: readonly string[],
): Promise<boolean> {
  const ports = new Set(role === 'dns' ? [DNS_PORT, config.dnsListen.port] : [HTTP_PORT, config.edgeHttp.port])
  const places = addresses.flatMap((host) => [...ports].map((port) => ({ host, port })))
  const asked = await Promise.all(
    places.map(async (at) => {
      if (role === 'edge') return isEdge(gate, urlOf(at))
      await using client = new DnsClient(ownPeer(at), { timeoutMs: TIMEOUT_MS, tries: 1 })
      // One that has lost its zones refuses.
      return ((await client.ask(config.serviceDomain, 'SOA'))?.answers.length ?? 0) > 0
    }),
  )
  return asked.some(Boolean)
}

async function isEdge(gate: OutgoingGate, origin: string): Promise<boolean> {
  const answer = await gate
    .exchange(
      { organizationId: null, purpose: 'probe' },
      { url: new URL('/.well-known/cdn/health', origin), own: true, timeoutMs: TIMEOUT_MS, mostBytes: MOST_BYTES },
    )
    .catch(() => null)
  return answer?.status === 200
}
