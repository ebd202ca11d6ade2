import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { auditLog, dnsRecords, domains, operatorArea, sites } from '@fairway/contract'
import { controlText, runDir, shareGeo, startStreamingPair, type Config } from '@fairway/platform'
import { startApi } from './api.ts'
import { clientOf, send, startApiUnderTest, type ApiUnderTest, type Client } from './testing/api-under-test.ts'
import { everyRoute } from './testing/every-route.ts'

let api: ApiUnderTest
/** A second machine: another home, with the same secrets. */
let second: { url: string; config: Config }
let replica: Awaited<ReturnType<typeof startStreamingPair>>['replica']
let replicaName: string
const stack = new AsyncDisposableStack()
before(async () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'fairway-read-'))
  stack.defer(() => fs.rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 }))
  const pair = stack.use(await startStreamingPair(folder))
  ;({ replica } = pair)
  replicaName = `127.0.0.1:${replica.port}`
  api = stack.use(
    await startApiUnderTest({
      FAIRWAY_DATABASE_URL: pair.primary.urlAs('owner'),
      FAIRWAY_DATABASE_REPLICA_URLS: replica.urlAs('reader'),
    }),
  )
  const home = path.join(folder, 'second')
  fs.mkdirSync(home)
  shareGeo(home)
  fs.cpSync(path.join(api.config.home, 'secrets'), path.join(home, 'secrets'), { recursive: true })
  const config = { ...api.config, home, nodeName: 'second' }
  const other = stack.use(await startApi({ config, log: api.log, consoleFolder: null }))
  second = { url: other.url, config }
})
after(() => stack.disposeAsync())

/** Reads that each server has answered for an API. */
async function readsOf(config: Config): Promise<{ primary: number; replica: number }> {
  const text = await controlText(`unix:${path.join(runDir(config), 'api.sock')}`, 'GET', '/metrics')
  const of = (place: string) =>
    Number(new RegExp(`^fairway_api_database_reads_total\\{[^}]*place="${place}"[^}]*\\} (\\S+)$`, 'm').exec(text)?.[1])
  return { primary: of('primary'), replica: of(replicaName) }
}

/** Until the replica answers what this asks. */
async function answeredByReplica(config: Config, ask: () => Promise<unknown>): Promise<void> {
  for (;;) {
    const before = await readsOf(config)
    await ask()
    if ((await readsOf(config)).replica > before.replica) return
    await sleep(50)
  }
}

async function withSite(): Promise<{ client: Client; site: string; there: Pick<Client, 'call' | 'refusal'> }> {
  const client = await api.newClient()
  const site = (await client.call(sites.routes.create, { domainName: `s${Date.now()}.example` })).data.id
  return { client, site, there: clientOf(second.url, client.token) }
}

test(
  'what was written at one API is in the list of the other at once, whatever the replica has replayed',
  { timeout: 120_000 },
  async () => {
    const { client, site, there } = await withSite()
    const listed = async () => (await there.call(dnsRecords.routes.list, { site, page_size: -1 })).meta.total
    await answeredByReplica(second.config, listed)
    const first = await listed()
    const add = (at: number) =>
      client.call(dnsRecords.routes.create, { site, type: 'A', name: `n${at}`, value: '192.0.2.1' })
    for (let at = 1; at <= 50; at++) {
      await add(at)
      assert.equal(await listed(), first + at)
    }
    await replica.ask('SELECT pg_wal_replay_pause()')
    const before = await readsOf(second.config)
    try {
      for (let at = 51; at <= 100; at++) {
        await add(at)
        assert.equal(await listed(), first + at)
      }
    } finally {
      await replica.ask('SELECT pg_wal_replay_resume()')
    }
    const paused = await readsOf(second.config)
    assert.deepEqual([paused.replica - before.replica, paused.primary - before.primary], [0, 50])
    await answeredByReplica(second.config, listed)
  },
)

test('at a replica, too, an organisation sees its own rows only, and rights are those of now', async () => {
  const [one, other] = [await withSite(), await withSite()]
  let seen: string[] = []
  await answeredByReplica(api.config, async () => {
    seen = (await one.client.call(sites.routes.list, {})).data.map(({ id }) => id)
  })
  assert.deepEqual(seen, [one.site])
  let status = 0
  await answeredByReplica(api.config, async () => {
    status = (await one.client.refusal(domains.routes.list, { site: other.site })).status
    // A refusal is no read that was answered.
    await one.client.call(sites.routes.list, {})
  })
  assert.equal(status, 404)
  await replica.ask('SELECT pg_wal_replay_pause()')
  try {
    await api.database.system((tx) =>
      tx.query('UPDATE app_user SET suspended = true WHERE organization_id = $1', [one.client.organizationId]),
    )
    assert.equal((await one.client.refusal(sites.routes.list, {})).code, 1461)
  } finally {
    await replica.ask('SELECT pg_wal_replay_resume()')
  }
})

test('every route that says so is answered by a replica, and none of them writes', { timeout: 120_000 }, async () => {
  const { client, site } = await withSite()
  const operator = await api.newClient({ isOperator: true })
  const { data } = await client.call(domains.routes.list, { site })
  const known: Record<string, string> = { site, ...(data[0] ? { domain: data[0].id } : {}) }
  const marked = everyRoute.filter(({ route }) => route.fromReplica)
  const atPrimary: string[] = []
  let answers = 0
  for (const { name, route, params } of marked) {
    const [feature = ''] = name.split('.')
    const decidesRights = ['account', 'api-keys', 'auth', 'passkeys', 'sessions', 'teammates'].includes(feature)
    assert.ok(route.method === 'GET' && !decidesRights && !route.inSession, name)
    const input = Object.fromEntries(params.map((param) => [param, known[param] ?? crypto.randomUUID()]))
    const token = route.scope ? operator.token : client.token
    // The replica may be behind for a moment; what never is answered there does more than read.
    for (let attempt = 1; ; attempt++) {
      const before = await readsOf(api.config)
      const response = await send(api.url, token, route, input)
      await response.arrayBuffer()
      if (response.ok) answers++
      if ((await readsOf(api.config)).primary === before.primary) break
      if (attempt === 5) {
        atPrimary.push(name)
        break
      }
      await sleep(500)
    }
  }
  assert.deepEqual(atPrimary, [])
  assert.ok(answers > marked.length / 3, `${answers} of ${marked.length} were answered`)
})

test('while the replica is killed, is silent or comes back no call fails', { timeout: 120_000 }, async () => {
  const { client, there } = await withSite()
  const list = () => client.call(sites.routes.list, {})
  await answeredByReplica(api.config, list)
  const load = { isOver: false, calls: 0 }
  const callers = [client, there, client, there].map(async (caller) => {
    while (!load.isOver) {
      await caller.call(sites.routes.list, {})
      await caller.call(auditLog.routes.list, {})
      load.calls += 1
      // One place has only so many calls a minute.
      await sleep(20)
    }
  })
  const during = async (how: () => unknown) => {
    await how()
    const enough = load.calls + 40
    while (load.calls < enough) await Promise.race([sleep(20), Promise.all(callers)])
  }
  await during(() => replica.end('SIGKILL'))
  await during(() => replica.start())
  await during(() => replica.signal('SIGSTOP'))
  await during(() => replica.signal('SIGCONT'))
  load.isOver = true
  await Promise.all(callers)
  await answeredByReplica(api.config, list)
})

test('the audit log is exported from a replica, and the operator sees who has answered', async () => {
  const { client } = await withSite()
  const operator = await api.newClient({ isOperator: true })
  let text = ''
  await answeredByReplica(api.config, async () => {
    text = await (await send(api.url, client.token, auditLog.routes.export, {})).text()
  })
  assert.match(text, /^\uFEFF?number,/)
  assert.match(text, /\n1,/)
  const { replicas, primaryReads } = await operator.call(operatorArea.routes.overview, {})
  assert.equal(replicas[0]?.name, replicaName)
  assert.ok((replicas[0]?.reads ?? 0) > 0 && primaryReads > 0)
})
