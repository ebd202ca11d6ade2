import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { type Config, loadConfig, freePorts } from '@fairway/platform'
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

test('the address that other edges reach waits for a start, as every address does', () => {
  const said: string[] = []
  const next = exchangedSettings(
    settings({}),
    () => settings({ FAIRWAY_SHIELD_LISTEN: '127.0.0.1:8444' }),
    (line) => void said.push(line),
  )
  assert.equal(next.shieldListen, null)
  assert.deepEqual(said, ['FAIRWAY_SHIELD_LISTEN will be in force when Fairway is started again'])
})

test('TLS of the console waits for a start as a whole; another certificate at the same address does not', () => {
  const files = (cert: string) => ({ FAIRWAY_TLS_CERT: cert, FAIRWAY_TLS_KEY: '/key.pem' })
  const tls = (port: number, cert: string) => settings({ FAIRWAY_TLS_LISTEN: `127.0.0.1:${port}`, ...files(cert) })
  const said: string[] = []
  const exchanged = (before: Config, now: Config) =>
    exchangedSettings(
      before,
      () => now,
      (line) => void said.push(line),
    )
  const fresh = exchanged(settings({}), tls(8443, '/a.pem'))
  assert.deepEqual([fresh.tlsListen, fresh.tlsCert, fresh.publicUrl], [null, '', settings({}).publicUrl])
  assert.equal(exchanged(tls(8443, '/a.pem'), tls(8443, '/b.pem')).tlsCert, '/b.pem')
  assert.deepEqual(said, ['FAIRWAY_TLS_LISTEN will be in force when Fairway is started again'])
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
  await using world = await startInstallation({
    command: 'up',
    fromTemplate: true,
    words,
    file: { FAIRWAY_METRICS_ADDRESS: '' },
  })
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
