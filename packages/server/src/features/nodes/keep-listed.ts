import { isDeepStrictEqual } from 'node:util'
import {
  type Config,
  type Database,
  type FoundRole,
  type Log,
  type OutgoingGate,
  ownAddresses,
  type Tx,
} from '@fairway/platform'
import { type RunningLoop, startWakeLoop } from '../../loops/wake-loop.ts'
import { withoutLoopback } from '../../publish/house-addresses.ts'
import { publishHouseZones } from '../../publish/system-zone.ts'
import { answersItself } from './answers-itself.ts'
import { AWAY_SECONDS, IS_THERE } from './away.ts'

const POLL_MS = 5_000
/** Names are asked for by the whole world: they do not follow a machine that comes and goes. */
const EVERY_SECONDS = 30

type Row = {
  id: string
  name: string
  role: FoundRole
  addresses: string[] | null
  listed: string[] | null
  there: boolean
  ready: boolean
  beside_api: boolean
  since: number | null
}

/**
 * Since when nodes were missed while another of their role was there, ms; `isProven` where that one was heard from
 * another machine than the API's.
 */
export type Missed = Map<string, { sinceMs: number; isProven: boolean }>

export type Listing = {
  changed: Pick<Row, 'name' | 'role' | 'listed'>[]
  /** What would leave, where only its own answers tell a machine that is away from a way that is broken. */
  doubted: Pick<Row, 'id' | 'name' | 'role' | 'listed'>[]
}

/** Keeps the names of name servers and edges at machines that are there. */
export function startListing(config: Config, gate: OutgoingGate, database: Database, log: Log): RunningLoop {
  const missed: Missed = new Map()
  let answering = new Set<string>()
  return startWakeLoop(database, log, {
    name: 'keep-listed',
    isElected: true,
    pollMs: POLL_MS,
    async round({ isFirst }) {
      if (isFirst) missed.clear()
      const look = async (silent?: ReadonlySet<string>) => {
        const found = await database.system((tx) => keepListed(tx, config, missed, performance.now(), silent))
        for (const { name, role, listed } of found.changed) log.info({ event: 'node.listed', node: name, role, listed })
        return found.doubted
      }
      const doubted = await look()
      const asked = await Promise.all(
        doubted.map(async (node) => ({
          node,
          answers: await answersItself(config, gate, node.role, node.listed ?? []),
        })),
      )
      const there = asked.filter(({ answers }) => answers).map(({ node }) => node)
      for (const { id, name, role } of there)
        if (!answering.has(id)) log.warn({ event: 'node.answers-unheard', node: name, role })
      answering = new Set(there.map(({ id }) => id))
      if (there.length < asked.length)
        await look(new Set(asked.filter(({ answers }) => !answers).map(({ node }) => node.id)))
    },
  })
}

/**
 * One look. `nowMs` is of a clock that does not jump; `silent` are nodes that were doubted and do not answer themselves.
 */
export async function keepListed(
  tx: Tx,
  config: Config,
  missed: Missed,
  nowMs: number,
  silent: ReadonlySet<string> = new Set(),
): Promise<Listing> {
  const rows = await tx.query<Row>(
    `SELECT n.id, n.name, n.role, n.addresses, n.listed_addresses AS listed, n.${IS_THERE} AS there, ${HAS_TAKEN_ALL} AS ready, n.is_beside_api AS beside_api,
       extract(epoch FROM now() - n.listed_at)::float8 AS since FROM node n WHERE n.role IN ('dns', 'edge') ORDER BY n.role, n.name`,
  )
  const wanted = [...Map.groupBy(rows, ({ role }) => role)].flatMap(([role, some]) => {
    // The machines of one role move together.
    const found = changesOf(some, ownAddresses(config, role), missed, nowMs)
    return some.some(({ since }) => since !== null && since < EVERY_SECONDS) ? [] : found
  })
  const isDoubted = ({ row, isSure }: Change) => !isSure && !silent.has(row.id)
  const changed = wanted.filter((change) => !isDoubted(change)).map(({ row, listed }) => ({ ...row, listed }))
  for (const { id, listed } of changed)
    await tx.query('UPDATE node SET listed_addresses = $2, listed_at = now() WHERE id = $1', [id, listed])
  if (changed.length > 0) await publishHouseZones(tx, config)
  return { changed, doubted: wanted.filter(isDoubted).map(({ row }) => row) }
}

/**
 * Whether a node that comes holds what others serve; what was published in the last half minute is on its way. Asked of
 * those only that no name leads to.
 */
const HAS_TAKEN_ALL = `(coalesce(cardinality(n.listed_addresses), 0) > 0 OR n.addresses IS NULL OR NOT EXISTS (
  SELECT FROM publication p WHERE p.kind = ANY(CASE n.role WHEN 'dns' THEN ARRAY['dns-zone'] ELSE ARRAY['edge-site', 'edge-certificates', 'simulated-cdn'] END)
    AND p.body IS NOT NULL AND p.revision > coalesce(n.taken_revision, 0) AND p.published_at < now() - interval '30 seconds'))`

type Change = { row: Row; listed: string[] | null; isSure: boolean }

function changesOf(rows: readonly Row[], own: readonly string[], missed: Missed, nowMs: number): Change[] {
  const isNamed = ({ listed }: Row) => listed !== null && listed.length > 0
  // One of the version before tells none: the worker's machine stands for it.
  const toldBy = ({ addresses }: Row) => addresses ?? own
  const serves = (row: Row) => row.there && row.ready
  const forWorld = withoutLoopback(rows.filter((row) => serves(row) || isNamed(row)).flatMap(toldBy))
  const others = rows.filter((row) => serves(row) && forWorld(toldBy(row)).length > 0)
  // Nodes beside the API are heard when nobody else can be.
  const isProven = others.some((row) => !row.beside_api)
  return rows.flatMap((row): Change[] => {
    const listed = wantedOf(row, serves(row), forWorld)
    const leaves = listed === null ? row.listed !== null : listed.length === 0 && isNamed(row) && row.addresses !== null
    // When all seem to be away nobody has heard them, and the last that were named go on being.
    if (!leaves || others.length === 0) missed.delete(row.id)
    if (!leaves) return isDeepStrictEqual(row.listed, listed) ? [] : [{ row, listed, isSure: true }]
    if (others.length === 0) return []
    const since = missed.get(row.id)
    if (since?.isProven !== isProven) missed.set(row.id, { sinceMs: nowMs, isProven })
    if (nowMs - (missed.get(row.id)?.sinceMs ?? nowMs) < AWAY_SECONDS * 1000) return []
    return [{ row, listed, isSure: isProven || row.there || !isNamed(row) }]
  })
}

/** What names should lead to. That one of the version before is there is known by the empty list. */
function wantedOf({ there, addresses, listed }: Row, serves: boolean, forWorld: ReturnType<typeof withoutLoopback>) {
  if (!there) return null
  return serves ? forWorld(addresses ?? []) : listed
}
