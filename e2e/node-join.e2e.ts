import assert from 'node:assert/strict'
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { CHECKOUT } from '@fairway/app'
import { FEATURES } from '@fairway/contract'
import { freePorts } from '@fairway/platform'
import { dig } from './dig.ts'
import { pace } from './pace.ts'
import { until } from './until.ts'
import { type World, startWorld } from './world.ts'

const { auth, dnsRecords, operatorArea, sites } = FEATURES
const stack = new AsyncDisposableStack()
const home = fs.mkdtempSync(path.join(os.tmpdir(), 'fairway-second-'))
let world: World
let site = ''
let second: { host: string; port: number }
let environment: Record<string, string> = {}
let invitation = ''
let child: ChildProcess | null = null

before(async () => {
  world = stack.use(await startWorld())
  await world.api(auth.routes.register, {
    email: 'owner@example.com',
    password: 'Owner-1234',
    firstName: 'Olive',
    lastName: 'Owner',
    organizationName: 'Example',
  })
  site = (await world.api(sites.routes.create, { domainName: 'harbour.example' })).data.id
  await world.api(dnsRecords.routes.create, { site, type: 'A', name: 'www', value: '93.184.215.14', multiCdn: false })
  const [port = 0] = await freePorts(1, ['127.0.0.1'])
  second = { host: '127.0.0.1', port }
  // Another machine has nothing of the first but what the invitation tells.
  environment = {
    PATH: '/usr/local/bin:/usr/bin:/bin:/usr/sbin',
    HOME: home,
    FAIRWAY_HOME: home,
    FAIRWAY_DNS_LISTEN: `127.0.0.1:${port}`,
    FAIRWAY_NODE_NAME: 'second',
    FAIRWAY_PROBE_INTERVAL_MS: '1000',
  }
  fs.symlinkSync(path.join(CHECKOUT, 'node_modules/.cache/fairway-geo'), path.join(home, 'geo'))
})
after(async () => {
  await stopSecond()
  await stack.disposeAsync()
  fs.rmSync(home, { recursive: true, force: true })
})

test('an invited machine answers DNS as the first does, follows every change, and shows in the operator area', async () => {
  const { url, command } = await world.api(operatorArea.routes.inviteNode, {})
  assert.ok(command.endsWith(url))
  invitation = url
  startSecond(['--roles', 'dns', '--join', url])
  await until('the second answers', async () => (await asked()).includes('93.184.215.14'), 60_000 * pace(), 200)
  await world.api(dnsRecords.routes.create, { site, type: 'A', name: 'late', value: '93.184.215.15', multiCdn: false })
  await until(
    'the change is there',
    async () => (await dig(second, 'late.harbour.example', 'A').catch((): string[] => [])).includes('93.184.215.15'),
    20_000 * pace(),
    100,
  )
  const rows = await until(
    'both are up to date',
    async () => {
      const { data } = await world.api(operatorArea.routes.nodes, {})
      return data.filter(({ role, health }) => role === 'dns' && health === 'up').length === 2 && data
    },
    20_000 * pace(),
    200,
  )
  assert.ok(rows.some(({ name, role }) => name === 'second' && role === 'dns'))
})

test('an invitation is good for one machine', async () => {
  const { url } = await world.api(operatorArea.routes.inviteNode, {})
  const used = JSON.stringify({ token: url.split('/').at(-1) })
  const post = (body: string) =>
    fetch(new URL('/nodes/v1/join/', world.url), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    })
  assert.equal((await post(used)).status, 200)
  assert.equal((await post(used)).status, 401)
  assert.equal((await post(JSON.stringify({ token: 'x'.repeat(43) }))).status, 401)
  const refused = spawnSync(path.join(CHECKOUT, 'fairway'), ['up', '--roles', 'dns', '--join', url], {
    encoding: 'utf8',
    env: { ...environment, FAIRWAY_HOME: path.join(home, 'third') },
  })
  assert.match(refused.stderr, /has been used/)
})

test('started again with its own invitation, or with another, it is the node that it was', async () => {
  const { url } = await world.api(operatorArea.routes.inviteNode, {})
  for (const address of [invitation, url]) {
    await stopSecond()
    startSecond(['--roles', 'dns', '--join', address])
    await until('the second answers again', async () => (await asked()).includes('93.184.215.14'), 60_000 * pace(), 200)
  }
  assert.doesNotMatch(fs.readFileSync(path.join(home, 'fairway.conf'), 'utf8'), /FAIRWAY_NODE_NAME/)
})

test('started again it needs no invitation, and serves while the first installation is away', async () => {
  await stopSecond()
  startSecond(['--roles', 'dns'])
  await until('the second answers again', async () => (await asked()).includes('93.184.215.14'), 60_000 * pace(), 200)
  await world.stop()
  assert.deepEqual(await asked(), ['93.184.215.14'])
})

const asked = () => dig(second, 'www.harbour.example', 'A').catch((): string[] => [])

function startSecond(words: string[]): void {
  child = spawn(path.join(CHECKOUT, 'fairway'), ['up', ...words], { env: environment, stdio: 'ignore' })
}

async function stopSecond(): Promise<void> {
  const running = child
  child = null
  if (!running || running.exitCode !== null) return
  const gone = new Promise((resolve) => running.once('exit', resolve))
  running.kill('SIGTERM')
  await gone
}
