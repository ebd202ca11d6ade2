import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  type AnswerHistory,
  type EventStore,
  StoreAway,
  histogramOf,
  openStore,
  startStore,
  writeHistory,
} from '@fairway/analytics'
import { analyticsDem } from '@fairway/contract'
import { lastWeek } from '@fairway/domain'
import type { MailTemplates } from '../../mail/templates.ts'
import { type ApiUnderTest, type Client, startApiUnderTest } from '../../testing/api-under-test.ts'
import { lettersTo } from '../../testing/letters.ts'
import { newSteeredDomain } from '../../testing/steered-domain.ts'
import { writeWeeklyLetters } from './weekly-letters.ts'

const { setWeeklyReport, weeklyReport } = analyticsDem.routes
const HOUR = 3_600_000
const MINUTE = 60_000
const WEEK = 7 * 24 * HOUR
// The week that is now, told on the Monday after it.
const from = lastWeek(Date.now()).until
const until = from + WEEK
const failedAt = Math.max(Math.floor((Date.now() - HOUR) / MINUTE) * MINUTE, from + 20 * MINUTE)
const monday = until + 7 * HOUR
const NOBODY = { answers: [], requests: [], traffic: [], paths: [] }

let api: ApiUnderTest
before(async () => void (api = await startApiUnderTest()))
after(() => api[Symbol.asyncDispose]())

/** Chooses the letter before the week was over. */
async function choose(client: Client): Promise<void> {
  assert.equal((await client.call(setWeeklyReport, { on: true })).on, true)
  await api.database.system((tx) =>
    tx.query('UPDATE weekly_report SET chosen_at = $2 WHERE user_id = (SELECT id FROM app_user WHERE email = $1)', [
      client.email,
      new Date(from),
    ]),
  )
}
const reportsTo = async ({ email }: Client) =>
  (await lettersTo(api, email))
    .filter(({ template }) => template === 'weekly-report')
    .map(({ fields }) => fields as unknown as MailTemplates['weekly-report'])

test('who has chosen it is written the week once, with figures, what steering did and what changed; nobody else is', async () => {
  const own = await newSteeredDomain(api)
  const { client } = own
  const mate = await api.colleague(client, ['ViewPerformancePolicy'])
  const late = await api.colleague(client, ['ViewPerformancePolicy'])
  const unproven = await api.colleague(client, ['ViewPerformancePolicy'])
  const blind = await api.colleague(client, ['ViewPerformancePolicy'])
  const without = await api.colleague(client, ['ViewPerformancePolicy'])
  const stranger = await api.newClient()
  for (const one of [client, mate, unproven, blind, stranger]) await choose(one)
  await late.call(setWeeklyReport, { on: true })
  await api.database.system(async (tx) => {
    await tx.query(
      'UPDATE weekly_report SET chosen_at = $2 WHERE user_id = (SELECT id FROM app_user WHERE email = $1)',
      [late.email, new Date(until)],
    )
    await tx.query('UPDATE app_user SET email_verified_at = NULL WHERE email = $1', [unproven.email])
    await tx.query(`UPDATE app_user SET permissions = '{}' WHERE email = $1`, [blind.email])
    await tx.query(
      `INSERT INTO health_event (organization_id, kind, cdn_id, title, detail, started_at, ended_at) VALUES ($1, 'cdn-down', 'polaris', 'Polaris', '{"downMs": 480000}', $2, $3)`,
      [client.organizationId, new Date(failedAt), new Date(failedAt + 10 * MINUTE)],
    )
  })

  await using _store = await startStore({ config: api.config, log: api.log })
  await using events = openStore(api.config)
  const measured = (cdnId: string, source: 'rum' | 'sum', at: number, samples: number, failed: number, ms: number) => ({
    at,
    source,
    organizationId: client.organizationId,
    cdnId,
    country: source === 'rum' ? 'JP' : null,
    samples,
    successes: samples - failed,
    rtt: histogramOf(Array.from({ length: samples - failed }, () => ms)),
  })
  const answered = (cdnId: string, minutes: number, answers: number): AnswerHistory => ({
    at: failedAt + minutes * MINUTE,
    organizationId: client.organizationId,
    siteId: own.site,
    domainId: own.domain,
    cdnId,
    country: 'JP',
    answers,
  })
  const hour = Math.floor(failedAt / HOUR) * HOUR
  await writeHistory(
    events,
    {
      minutes: {
        ...NOBODY,
        measures: [],
        answers: [
          answered('polaris', -3, 60),
          answered('swiftlane', -3, 40),
          answered('swiftlane', 3, 98),
          answered('polaris', 3, 2),
          // What resolvers still had.
          answered('polaris', 0, 50),
        ],
      },
      hours: {
        ...NOBODY,
        measures: [
          measured('swiftlane', 'rum', hour, 1000, 1, 40),
          measured('swiftlane', 'rum', hour - WEEK, 500, 5, 44),
          measured('swiftlane', 'sum', hour, 900, 0, 3),
          measured('polaris', 'sum', hour, 100, 10, 5),
        ],
      },
    },
    failedAt,
  )

  await writeWeeklyLetters(api.database, events, until + HOUR, api)
  assert.equal((await reportsTo(client)).length, 0, 'Sunday may still come in')
  await Promise.all([monday, monday].map((now) => writeWeeklyLetters(api.database, events, now, api)))
  const [letter, ...more] = await reportsTo(client)
  assert.ok(letter)
  assert.deepEqual(more, [], 'two workers at once write one letter')
  assert.deepEqual(
    [letter.from, letter.until],
    [from, until - 1].map((ms) => new Date(ms).toISOString().slice(0, 10)),
  )
  const [swiftlane, polaris] = letter.cdns
  assert.deepEqual(
    letter.cdns.map(({ name, source, samples, availability }) => [name, source, samples, availability]),
    [
      ['Swiftlane', 'rum', 1000, 99.9],
      ['Polaris', 'sum', 100, 90],
    ],
  )
  const [low = 0, high = 0] = swiftlane?.availabilityInterval ?? []
  assert.ok(low < 99.9 && low > 99 && high > 99.9 && high < 100, `${low} ${high}`)
  const { medianMs, interval } = swiftlane?.latency ?? { medianMs: 0, interval: [0, 0] }
  assert.ok(Math.abs(medianMs - 40) < 2 && interval[0] <= medianMs && interval[1] >= medianMs)
  assert.ok(swiftlane?.before?.availability === 99 && Math.abs((swiftlane.before.medianMs ?? 0) - 44) < 2)
  assert.equal(polaris?.before, null, 'what was not measured is not told as zero')
  assert.deepEqual(letter.outages, [
    {
      cdn: 'Polaris',
      at: new Date(failedAt).toISOString(),
      seconds: 480,
      steered: { before: 60, during: 2, by: [{ cdn: 'Swiftlane', percent: 98 }] },
    },
  ])
  assert.ok(letter.changes.length > 0 && letter.changes.every(({ site }) => site === own.host.slice(4)))
  assert.match(letter.link, new RegExp(`^/${own.host.slice(4)}/analytics/dem\\?range=\\d+-\\d+$`))

  assert.equal((await reportsTo(mate)).length, 1)
  for (const one of [late, unproven, blind, without]) assert.deepEqual(await reportsTo(one), [], one.email)
  const [empty] = await reportsTo(stranger)
  assert.deepEqual([empty?.cdns, empty?.outages, empty?.changes], [[], [], []], 'nothing of another organisation')
  const said = await client.call(weeklyReport, {})
  assert.deepEqual([said.week, said.silent, said.sentAt === null], [letter.from, false, false])

  await writeWeeklyLetters(api.database, events, monday + 24 * HOUR, api)
  assert.equal((await reportsTo(client)).length, 1, 'a worker that starts again writes nothing again')
})

test('that nothing was measured is said once, and again only after a week that was measured', async () => {
  const client = await api.newClient()
  await choose(client)
  await using _store = await startStore({ config: api.config, log: api.log })
  await using events = openStore(api.config)
  for (const week of [0, 1, 2]) await writeWeeklyLetters(api.database, events, monday + week * WEEK, api)
  assert.deepEqual(
    (await reportsTo(client)).map(({ cdns }) => cdns),
    [[]],
  )
  const told = await client.call(weeklyReport, {})
  assert.deepEqual([told.silent, told.week], [true, new Date(from + 2 * WEEK).toISOString().slice(0, 10)])
  await api.database.system((tx) => tx.query('UPDATE weekly_report SET silent = false'))
  await writeWeeklyLetters(api.database, events, monday + 3 * WEEK, api)
  assert.equal((await reportsTo(client)).length, 2)
})

test('a clock that is not trusted writes none, and a week that one wrote ahead of its time keeps nobody from the next', async () => {
  const client = await api.newClient()
  await choose(client)
  await using _store = await startStore({ config: api.config, log: api.log })
  await using events = openStore(api.config)
  await api.database.system((tx) => tx.query(`INSERT INTO operator_hold (kind, detail) VALUES ('clock', '{}')`))
  await writeWeeklyLetters(api.database, events, monday, api)
  assert.deepEqual(await reportsTo(client), [])
  await api.database.system(async (tx) => {
    await tx.query(`DELETE FROM operator_hold WHERE kind = 'clock'`)
    await tx.query('UPDATE weekly_report SET week = $2 WHERE user_id = (SELECT id FROM app_user WHERE email = $1)', [
      client.email,
      new Date(from + 5 * WEEK),
    ])
  })
  for (const now of [monday, monday + HOUR]) await writeWeeklyLetters(api.database, events, now, api)
  assert.deepEqual(
    (await reportsTo(client)).map((one) => one.from),
    [new Date(from).toISOString().slice(0, 10)],
  )
})

test('a question that fails for one organisation keeps no letter from the others', async () => {
  const clients = [await api.newClient(), await api.newClient()].toSorted((a, b) =>
    a.organizationId < b.organizationId ? -1 : 1,
  )
  const [heavy, other] = clients as [Client, Client]
  for (const client of clients) await choose(client)
  await using _store = await startStore({ config: api.config, log: api.log })
  await using events = openStore(api.config)
  const tight: EventStore = {
    ...events,
    query: (sql, parameters) =>
      parameters?.['organization'] === heavy.organizationId
        ? Promise.reject(new StoreAway('Memory limit exceeded'))
        : events.query(sql, parameters),
  }
  const warned: string[] = []
  const log = { ...api.log, warn: ({ event }: { event: string }) => void warned.push(event) } as typeof api.log
  await writeWeeklyLetters(api.database, tight, monday, { log })
  assert.deepEqual([(await reportsTo(heavy)).length, (await reportsTo(other)).length], [0, 1])
  assert.deepEqual(warned, ['weekly-letters.letter-failed'])
  await writeWeeklyLetters(api.database, events, monday, api)
  assert.equal((await reportsTo(heavy)).length, 1)
})

test('without the store no letter is written and none is lost; whoever ends it hears no more', async () => {
  const [client, ended] = [await api.newClient(), await api.newClient()]
  await choose(client)
  await choose(ended)
  await using away = openStore({ ...api.config, clickhouseUrl: 'http://127.0.0.1:9' })
  await assert.rejects(writeWeeklyLetters(api.database, away, monday, api))
  assert.deepEqual(await reportsTo(client), [])
  assert.equal((await ended.call(setWeeklyReport, { on: false })).on, false)
  assert.deepEqual(await ended.call(weeklyReport, {}), { on: false, week: null, silent: false, sentAt: null })
  await using _store = await startStore({ config: api.config, log: api.log })
  await using events = openStore(api.config)
  await writeWeeklyLetters(api.database, events, monday, api)
  assert.equal((await reportsTo(client)).length, 1)
  assert.deepEqual(await reportsTo(ended), [])
})

test('it is chosen by who may see measurements, for themselves, and what is not known is refused', async () => {
  const client = await api.newClient()
  const blind = await api.colleague(client, ['ViewSite'])
  assert.equal((await blind.refusal(setWeeklyReport, { on: true })).status, 403)
  const wrong = { on: true, userId: 'somebody' } as { on: boolean }
  assert.equal((await client.refusal(setWeeklyReport, wrong)).status, 400)
  await client.call(setWeeklyReport, { on: true })
  const mate = await api.colleague(client, ['ViewPerformancePolicy'])
  assert.equal((await mate.call(weeklyReport, {})).on, false)
})
