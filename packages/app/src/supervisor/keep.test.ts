import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { loadConfig } from '@fairway/platform'
import { keep } from './keep.ts'

/** A keeper over a program of ours, which does in each run what is next of `runs`. Answers its words of each run. */
async function kept(runs: readonly string[], said: (line: string, program: string) => void) {
  const home = fs.mkdtempSync(path.join(os.tmpdir(), 'fairway-keep-'))
  const [program, log] = [path.join(home, 'program'), path.join(home, 'words')]
  const steps = runs.map((run, index) => `${index + 1}) ${run} ;;`).join('\n')
  fs.writeFileSync(
    program,
    `#!/bin/sh\necho "$@" >> '${log}'\ncase $(wc -l < '${log}' | tr -d ' ') in\n${steps}\n*) exit 0 ;;\nesac\n`,
    { mode: 0o700 },
  )
  const { execPath } = process
  process.execPath = program
  try {
    const config = loadConfig({ FAIRWAY_HOME: home })
    const say = (line: string) => said(line, program)
    const code = await keep({ config, read: () => config, command: 'up', roles: [], say })
    const words = fs.readFileSync(log, 'utf8').trim().split('\n')
    return { code, words: words.map((line) => line.split(' ').filter((word) => /^--(exchange|stop)$/.test(word))) }
  } finally {
    process.execPath = execPath
    fs.rmSync(home, { recursive: true, force: true })
  }
}

test('a keeper whose program is away waits for it, and goes on with the exchange that was asked for', async () => {
  const lines: string[] = []
  const leave = 'mv "$0" "$0.away"; exit 75'
  const { code, words } = await kept([leave, 'kill -9 $$', 'exit 0'], (line, program) => {
    lines.push(line)
    if (lines.length === 2) fs.renameSync(`${program}.away`, program)
  })
  assert.equal(code, 0)
  assert.deepEqual(words, [[], ['--exchange'], ['--exchange']])
  assert.deepEqual(
    lines.map((line) => /\((not started|killed by SIGKILL)/.exec(line)?.[1]),
    ['not started', 'not started', 'killed by SIGKILL'],
  )
})

test('an exchange that is over is not done again when its supervisor dies', async () => {
  const done = `printf '"exchange-over"\\n' >&$NODE_CHANNEL_FD; kill -9 $$`
  const { words } = await kept(['exit 75', done, 'exit 0'], () => {})
  assert.deepEqual(words, [[], ['--exchange'], []])
})

test('an exchange by code that does not tell of its end is not done again when that ran for long', async (t) => {
  let asked = 0
  t.mock.method(performance, 'now', () => asked++ * 3_600_000)
  const { words } = await kept(['exit 75', 'kill -9 $$', 'exit 0'], () => {})
  assert.deepEqual(words, [[], ['--exchange'], []])
})

test('a keeper that is told to stop while its supervisor dies starts one that stops what was left', async () => {
  const { code, words } = await kept(
    [`kill -TERM ${process.pid}; sleep 0.1; kill -9 $$`, 'sleep 0.1; exit 0'],
    () => {},
  )
  assert.equal(code, 0)
  assert.deepEqual(words, [[], ['--stop']])
})
