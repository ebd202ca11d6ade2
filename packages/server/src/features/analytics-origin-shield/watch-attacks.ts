import { attackFacts, type EventStore, stoppedHours, stoppedLately } from '@fairway/analytics'
import { isAttack, isAttackOver } from '@fairway/domain'
import type { Database, Log } from '@fairway/platform'
import { type RoundOf, eachByItself, unlessStoreIsAway } from '../../loops/unless-store-is-away.ts'
import { type RunningLoop, startWakeLoop } from '../../loops/wake-loop.ts'
import { endIncident, notify } from '../notifications/notify.ts'

const EVERY_MS = 10_000
const LEAST = 50
const QUIET = [0, 0, 0, 0, 0]

type Open = { organization_id: string; domain_id: string; site_id: string; name: string; created_at: Date }
type Lately = Awaited<ReturnType<typeof stoppedLately>>[number]
type Place = { organizationId: string; siteId: string; domainId: string }

/** Tells an attack once, with its beginning, and again when it has ended, with its peak, sources and end. */
export function startAttackWatch(database: Database, events: EventStore, log: Log): RunningLoop {
  return startWakeLoop(database, log, {
    name: 'watch-attacks',
    isElected: true,
    pollMs: EVERY_MS,
    round: ({ stopped }) =>
      unlessStoreIsAway(events, log, () => watchAttacks(database, events, Date.now(), { log, stopped })),
  })
}

/** One look at the last minutes. `now` is epoch ms. */
export async function watchAttacks(
  database: Database,
  events: EventStore,
  now: number,
  { log, stopped }: RoundOf,
): Promise<void> {
  const of = { database, events, log, stopped }
  const { open, hasDomains } = await database.system(async (tx) => ({
    open: await tx.query<Open>(
      `SELECT n.organization_id, d.id AS domain_id, d.site_id, d.name, n.created_at FROM notification n JOIN domain d ON n.incident = 'attack:' || d.id
       WHERE n.event = 'attack' AND n.ended_at IS NULL`,
    ),
    hasDomains: (await tx.query('SELECT FROM domain LIMIT 1')).length > 0,
  }))
  // The store is not asked of what nobody has.
  if (!hasDomains) return
  const lately = new Map((await stoppedLately(events, now, LEAST)).map((one) => [one.domain, one]))
  const known = new Set(open.map(({ domain_id }) => domain_id))
  const each = { ...of, event: 'watch-attacks.domain-failed' }
  await eachByItself(
    each,
    open,
    (one) => follow(one, lately.get(one.domain_id)?.minutes ?? QUIET),
    (one) => one.organization_id,
  )
  const others = [...lately.values()].filter(({ domain }) => !known.has(domain))
  await eachByItself(each, others, look, ({ organization }) => organization)

  async function look({ organization, site, domain, minutes }: Lately): Promise<void> {
    const place = { organizationId: organization, siteId: site, domainId: domain }
    const stopped = { lately: minutes.at(-1) ?? 0, minutes, hours: [] }
    // What is usual is looked up of those only that are many.
    if (isAttack(stopped) && isAttack({ ...stopped, hours: await stoppedHours(events, { ...place, now }) }))
      await begin(place, minutes)
  }

  async function begin(place: Place, minutes: readonly number[]): Promise<void> {
    const quietFor = minutes.findLastIndex((stopped) => stopped < LEAST)
    const from = now - (minutes.length - 1 - quietFor) * 60_000
    const facts = await attackFacts(events, { ...place, from })
    await database.system(async (tx) => {
      const [domain] = await tx.query<{ name: string }>(
        'SELECT name FROM domain WHERE id = $1 AND organization_id = $2 AND removed_at IS NULL',
        [place.domainId, place.organizationId],
      )
      if (!domain) return
      await notify(tx, {
        organizationId: place.organizationId,
        siteId: place.siteId,
        event: 'attack',
        fields: { domain: domain.name, ...fieldsOf(facts) },
        incident: `attack:${place.domainId}`,
        at: new Date(from),
      })
    })
  }

  async function follow({ organization_id, domain_id, site_id, created_at }: Open, minutes: number[]): Promise<void> {
    const place = { organizationId: organization_id, siteId: site_id, domainId: domain_id }
    const facts = await attackFacts(events, { ...place, from: created_at.getTime() })
    const hours = await stoppedHours(events, { ...place, now })
    const isOver = isAttackOver({ lately: minutes.at(-1) ?? 0, minutes, hours })
    await database.system(async (tx) => {
      if (isOver)
        await endIncident(tx, organization_id, `attack:${domain_id}`, {
          at: new Date(Math.max(facts.last, created_at.getTime())),
          fields: fieldsOf(facts),
        })
      else
        await tx.query(
          'UPDATE notification SET fields = fields || $3 WHERE organization_id = $1 AND incident = $2 AND ended_at IS NULL',
          [organization_id, `attack:${domain_id}`, JSON.stringify(fieldsOf(facts))],
        )
    })
  }
}

const fieldsOf = ({ stopped, peak, sources, countries, category }: Awaited<ReturnType<typeof attackFacts>>) => ({
  stopped,
  peak,
  sources,
  countries,
  category,
})
