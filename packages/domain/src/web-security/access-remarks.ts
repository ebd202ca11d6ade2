import type { AccessRemark, SecurityPolicy } from '@fairway/contract'
import { blockAround, contains, type IpNetwork, parseCidr } from '../steering/cidr.ts'
import { shortestBlock } from './compile.ts'

type Entry = SecurityPolicy['access'][number]
type Block = { entry: Entry; network: IpNetwork }

const networks = (...texts: string[]): IpNetwork[] => texts.flatMap((text) => parseCidr(text) ?? [])
/** Nobody's address: unspecified, multicast, reserved for good, broadcast (RFC 6890, RFC 5771, RFC 4291). */
const NEVER = networks('0.0.0.0/8', '224.0.0.0/4', '240.0.0.0/4', '::/128', 'ff00::/8')
/** Of a network's own, of a provider's (RFC 6598), of a machine or a cable: they reach an edge from inside only. */
const PRIVATE = networks(
  '10.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '::1/128',
  'fc00::/7',
  'fe80::/10',
)
/** Of examples and measurements (RFC 5737, 2544, 3849, 9637). */
const DOCUMENTATION = networks(
  '192.0.2.0/24',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '198.18.0.0/15',
  '2001:db8::/32',
  '3fff::/20',
)
/** All that IANA has given to networks of the internet (RFC 4291 2.4). */
const GLOBAL_V6 = networks('2000::/3')
const WIDE_BITS = { 4: 8, 6: 20 } as const
const ALL_V4 = 2 ** 32

/** Whether no request can come from anywhere in a block, whatever network the edge stands in. */
export function isNobodys(text: string): boolean {
  const network = parseCidr(text)
  return network !== null && isWithin(NEVER, network)
}

/**
 * What there is to say of entries before they are saved: those that do nothing, those that make others do nothing, and
 * those that let in or keep out more than anybody may have meant. With nothing added, what holds of the lists as they
 * are for everybody. `now` is epoch seconds.
 */
export function accessRemarks(saved: readonly Entry[], added: readonly Entry[], now: number): AccessRemark[] {
  const isThere = ({ until }: Entry): boolean => until === 0 || until > now
  const before = saved.filter(isThere)
  const all = [...before, ...added.filter(isThere)]
  const held = { whitelist: indexOf(before, 'whitelist'), blacklist: indexOf(before, 'blacklist') }
  const brought = { whitelist: indexOf(added, 'whitelist'), blacklist: indexOf(added, 'blacklist') }
  return [
    ...aboutEverybody(all, 'whitelist'),
    ...aboutEverybody(all, 'blacklist'),
    ...added.flatMap((entry) => aboutPlace(entry, all)),
    ...blocksOf(added).flatMap((block) => aboutBlock(block, held, brought)),
    ...aboutOthers(before, brought),
  ]
}

/** Lists that are about all addresses there are, however they say so. */
function aboutEverybody(entries: readonly Entry[], list: Entry['list']): AccessRemark[] {
  const kind = list === 'whitelist' ? 'lets-everybody-in' : 'keeps-everybody-out'
  const own = entries.filter((entry) => entry.list === list)
  if (own.some((one) => one.kind === 'place' && one.value === 'world' && one.network === null && !one.exclude))
    if (!own.some(({ exclude }) => exclude)) return [remark(kind, 'world')]
  const blocks = blocksOf(own).map(({ network }) => network)
  return [
    ...(coversV4(blocks) ? [remark(kind, '0.0.0.0/0')] : []),
    ...(blocks.some((block) => GLOBAL_V6.every((whole) => contains(block, whole))) ? [remark(kind, '::/0')] : []),
  ]
}

function coversV4(blocks: readonly IpNetwork[]): boolean {
  const spans = blocks
    .filter(({ family }) => family === 4)
    .map(({ words, prefixLength }) => ({ from: (words[0] ?? 0) >>> 0, size: 2 ** (32 - prefixLength) }))
    .toSorted((a, b) => a.from - b.from)
  let reached = 0
  for (const { from, size } of spans) {
    if (from > reached) return false
    reached = Math.max(reached, from + size)
  }
  return reached === ALL_V4
}

/** A place that is taken out of a list that has none. */
function aboutPlace(entry: Entry, all: readonly Entry[]): AccessRemark[] {
  if (entry.kind !== 'place' || !entry.exclude) return []
  const isUsed = all.some((one) => one.list === entry.list && one.kind === 'place' && !one.exclude)
  return isUsed ? [] : [remark('excludes-nothing', entry.value)]
}

type Indexes = Record<Entry['list'], Index>

function aboutBlock({ entry, network }: Block, held: Indexes, brought: Indexes): AccessRemark[] {
  const about = (kind: AccessRemark['kind'], other: string | null = null) =>
    remark(kind, shortestBlock(entry.value) ?? entry.value, other)
  const found: AccessRemark[] = []
  if (isWithin(PRIVATE, network)) found.push(about('private'))
  else if (isWithin(DOCUMENTATION, network)) found.push(about('documentation'))
  else if (network.prefixLength > 0 && network.prefixLength <= WIDE_BITS[network.family]) found.push(about('very-wide'))
  const around = [held, brought]
    .flatMap((indexes) => enclosing(indexes[entry.list], network))
    .find((one) => one !== entry && one.value !== entry.value && outlasts(one, entry))
  if (around) found.push(about('covered', around.value))
  if (entry.list === 'whitelist') return found
  const spared = [held, brought].flatMap((indexes) => enclosing(indexes.whitelist, network))[0]
  if (spared) found.push(about('overruled', spared.value))
  return found
}

/** What is there and does nothing any more beside what is added. */
function aboutOthers(before: readonly Entry[], brought: Indexes): AccessRemark[] {
  const [covered, overruled] = [new Map<string, number>(), new Map<string, number>()]
  for (const { entry, network } of blocksOf(before)) {
    const around = enclosing(brought[entry.list], network).find((one) => outlasts(one, entry))
    if (around && around.value !== entry.value) covered.set(around.value, (covered.get(around.value) ?? 0) + 1)
    const spared = entry.list === 'blacklist' ? enclosing(brought.whitelist, network)[0] : undefined
    if (spared) overruled.set(spared.value, (overruled.get(spared.value) ?? 0) + 1)
  }
  return [
    ...[...covered].map(([value, count]) => remark('covers', value, null, count)),
    ...[...overruled].map(([value, count]) => remark('overrules', value, null, count)),
  ]
}

const outlasts = (one: Entry, other: Entry): boolean =>
  one.until === 0 || (other.until !== 0 && one.until >= other.until)

const isWithin = (blocks: readonly IpNetwork[], network: IpNetwork): boolean =>
  blocks.some((block) => contains(block, network))

const remark = (kind: AccessRemark['kind'], value: string, other: string | null = null, count = 1): AccessRemark => ({
  kind,
  value,
  other,
  count,
})

function blocksOf(entries: readonly Entry[]): Block[] {
  return entries.flatMap((entry) => {
    const network = entry.kind === 'address' ? parseCidr(entry.value) : null
    return network === null ? [] : [{ entry, network }]
  })
}

/** Blocks of a family by their length, the widest first, then by their first address: as many looks as lengths. */
type Index = Record<4 | 6, (readonly [bits: number, byWords: Map<string, Entry>])[]>

function indexOf(entries: readonly Entry[], list: Entry['list']): Index {
  const blocks = blocksOf(entries).filter(({ entry }) => entry.list === list)
  const ofFamily = (family: 4 | 6) =>
    [
      ...Map.groupBy(
        blocks.filter(({ network }) => network.family === family),
        ({ network }) => network.prefixLength,
      ),
    ]
      .map(
        ([bits, same]) => [bits, new Map(same.map(({ entry, network }) => [network.words.join(' '), entry]))] as const,
      )
      .toSorted(([a], [b]) => a - b)
  return { 4: ofFamily(4), 6: ofFamily(6) }
}

/** Those around a block, itself among them, the widest first. */
function enclosing(index: Index, network: IpNetwork): Entry[] {
  const found: Entry[] = []
  for (const [bits, byWords] of index[network.family]) {
    if (bits > network.prefixLength) break
    const entry = byWords.get(blockAround(network, bits).words.join(' '))
    if (entry) found.push(entry)
  }
  return found
}
