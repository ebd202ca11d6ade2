import { domainsWithShapes, type EventStore, requestShapes } from '@fairway/analytics'
import { emptyApi, learn, readLearned } from '@fairway/domain'
import type { Database, Log } from '@fairway/platform'
import { type RoundOf, eachByItself, unlessStoreIsAway } from '../../loops/unless-store-is-away.ts'
import { type RunningLoop, startWakeLoop } from '../../loops/wake-loop.ts'

const EVERY_MS = 10_000
/** Nodes and collector need so long to bring what they have seen. */
const LATE_MS = 5_000
/** What is older is not looked for any more: the store forgets it. */
const BACK_MS = 2 * 86_400_000
const PAGE = 2_000
const PAGES = 5

type Row = { learned: string; cursor_at: string; cursor_id: string; relearned_at: Date | null }

/** Learns the schemas of those domains that want it from what the edge samples. */
export function startLearning(database: Database, events: EventStore, log: Log): RunningLoop {
  return startWakeLoop(database, log, {
    name: 'learn-schemas',
    isElected: true,
    pollMs: EVERY_MS,
    round: ({ stopped }) =>
      unlessStoreIsAway(events, log, () => learnSchemas(database, events, Date.now(), { log, stopped })),
  })
}

/** One round. `now` is epoch ms. */
export async function learnSchemas(
  database: Database,
  events: EventStore,
  now: number,
  { log, stopped }: RoundOf,
): Promise<void> {
  const until = now - LATE_MS
  const wanted = await database.system((tx) =>
    tx.query<{ id: string; organization_id: string; site_id: string }>(
      `SELECT s.id, s.organization_id, s.site_id FROM api_schema s JOIN domain d ON d.id = s.id
       WHERE s.learning AND d.removed_at IS NULL AND d.origin_shield = 'use' ORDER BY s.id`,
    ),
  )
  if (wanted.length === 0) return
  const lively = new Set(await domainsWithShapes(events, until - BACK_MS))
  await eachByItself(
    { database, events, log, stopped, event: 'learn-schemas.domain-failed' },
    wanted.filter(({ id }) => lively.has(id)),
    async (row) => {
      for (let page = 0; page < PAGES; page++)
        if (stopped?.aborted || !(await learnPage(database, events, row, until))) return
    },
    (row) => row.organization_id,
  )
}

/** Learns from the next requests of a domain; false when there are no more. State and place are kept as one. */
async function learnPage(
  database: Database,
  events: EventStore,
  { id, organization_id, site_id }: { id: string; organization_id: string; site_id: string },
  until: number,
): Promise<boolean> {
  return database.system(async (tx) => {
    await tx.query(
      `INSERT INTO api_schema_learned (id, organization_id, site_id, learned, cursor_at, cursor_id) VALUES ($1, $2, $3, $4, 0, '')
       ON CONFLICT (id) DO NOTHING`,
      [id, organization_id, site_id, JSON.stringify(emptyApi())],
    )
    // Another worker learns of this domain just now.
    const [row] = await tx.query<Row>(
      'SELECT learned, cursor_at, cursor_id, relearned_at FROM api_schema_learned WHERE id = $1 FOR UPDATE SKIP LOCKED',
      [id],
    )
    if (!row) return false
    const at = Math.max(Number(row.cursor_at), until - BACK_MS)
    const after = { at, id: at === Number(row.cursor_at) ? row.cursor_id : '' }
    const place = { organizationId: organization_id, siteId: site_id, domainId: id }
    const shapes = await requestShapes(events, { ...place, after, until, most: PAGE })
    const last = shapes.at(-1)
    if (!last) return false
    const kept = readLearned(row.learned)
    const api = kept ?? emptyApi()
    for (const one of shapes)
      learn(api, { at: one.at, method: one.method, status: one.status, network: one.client, shape: one.shape })
    await tx.query(
      `UPDATE api_schema_learned SET learned = $2, cursor_at = $3, cursor_id = $4, relearned_at = $5, modified_at = now() WHERE id = $1`,
      [id, JSON.stringify(api), last.at, last.id, kept === null ? new Date() : row.relearned_at],
    )
    return shapes.length === PAGE
  })
}
