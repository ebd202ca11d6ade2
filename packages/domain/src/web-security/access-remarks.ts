import type { AccessRemark, SecurityPolicy } from '@fairway/contract'
import { contains, type IpNetwork, parseCidr } from '../steering/cidr.ts'
import { writeBlock } from './compile.ts'

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
export const isNobodys = (text: string): boolean => readAccessBlock(text)?.isNobodys === true

/** A block in its shortest form, and whether it is nobody's; null when it is none. */
export function readAccessBlock(text: string): { value: string; isNobodys: boolean } | null {
  const network = parseCidr(text.trim())
  return network === null ? null : { value: writeBlock(network), isNobodys: isWithin(NEVER, network) }
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
  const [heldBlocks, broughtBlocks] = [blocksOf(before), blocksOf(added)]
  const [held, brought] = [indexesOf(heldBlocks), indexesOf(broughtBlocks)]
  const allBlocks = [...heldBlocks, ...broughtBlocks.filter(({ entry }) => isThere(entry))]
  const hasPlace = { whitelist: all.some(isPlaceOf('whitelist')), blacklist: all.some(isPlaceOf('blacklist')) }
  return [
    ...aboutEverybody(all, allBlocks, 'whitelist'),
    ...aboutEverybody(all, allBlocks, 'blacklist'),
    // A place that is taken out of a list that has none.
    ...added
      .filter(({ kind, exclude, list }) => kind === 'place' && exclude && !hasPlace[list])
      .map(({ value }) => remark('excludes-nothing', value)),
    ...broughtBlocks.flatMap((block) => aboutBlock(block, held, brought)),
    ...aboutOthers(heldBlocks, brought),
  ]
}

const isPlaceOf =
  (list: Entry['list']) =>
  (one: Entry): boolean =>
    one.list === list && one.kind === 'place' && !one.exclude

/** Lists that are about all addresses there are, however they say so. */
function aboutEverybody(entries: readonly Entry[], all: readonly Block[], list: Entry['list']): AccessRemark[] {
  const kind = list === 'whitelist' ? 'lets-everybody-in' : 'keeps-everybody-out'
  const own = entries.filter((entry) => entry.list === list)
  if (own.some((one) => one.kind === 'place' && one.value === 'world' && one.network === null && !one.exclude))
    if (!own.some(({ exclude }) => exclude)) return [remark(kind, 'world')]
  const blocks = all.filter(({ entry }) => entry.list === list).map(({ network }) => network)
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

type Indexes = Record<Entry['list'], Index>

function aboutBlock({ entry, network }: Block, held: Indexes, brought: Indexes): AccessRemark[] {
  const about = (kind: AccessRemark['kind'], other: string | null = null) => remark(kind, writeBlock(network), other)
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
function aboutOthers(held: readonly Block[], brought: Indexes): AccessRemark[] {
  const [covered, overruled] = [new Map<string, number>(), new Map<string, number>()]
  for (const { entry, network } of held) {
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

/** Blocks of a list in the order of their addresses, wider ones first, each with the next wider one around it. */
type Index = Nested[]
type Nested = { entry: Entry; network: IpNetwork; around: Nested | undefined }

const indexesOf = (blocks: readonly Block[]): Indexes => ({
  whitelist: indexOf(blocks.filter(({ entry }) => entry.list === 'whitelist')),
  blacklist: indexOf(blocks.filter(({ entry }) => entry.list === 'blacklist')),
})

function indexOf(blocks: readonly Block[]): Index {
  const index: Index = []
  for (const { entry, network } of blocks.toSorted((a, b) => byAddress(a.network, b.network))) {
    const last = index.at(-1)
    if (last && byAddress(last.network, network) === 0) last.entry = entry
    else index.push({ entry, network, around: innermost(last, network) })
  }
  return index
}

function byAddress(a: IpNetwork, b: IpNetwork): number {
  if (a.family !== b.family) return a.family - b.family
  for (let at = 0; at < a.words.length; at++) {
    const difference = (a.words[at] ?? 0) - (b.words[at] ?? 0)
    if (difference !== 0) return difference
  }
  return a.prefixLength - b.prefixLength
}

/** The first around a block, of one and those around that. */
function innermost(from: Nested | undefined, network: IpNetwork): Nested | undefined {
  let one = from
  while (one && !contains(one.network, network)) one = one.around
  return one
}

/** Those around a block, itself among them, the widest first: whatever is around it is around the last before it. */
function enclosing(index: Index, network: IpNetwork): Entry[] {
  let [from, to] = [0, index.length]
  while (from < to) {
    const middle = (from + to) >>> 1
    const one = index[middle]
    if (one && byAddress(one.network, network) <= 0) from = middle + 1
    else to = middle
  }
  const found: Entry[] = []
  for (let one = innermost(index[from - 1], network); one; one = one.around) found.push(one.entry)
  return found.reverse()
}
