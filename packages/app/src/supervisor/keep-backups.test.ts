import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { type mock, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import {
  type ChainNotes,
  loadConfig,
  makeLog,
  newestBackups,
  noteChain,
  noteFailedProof,
  noteKept,
  noteLogState,
  notePassedProof,
  proofOf,
} from '@fairway/platform'
import { type RunCommand, keepBackups } from './keep-backups.ts'

const HOUR_MS = 3_600_000
const log = makeLog('test', { logLevel: 'fatal' })

function world(t: { after(fn: () => void): void }, everyHours: string, logSeconds = '0', place = '') {
  const home = fs.mkdtempSync(path.join(os.tmpdir(), 'fairway-kept-'))
  t.after(() => fs.rmSync(home, { recursive: true, force: true }))
  const config = loadConfig({
    FAIRWAY_HOME: home,
    FAIRWAY_BACKUP_EVERY_HOURS: everyHours,
    FAIRWAY_BACKUP_LOG_SECONDS: logSeconds,
    FAIRWAY_BACKUP_FOLDER: place,
    FAIRWAY_BACKUP_KEEP: '3',
  })
  const ran: string[] = []
  const pruned: { after: number; words: string }[] = []
  const clock = { now: Date.now(), fails: false, failsProofs: false, isOldDatabase: false, written: 0 }
  let bases: ChainNotes['bases'] = []
  const note = (more: ChainNotes['bases']) => {
    bases = more
    noteChain(home, { place: path.join(home, 'backups'), id: '0123456789abcdef', bases, ranges: [], bytes: 1 })
  }
  const run: RunCommand = async (words) => {
    if (words[1] !== 'prune') ran.push(words.map((word) => path.basename(word)).join(' '))
    else pruned.push({ after: ran.length, words: words.join(' ') })
    if (clock.fails) throw new Error('the disk is full')
    if (words[1] === 'prune') return ''
    if (words[1] === 'verify') {
      const file = words[2] ?? ''
      if (clock.failsProofs) {
        noteFailedProof(config, file, 'part-1 is damaged')
        throw new Error('part-1 is damaged')
      }
      notePassedProof(config, file, clock.now)
      fs.writeFileSync(proofOf(file), '')
      note(bases.map((one) => (one.file === file ? { ...one, provenAt: clock.now } : one)))
      return 'proven'
    }
    if (words[1] === '--incremental') {
      if (clock.isOldDatabase) throw new Error('restart Fairway')
      const base = path.join(
        home,
        'backups',
        'chain-0123456789abcdef',
        `base-2026-01-01T00-00-0${clock.written++}.000Z`,
      )
      fs.mkdirSync(path.dirname(base), { recursive: true })
      fs.writeFileSync(base, '')
      const start = `0/${(clock.written << 24).toString(16)}`
      note([
        ...bases,
        { file: base, at: clock.now, writtenAt: clock.now, provenAt: null, addedBytes: 1, wholeBytes: 1, start },
      ])
      return `wrote ${base}: 12 rows, 0.1 MB added for 0.1 MB, 0.1 s\n`
    }
    const name = `fairway-2026-01-01T00-00-0${clock.written++}.000Z.backup`
    if (place !== '') {
      noteKept(config, [{ file: `${place}/${name}`, writtenAt: clock.now, provenAt: null }])
      return `wrote ${place}/${name}: 12 rows, 0.1 MB, 0.1 s\n`
    }
    const file = path.join(home, 'backups', name)
    fs.mkdirSync(path.dirname(file), { recursive: true })
    fs.writeFileSync(file, '')
    fs.utimesSync(file, clock.now / 1000, clock.now / 1000)
    return `wrote ${file}: 12 rows, 0.1 MB, 0.1 s\n`
  }
  const keep = () => keepBackups({ config, log, run, now: () => clock.now, firstLookMs: 1, lookMs: 5 })
  return { home, config, ran, pruned, clock, keep }
}

async function until(holds: () => boolean) {
  for (let i = 0; i < 1_000 && !holds(); i++) await delay(5)
  assert.ok(holds())
}

test('a backup is taken when the newest is as old as the schedule says, and proven at once', async (t) => {
  const { ran, pruned, clock, keep } = world(t, '24')
  await using _ = keep()
  await until(() => pruned.length === 1)
  assert.deepEqual(ran, ['backup', 'backup verify fairway-2026-01-01T00-00-00.000Z.backup'])
  assert.deepEqual(pruned, [{ after: 2, words: 'backups prune --keep 3' }], 'not before it is proven')
  clock.now += 23 * HOUR_MS
  await delay(60)
  assert.equal(ran.length, 2)
  clock.now += HOUR_MS
  await until(() => ran.length === 4)
})

test('one that failed is tried again after half an hour, not at every look', async (t) => {
  const { ran, clock, keep } = world(t, '1')
  clock.fails = true
  await using _ = keep()
  await until(() => ran.length === 1)
  await delay(60)
  assert.equal(ran.length, 1)
  Object.assign(clock, { now: clock.now + HOUR_MS / 2, fails: false })
  await until(() => ran.length === 3)
})

test('a folder that cannot be looked into is told, and ends nobody who wants figures of it', async (t) => {
  const { home, ran, clock, keep, config } = world(t, '1')
  clock.fails = true
  // Whoever tests as root may look into every folder: this is none.
  fs.rmSync(path.join(home, 'backups'), { recursive: true, force: true })
  fs.writeFileSync(path.join(home, 'backups'), '')
  assert.match(newestBackups(config).problem ?? '', /ENOTDIR/)
  await using _ = keep()
  await until(() => ran.length === 1)
  clock.now += HOUR_MS / 2
  await until(() => ran.length === 2)
})

test('where a proof fails another one is taken, later each time', async (t) => {
  const { ran, clock, keep } = world(t, '24')
  Object.assign(clock, { failsProofs: true })
  await using _ = keep()
  await until(() => ran.length === 2)
  clock.now += HOUR_MS / 2
  await until(() => ran.length === 4)
  assert.deepEqual(ran.slice(2), ['backup', 'backup verify fairway-2026-01-01T00-00-01.000Z.backup'])
  clock.now += HOUR_MS / 2
  await delay(60)
  assert.equal(ran.length, 4, 'an hour later only')
  Object.assign(clock, { now: clock.now + HOUR_MS / 2, failsProofs: false })
  await until(() => ran.length === 6)
  await delay(60)
  assert.equal(ran.length, 6)
})

test('one that was never proven is proven, and no other one is taken for it', async (t) => {
  const { home, ran, keep } = world(t, '24')
  const file = path.join(home, 'backups', 'fairway-2026-01-01T00-00-00.000Z.backup')
  fs.mkdirSync(path.dirname(file))
  fs.writeFileSync(file, '')
  await using _ = keep()
  await until(() => ran.length === 1)
  await delay(60)
  assert.deepEqual(ran, ['backup verify fairway-2026-01-01T00-00-00.000Z.backup'])
})

/** The disk of everything has so little left. */
function nearlyFull(t: { mock: typeof mock }): { mb: number } {
  const { statfsSync } = fs
  const free = { mb: 900 }
  t.mock.method(fs, 'statfsSync', (of: string) => ({
    ...statfsSync(of),
    bsize: 2 ** 20,
    bavail: free.mb,
    blocks: 50_000,
  }))
  return free
}

test('nothing is taken while the disk of the home, where it would go, is nearly full; old ones are removed once', async (t) => {
  const { ran, pruned, keep } = world(t, '24')
  const free = nearlyFull(t)
  await using _ = keep()
  await until(() => pruned.length === 1)
  await delay(60)
  assert.deepEqual(ran, [])
  assert.deepEqual(pruned, [{ after: 0, words: 'backups prune --keep 3' }])
  free.mb = 9_000
  await until(() => ran.length === 2)
})

test('one that goes elsewhere is taken all the same, and proven when there is room for that', async (t) => {
  const { ran, keep } = world(t, '24', '0', 's3://backups/one')
  const free = nearlyFull(t)
  await using _ = keep()
  await until(() => ran.length === 1)
  await delay(60)
  assert.deepEqual(ran, ['backup'])
  free.mb = 9_000
  await until(() => ran.length >= 2)
  assert.equal(ran[1], 'backup verify fairway-2026-01-01T00-00-00.000Z.backup')
})

test('one that was written while the clock was a year ahead is not the newest', async (t) => {
  const { home, config, ran, clock, keep } = world(t, '24')
  const file = path.join(home, 'backups', 'fairway-2027-01-01T00-00-00.000Z.backup')
  fs.mkdirSync(path.dirname(file))
  fs.writeFileSync(file, '')
  const ahead = clock.now / 1000 + 365 * 86_400
  fs.utimesSync(file, ahead, ahead)
  assert.equal(newestBackups(config).newest, null)
  await using _ = keep()
  await until(() => ran.length === 2)
})

test('without a schedule none is taken', async (t) => {
  const { ran, keep } = world(t, '0')
  await using _ = keep()
  await delay(60)
  assert.deepEqual(ran, [])
})

test('where the log is carried away it adds to the chain, and at once when the log was torn', async (t) => {
  const { home, ran, clock, keep } = world(t, '24', '10')
  await using _ = keep()
  await until(() => ran.length === 2)
  assert.deepEqual(ran, ['backup --incremental', 'backup verify base-2026-01-01T00-00-00.000Z'])
  clock.now += HOUR_MS
  noteLogState(home, {
    place: path.join(home, 'backups'),
    id: '0123456789abcdef',
    until: clock.now,
    waitingBytes: 0,
    stoppedAt: null,
    problem: null,
    tornAt: clock.now + 30 * 24 * HOUR_MS,
    // By the log, and not by a clock that went back.
    wholeFrom: '0/1800000',
    writtenAt: clock.now,
  })
  await until(() => ran.length === 4)
  await delay(60)
  assert.equal(ran.length, 4, 'once')
})

test('while it cannot be added to the chain a whole one is taken, once for as long as the schedule says', async (t) => {
  const { ran, clock, keep } = world(t, '24', '10')
  clock.isOldDatabase = true
  await using _ = keep()
  await until(() => ran.length === 3)
  assert.deepEqual(ran.slice(0, 2), ['backup --incremental', 'backup'])
  clock.now += HOUR_MS
  await until(() => ran.length === 4)
  await delay(60)
  assert.equal(ran.length, 4)
  Object.assign(clock, { isOldDatabase: false, now: clock.now + HOUR_MS })
  await until(() => ran.length === 6)
  assert.deepEqual(ran.slice(4), ['backup --incremental', 'backup verify base-2026-01-01T00-00-01.000Z'])
})
