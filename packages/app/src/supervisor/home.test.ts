import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { takeHome } from './home.ts'

function temporary(t: { after(fn: () => void): void }): string {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'fairway-home-'))
  t.after(() => fs.rmSync(folder, { recursive: true, force: true }))
  return folder
}

test('a home in use is refused with the process that uses it, and free again afterwards', (t) => {
  const home = temporary(t)
  const lock = takeHome(home)
  assert.throws(() => takeHome(home), new RegExp(`already running in .*process ${process.pid}.*FAIRWAY_HOME`))
  lock[Symbol.dispose]()
  takeHome(home)[Symbol.dispose]()
})

test('a lock left by a process that is gone, or whose number somebody else has now, is taken over', (t) => {
  const home = temporary(t)
  for (const left of ['999999999 123\n', `${process.pid} 1\n`, 'nonsense\n', '']) {
    fs.writeFileSync(path.join(home, 'supervisor.lock'), left)
    takeHome(home)[Symbol.dispose]()
  }
})

test('a home that is a file gets a sentence that names the setting', (t) => {
  const file = path.join(temporary(t), 'file')
  fs.writeFileSync(file, '')
  assert.throws(() => takeHome(file), /is, or lies under, a file.*FAIRWAY_HOME/)
  assert.throws(() => takeHome(path.join(file, 'below')), /is, or lies under, a file.*FAIRWAY_HOME/)
})

test('a home that has run starts on a full disk, with room from its reserve; a new one is refused with what it needs', (t) => {
  const home = temporary(t)
  const { statfsSync } = fs
  const free = { mb: 200 }
  t.mock.method(fs, 'statfsSync', (of: string) => ({ ...statfsSync(of), bsize: 2 ** 20, bavail: free.mb }))
  const fresh = path.join(home, 'fresh')
  assert.throws(() => takeHome(fresh), /200 MB left; Fairway needs 300 MB/)
  fs.rmSync(fresh, { recursive: true })
  free.mb = 1000
  takeHome(fresh)[Symbol.dispose]()
  const piece = path.join(fresh, 'reserve', '0')
  fs.mkdirSync(path.dirname(piece))
  fs.writeFileSync(piece, 'x')
  free.mb = 20
  takeHome(fresh)[Symbol.dispose]()
  assert.equal(fs.existsSync(piece), false)
  free.mb = 0
  assert.throws(() => takeHome(fresh), /0 MB left; Fairway needs 4 MB/)
})
