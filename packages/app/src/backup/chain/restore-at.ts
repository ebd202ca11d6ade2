import {
  type Base,
  BackupError,
  Chain,
  type Config,
  type Log,
  type RecoveryTarget,
  chainsIn,
  readLsn,
} from '@fairway/platform'
import { type Into, intoHome } from '../restore-home.ts'
import { type ChainContent, type KeptBase, type Range, contentOf, endOf, rangesOf, stretchOf } from './chain-content.ts'
import { fillHome } from './restore-base.ts'

/** A second, the very moment of a backup by its name, or as late as there is anything. */
export type Wanted = { time: number } | { key: string } | 'latest'
export type RestoredAt = {
  base: Base
  until: number
  target: RecoveryTarget
  eventsOf: string | null
  /** The folder with what was in the home before; null when nothing was. */
  replaced: string | null
}

type Choice = { content: ChainContent; kept: KeptBase; until: number }
type Found = Choice & { chain: Chain }

/**
 * Restores a home to a second from the chains of a place, or from one of them.
 * @throws BackupError with the reason, which names what can be restored when that second cannot
 */
export async function restoreAt(
  given: {
    place: string
    id: string | null
    wanted: Wanted
    passphrase: string
    config: Config
    log: Log
  } & Into,
): Promise<RestoredAt> {
  const { place, passphrase, config, log, wanted } = given
  await using chains = new AsyncDisposableStack()
  const ids = given.id === null ? await chainsIn(place, config) : [given.id]
  if (ids.length === 0) throw new BackupError(`There is no chain of backups in ${place}.`)
  const all: Range[] = []
  let found: Found | null = null
  let unreadable: unknown = null
  for (const id of ids) {
    try {
      const chain = chains.use(await Chain.open(place, config, id, passphrase))
      const content = await contentOf(chain)
      all.push(...(await rangesOf(chain, content)))
      const choice = await choose(chain, content, wanted)
      if (choice && (!found || isBetter({ chain, ...choice }, found, wanted))) found = { chain, ...choice }
    } catch (error) {
      // One that is damaged, or of another passphrase, does not stand in the way of the others.
      if (!(error instanceof BackupError)) throw error
      unreadable ??= error
    }
  }
  if (!found && unreadable) throw unreadable
  if (!found) throw new BackupError(refusal(place, all, wanted))
  const { chain, content, kept, until } = found
  const target: RecoveryTarget =
    wanted === 'latest' ? 'end' : 'key' in wanted ? { name: kept.base.point.name } : { time: inPostgres(wanted.time) }
  const { replaced } = await intoHome(config, given, (own) =>
    fillHome({ chain, content, kept, target, config: own, log }),
  )
  return {
    base: kept.base,
    replaced,
    until,
    target,
    eventsOf: content.bases.findLast(({ base }) => base.events)?.base.at ?? null,
  }
}

/** A home that was restored before went on in a chain of its own: the later one knows what was true. */
function isBetter(one: Found, other: Found, wanted: Wanted): boolean {
  return wanted === 'latest' ? one.until > other.until : one.chain.facts.startedAt > other.chain.facts.startedAt
}

/** The newest backup from which the log reaches what is wanted. */
async function choose(chain: Chain, content: ChainContent, wanted: Wanted): Promise<Choice | null> {
  for (const kept of content.bases.toReversed()) {
    if (wanted !== 'latest' && 'key' in wanted) {
      if (kept.key === wanted.key) return { content, kept, until: Date.parse(kept.base.at) }
      continue
    }
    if (wanted !== 'latest' && Date.parse(kept.base.at) > wanted.time) continue
    const stretch = stretchOf(chain, kept, content.stretches)
    if (!stretch || stretch.to < readLsn(kept.base.point.at)) continue
    const until = Math.max(Date.parse(kept.base.at), await endOf(chain, stretch, content.head))
    if (wanted === 'latest' || wanted.time <= until) return { content, kept, until }
  }
  return null
}

function refusal(place: string, ranges: readonly Range[], wanted: Wanted): string {
  const said = ranges
    .toSorted((a, b) => a.from - b.from)
    .map(({ from, until }) => `${new Date(from).toISOString()} to ${new Date(until).toISOString()}`)
  const what =
    wanted === 'latest'
      ? 'Nothing'
      : 'key' in wanted
        ? `There is no ${wanted.key}; nothing`
        : `${new Date(wanted.time).toISOString()} is not covered: nothing else`
  if (said.length === 0) return `No backup in ${place} is whole with its log: nothing can be restored to a second.`
  return `${what} can be restored from ${place} but ${said.join(', and ')}.`
}

/** PostgreSQL reads it in the zone that is named, to the microsecond. */
const inPostgres = (time: number): string => `${new Date(time).toISOString().replace('T', ' ').replace('Z', '')}+00`
