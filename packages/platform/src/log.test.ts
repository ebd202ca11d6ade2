import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { test } from 'node:test'

/** Runs a few lines in a process of their own, with standard error where `to` says. */
function run(code: string, to: string): { status: number | null; stdout: string } {
  const fd = fs.openSync(to, 'a')
  const module = JSON.stringify(new URL('./log.ts', import.meta.url).href)
  const script = `const { makeLog } = await import(${module}); const log = makeLog('test', { logLevel: 'info' }); ${code}`
  const { status, stdout } = spawnSync(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', '--input-type=module', '-e', script],
    { stdio: ['ignore', 'pipe', fd], encoding: 'utf8' },
  )
  fs.closeSync(fd)
  return { status, stdout }
}

test(
  'a process whose log is on a full disk loses lines and nothing else',
  { skip: !fs.existsSync('/dev/full') },
  () => {
    const { status, stdout } = run(
      `for (let i = 0; i < 100; i++) log.error({ event: 'full', err: new Error('x') }); await new Promise((done) => setTimeout(done, 50)); console.log('serves on')`,
      '/dev/full',
    )
    assert.deepEqual([status, stdout], [0, 'serves on\n'])
  },
)

test('secrets are cut out, and a timeout is told in a few words', (t) => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'fairway-log-'))
  const file = path.join(folder, 'log')
  t.after(() => fs.rmSync(folder, { recursive: true }))
  run(`log.warn({ event: 'told', token: 'abc', err: new DOMException('too late', 'TimeoutError') })`, file)
  const { event, token, err } = JSON.parse(fs.readFileSync(file, 'utf8')) as Record<string, unknown>
  assert.deepEqual([event, token, err], ['told', '[cut]', { type: 'TimeoutError', message: 'too late' }])
})
