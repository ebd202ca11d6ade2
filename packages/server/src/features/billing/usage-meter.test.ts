import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { type EventStore, StoreAway, openStore, startStore, viewedUsage } from '@fairway/analytics'
import { billing } from '@fairway/contract'
import { monthOf } from '@fairway/domain'
import { embeddedConnection } from '@fairway/platform'
import { startApiUnderTest, type ApiUnderTest } from '../../testing/api-under-test.ts'
import { newCustomer, payWith } from '../../testing/billing-under-test.ts'
import { runMonth } from './month-run.ts'
import { streamUsage } from './stream-usage.ts'
import { UsageCount } from './usage-count.ts'
import { countUsage, countViews, findFacts } from './usage-meter.ts'
import { UsageSoFar } from './usage-so-far.ts'

const at = billing.routes
const DAY = 86_400_000
let api: ApiUnderTest
let events: EventStore
const started = new AsyncDisposableStack()
before(async () => {
  api = started.use(await startApiUnderTest())
  started.use(await startStore({ config: api.config, log: api.log }))
  events = started.use(openStore(api.config))
})
after(() => started.disposeAsync())

const time = (ms: number) => new Date(ms).toISOString().replace('T', ' ').slice(0, 23)
const today = Math.floor(Date.now() / DAY) * DAY
const month = monthOf(Date.now())

test('what the nodes logged is what is billed: the line, its usage and the logs agree to the cent', async () => {
  const client = await newCustomer(api)
  await payWith(api, client, '4242424242424242')
  await client.call(at.subscribe, { planId: 'business' })
  const answer = (atMs: number, answers: number, country = 'JP') => ({
    at: time(atMs),
    organization: client.organizationId,
    site: 's1',
    domain: 'd1',
    cdn: 'edge',
    country,
    node: 'n/dns',
    answers,
  })
  const request = (atMs: number, bytes: number) => ({
    at: time(atMs),
    organization: client.organizationId,
    site: 's1',
    domain: 'd1',
    cdn: '',
    node: 'n/edge',
    host: 'www.x.test',
    method: 'GET',
    path: '/',
    status: 200,
    bytes,
    ms: 1,
    cache_status: 'HIT',
    why: '',
    client: '192.0.2.0',
    country: 'JP',
  })
  await events.insert('dns_answers', [
    answer(today, 1_500_000),
    answer(today + 1, 777_777),
    answer(today + 2, 150_000, 'CN'),
  ])
  await events.insert('edge_requests', [request(today + 3, 1_234_567_890_123), request(today + 4, 2_000_000_000_000)])
  await countUsage(api.database, events, { daysBack: 0, vendorDaysBack: 0, now: new Date() })
  // Counting again changes nothing; what arrives late is added.
  await events.insert('dns_answers', [answer(today + 5, 222_223)])
  for (let times = 0; times < 2; times++)
    await countUsage(api.database, events, { daysBack: 1, vendorDaysBack: 1, now: new Date() })
  const { items, countedAt } = await client.call(at.usage, {})
  assert.ok(countedAt)
  assert.deepEqual(Object.fromEntries(items.map(({ type, used }) => [type, used])), {
    mcdn: 0,
    dns: 0,
    dnsQuery: 2_500_000,
    chinaDnsQuery: 150_000,
    cdnTraffic: 3_234_567_890_123,
    cdnRequest: 2,
    streamView: 0,
    liveMinute: 0,
    encodedMinute: 0,
    storedMinute: 0,
  })

  await runMonth(api.config, api.database, api.log, new Date(month.until + 3_600_000))
  const id = (await client.call(at.invoices, {})).data[0]?.id ?? ''
  const invoice = await client.call(at.invoice, { id })
  const usage = invoice.lines.filter(({ kind }) => kind === 'usage')
  assert.deepEqual(
    usage.map(({ itemId, amountMinor }) => [itemId, amountMinor]),
    [
      ['dnsQuery', 60],
      ['chinaDnsQuery', 8],
      ['cdnTraffic', 8938],
      ['cdnRequest', 0],
    ],
  )
  for (const line of usage) {
    const explained = await client.call(at.lineUsage, { id, number: String(line.number) })
    assert.deepEqual(
      [explained.total, explained.loggedNow, explained.recomputedMinor],
      [line.used, line.used, line.amountMinor],
      line.itemId,
    )
  }
})

test('usage that arrives after the invoice changes nothing of it, and a store that has lost its logs takes nothing back', async () => {
  const client = await newCustomer(api)
  await client.call(at.subscribe, { planId: 'developer' })
  const row = {
    at: time(today),
    organization: client.organizationId,
    site: 's',
    domain: 'd',
    cdn: '',
    country: 'JP',
    node: 'n/dns',
    answers: 600_000,
  }
  const used = async () => (await client.call(at.usage, {})).items.find(({ type }) => type === 'dnsQuery')?.used
  await events.insert('dns_answers', [row])
  await countUsage(api.database, events, { daysBack: 0, vendorDaysBack: 0, now: new Date() })
  await events.command(
    `ALTER TABLE dns_answers DELETE WHERE organization = {organization:String} SETTINGS mutations_sync = 1`,
    { organization: client.organizationId },
  )
  await countUsage(api.database, events, { daysBack: 0, vendorDaysBack: 0, now: new Date() })
  assert.equal(await used(), 600_000)
  await runMonth(api.config, api.database, api.log, new Date(month.until + 3_600_000))
  await events.insert('dns_answers', [{ ...row, answers: 5_000_000 }])
  await countUsage(api.database, events, { daysBack: 0, vendorDaysBack: 0, now: new Date() })
  assert.equal(await used(), 600_000)
})

test('views, minutes on air and minutes encoded are usage and lines of the invoice, and a dead role adds nothing', async () => {
  const client = await newCustomer(api)
  await payWith(api, client, '4242424242424242')
  await client.call(at.subscribe, { planId: 'business' })
  const { organizationId } = client
  const system = <Row extends object>(sql: string, values: unknown[] = []) =>
    api.database.system((tx) => tx.query<Row>(sql, values))
  const source = JSON.stringify({ width: 640, height: 360, fps: 25, seconds: 90, videoCodec: 'h264', audioCodec: null })
  const [film] = await system<{ id: string }>(
    `INSERT INTO stream_asset (organization_id, name, size, state, source, created_by, ready_at) VALUES ($1, 'pier.mp4', 1, 'ready', $2, 'x', $3) RETURNING id`,
    [organizationId, source, new Date(today)],
  )
  const [old] = await system<{ id: string }>(
    `INSERT INTO stream_asset (organization_id, name, size, state, source, created_by, ready_at, replaces, deleted_at) VALUES ($1, 'old.mp4', 1, 'ready', $2, 'x', $3, $4, now()) RETURNING id`,
    [organizationId, source, new Date(today), film?.id],
  )
  for (const [id, qualities] of [
    [film?.id, 2],
    [old?.id, 1],
  ])
    await system(
      `INSERT INTO stream_job (organization_id, asset_id, seq, kind, name, state) SELECT $1, $2, n, 'video', n::text, 'done' FROM generate_series(1, $3) n`,
      [organizationId, id, qualities],
    )
  const [live] = await system<{ id: string }>(
    `INSERT INTO stream_live (organization_id, name, latency, key_frame_seconds, rewind_seconds, key_hash, created_by) VALUES ($1::uuid, 'Harbour', 'low', 1, 60, $1::uuid::text, 'x') RETURNING id`,
    [organizationId],
  )
  // From before midnight to a death at 00:10:30, and again from 00:20 for five minutes.
  const run = (from: number, until: number) =>
    system(
      `INSERT INTO stream_run (organization_id, live_id, runner, started_at, seen_at, ended_at) VALUES ($1, $2, 'x', $3, $4, $4)`,
      [organizationId, live?.id, new Date(from), new Date(until)],
    )
  await run(today - 7 * 60_000, today + 10.5 * 60_000)
  await run(today + 20 * 60_000, today + 25 * 60_000)
  const view = (name: string, event: string, more: object = {}) => ({
    at: time(today + 1000),
    organization: organizationId,
    source: film?.id,
    kind: 'asset',
    view: name,
    event,
    ...more,
  })
  await events.insert('player_events', [
    view('a', 'start'),
    view('a', 'first'),
    view('a', 'first', { at: time(today + 2000) }),
    view('b', 'first'),
    view('never seen', 'start'),
    view('forged', 'first'),
  ])
  await events.insert(
    'stream_segments',
    ['a', 'b', 'never seen'].map((name) => ({
      at: time(today + 1000),
      organization: organizationId,
      source: film?.id,
      view: name,
      status: 200,
      path: `/${film?.id}/v720-1/s00001.m4s`,
    })),
  )
  const used = async () => {
    const { items } = await client.call(at.usage, {})
    return Object.fromEntries(items.map((item) => [item.type, item.used]))
  }
  // Of the day before, unless that was another month's.
  const before = new Date(today).getUTCDate() === 1 ? 0 : 7
  for (let times = 0; times < 3; times++) {
    await countUsage(api.database, events, { daysBack: 1, vendorDaysBack: 1, now: new Date() })
    await countViews(api.database, events, { daysBack: 1, now: new Date() })
    const { streamView, liveMinute, encodedMinute } = await used()
    // 10.5 and 5 minutes; three qualities of a minute and a half.
    assert.deepEqual([streamView, liveMinute, encodedMinute], [2, before + 16, 5])
  }
  await runMonth(api.config, api.database, api.log, new Date(month.until + 3_600_000))
  const id = (await client.call(at.invoices, {})).data[0]?.id ?? ''
  const lines = (await client.call(at.invoice, { id })).lines.filter(({ kind }) => kind === 'usage')
  assert.deepEqual(
    // What is stored grows until the day ends.
    lines.filter(({ itemId }) => itemId !== 'storedMinute').map(({ itemId, amountMinor }) => [itemId, amountMinor]),
    [
      ['streamView', 0],
      ['liveMinute', before === 0 ? 21 : 31],
      ['encodedMinute', 6],
    ],
  )
  for (const line of lines) {
    const explained = await client.call(at.lineUsage, { id, number: String(line.number) })
    assert.equal(explained.total, line.used, line.itemId)
    if (line.itemId === 'storedMinute') assert.ok((explained.loggedNow ?? 0) >= (line.used ?? 0))
    else assert.equal(explained.loggedNow, line.used, line.itemId)
    for (const { site, domain } of explained.rows)
      assert.deepEqual([site, domain], ['Stream', line.itemId === 'liveMinute' ? 'Harbour' : 'pier.mp4'])
  }
})

test('what was encoded counts on the day when it was done, whatever became of it; what was encoded on air counts nothing', async () => {
  const { organizationId } = await newCustomer(api)
  const system = <Row extends object>(sql: string, values: unknown[]) =>
    api.database.system((tx) => tx.query<Row>(sql, values))
  type Film = { seconds: number; state?: string; more?: string; jobs: string[]; replaces?: string }
  const add = async ({ seconds, state = 'ready', more = 'NULL, NULL, NULL', jobs, replaces }: Film) => {
    const [row] = await system<{ id: string }>(
      `INSERT INTO stream_asset (organization_id, name, size, state, source, created_by, replaces, playable_at, ready_at, deleted_at) VALUES ($1, gen_random_uuid()::text, 1, $2, $3, 'x', $4, ${more}) RETURNING id`,
      [organizationId, state, JSON.stringify({ seconds }), replaces],
    )
    for (const [seq, job] of jobs.entries())
      await system(
        `INSERT INTO stream_job (organization_id, asset_id, seq, kind, name, state, ended_at) VALUES ($1, $2, $3::int, $4, 'n' || $3::int, $5, $6)`,
        [organizationId, row?.id, seq, ...job.split(' ').map((word) => (word === '-' ? null : word))],
      )
    return row?.id ?? ''
  }
  const [first, second] = ['2020-03-01T23:00:00Z', '2020-03-02T01:00:00Z']
  // Playable, and removed before its last quality was made.
  const removed = await add({
    seconds: 60,
    state: 'processing',
    more: `'2020-03-01T12:00:00Z', NULL, '2020-03-02T02:00:00Z'`,
    jobs: [`audio done ${first}`, `video done ${first}`, `video done ${second}`, `video waiting -`],
  })
  // Playable, and then failed: it is served and stored until it is removed.
  const failed = await add({
    seconds: 120,
    state: 'failed',
    more: `'2020-03-02T00:00:00Z', NULL, '2020-03-02T12:00:00Z'`,
    jobs: [`video done ${second}`, `video failed ${second}`],
  })
  // A recording whose picture was replaced: the new one was encoded, the old one on air.
  const recording = await add({ seconds: 180, more: `NULL, NULL, NULL`, jobs: [`video done ${second}`] })
  await system(
    `INSERT INTO stream_live (id, organization_id, name, latency, key_frame_seconds, rewind_seconds, key_hash, created_by) VALUES ($1::uuid, $1::uuid, 'Harbour', 'low', 1, 60, $1::uuid::text, 'x')`,
    [organizationId],
  )
  await system(
    `INSERT INTO stream_recording (id, organization_id, live_id, state, facts) VALUES ($1, $2, $2, 'kept', '{}')`,
    [recording, organizationId],
  )
  await add({
    seconds: 600,
    more: `NULL, '2020-03-02T00:00:00Z', '2020-03-02T00:00:00Z'`,
    replaces: recording,
    jobs: [`recording done ${second}`, 'video done -'],
  })
  const span = { from: Date.UTC(2020, 2, 1), until: Date.UTC(2020, 2, 5), organizationId }
  const found = (await api.database.system((tx) => streamUsage(tx, span))).map(
    ({ meter, day, domainId, used }) => `${meter} ${day} ${domainId} ${used}`,
  )
  assert.deepEqual(
    found.toSorted(),
    [
      `encodedMinute 2020-03-01 ${removed} 1`,
      `encodedMinute 2020-03-02 ${removed} 1`,
      `encodedMinute 2020-03-02 ${failed} 2`,
      `encodedMinute 2020-03-02 ${recording} 3`,
      `storedMinute 2020-03-01 ${removed} 1`,
      `storedMinute 2020-03-02 ${removed} 1`,
      `storedMinute 2020-03-02 ${failed} 1`,
    ].toSorted(),
  )
})

test('what is stored counts by the part of each day that it is there, a replaced file until it is', async () => {
  const client = await newCustomer(api)
  const { organizationId } = client
  const add = async (seconds: number, from: string, until: string, replaces: string | null = null) => {
    const rows = await api.database.system((tx) =>
      tx.query<{ id: string }>(
        `INSERT INTO stream_asset (organization_id, name, size, state, source, created_by, ready_at, deleted_at, replaces) VALUES ($1, gen_random_uuid()::text, 1, 'ready', $2, 'x', $3, $4, $5) RETURNING id`,
        [organizationId, JSON.stringify({ seconds }), from, until, replaces],
      ),
    )
    return rows[0]?.id ?? ''
  }
  // An hour's film from noon until six of the next morning; then ten minutes in its place until that day ends.
  const film = await add(600, '2020-03-02T06:00:00Z', '2020-03-03T00:00:00Z')
  await add(3600, '2020-03-01T12:00:00Z', '2020-03-02T06:00:00Z', film)
  // One that is there for a second is a minute; one that was never whole is nothing.
  const short = await add(59, '2020-03-02T23:59:59Z', '2020-03-03T00:00:00Z')
  await add(3600, '2020-03-02T06:00:00Z', '2020-03-02T05:00:00Z')
  const span = { from: Date.UTC(2020, 2, 1), until: Date.UTC(2020, 2, 5), organizationId }
  const found = (await api.database.system((tx) => streamUsage(tx, span)))
    .filter(({ meter }) => meter === 'storedMinute')
    .map(({ day, domainId, used }) => `${day} ${domainId} ${used}`)
  // 60 × 12/24; 60 × 6/24 + 10 × 18/24.
  assert.deepEqual(
    found.toSorted(),
    [`2020-03-01 ${film} 30`, `2020-03-02 ${film} 23`, `2020-03-02 ${short} 1`].toSorted(),
  )
})

test('a round reads the minutes since the last ones, and knows what whole days would say', async () => {
  const organization = crypto.randomUUID()
  const from = today - DAY
  const minute = (nth: number) => from + 6 * 3_600_000 + nth * 60_000
  const log = (atMs: number, answers: number, domain = 'd') =>
    events.insert('dns_answers', [
      { at: time(atMs), organization, site: 's', domain, cdn: '', country: 'JP', node: 'n/dns', answers },
    ])
  const soFar = new UsageSoFar()
  const round = async (nth: number, whole = false, since = from) =>
    (await soFar.of(events, { from: since, now: minute(nth), whole }))
      .filter((row) => row.organizationId === organization)
      .map(({ domainId, used }) => [domainId, used])
      .toSorted()
  await log(minute(-60), 1)
  await log(minute(-1), 2)
  assert.deepEqual(await round(0, true), [['d', 3]])
  // Delivered minutes late, as nodes do, and by another domain.
  await log(minute(-5), 10)
  await log(minute(4), 20, 'other')
  assert.deepEqual(await round(5), [
    ['d', 13],
    ['other', 20],
  ])
  assert.deepEqual(
    await round(12),
    [
      ['d', 13],
      ['other', 20],
    ],
    'still among the last minutes',
  )
  await round(19)
  assert.deepEqual(await round(26), [['other', 20]], 'and once when it settles')
  await log(minute(30), 100)
  assert.deepEqual(await round(31), [['d', 113]], 'what rests is not written anew')
  await log(minute(-30), 1000)
  assert.deepEqual(await round(32), [['d', 113]])
  assert.deepEqual(
    await round(33, true),
    [
      ['d', 1113],
      ['other', 20],
    ],
    'hours late, found by whole days',
  )
  assert.deepEqual(await round(50, false, from + 1), [['d', 1113]])
  assert.deepEqual(await round(51), [], 'nothing has come')
  await log(minute(-100), 5)
  soFar.forget()
  assert.deepEqual(
    await round(51),
    [
      ['d', 1118],
      ['other', 20],
    ],
    'what may not have been written',
  )
  assert.deepEqual(await round(-50), [['d', 6]], 'a clock that was set back')
  await log(from - 1, 7)
  assert.deepEqual(
    await round(52, false, from - DAY),
    [
      ['d', 7],
      ['d', 1118],
      ['other', 20],
    ].toSorted(),
    'earlier days',
  )
})

test('views that cannot be counted keep no other usage, and whole days are not read again with each round', async () => {
  const { organizationId, call } = await newCustomer(api)
  await events.insert('dns_answers', [
    {
      at: time(today),
      organization: organizationId,
      site: 's',
      domain: 'd',
      cdn: '',
      country: 'JP',
      node: 'n',
      answers: 7,
    },
  ])
  let asked = 0
  const tight: EventStore = {
    ...events,
    query: (sql, parameters) => {
      if (!sql.includes('stream_segments')) return events.query(sql, parameters)
      asked += 1
      if (asked <= 2) return Promise.reject(new StoreAway('read ECONNRESET'))
      return events.query(`${sql} SETTINGS max_memory_usage = 1`, parameters)
    },
  }
  const soFar = () => new UsageSoFar(viewedUsage)
  const [usage, views] = [new UsageCount(countUsage, new UsageSoFar()), new UsageCount(countViews, soFar())]
  const round = (count: UsageCount) =>
    count.round({ database: api.database, events: tight, log: api.log }, { now: new Date(), month: month.from })
  await round(usage)
  assert.equal((await call(at.usage, {})).items.find(({ type }) => type === 'dnsQuery')?.used, 7)
  const roundFails = () => assert.rejects(round(views), StoreAway)
  for (let times = 1; times <= 2; times++) {
    await roundFails()
    assert.equal(asked, times, 'a connection that was reset is no reason to rest')
  }
  await roundFails()
  assert.ok(asked > 2)
  const before = asked
  for (let times = 0; times < 2; times++) await roundFails()
  assert.equal(asked, before)
})

test('a round that is given up while it reads, and goes on beside the next one, counts nothing twice', async () => {
  const row = { organizationId: 'o', day: '2026-01-01', meter: 'dnsQuery', siteId: 's', domainId: 'd', cdnId: '' }
  const waiting: (() => void)[] = []
  // Answers when it is let go: ten of each second that is asked for, up to the end of what was logged.
  const slow = {
    query: (_: string, { from, until }: { from: number; until: number }) =>
      new Promise((resolve) =>
        waiting.push(() =>
          resolve([
            {
              ...row,
              organization: 'o',
              site: 's',
              domain: 'd',
              cdn: '',
              used: Math.max(0, Math.min(until, 3_600_000) - from) / 100,
            },
          ]),
        ),
      ),
  } as unknown as EventStore
  const soFar = new UsageSoFar()
  const given = soFar.of(slow, { from: 0, now: 3_600_000, whole: true })
  soFar.forget()
  const next = soFar.of(slow, { from: 0, now: 3_600_000, whole: true })
  const letAllGo = async (rounds: Promise<unknown>[]) => {
    const all = { done: false }
    void Promise.all(rounds).then(() => (all.done = true))
    while (!all.done) {
      for (const go of waiting.splice(0)) go()
      await new Promise((resolve) => setImmediate(resolve))
    }
  }
  await letAllGo([given, next])
  assert.deepEqual(
    (await next).map(({ used }) => used),
    [36_000],
  )
  const after = soFar.of(slow, { from: 0, now: 3_600_000, whole: false })
  await letAllGo([after])
  assert.deepEqual(
    (await after).map(({ used }) => used),
    [36_000],
  )
})

test('an account for which the database has no room keeps no other from its limit', async () => {
  const ids = await Promise.all([1, 2].map(async () => (await newCustomer(api)).organizationId))
  const administrator = new pg.Client(embeddedConnection(api.config))
  await administrator.connect()
  try {
    await administrator.query(
      `CREATE FUNCTION no_room() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'no room' USING ERRCODE = '53200'; END $$;
       CREATE TRIGGER no_room BEFORE UPDATE ON billing_account FOR EACH ROW WHEN (NEW.organization_id = '${ids[0]}' AND NEW.cap_reached_at IS NOT NULL) EXECUTE FUNCTION no_room()`,
    )
    await administrator.query('UPDATE billing_account SET cap_minor = 0 WHERE organization_id = ANY($1)', [ids])
    await findFacts(api.config, api.database, api.log, new Date())
    const reached = await api.database.system((tx) =>
      tx.query<{ id: string }>(
        'SELECT organization_id AS id FROM billing_account WHERE organization_id = ANY($1) AND cap_reached_at IS NOT NULL',
        [ids],
      ),
    )
    assert.deepEqual(
      reached.map(({ id }) => id),
      ids.slice(1),
    )
  } finally {
    await administrator.query('DROP TRIGGER no_room ON billing_account; DROP FUNCTION no_room()')
    await administrator.end()
  }
})
