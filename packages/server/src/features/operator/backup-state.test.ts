import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { BackupState } from '@fairway/contract'
import { loadConfig, logTrouble, noteChain, noteLogState } from '@fairway/platform'
import { backupState } from './backup-state.ts'

const NOW = Date.parse('2026-11-20T12:00:00Z')
const MINUTE_MS = 60_000
const ago = (minutes: number) => NOW - minutes * MINUTE_MS
const iso = (minutes: number) => new Date(ago(minutes)).toISOString()

function home(t: { after(fn: () => void): void }, more: Record<string, string> = {}) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'fairway-state-'))
  t.after(() => fs.rmSync(folder, { recursive: true, force: true }))
  const config = loadConfig({ FAIRWAY_HOME: folder, FAIRWAY_BACKUP_EVERY_HOURS: '24', ...more })
  const place = path.join(folder, 'backups')
  const file = path.join(place, 'chain-0123456789abcdef', 'base-2026-11-20T11-00-00.000Z')
  const state = (of: { until: number | null; tornAt?: number; stoppedAt?: number; writtenAt?: number }) =>
    noteLogState(folder, {
      place,
      id: '0123456789abcdef',
      waitingBytes: of.stoppedAt === undefined ? 0 : 5_000,
      problem: of.stoppedAt === undefined ? null : 'the place is away',
      stoppedAt: of.stoppedAt ?? null,
      tornAt: of.tornAt ?? null,
      wholeFrom: null,
      writtenAt: of.writtenAt ?? NOW,
      until: of.until,
    })
  const chain = () => {
    fs.mkdirSync(path.dirname(file), { recursive: true })
    fs.writeFileSync(file, '')
    noteChain(folder, {
      place,
      id: '0123456789abcdef',
      bases: [{ file, at: ago(60), writtenAt: ago(60), provenAt: ago(59), addedBytes: 1, wholeBytes: 9, start: null }],
      ranges: [{ from: ago(60), until: ago(30) }],
      bytes: 9_000,
    })
  }
  const read = () => BackupState.parse(backupState(config, NOW))
  return { config, file, state, chain, read }
}

test('where nothing is known nothing is said, and without a log there is none', (t) => {
  const unknown = { from: null, until: null, bytes: null, waitingBytes: 0, trouble: null }
  assert.deepEqual(home(t).read(), { newestAt: null, provenAt: null, isOld: false, log: unknown })
  assert.equal(home(t, { FAIRWAY_BACKUP_LOG_SECONDS: '0' }).read().log, null)
  assert.equal(home(t, { FAIRWAY_DATABASE_URL: 'postgres://u@127.0.0.1:1/x' }).read().log, null)
})

test('the seconds reach as far as the log does, and no further than where it was torn', (t) => {
  const { chain, state, read, file } = home(t)
  chain()
  state({ until: ago(0.1) })
  const log = { from: iso(60), until: iso(0.1), bytes: 9_000, waitingBytes: 0, trouble: null }
  assert.deepEqual(read(), { newestAt: iso(60), provenAt: iso(60), isOld: false, log })
  state({ until: ago(0.1), tornAt: ago(20) })
  assert.deepEqual(read().log, { ...log, until: iso(30), trouble: 'torn' })
  fs.rmSync(file)
  assert.equal(read().newestAt, null, 'one that is gone is none')
})

test('a place that is away is told after minutes, and so is a log that nobody carries any more', (t) => {
  const { config, chain, state } = home(t)
  chain()
  const told = () => logTrouble(config, NOW)?.kind ?? null
  const cases: [Parameters<typeof state>[0], 'stopped' | 'torn' | null][] = [
    [{ until: ago(0.1) }, null],
    [{ until: ago(2), stoppedAt: ago(2) }, null],
    [{ until: ago(12), stoppedAt: ago(12) }, 'stopped'],
    [{ until: ago(12), writtenAt: ago(12) }, 'stopped'],
    [{ until: null, stoppedAt: ago(12) }, 'stopped'],
    [{ until: ago(0.1), tornAt: ago(1) }, 'torn'],
  ]
  for (const [of, wanted] of cases) {
    state(of)
    assert.equal(told(), wanted, JSON.stringify(of))
  }
})
