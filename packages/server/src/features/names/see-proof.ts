import { proofRecordName } from '@fairway/domain'
import { DnsClient, type Config, type Peer } from '@fairway/platform'
import { addressesOf, admitted, resolverOf, type Asker } from '../add-site/old-nameservers.ts'

const MOST_SERVERS = 4

/**
 * Whether a token stands at the nameservers that the parent names. They are asked themselves, so that neither a cache
 * nor an alias answers in their place, and every one that answers has to say it. A server of ours proves nothing: it
 * would answer with the claim's own records. Null when none has answered.
 */
export async function seeProof(
  asker: Asker,
  zone: string,
  nameservers: readonly string[],
  token: string,
): Promise<boolean | null> {
  const resolver = resolverOf(asker.config)
  const found = await Promise.all(nameservers.slice(0, MOST_SERVERS).map((name) => addressesOf(resolver, name)))
  const peers = await admitted(asker, [...new Set(found.flat())].slice(0, MOST_SERVERS))
  const said = await Promise.all(peers.map((peer) => tokenAt(asker.config, peer, zone, token)))
  const known = said.filter((one) => one !== null)
  return known.length === 0 ? null : known.every(Boolean)
}

async function tokenAt(config: Config, peer: Peer, zone: string, token: string): Promise<boolean | null> {
  await using client = new DnsClient(peer, { timeoutMs: 1_000 })
  const name = proofRecordName(zone)
  const reply = await client.ask(name, 'TXT')
  if (!reply?.authoritative) return null
  const says = reply.answers.some(
    (record) => record.type === 'TXT' && record.name === name && textOf(record.rdata) === token,
  )
  return says && !(await isOurServer(config, client))
}

/** Whoever answers for the installation's own zone is one of its name servers, under whatever name. */
export async function isOurServer(config: Config, client: DnsClient): Promise<boolean> {
  const reply = await client.ask(config.serviceDomain, 'SOA')
  return reply?.authoritative === true && reply.answers.some(({ type }) => type === 'SOA')
}

/** The strings of a TXT record, joined (RFC 7208 3.3 does the same). */
const textOf = (rdata: string): string =>
  [...rdata.matchAll(/"((?:[^"\\]|\\.)*)"|(\S+)/g)].map((match) => match[1] ?? match[2] ?? '').join('')
