import {
  type Config,
  DnsClient,
  type FoundRole,
  type HostPort,
  type OutgoingGate,
  ownPeer,
  urlOf,
} from '@fairway/platform'

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
  const asked = places.map(async (at) => {
    if (!(await (role === 'dns' ? isNameServer(config, at) : isEdge(gate, at)))) throw new Error('it does not answer')
  })
  return Promise.any(asked).then(
    () => true,
    () => false,
  )
}

/** Asked twice, since a packet may be lost. One that has lost its zones refuses. */
async function isNameServer({ serviceDomain }: Config, at: HostPort): Promise<boolean> {
  await using client = new DnsClient(ownPeer(at), { timeoutMs: TIMEOUT_MS / 2, tries: 2 })
  return ((await client.ask(serviceDomain, 'SOA'))?.answers.length ?? 0) > 0
}

async function isEdge(gate: OutgoingGate, at: HostPort): Promise<boolean> {
  const url = new URL('/.well-known/cdn/health', urlOf(at))
  const answer = await gate
    .exchange(
      { organizationId: null, purpose: 'probe' },
      { url, own: true, timeoutMs: TIMEOUT_MS, mostBytes: MOST_BYTES },
    )
    .catch(() => null)
  return answer?.status === 200
}
