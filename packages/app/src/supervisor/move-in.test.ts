import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { takeHome } from './home.ts'
import { draftOf, foundIn, moveIn } from './move-in.ts'

const text = (...file: string[]) => fs.readFileSync(path.join(...file), 'utf8')

/** A home that holds something, and a draft in it that is to take its place. */
function restored(t: { after(fn: () => void): void }): string {
  const home = fs.mkdtempSync(path.join(os.tmpdir(), 'fairway-in-'))
  t.after(() => fs.rmSync(home, { recursive: true, force: true }))
  for (const [name, content] of [
    ['secrets/sealing-key', 'old'],
    ['database/only-old', 'old'],
    ['media/video', 'old'],
    ['fairway.conf', 'of this machine'],
    ['restoring/secrets/sealing-key', 'new'],
    ['restoring/database/PG_VERSION', 'new'],
    ['restoring/fairway.conf', 'of the other'],
    ['restoring/audit-heads.json', 'new'],
    ['restoring/log/postgresql.log', 'new'],
  ] as const) {
    fs.mkdirSync(path.join(home, path.dirname(name)), { recursive: true })
    fs.writeFileSync(path.join(home, name), content)
  }
  return home
}

function isWhole(home: string): void {
  assert.equal(text(home, 'secrets/sealing-key'), 'new')
  assert.deepEqual(fs.readdirSync(path.join(home, 'database')), ['PG_VERSION'])
  assert.equal(text(home, 'audit-heads.json'), 'new')
  assert.equal(text(home, 'media/video'), 'old', 'no backup holds it')
  assert.equal(text(home, 'fairway.conf'), 'of this machine')
  const aside = path.join(home, fs.readdirSync(home).find((name) => name.startsWith('replaced-')) ?? 'none')
  assert.equal(text(aside, 'secrets/sealing-key'), 'old')
  assert.equal(text(aside, 'database/only-old'), 'old')
  assert.deepEqual(
    fs.readdirSync(home).filter((name) => name.startsWith('restoring')),
    [],
  )
}

test('what was restored takes the place of what is there, which is kept', (t) => {
  const home = restored(t)
  moveIn(home, new Date())
  isWhole(home)
})

test('wherever it is cut short, the next start ends it: the home is never half of the one and half of the other', (t) => {
  const { renameSync } = fs
  for (let most = 1; ; most++) {
    const home = restored(t)
    let done = 0
    const mock = t.mock.method(fs, 'renameSync', (from: string, to: string) => {
      if (++done > most) throw new Error('the power is gone')
      renameSync(from, to)
    })
    let isCut = true
    try {
      moveIn(home, new Date())
      isCut = false
    } catch {
      assert.ok(fs.existsSync(draftOf(home)))
    }
    mock.mock.restore()
    takeHome(home)[Symbol.dispose]()
    isWhole(home)
    if (!isCut) return assert.ok(most > 4)
  }
})

test('what was not whole when it was cut short is taken away by the next start', (t) => {
  const home = restored(t)
  takeHome(home)[Symbol.dispose]()
  assert.ok(!fs.existsSync(draftOf(home)))
  assert.equal(text(home, 'secrets/sealing-key'), 'old')
})

test('a home that an installation prepared, and disks of its own, count as empty', (t) => {
  const home = fs.mkdtempSync(path.join(os.tmpdir(), 'fairway-in-'))
  t.after(() => fs.rmSync(home, { recursive: true, force: true }))
  for (const name of [
    'tmp/x',
    'backups/fairway-1.backup',
    'log/x',
    'lost+found',
    'store/lost+found',
    'nodes',
    'reserve/0',
  ])
    fs.mkdirSync(path.join(home, name), { recursive: true })
  fs.writeFileSync(path.join(home, 'supervisor.lock'), '')
  assert.deepEqual(foundIn(home), [])
  fs.mkdirSync(path.join(home, 'database/base'), { recursive: true })
  assert.deepEqual(foundIn(home), ['database'])
})
