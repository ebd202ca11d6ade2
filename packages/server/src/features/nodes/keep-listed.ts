import { isDeepStrictEqual } from 'node:util'
import { type Config, type Database, type FoundRole, type Log, ownAddresses, type Tx } from '@fairway/platform'
import { type RunningLoop, startWakeLoop } from '../../loops/wake-loop.ts'
import { publishHouseZones } from '../../publish/system-zone.ts'
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
  since: number | null
}

/** Since when nodes were missed while another of their role was there, ms. */
export type Missed = Map<string, number>

/** Keeps the names of name servers and edges at machines that are there. */
export function startListing(config: Config, database: Database, log: Log): RunningLoop {
  const missed: Missed = new Map()
  return startWakeLoop(database, log, {
    name: 'keep-listed',
    isElected: true,
    pollMs: POLL_MS,
    async round({ isFirst }) {
      if (isFirst) missed.clear()
      const changed = await database.system((tx) => keepListed(tx, config, missed, performance.now()))
      for (const { name, role, listed } of changed) log.info({ event: 'node.listed', node: name, role, listed })
    },
  })
}

/** One look; answers what it changed. `nowMs` is of a clock that does not jump. */
export async function keepListed(
  tx: Tx,
  config: Config,
  missed: Missed,
  nowMs: number,
): Promise<Pick<Row, 'name' | 'role' | 'listed'>[]> {
  const rows = await tx.query<Row>(
    `SELECT n.id, n.name, n.role, n.addresses, n.listed_addresses AS listed, n.${IS_THERE} AS there, ${HAS_TAKEN_ALL} AS ready,
       extract(epoch FROM now() - n.listed_at)::float8 AS since FROM node n WHERE n.role IN ('dns', 'edge') ORDER BY n.role, n.name`,
  )
  const changed = [...Map.groupBy(rows, ({ role }) => role)].flatMap(([role, some]) => {
    // The machines of one role move together.
    const wanted = changesOf(some, config, role, missed, nowMs)
    return some.some(({ since }) => since !== null && since < EVERY_SECONDS) ? [] : wanted
  })
  if (changed.length === 0) return []
  for (const { id, listed } of changed)
    await tx.query('UPDATE node SET listed_addresses = $2, listed_at = now() WHERE id = $1', [id, listed])
  await publishHouseZones(tx, config)
  return changed
}

/**
 * Whether a node that comes holds what others serve; what was published in the last half minute is on its way. Asked of
 * those only that are not listed.
 */
const HAS_TAKEN_ALL = `(n.listed_addresses IS NOT NULL OR n.addresses IS NULL OR NOT EXISTS (
  SELECT FROM publication p WHERE p.kind = ANY(CASE n.role WHEN 'dns' THEN ARRAY['dns-zone'] ELSE ARRAY['edge-site', 'edge-certificates', 'simulated-cdn'] END)
    AND p.body IS NOT NULL AND p.revision > coalesce(n.taken_revision, 0) AND p.published_at < now() - interval '30 seconds'))`

function changesOf(rows: readonly Row[], config: Config, role: FoundRole, missed: Missed, nowMs: number): Row[] {
  const leadsSomewhere = ({ addresses }: Row) => (addresses ?? ownAddresses(config, role)).length > 0
  const stays = rows.filter((row) => row.there && (row.listed !== null || row.ready))
  // When all seem to be away nobody has heard them, and the last that were named go on being.
  const isOneThere = stays.some(leadsSomewhere)
  return rows.flatMap((row): Row[] => {
    if (row.there || row.listed === null || !isOneThere) missed.delete(row.id)
    if (stays.includes(row)) {
      // One of the version before names none; that it is there is known by the empty list.
      const listed = row.addresses ?? []
      return isDeepStrictEqual(row.listed, listed) ? [] : [{ ...row, listed }]
    }
    if (row.listed === null || !isOneThere) return []
    if (!missed.has(row.id)) missed.set(row.id, nowMs)
    return nowMs - (missed.get(row.id) ?? nowMs) < AWAY_SECONDS * 1000 ? [] : [{ ...row, listed: null }]
  })
}
