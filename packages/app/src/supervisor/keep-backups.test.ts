import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { loadConfig, makeLog, noteChain, noteLogState } from '@fairway/platform'
import { type RunCommand, keepBackups } from './keep-backups.ts'

const HOUR_MS = 3_600_000
const log = makeLog('test', { logLevel: 'fatal' })

function world(t: { after(fn: () => void): void }, everyHours: string, logSeconds = '0') {
  const home = fs.mkdtempSync(path.join(os.tmpdir(), 'fairway-kept-'))
  t.after(() => fs.rmSync(home, { recursive: true, force: true }))
  const config = loadConfig({
    FAIRWAY_HOME: home,
    FAIRWAY_BACKUP_EVERY_HOURS: everyHours,
    FAIRWAY_BACKUP_LOG_SECONDS: logSeconds,
    FAIRWAY_BACKUP_KEEP: '3',
  })
  const ran: string[] = []
  const clock = { now: Date.now(), fails: false, isOldDatabase: false, written: 0 }
  const run: RunCommand = async (words) => {
    ran.push(words.map((word) => path.basename(word)).join(' '))
    if (clock.fails) throw new Error('the disk is full')
    if (words[1] === 'verify') return 'proven'
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
      noteChain(home, {
        place: path.join(home, 'backups'),
        id: '0123456789abcdef',
        bases: [{ file: base, at: clock.now, writtenAt: clock.now, provenAt: null, addedBytes: 1, wholeBytes: 1 }],
        ranges: [],
        bytes: 1,
      })
      return `wrote ${base}: 12 rows, 0.1 MB added for 0.1 MB, 0.1 s\n`
    }
    const file = path.join(home, 'backups', `fairway-2026-01-01T00-00-0${clock.written++}.000Z.backup`)
    fs.mkdirSync(path.dirname(file), { recursive: true })
    fs.writeFileSync(file, '')
    fs.utimesSync(file, clock.now / 1000, clock.now / 1000)
    return `wrote ${file}: 12 rows, 0.1 MB, 0.1 s\n`
  }
  const keep = () => keepBackups({ config, log, run, now: () => clock.now, firstLookMs: 1, lookMs: 5 })
  return { home, ran, clock, keep }
}

async function until(holds: () => boolean) {
  for (let i = 0; i < 1_000 && !holds(); i++) await delay(5)
  assert.ok(holds())
}

test('a backup is taken when the newest is as old as the schedule says, and proven at once', async (t) => {
  const { ran, clock, keep } = world(t, '24')
  await using _ = keep()
  await until(() => ran.length === 2)
  assert.deepEqual(ran, ['backup --keep 3', 'backup verify fairway-2026-01-01T00-00-00.000Z.backup'])
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
  assert.deepEqual(ran, ['backup --incremental --keep 3', 'backup verify base-2026-01-01T00-00-00.000Z'])
  clock.now += HOUR_MS
  noteLogState(home, {
    place: path.join(home, 'backups'),
    id: '0123456789abcdef',
    until: clock.now,
    waitingBytes: 0,
    stoppedAt: null,
    problem: null,
    tornAt: clock.now - 1,
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
  assert.deepEqual(ran.slice(0, 2), ['backup --incremental --keep 3', 'backup --keep 3'])
  clock.now += HOUR_MS
  await until(() => ran.length === 4)
  await delay(60)
  assert.equal(ran.length, 4)
  Object.assign(clock, { isOldDatabase: false, now: clock.now + HOUR_MS })
  await until(() => ran.length === 6)
  assert.deepEqual(ran.slice(4), ['backup --incremental --keep 3', 'backup verify base-2026-01-01T00-00-01.000Z'])
})
