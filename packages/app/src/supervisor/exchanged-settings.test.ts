import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { loadConfig } from '@fairway/platform'
import { freePorts } from '../installation/free-ports.ts'
import { startInstallation } from '../installation/start-installation.ts'
import { exchangedSettings } from './exchanged-settings.ts'

const FAIRWAY_HOME = fs.mkdtempSync(path.join(os.tmpdir(), 'settings-'))
test.after(() => fs.rmSync(FAIRWAY_HOME, { recursive: true }))
const settings = (more: Record<string, string>) => loadConfig({ FAIRWAY_HOME, ...more })

test('an exchange takes the settings of now, and tells of those that take a start', () => {
  const said: string[] = []
  const former = settings({})
  const next = exchangedSettings(
    former,
    () =>
      settings({ FAIRWAY_LOG_LEVEL: 'debug', FAIRWAY_LISTEN: '127.0.0.1:9999', FAIRWAY_DATABASE_URL: 'postgres://x' }),
    (line) => void said.push(line),
  )
  assert.equal(next.logLevel, 'debug')
  assert.deepEqual([next.listen, next.publicUrl, next.databaseUrl], [former.listen, former.publicUrl, ''])
  assert.deepEqual(said, ['FAIRWAY_DATABASE_URL, FAIRWAY_LISTEN will be in force when Fairway is started again'])
})

test('with settings that cannot be read the former ones stay, and the reason is told', () => {
  const said: string[] = []
  const former = settings({})
  const next = exchangedSettings(
    former,
    () => settings({ FAIRWAY_LISTEN: 'nowhere' }),
    (line) => void said.push(line),
  )
  assert.equal(next, former)
  assert.match(said.join(), /^the settings stay as they were: FAIRWAY_LISTEN="nowhere"/)
})

test('a line of the settings file is in force after a reload', async () => {
  const [port = 0] = await freePorts(1, ['127.0.0.1'])
  const words = ['--roles', 'database,api']
  await using world = await startInstallation({ command: 'up', words, file: { FAIRWAY_METRICS_ADDRESS: '' } })
  const lives = () =>
    fetch(`http://127.0.0.1:${port}/livez`).then(
      ({ ok }) => ok,
      () => false,
    )
  assert.equal(await lives(), false)
  fs.writeFileSync(path.join(world.config.home, 'fairway.conf'), `FAIRWAY_METRICS_ADDRESS=127.0.0.1:${port}\n`)
  const { status, stderr } = await world.fairway('reload')
  assert.equal(status, 0, stderr)
  assert.equal(await lives(), true)
})
