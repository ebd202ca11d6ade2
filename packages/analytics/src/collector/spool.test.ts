import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import fc from 'fast-check'
import { type Config, configEnvironment, loadConfig, makeLog } from '@fairway/platform'
import { startStore } from '../facade/start-store.ts'
import { type EventStore, openStore } from '../store/store.ts'
import { type BeaconRow, storeTime } from '../store/tables.ts'
import { BatchOrder } from './batch-order.ts'
import { batchName, readBatches, withName } from './spool-batches.ts'
import { NotTaken, SpoolFull, openSpool } from './spool.ts'

const home = fs.mkdtempSync(path.join(os.tmpdir(), 'spool-'))
const config: Config = loadConfig({ FAIRWAY_HOME: home, FAIRWAY_LOG_LEVEL: 'error' })
const log = makeLog('test', config)
after(() => fs.rmSync(home, { recursive: true, force: true }))

const row = (organization: string, more: Partial<BeaconRow> = {}): string =>
  `${JSON.stringify({ at: storeTime(Date.now()), organization, cdn: 'c1', continent: 'AS', country: 'JP', region: '', city: '', network: '', subnet: 1, ok: 1, rtt_ms: 5, ...more } satisfies BeaconRow)}\n`
const count = async (store: EventStore, organization: string) =>
  (
    await store.query<{ n: number }>('SELECT count() AS n FROM beacons WHERE organization = {o:String}', {
      o: organization,
    })
  )[0]?.n ?? 0
const until = async (holds: () => boolean | Promise<boolean>) => {
  for (const end = Date.now() + 20_000; !(await holds());) {
    if (Date.now() > end) throw new Error('it did not come to pass within 20 s')
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
const folderOf = (name: string) => path.join(home, name)

test('rows taken while the store is away reach it when it is back, each once', async () => {
  await using store = openStore(config)
  await using spool = openSpool({ folder: folderOf('away'), table: 'beacons', store, log })
  for (let i = 0; i < 50; i++) await spool.append(row('away'))
  await Promise.all(Array.from({ length: 500 }, () => spool.append(row('away'))))
  assert.ok(spool.state().waitingBytes > 0)
  assert.equal(spool.state().storedRows, 0)
  await using _running = await startStore({ config, log })
  await until(() => spool.state().waitingBytes === 0)
  assert.equal(await count(store, 'away'), 550)
  await until(() => !fs.readdirSync(folderOf('away')).some((name) => name.endsWith('.ndjson')))
})

test('a segment that was inserted but not yet removed when its process died is not inserted again; a torn last line is left out', async () => {
  await using _running = await startStore({ config, log })
  await using store = openStore(config)
  const folder = folderOf('replay')
  const kept = folderOf('kept')
  fs.mkdirSync(kept)
  {
    await using spool = openSpool({ folder, table: 'beacons', store, log })
    await spool.append(row('replay'))
    const name = fs.readdirSync(folder).find((one) => one.endsWith('.ndjson')) ?? ''
    fs.copyFileSync(path.join(folder, name), path.join(kept, name))
    await until(() => spool.state().storedRows === 1)
  }
  for (const name of fs.readdirSync(kept)) fs.copyFileSync(path.join(kept, name), path.join(folder, name))
  fs.writeFileSync(
    path.join(folder, `${Date.now()}-0123456789ab.ndjson`),
    row('replay', { cdn: 'other' }) + row('replay').slice(0, 40),
  )
  await using spool = openSpool({ folder, table: 'beacons', store, log })
  await until(() => spool.state().waitingBytes === 0)
  assert.equal(await count(store, 'replay'), 2)
})

test('of rows that reach the store the earliest of each hour is told, however new their segment is', async () => {
  await using _running = await startStore({ config, log })
  await using store = openStore(config)
  const told: number[] = []
  const onStored = (earliest: number[]) => void told.push(...earliest)
  const late = Date.UTC(2026, 0, 2, 3, 4, 5, 6)
  for (const isShared of [false, true]) {
    await using spool = openSpool({
      folder: folderOf(`late-${isShared}`),
      table: 'beacons',
      store,
      log,
      isShared,
      onStored,
    })
    const rows = [late + 1_000, late, late + 3_600_000].map((at) => row('late', { at: storeTime(at) })).join('')
    await spool.append(rows, `late-${isShared}`)
    await until(() => spool.state().storedRows === 3)
    assert.deepEqual(told.splice(0), [late, late + 3_600_000])
  }
})

test('what the store refuses is kept aside and does not hold up the rest', async () => {
  await using _running = await startStore({ config, log })
  await using store = openStore(config)
  const folder = folderOf('refused')
  fs.mkdirSync(folder, { recursive: true })
  fs.writeFileSync(path.join(folder, `${Date.now() - 1000}-0123456789ab.ndjson`), '{"no":"such column"}\n')
  await using spool = openSpool({ folder, table: 'beacons', store, log })
  await spool.append(row('refused'))
  await until(() => spool.state().storedRows === 1)
  assert.equal(await count(store, 'refused'), 1)
  assert.deepEqual([spool.state().refusedSegments, fs.readdirSync(path.join(folder, 'refused')).length], [1, 1])
})

test('when its share of the disk is used up it says so instead of taking rows', async () => {
  await using store = openStore(config)
  await using spool = openSpool({ folder: folderOf('full'), table: 'beacons', store, log, limitBytes: 1000 })
  let taken = 0
  await assert.rejects(async () => {
    for (;;) {
      await spool.append(row('full'))
      taken++
    }
  }, SpoolFull)
  assert.ok(taken > 0 && taken < 20)
})

test('a disk that is nearly full takes no rows, and takes them again when it has room', async () => {
  await using store = openStore(config)
  let hasRoom = false
  await using spool = openSpool({ folder: folderOf('roomless'), table: 'beacons', store, log, hasRoom: () => hasRoom })
  await assert.rejects(spool.append(row('roomless')), SpoolFull)
  assert.match(spool.state().problem ?? '', /disk is nearly full/)
  hasRoom = true
  await spool.append(row('roomless'))
  assert.equal(spool.state().problem, null)
})

test(
  'what is refused is told once and until it is taken again, however often it comes',
  { skip: process.platform !== 'linux' },
  async () => {
    const lines: string[] = []
    const note = ({ event }: { event: string }) => void lines.push(event)
    await using store = openStore(config)
    const folder = folderOf('untold')
    await using spool = openSpool({
      folder,
      table: 'beacons',
      store,
      log: { ...log, error: note, info: note, warn: () => {} },
    })
    // Without its folder no file can be made, as on a disk that is full.
    fs.renameSync(folder, `${folder}-gone`)
    for (let i = 0; i < 20; i++) await assert.rejects(spool.append(row('untold')), NotTaken)
    assert.deepEqual(lines, ['spool.not-taken'])
    assert.match(spool.state().problem ?? '', /ENOENT/)
    fs.renameSync(`${folder}-gone`, folder)
    await spool.append(row('untold'))
    assert.deepEqual([lines, spool.state().problem], [['spool.not-taken', 'spool.taken-again'], null])
  },
)

test('kill -9 in the middle of a flood: every row that was confirmed arrives', async () => {
  const folder = folderOf('killed')
  const script = `
    import { openSpool } from ${JSON.stringify(path.join(import.meta.dirname, 'spool.ts'))}
    import { openStore } from ${JSON.stringify(path.join(import.meta.dirname, '../store/store.ts'))}
    import { loadConfig, makeLog } from '@fairway/platform'
    const config = loadConfig()
    const spool = openSpool({ folder: ${JSON.stringify(folder)}, table: 'beacons', store: openStore(config), log: makeLog('x', config) })
    const line = ${JSON.stringify(row('killed'))}
    let taken = 0
    for (let i = 0; i < 200; i++) void (async () => { for (;;) { await spool.append(line); process.stdout.write(++taken + '\\n') } })()`
  await using _running = await startStore({ config, log })
  await using store = openStore(config)
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    cwd: import.meta.dirname,
    env: { PATH: '', ...configEnvironment(config) },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let confirmed = 0
  child.stdout.setEncoding('utf8')
  child.stdout.on('data', (text: string) => {
    confirmed = Number(text.trimEnd().split('\n').at(-1))
    if (confirmed > 20_000) child.kill('SIGKILL')
  })
  await new Promise((resolve) => child.once('close', resolve))
  await using spool = openSpool({ folder, table: 'beacons', store, log })
  await until(() => spool.state().waitingBytes === 0)
  const stored = await count(store, 'killed')
  // The last confirmations may have died in the pipe, so there may be some more, of the batch under way.
  assert.ok(stored >= confirmed && stored <= confirmed + 1000, `${confirmed} confirmed, ${stored} stored`)
})

const spoolShared = (name: string, store: EventStore) =>
  openSpool({ folder: folderOf(name), table: 'beacons', store, log, isShared: true })

test('a batch that several collectors took counts once, whoever brings it first', async () => {
  await using _running = await startStore({ config, log })
  await using store = openStore(config)
  await using one = spoolShared('shared-1', store)
  await using two = spoolShared('shared-2', store)
  const [BATCHES, ROUNDS] = [60, 4]
  for (let round = 0; round < ROUNDS; round++) {
    const names = Array.from({ length: BATCHES }, (_, at) => `r${round}-${at}`)
    const take = (spool: typeof one, name: string) =>
      spool.append(row('shared', { city: name }) + row('shared', { city: name, ok: 0, rtt_ms: 0 }), name)
    await Promise.all([
      ...names.map((name) => take(one, name)),
      ...names.toReversed().map((name) => take(two, name)),
      ...[one, two].map((spool, at) => take(spool, `r${round}-only-${at}`)),
    ])
    // Also one that comes again to a collector that has forgotten it, in another segment.
    await until(() => one.state().waitingBytes === 0)
    await take(one, `r${round}-0`)
  }
  await until(() => one.state().waitingBytes + two.state().waitingBytes === 0)
  const odd = await store.query(
    `SELECT city, count() AS n FROM beacons WHERE organization = 'shared' GROUP BY city HAVING n != 2`,
  )
  assert.deepEqual(odd, [])
  assert.equal(await count(store, 'shared'), 2 * ROUNDS * (BATCHES + 2))
  assert.equal(one.state().repeatedBatches + two.state().repeatedBatches, ROUNDS * (BATCHES + 1))
})

test('segments of a collector that died are brought there once, without what another one was sent again', async () => {
  await using _running = await startStore({ config, log })
  await using store = openStore(config)
  const folder = folderOf('died')
  const kept = folderOf('died-kept')
  const write = async (name: string, batches: string[]) => {
    await using spool = spoolShared(name, store)
    await Promise.all(batches.map((batch) => spool.append(row('died', { city: batch }), batch)))
    const file = fs.readdirSync(folderOf(name)).find((one) => one.endsWith('.ndjson')) ?? ''
    fs.mkdirSync(kept, { recursive: true })
    fs.copyFileSync(path.join(folderOf(name), file), path.join(kept, file))
    return file
  }
  // It has brought the segment to the store, and died before it could remove the file.
  const first = await write('died', ['a', 'b', 'c'])
  fs.copyFileSync(path.join(kept, first), path.join(folder, first))
  // This one was never brought there: `c` was, and `d` and `e` another collector was sent again meanwhile.
  const text = `#\n${row('died', { city: 'c' })}#${batchName('c')}\n#\n${row('died', { city: 'd' })}#${batchName('d')}\n#\n${row('died', { city: 'f' })}#${batchName('f')}\n`
  // The last batch was torn: nobody was told that it was taken, and it came again elsewhere.
  fs.writeFileSync(path.join(folder, '1700000000000-0123456789ab.ndjson'), `${text}#\n${row('died', { city: 'e' })}`)
  await using other = spoolShared('died-other', store)
  await Promise.all(['d', 'e'].map((batch) => other.append(row('died', { city: batch }), batch)))
  await until(() => other.state().waitingBytes === 0)
  await using again = spoolShared('died', store)
  await until(() => again.state().waitingBytes === 0)
  const cities = await store.query<{ city: string; n: number }>(
    `SELECT city, count() AS n FROM beacons WHERE organization = 'died' GROUP BY city ORDER BY city`,
  )
  assert.deepEqual(
    cities.map(({ city, n }) => `${city}${n}`),
    ['a1', 'b1', 'c1', 'd1', 'e1', 'f1'],
  )
})

test('marks of batches are read from any segment, also one that ends in the middle', () => {
  fc.assert(
    fc.property(
      fc.array(fc.array(fc.string(), { minLength: 1, maxLength: 3 }), { maxLength: 6 }),
      fc.nat(),
      (all, cut) => {
        const batches = all.map((texts, at) => ({
          name: batchName(String(at)),
          lines: texts.map((text) => `${JSON.stringify({ text })}\n`).join(''),
        }))
        const whole = Buffer.from(batches.map(({ lines, name }) => withName(lines, name)).join(''))
        const read = (bytes: Buffer) =>
          readBatches(bytes)?.map(({ name, lines }) => ({ name, lines: lines.toString() })) ?? []
        assert.deepEqual(read(whole), batches)
        // What is left of a torn segment is a beginning of it.
        const torn = read(whole.subarray(0, whole.length === 0 ? 0 : cut % whole.length))
        assert.deepEqual(torn, batches.slice(0, torn.length))
      },
    ),
  )
  assert.equal(readBatches(Buffer.from('{"a":1}\n')), null)
})

test('a place whose names the store has forgotten is passed over, since its token is still known', async () => {
  await using _running = await startStore({ config, log })
  await using store = openStore(config)
  const before = new BatchOrder(store, 'probes')
  assert.deepEqual(await before.takenBefore('first', ['1', '2'], false), new Set())
  assert.deepEqual(await before.takenBefore('second', ['2', '3'], false), new Set(['2']))
  await store.command(`ALTER TABLE taken_batches DELETE WHERE table = 'probes' SETTINGS mutations_sync = 1`)
  const after = new BatchOrder(store, 'probes')
  assert.deepEqual(await after.takenBefore('third', ['3', '4'], false), new Set())
  assert.deepEqual(await after.takenBefore('third', ['3', '4'], true), new Set())
  assert.deepEqual(await after.takenBefore('fourth', ['4'], false), new Set(['4']))
})
