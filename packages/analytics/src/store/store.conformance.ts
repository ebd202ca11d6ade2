import assert from 'node:assert/strict'
import { test } from 'node:test'
import { migrateStore } from './migrate.ts'
import { StoreRefused } from './store-error.ts'
import type { EventStore } from './store.ts'
import { type BeaconRow, storeTime } from './tables.ts'

/**
 * What every engine behind the store must do; run by `store.test.ts` over the embedded one and, when a URL is given,
 * over a ClickHouse server.
 */
export function storeConformance(name: string, open: () => EventStore): void {
  const organization = `conformance-${process.pid}-${Date.now()}`
  const row = (more: Partial<BeaconRow> = {}): BeaconRow => ({
    at: storeTime(Date.now()),
    organization,
    cdn: 'c1',
    continent: 'AS',
    country: 'JP',
    region: 'Tokyo',
    city: 'Tokyo',
    network: 'AS2497',
    subnet: 1,
    ok: 1,
    rtt_ms: 12.5,
    ...more,
  })
  const count = async (store: EventStore) =>
    (
      await store.query<{ n: number }>('SELECT count() AS n FROM beacons WHERE organization = {o:String}', {
        o: organization,
      })
    )[0]?.n

  test(`${name}: answers, and migrations run twice without harm`, async () => {
    await using store = open()
    assert.equal(await store.isAnswering(), true)
    await migrateStore(store)
    await migrateStore(store)
    const rows = await store.query<{ number: number; n: number }>(
      'SELECT number, count() AS n FROM fairway_migrations GROUP BY number ORDER BY number',
    )
    assert.ok(rows.length >= 2 && rows.every((one) => one.n === 1))
  })

  test(`${name}: rows come back as they were written, 64-bit counts as numbers`, async () => {
    await using store = open()
    const measured = { post: 7, connect_ms: 1.5, tls_ms: 2.5, round_ms: 3.5, mbps: 4.5 }
    const cost = { requests: 3, page_bytes: 4096, task_ms: 0.5 }
    const odd = row({ city: `It's "a\\b"\t\n`, cdn: 'read-back', ...measured, ...cost })
    await store.insert('beacons', [odd])
    const back = await store.query<BeaconRow & { n: number }>(
      'SELECT *, toUInt64(5000000000) AS n FROM beacons WHERE organization = {o:String} AND cdn = {c:String} AND city = {city:String}',
      { o: organization, c: 'read-back', city: odd.city },
    )
    assert.deepEqual(back, [{ ...odd, n: 5_000_000_000 }])
  })

  test(`${name}: lines with the same token are written once`, async () => {
    await using store = open()
    const before = (await count(store)) ?? 0
    const lines = `${JSON.stringify(row())}\n${JSON.stringify(row())}\n`
    await store.insertLines('beacons', lines, `${organization}-1`)
    await store.insertLines('beacons', lines, `${organization}-1`)
    await store.insertLines('beacons', lines, `${organization}-2`)
    assert.equal(await count(store), before + 4)
  })

  test(`${name}: what is wrong is refused with ClickHouse's code`, async () => {
    await using store = open()
    const refused = (code: number) => (error: unknown) => error instanceof StoreRefused && error.code === code
    await assert.rejects(store.query('SELECT * FROM no_such_table'), refused(60))
    await assert.rejects(store.query('SELECT no_such_column FROM beacons'), refused(47))
    await assert.rejects(store.query('SELEC 1'), refused(62))
    await assert.rejects(store.insert('beacons', [{ ...row(), surprise: 1 }]), refused(117))
  })

  test(`${name}: lists of values, and values that look like SQL`, async () => {
    await using store = open()
    const text = `'; DROP TABLE beacons; --`
    const rows = await store.query<{ t: string; l: string[] }>('SELECT {t:String} AS t, {l:Array(String)} AS l', {
      t: text,
      l: ["it's", 'b\\'],
    })
    assert.deepEqual(rows, [{ t: text, l: ["it's", 'b\\'] }])
  })

  test(`${name}: 50,000 rows in, a large answer out`, async () => {
    await using store = open()
    const line = `${JSON.stringify(row({ cdn: 'many' }))}\n`
    await store.insertLines('beacons', line.repeat(50_000))
    const rows = await store.query<{ number: number }>('SELECT number FROM numbers(200000)')
    assert.equal(rows.length, 200_000)
    assert.equal(
      (
        await store.query<{ n: number }>(
          `SELECT count() AS n FROM beacons WHERE organization = {o:String} AND cdn = 'many'`,
          { o: organization },
        )
      )[0]?.n,
      50_000,
    )
  })

  test(`${name}: a statement has its own settings and leaves none behind`, async () => {
    await using store = open()
    await store.command(`SET max_threads = 1`).catch(() => {})
    const rows = await Promise.all(
      Array.from({ length: 8 }, () =>
        store.query<{ changed: number }>(`SELECT changed FROM system.settings WHERE name = 'max_threads'`),
      ),
    )
    assert.ok(rows.every((answer) => answer[0]?.changed === 0))
  })
}
