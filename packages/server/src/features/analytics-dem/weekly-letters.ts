import { type CdnPeriod, type EventStore, answersAround, cdnPeriod } from '@fairway/analytics'
import type { Locale } from '@fairway/contract'
import { lastWeek } from '@fairway/domain'
import type { Database, Log, Tx } from '@fairway/platform'
import { type RoundOf, eachByItself, unlessStoreIsAway } from '../../loops/unless-store-is-away.ts'
import { type RunningLoop, startWakeLoop } from '../../loops/wake-loop.ts'
import { enqueueMail } from '../../mail/enqueue-mail.ts'
import type { MailTemplates } from '../../mail/templates.ts'
import { isClockTrusted } from '../billing/clock-watch.ts'

type Report = MailTemplates['weekly-report']
type Figures = Omit<Report, 'firstName'>

const EVERY_MS = 300_000
/** What came late on Sunday is added up by then. */
const SETTLED_MS = 6 * 3_600_000
const WEEK_MS = 7 * 86_400_000
const CDNS_TOLD = 20
const OUTAGES_TOLD = 10
const CHANGES_TOLD = 10
const TAKING_OVER_TOLD = 3

/** Writes the letters of a week on its Monday, or as soon as there is a worker and a store again. */
export function startWeeklyLetters(database: Database, events: EventStore, log: Log): RunningLoop {
  return startWakeLoop(database, log, {
    name: 'weekly-letters',
    isElected: true,
    pollMs: EVERY_MS,
    firstAfterMs: 30_000,
    round: ({ stopped }) =>
      unlessStoreIsAway(events, log, () => writeWeeklyLetters(database, events, Date.now(), { log, stopped })),
  })
}

type Reader = {
  user_id: string
  organization_id: string
  partner_id: string
  email: string
  first_name: string
  locale: Locale
}

/**
 * Who has chosen it before the week was over, may see measurements and was not written to yet; of a later week only a
 * clock that was ahead has written.
 */
const READERS = `
  SELECT r.user_id, r.organization_id, o.partner_id, u.email, u.first_name, u.locale FROM weekly_report r JOIN app_user u ON u.id = r.user_id JOIN organization o ON o.id = r.organization_id
  WHERE r.week IS DISTINCT FROM $1::date AND r.chosen_at < $2 AND NOT u.suspended AND u.email_verified_at IS NOT NULL AND NOT o.sandbox AND 'ViewPerformancePolicy' = ANY(u.permissions)
  ORDER BY r.organization_id, u.email`

/** The letters of the last whole week that are not written yet. `now` is epoch ms. */
export async function writeWeeklyLetters(
  database: Database,
  events: EventStore,
  now: number,
  { log, stopped }: RoundOf,
): Promise<void> {
  const of = { database, events, log, stopped }
  const { from, until } = lastWeek(now)
  if (now < until + SETTLED_MS) return
  const week = dayOf(from)
  const due = await database.system(async (tx) =>
    (await isClockTrusted(tx)) ? tx.query<Reader>(READERS, [week, new Date(until)]) : [],
  )
  const write = async ([organizationId, readers]: [string, Reader[]]) => {
    const figures = await figuresOf(database, events, { organizationId, from, until, now })
    for (const reader of readers) await database.system((tx) => writeOne(tx, reader, week, figures))
  }
  const organizations = Map.groupBy(due, (one) => one.organization_id)
  await eachByItself({ ...of, event: 'weekly-letters.letter-failed' }, organizations, write, ([id]) => id)
}

/** In one transaction with the note that it was written, so that two workers, or one that dies, write it once. */
async function writeOne(tx: Tx, reader: Reader, week: string, figures: Figures): Promise<void> {
  const [row] = await tx.query<{ silent: boolean }>(
    'SELECT silent FROM weekly_report WHERE user_id = $1 AND week IS DISTINCT FROM $2::date FOR UPDATE',
    [reader.user_id, week],
  )
  if (!row) return
  const isEmpty = figures.cdns.length === 0
  const isSaid = isEmpty && row.silent
  await tx.query(
    'UPDATE weekly_report SET week = $2::date, silent = $3, sent_at = CASE WHEN $4 THEN sent_at ELSE now() END WHERE user_id = $1',
    [reader.user_id, week, isEmpty, isSaid],
  )
  if (isSaid) return
  await enqueueMail(tx, {
    to: reader.email,
    template: 'weekly-report',
    fields: { firstName: reader.first_name, ...figures },
    locale: reader.locale,
    organizationId: reader.organization_id,
    partnerId: reader.partner_id,
  })
}

type Week = { organizationId: string; from: number; until: number; now: number }
type OutageRow = {
  cdn_id: string | null
  title: string
  started_at: Date
  ended_at: Date | null
  /** Without the calm between, when it came and went. */
  down_ms: number | null
}

async function figuresOf(database: Database, events: EventStore, week: Week): Promise<Figures> {
  const { organizationId, from, until } = week
  const known = await database.system((tx) => knownOf(tx, week))
  const measured = await cdnPeriod(events, { organizationId, from, until })
  const before =
    measured.length === 0 ? [] : await cdnPeriod(events, { organizationId, from: from - WEEK_MS, until: from })
  const nameOf = (cdnId: string) => known.names.get(cdnId) ?? cdnId
  const outages: Report['outages'] = []
  for (const row of known.outages.slice(0, OUTAGES_TOLD))
    outages.push({
      cdn: row.title,
      at: row.started_at.toISOString(),
      seconds: row.ended_at && (row.down_ms ?? row.ended_at.getTime() - row.started_at.getTime()) / 1000,
      steered: await steeredOf(events, week, row, nameOf),
    })
  return {
    from: dayOf(from),
    until: dayOf(until - 1),
    cdns: byVisitorsFirst(measured)
      .slice(0, CDNS_TOLD)
      .map(({ cdnId, ...one }) => {
        const earlier = before.find((other) => other.cdnId === cdnId && other.source === one.source)
        return {
          name: nameOf(cdnId),
          ...one,
          before: earlier ? { availability: earlier.availability, medianMs: earlier.latency?.medianMs ?? null } : null,
        }
      }),
    outages,
    moreOutages: Math.max(0, known.outages.length - OUTAGES_TOLD),
    changes: known.changes,
    moreChanges: Math.max(0, known.changed - known.changes.length),
    link: known.site === null ? '/' : `/${known.site}/analytics/dem?range=${from / 1000}-${until / 1000}`,
  }
}

/** Each CDN once, by its visitors; by probes where no visitor measured it. Most measured first. */
function byVisitorsFirst(measured: readonly CdnPeriod[]): CdnPeriod[] {
  const visited = new Set(measured.filter(({ source }) => source === 'rum').map(({ cdnId }) => cdnId))
  return measured
    .filter(({ source, cdnId }) => source === 'rum' || !visited.has(cdnId))
    .toSorted((a, b) => (a.source === b.source ? b.samples - a.samples : a.source === 'rum' ? -1 : 1))
}

async function knownOf(tx: Tx, { organizationId, from, until, now }: Week) {
  const range = [organizationId, new Date(from), new Date(until)]
  const names = await tx.query<{ id: string; name: string }>('SELECT id, name FROM cdn WHERE organization_id = $1', [
    organizationId,
  ])
  const outages = await tx.query<OutageRow>(
    `SELECT cdn_id, title, started_at, ended_at, (detail->>'downMs')::float8 AS down_ms FROM health_event WHERE organization_id = $1 AND kind = 'cdn-down' AND started_at < $3 AND coalesce(ended_at, $4) > $2 ORDER BY started_at`,
    [...range, new Date(now)],
  )
  const changes = await tx.query<{ title: string; site: string; author: string }>(
    `SELECT v.title, s.domain_name AS site, v.author FROM version v JOIN site s ON s.id = v.site_id WHERE v.organization_id = $1 AND v.created_at >= $2 AND v.created_at < $3 ORDER BY v.created_at DESC LIMIT ${CHANGES_TOLD}`,
    range,
  )
  const [counted] = await tx.query<{ changed: number }>(
    'SELECT count(*)::int AS changed FROM version WHERE organization_id = $1 AND created_at >= $2 AND created_at < $3',
    range,
  )
  const [site] = await tx.query<{ domain_name: string }>(
    'SELECT domain_name FROM site WHERE organization_id = $1 ORDER BY domain_name LIMIT 1',
    [organizationId],
  )
  return {
    names: new Map(names.map(({ id, name }) => [id, name])),
    outages,
    changes,
    changed: counted?.changed ?? 0,
    site: site?.domain_name ?? null,
  }
}

/** Where the visitors of a CDN that failed went; null when that is not known. */
async function steeredOf(
  events: EventStore,
  { organizationId, now }: Week,
  { cdn_id: cdnId, started_at: at, ended_at: ended }: OutageRow,
  nameOf: (cdnId: string) => string,
): Promise<Report['outages'][number]['steered']> {
  if (cdnId === null) return null
  const answers = await answersAround(events, {
    organizationId,
    cdnId,
    from: at.getTime(),
    until: ended?.getTime() ?? now,
    now,
  })
  if (answers === null) return null
  if (answers.length === 0) return { before: 0, during: 0, by: [] }
  const total = (of: 'before' | 'during') => answers.reduce((sum, one) => sum + one[of], 0)
  const [before, during] = [total('before'), total('during')]
  if (before === 0 || during === 0) return null
  const own = answers.find((one) => one.cdnId === cdnId)
  return {
    before: (100 * (own?.before ?? 0)) / before,
    during: (100 * (own?.during ?? 0)) / during,
    by: answers
      .filter((one) => one.cdnId !== cdnId && one.during > 0)
      .slice(0, TAKING_OVER_TOLD)
      .map((one) => ({ cdn: nameOf(one.cdnId), percent: (100 * one.during) / during })),
  }
}

const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10)
