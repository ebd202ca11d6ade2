import assert from 'node:assert/strict'
import { execFile, fork, spawn } from 'node:child_process'
import dgram from 'node:dgram'
import { once } from 'node:events'
import fs from 'node:fs'
import http from 'node:http'
import os from 'node:os'
import path from 'node:path'
import { beforeEach, afterEach, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import tls from 'node:tls'
import { promisify } from 'node:util'
import dnsPacket from 'dns-packet'
import {
  DnsAnswers,
  ProbeReport,
  WhyAnswer,
  WhyManyAnswer,
  type DnsZone,
  type ScoresSnapshot,
  type ZoneKey,
} from '@fairway/contract'
import {
  configEnvironment,
  controlRequest,
  controlText,
  identityOf,
  livesStill,
  loadConfig,
  sealForNodes,
  shareGeo,
  type Config,
} from '@fairway/platform'
import { ZONE_KEYS } from './dnssec/zone-signer.ts'
import { loadLibc } from '@fairway/platform/lean'
import { startDns, type DnsRole } from './role.ts'
import { startFeed, type FeedFixture } from './testing/feed-fixture.ts'
import { zoneKey } from './testing/key-fixture.ts'
import { ask, silentLog } from './testing/server-fixture.ts'
import { cdnOf, policyOf, strategyOf, zoneOf } from './testing/zone-fixture.ts'
import { TRANSFER_KEYS } from './transfer/peers.ts'

const SYSTEM = zoneOf('fairway.test', '*.one.cdn 60 A 127.0.0.11\n*.two.cdn 60 A 127.0.0.12', {
  zoneId: 'system:fairway.test',
  organizationId: null,
})
const POLICY = policyOf(
  'p',
  [cdnOf('one', 'aa.one.cdn.fairway.test'), cdnOf('two', 'aa.two.cdn.fairway.test')],
  [
    strategyOf('germany', {
      priority: 1,
      targets: [{ cdnId: 'two', weight: 1 }],
      filter: { places: ['country:DE'], networks: [], cidrs: [] },
    }),
    strategyOf('rest', {
      priority: 2,
      method: 'static-route',
      targets: [
        { cdnId: 'one', weight: 1 },
        { cdnId: 'two', weight: 1 },
      ],
    }),
  ],
)
const site = (version: number, lines: string): DnsZone =>
  zoneOf('example.test', lines, {
    version,
    steered: [{ name: 'www.example.test', domainId: 'd1', policyId: 'p' }],
    policies: [POLICY],
  })
const zone = (body: DnsZone) => ({ kind: 'dns-zone' as const, key: body.zoneId, version: body.version, body })
const JAPAN = '133.1.0.0/24'
const GERMANY = '80.147.0.0/24'

let home: string
let feed: FeedFixture
let config: Config
let role: DnsRole | null = null
const at = () => role?.at ?? assert.fail('not started')

beforeEach(async () => {
  home = fs.mkdtempSync(path.join(os.tmpdir(), 'dns-'))
  shareGeo(home)
  feed = await startFeed()
  config = loadConfig({
    FAIRWAY_HOME: home,
    FAIRWAY_DNS_LISTEN: '127.0.0.1:0',
    FAIRWAY_API_URL: feed.url,
    FAIRWAY_COLLECTOR_LISTEN: `127.0.0.1:${feed.port}`,
    FAIRWAY_LOG_LEVEL: 'error',
    FAIRWAY_PROBE_INTERVAL_MS: '100',
    FAIRWAY_NODE_TOKEN: 'secret',
    FAIRWAY_DNS_PROCESSES: '1',
  })
})
afterEach(async () => {
  await role?.[Symbol.asyncDispose]()
  role = null
  await feed[Symbol.asyncDispose]()
  fs.rmSync(home, { recursive: true, force: true })
})

const start = async (settings: Partial<Config> = {}) => {
  config = { ...config, ...settings }
  role = await startDns({ config, log: silentLog })
  return role
}
const stop = async () => {
  await role?.[Symbol.asyncDispose]()
  role = null
}
/**
 * Opens a connection, with what another one has agreed on when it is given, and answers what this one has agreed on.
 */
const tlsSession = async (port: number, session?: Buffer | null) => {
  const socket = tls.connect({ host: '127.0.0.1', port, rejectUnauthorized: false, ...(session ? { session } : {}) })
  const agreed = session ? null : once(socket, 'session')
  await once(socket, 'secureConnect')
  // Tickets come with the first answer at the latest.
  const [given] = agreed ? ((await agreed) as [Buffer]) : [null]
  const got = {
    session: given,
    certificate: socket.getPeerX509Certificate()?.fingerprint256,
    isReused: socket.isSessionReused(),
  }
  socket.destroy()
  return got
}
const first = async (name: string, options: Parameters<typeof ask>[2] = {}) => {
  const answer = await ask(at(), name, options)
  return `${answer.rcode} ${answer.answers.map((record) => String(record.data)).join(' ')}`.trim()
}
/** Asks again and again until the answer is the wanted one; the wait is for other processes, so it has an end. */
const until = async (what: () => Promise<boolean>) => {
  for (const end = Date.now() + 30_000; ;) {
    if (await what()) return
    assert.ok(Date.now() < end, 'it never came')
    await sleep(20)
  }
}

test('a published change is answered once it is acknowledged', async () => {
  await start({ dnsProcesses: 2 })
  assert.equal((await feed.publish(zone(SYSTEM))).ok, true)
  for (let version = 1; version <= 20; version++) {
    assert.equal((await feed.publish(zone(site(version, `host 300 A 192.0.2.${version}`)))).ok, true)
    // Each question comes from a port of its own, and so to any of the processes.
    for (const answer of await Promise.all(Array.from({ length: 8 }, () => first('host.example.test'))))
      assert.equal(answer, `NOERROR 192.0.2.${version}`)
  }
  assert.equal(await first('www.example.test', { subnet: JAPAN }), 'NOERROR aa.one.cdn.fairway.test 127.0.0.11')
  assert.equal(await first('www.example.test', { subnet: GERMANY }), 'NOERROR aa.two.cdn.fairway.test 127.0.0.12')
})

test('a version that cannot be served is refused with the reason, and the one before stays', async () => {
  await start()
  await feed.publish(zone(site(1, 'host 300 A 192.0.2.1')))
  const refused = await feed.publish(zone(site(2, 'host 300 CNAME a.test.\nhost 300 A 192.0.2.2')))
  assert.deepEqual([refused.ok, /host\.example\.test: a CNAME stands alone/.test(refused.reason ?? '')], [false, true])
  assert.equal(await first('host.example.test'), 'NOERROR 192.0.2.1')
  const twin = await feed.publish(zone({ ...site(1, ''), zoneId: 'another' }))
  assert.deepEqual([twin.ok, /already served/.test(twin.reason ?? '')], [false, true])
})

test('of many zones that come together each is served, and one that cannot be keeps no other', async () => {
  await start()
  const many = Array.from({ length: 60 }, (_, i) => zoneOf(`z${i}.test`, `host 300 A 192.0.2.${i}`))
  const bad = zoneOf('bad.test', 'host 300 CNAME a.test.\nhost 300 A 192.0.2.2')
  const words = await Promise.all([...many, bad].map((one) => feed.publish(zone(one))))
  assert.deepEqual(
    words.filter(({ ok }) => !ok).map(({ key }) => key),
    ['site-bad.test'],
  )
  assert.deepEqual(
    await Promise.all(many.map((_, i) => first(`host.z${i}.test`))),
    many.map((_, i) => `NOERROR 192.0.2.${i}`),
  )
})

test('of a large zone changes alone are taken; without its whole everything is asked for again', async () => {
  await start()
  const names = Array.from({ length: 1_200 }, (_, index) => `h${index} 300 A 192.0.2.1`)
  const whole = (version: number) => zoneOf('example.test', names.join('\n'), { version })
  const apex = whole(1).rrsets.filter(({ type }) => type === 'SOA' || type === 'NS')
  const set = (name: string, address: string): DnsZone['rrsets'][number] => ({
    name: `${name}.example.test`,
    type: 'A',
    ttlSeconds: 300,
    rdata: [address],
  })
  const patch = (version: number, address: string) => ({
    kind: 'dns-zone' as const,
    key: whole(1).zoneId,
    version,
    body: null,
    patch: {
      zoneId: whole(1).zoneId,
      since: 1,
      version,
      apex,
      names: ['h1.example.test', 'h2.example.test', 'new.example.test'],
      rrsets: [set('h1', address), set('new', address)],
    },
  })
  const answers = () => Promise.all(['h1', 'h2', 'h3', 'new'].map((name) => first(`${name}.example.test`)))
  await feed.publish(zone(whole(1)))
  assert.equal((await feed.publish(patch(2, '192.0.2.2'))).ok, true)
  assert.deepEqual(await answers(), ['NOERROR 192.0.2.2', 'NXDOMAIN', 'NOERROR 192.0.2.1', 'NOERROR 192.0.2.2'])
  const overlays = () => fs.readdirSync(path.join(home, 'nodes/dns/zones')).filter((name) => name.endsWith('.overlay'))
  assert.equal(overlays().length, 1)
  // A builder that has forgotten everything has the whole, and the patch on it, on disk.
  await stop()
  await start()
  assert.equal((await feed.publish(patch(3, '192.0.2.3'))).ok, true)
  assert.deepEqual(await answers(), ['NOERROR 192.0.2.3', 'NXDOMAIN', 'NOERROR 192.0.2.1', 'NOERROR 192.0.2.3'])
  await stop()
  for (const name of fs.readdirSync(path.join(home, 'nodes/dns/documents')))
    fs.rmSync(path.join(home, 'nodes/dns/documents', name))
  await start()
  const asked = feed.wholes
  void feed.publish(patch(4, '192.0.2.4'))
  await until(async () => feed.wholes > asked)
  assert.equal((await answers())[0], 'NOERROR 192.0.2.3')
  assert.equal((await feed.publish(zone(whole(5)))).ok, true)
  assert.deepEqual(await answers(), ['NOERROR 192.0.2.1', 'NOERROR 192.0.2.1', 'NOERROR 192.0.2.1', 'NXDOMAIN'])
})

test('changes of a large zone, with the builder killed in the middle and a file damaged: each is answered once it is acknowledged, and no query fails', async () => {
  const { builderPid } = await start({ dnsProcesses: 2 })
  const names = Array.from({ length: 1_200 }, (_, index) => `h${index} 300 A 192.0.2.1`)
  const whole = zoneOf('example.test', names.join('\n'))
  const apex = whole.rrsets.filter(({ type }) => type === 'SOA' || type === 'NS')
  const folder = path.join(home, 'nodes/dns/zones')
  const files = (ending: string) => fs.readdirSync(folder).filter((name) => name.endsWith(ending))
  const change = (version: number, since = 1) => {
    const name = since === 1 ? 'new.example.test' : 'newer.example.test'
    const set = { name, type: 'A' as const, ttlSeconds: 300, rdata: [`192.0.2.${version}`] }
    const patch = { zoneId: whole.zoneId, since, version, apex, names: [set.name], rrsets: [set] }
    return feed.publish({ kind: 'dns-zone', key: whole.zoneId, version, body: null, patch })
  }
  assert.equal((await feed.publish(zone(whole))).ok, true)
  for (let version = 2; version <= 12; version++) {
    const live = change(version)
    if (version === 5) process.kill(builderPid() ?? assert.fail(), 'SIGKILL')
    const state = { isAnswered: false }
    void live.then(() => (state.isAnswered = true))
    while (!state.isAnswered) assert.equal(await first('h7.example.test'), 'NOERROR 192.0.2.1')
    assert.equal((await live).ok, true)
    for (const answer of await Promise.all(Array.from({ length: 6 }, () => first('new.example.test'))))
      assert.equal(answer, `NOERROR 192.0.2.${version}`)
  }
  // All on the one segment: the newest overlays and no more are kept with it.
  assert.deepEqual([files('.seg').length, files('.overlay').length], [1, 2])
  // It was published whole at 12 without being sent: what is answered is what the next patches are put on.
  for (let version = 13; version <= 15; version++) {
    const live = change(version, 12)
    if (version === 14) process.kill(builderPid() ?? assert.fail(), 'SIGKILL')
    assert.equal((await live).ok, true)
    assert.deepEqual(await Promise.all(['newer', 'new', 'h7'].map((name) => first(`${name}.example.test`))), [
      `NOERROR 192.0.2.${version}`,
      'NOERROR 192.0.2.12',
      'NOERROR 192.0.2.1',
    ])
  }
  await stop()
  await feed[Symbol.asyncDispose]()
  const newest = files('.overlay').find((name) => name.includes('.15.')) ?? assert.fail()
  fs.appendFileSync(path.join(folder, newest), 'more')
  await start()
  assert.equal(await first('newer.example.test'), 'NOERROR 192.0.2.14')
  assert.equal(await first('new.example.test'), 'NOERROR 192.0.2.12')
  assert.equal(await first('h7.example.test'), 'NOERROR 192.0.2.1')
})

test('without the API a restarted server answers and steers as before', async () => {
  await start()
  await feed.publish(zone(SYSTEM))
  await feed.publish(zone(site(7, 'host 300 A 192.0.2.7')))
  await stop()
  await feed[Symbol.asyncDispose]()
  await start()
  assert.equal(await first('host.example.test'), 'NOERROR 192.0.2.7')
  assert.equal(await first('www.example.test', { subnet: GERMANY }), 'NOERROR aa.two.cdn.fairway.test 127.0.0.12')
})

test('a removed zone is refused at once and after a restart', async () => {
  await start()
  const body = site(1, 'host 300 A 192.0.2.1')
  await feed.publish(zone(body))
  assert.equal((await feed.publish({ kind: 'dns-zone', key: body.zoneId, version: 2, body: null })).ok, true)
  assert.equal(await first('host.example.test'), 'REFUSED')
  await stop()
  await feed[Symbol.asyncDispose]()
  await start()
  assert.equal(await first('host.example.test'), 'REFUSED')
})

test('restored to a time before, what was made since is served no more, what was changed is as it was, and the rest is answered all along', async () => {
  await start()
  const other = { ...zoneOf('other.test', 'host 300 A 192.0.2.7', { version: 1 }), zoneId: 'other' }
  const lost = { ...zoneOf('lost.test', 'host 300 A 192.0.2.8', { version: 1 }), zoneId: 'lost' }
  for (const body of [site(1, 'host 300 A 192.0.2.1'), site(2, 'host 300 A 192.0.2.2'), other, lost])
    await feed.publish(zone(body))
  const over = new AbortController()
  const asking = (async () => {
    const answers = new Set<string>()
    while (!over.signal.aborted) answers.add(await first('host.other.test'))
    return [...answers]
  })()
  feed.restoredTo([zone(other), zone(site(1, 'host 300 A 192.0.2.1'))])
  await until(async () => (await first('host.lost.test')) === 'REFUSED')
  assert.equal(await first('host.example.test'), 'NOERROR 192.0.2.1')
  assert.equal((await feed.publish(zone(site(3, 'host 300 A 192.0.2.3')))).ok, true)
  assert.equal(await first('host.example.test'), 'NOERROR 192.0.2.3')
  over.abort()
  assert.deepEqual(await asking, ['NOERROR 192.0.2.7'])
})

test('a damaged segment on disk: the one before it is served until the API has sent it again', async () => {
  await start()
  await feed.publish(zone(site(1, 'host 300 A 192.0.2.1')))
  await feed.publish(zone(site(2, 'host 300 A 192.0.2.2')))
  await stop()
  const folder = path.join(home, 'nodes/dns/zones')
  const newest = fs.readdirSync(folder).find((name) => name.includes('.2.')) ?? assert.fail()
  const file = fs.readFileSync(path.join(folder, newest))
  file[200] = (file[200] ?? 0) ^ 255
  fs.writeFileSync(path.join(folder, newest), file)
  await start()
  assert.match(await first('host.example.test'), /192\.0\.2\.[12]$/)
  await until(async () => (await first('host.example.test')) === 'NOERROR 192.0.2.2')
})

test('the builder killed in the middle of changes: no query fails, and no change is lost', async () => {
  const { builderPid, controlUrl } = await start()
  await feed.publish(zone(SYSTEM))
  await feed.publish(zone(site(1, 'host 300 A 192.0.2.1')))
  process.kill(builderPid() ?? assert.fail(), 'SIGKILL')
  const live = feed.publish(zone(site(2, 'host 300 A 192.0.2.2')))
  assert.match(await first('host.example.test'), /NOERROR 192\.0\.2\.[12]/)
  assert.equal((await live).ok, true)
  assert.equal(await first('host.example.test'), 'NOERROR 192.0.2.2')
  assert.match(await controlText(controlUrl, 'GET', '/metrics'), /fairway_dns_builder_restarts_total\{role="dns"\} 1/)
})

for (const transport of ['mmsg', 'dgram'] as const) {
  test(
    `whichever process that answers by ${transport} is killed, the others answer all from then on, and the next one knows what they know`,
    { skip: transport === 'mmsg' && loadLibc() === null },
    async () => {
      const {
        serverPids,
        controlUrl,
        tls: encrypted,
      } = await start({ dnsProcesses: 2, dnsTransport: transport, dnsTlsListen: { host: '127.0.0.1', port: 0 } })
      const tlsPort = encrypted?.port ?? assert.fail()
      await feed.publish(zone(SYSTEM))
      await feed.publish(zone(site(1, '')))
      // Of two sets of scores within ten seconds only the first is on disk.
      for (const [serial, down] of [
        [1, false],
        [2, true],
      ] as const) {
        void feed
          .publish({
            kind: 'scores',
            key: 'org-1',
            version: serial,
            body: {
              organizationId: 'org-1',
              serial,
              builtAt: Date.now(),
              lifetimeSeconds: 300,
              cdns: { one: { hardDown: down, hardDownSince: null, places: {} } },
            },
          })
          .catch(() => {})
      }
      await feed.publish(zone(site(2, '')))
      let asked = 0
      const answers = async (by?: 'tcp') => {
        asked += 10
        const all = await Promise.all(
          Array.from({ length: 10 }, () =>
            first('www.example.test', { subnet: JAPAN, ...(by ? { transport: by } : {}) }),
          ),
        )
        assert.deepEqual([...new Set(all)], ['NOERROR aa.two.cdn.fairway.test 127.0.0.12'])
      }
      const { session, certificate } = await tlsSession(tlsPort)
      const encryptedByAny = async () => {
        for (let i = 0; i < 6; i++)
          assert.deepEqual(
            [(await tlsSession(tlsPort, session)).isReused, (await tlsSession(tlsPort)).certificate],
            [true, certificate],
          )
      }
      for (const number of [0, 2]) {
        const killed = serverPids()[number] ?? assert.fail()
        process.kill(killed, 'SIGKILL')
        await until(async () => !serverPids().includes(killed))
        for (const by of [undefined, 'tcp'] as const) await answers(by)
        await until(async () =>
          (await controlText(controlUrl, 'GET', '/metrics')).includes('fairway_dns_processes{role="dns"} 4'),
        )
        await answers()
        await encryptedByAny()
      }
      const metrics = await controlText(controlUrl, 'GET', '/metrics')
      assert.match(metrics, /fairway_dns_process_restarts_total\{role="dns"\} 2/)
      const counted = [...metrics.matchAll(/^fairway_dns_answers_total\{transport="(?:udp|tcp)".*\} (\d+)$/gm)].reduce(
        (sum, [, count]) => sum + Number(count),
        0,
      )
      assert.ok(
        counted >= asked / 2 && counted <= asked,
        `${counted} of ${asked} answers are in the sum, those of the killed too but for their last second`,
      )
    },
  )
}

/** Opens 200 connections, asks 1,500 times on each, and reads nothing; opens a new one for each that is ended. */
const ATTACK = `
const [host, port, query] = process.argv.slice(1)
const asked = Buffer.concat(Array(1500).fill(Buffer.from(query, 'base64')))
let open = 0
const attack = () => {
  const socket = require('node:net').connect(Number(port), host, () => {
    socket.write(asked)
    if (++open === 200) process.stdout.write('begun')
  })
  socket.pause().on('error', () => {}).on('close', attack)
}
for (let i = 0; i < 200; i++) attack()
`

test('while 200 connections ask for much and read nothing, datagrams are answered and memory stays', async (t) => {
  const large = Array.from({ length: 235 }, (_, at) => `txt 300 TXT "${String(at).padStart(4, '0').repeat(60)}"`)
  const { controlUrl } = await start({ dnsProcesses: 2 })
  await feed.publish(zone(site(1, `host 300 A 192.0.2.1\n${large.join('\n')}`)))
  const slowest = async () => {
    const times: number[] = []
    for (let i = 0; i < 300; i++) {
      const from = performance.now()
      assert.equal(await first('host.example.test'), 'NOERROR 192.0.2.1')
      times.push(performance.now() - from)
    }
    return times.sort((a, b) => a - b)[296] ?? assert.fail()
  }
  const memory = async () =>
    [
      ...(await controlText(controlUrl, 'GET', '/metrics')).matchAll(
        /^fairway_dns_process_resident_bytes\{.*\} (\d+)/gm,
      ),
    ].map(([, bytes]) => Number(bytes))
  await slowest()
  const [before, memoryBefore] = [await slowest(), await memory()]
  const message = dnsPacket.encode({ type: 'query', id: 1, questions: [{ type: 'TXT', name: 'txt.example.test' }] })
  const query = Buffer.concat([Buffer.from([0, message.length]), message])
  // From a process of its own, as an attacker has: who measures must not be busy with it.
  using attacker = spawn(process.execPath, ['-e', ATTACK, at().host, String(at().port), query.toString('base64')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(attacker.stdout, 'data')
  // An answer that is lost or later than a resolver waits fails here; how late it is at most is `bench dns`'s to say.
  const during = await slowest()
  const grown = (await memory()).map((bytes, index) => bytes - (memoryBefore[index] ?? 0))
  t.diagnostic(`p99 ${during.toFixed(1)} ms, ${before.toFixed(1)} before; memory ${grown.join(' + ')} bytes more`)
  assert.ok(grown.reduce((sum, bytes) => sum + bytes, 0) < 64 << 20, `memory grew by ${grown.join(' + ')} bytes`)
})

test("when the role is killed its processes answer on, until the next one's are there, and leave", async () => {
  using before = fork(new URL('testing/role-program.ts', import.meta.url), {
    env: { ...process.env, ...configEnvironment({ ...config, dnsProcesses: 2 }) },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const [told] = (await once(before, 'message')) as [{ at: Config['dnsListen']; pids: number[] }]
  const former = told.pids.map(identityOf)
  await feed.publish(zone(site(1, 'host 300 A 192.0.2.1')))
  const ask20 = () =>
    Promise.all(
      Array.from({ length: 20 }, async () => (await ask(told.at, 'host.example.test')).answers.map(({ data }) => data)),
    )
  process.kill(before.pid ?? assert.fail(), 'SIGKILL')
  await once(before, 'exit')
  const all = Array.from({ length: 20 }, () => ['192.0.2.1'])
  assert.deepEqual(await ask20(), all)
  await start({ dnsListen: told.at, dnsProcesses: 2 })
  assert.deepEqual(at(), told.at)
  await until(async () => !former.some(livesStill))
  assert.deepEqual(await ask20(), all)
  assert.equal((await feed.publish(zone(site(2, 'host 300 A 192.0.2.2')))).ok, true)
  assert.deepEqual(new Set((await ask20()).flat()), new Set(['192.0.2.2']))
})

test('a hundred swaps under load lose no query', async () => {
  await start()
  await feed.publish(zone(site(1, 'host 300 A 192.0.2.1')))
  const stopping = new AbortController()
  let asked = 0
  const load = Array.from({ length: 8 }, async () => {
    while (!stopping.signal.aborted) {
      assert.match(await first('host.example.test'), /NOERROR 192\.0\.2\.\d+/)
      asked++
    }
  })
  for (let version = 2; version <= 101; version++)
    await feed.publish(zone(site(version, `host 300 A 192.0.2.${version}`)))
  stopping.abort()
  await Promise.all(load)
  assert.ok(asked > 500)
})

test('scores steer, and are remembered over a restart without the API', async () => {
  await start()
  await feed.publish(zone(SYSTEM))
  await feed.publish(zone(site(1, '')))
  const scores: ScoresSnapshot = {
    organizationId: 'org-1',
    serial: 1,
    builtAt: Date.now(),
    lifetimeSeconds: 300,
    cdns: { one: { hardDown: true, hardDownSince: Date.now(), places: {} } },
  }
  // Good scores are not acknowledged one by one: the zone's next version is, after them.
  void feed.publish({ kind: 'scores', key: 'org-1', version: 1, body: scores }).catch(() => {})
  await feed.publish(zone(site(2, '')))
  await until(
    async () => (await first('www.example.test', { subnet: JAPAN })) === 'NOERROR aa.two.cdn.fairway.test 127.0.0.12',
  )
  await stop()
  await feed[Symbol.asyncDispose]()
  await start()
  assert.equal(await first('www.example.test', { subnet: JAPAN }), 'NOERROR aa.two.cdn.fairway.test 127.0.0.12')
})

test("a CDN that dies leaves the answers by the node's own probes, with API and collector away, and comes back", async () => {
  let status = 200
  const cdn = http.createServer((_request, response) => response.writeHead(status).end('ok'))
  await new Promise<void>((resolve) => cdn.listen(0, '127.0.0.1', resolve))
  const address = cdn.address()
  const port = typeof address === 'object' && address ? address.port : 0
  try {
    await start()
    await feed.publish(zone(SYSTEM))
    await feed.publish(zone(site(1, '')))
    const target = (cdnId: string) => ({
      cdnId,
      host: 'probe.test',
      address: '127.0.0.1',
      port,
      tls: false,
      path: '/',
      house: true,
    })
    const report = feed.nextPost('/probes/')
    await feed.publish({
      kind: 'probe-targets',
      key: 'org-1',
      version: 1,
      body: { organizationId: 'org-1', version: 1, targets: [target('one')] },
    })
    assert.equal(ProbeReport.parse(await report).results[0]?.cdnId, 'one')
    await feed[Symbol.asyncDispose]()
    assert.equal(await first('www.example.test', { subnet: JAPAN }), 'NOERROR aa.one.cdn.fairway.test 127.0.0.11')
    status = 503
    await until(
      async () => (await first('www.example.test', { subnet: JAPAN })) === 'NOERROR aa.two.cdn.fairway.test 127.0.0.12',
    )
    status = 200
    await until(
      async () => (await first('www.example.test', { subnet: JAPAN })) === 'NOERROR aa.one.cdn.fairway.test 127.0.0.11',
    )
  } finally {
    cdn.closeAllConnections()
    cdn.close()
  }
})

test('why tells what the answer was, and a draft is judged without being saved', async () => {
  const { controlUrl } = await start()
  await feed.publish(zone(SYSTEM))
  await feed.publish(zone(site(1, 'host 300 A 192.0.2.1')))
  const why = async (client: string, extra = {}) =>
    WhyAnswer.parse(await controlRequest(controlUrl, 'POST', '/why', { name: 'WWW.example.test.', client, ...extra }))
  const german = await why('80.147.0.9', { prefixLength: 24 })
  assert.deepEqual(
    [german.name, german.visitor.address, german.visitor.prefixLength, german.visitor.location.country],
    ['www.example.test', '80.147.0.0', 24, 'DE'],
  )
  assert.deepEqual([german.decision.shares, german.decision.strategyId], [[{ cdnId: 'two', percent: 100 }], 'germany'])
  assert.equal((await why('133.1.0.1')).decision.shares[0]?.cdnId, 'one')
  const draft = { ...POLICY, id: 'draft', strategies: [] }
  assert.equal((await why('80.147.0.9', { policy: draft })).decision.strategyId, null)
  assert.equal((await why('80.147.0.9')).decision.strategyId, 'germany')
  for (const name of ['host.example.test', 'nothing.example.test', 'www.elsewhere.test', '..'])
    await assert.rejects(controlRequest(controlUrl, 'POST', '/why', { name, client: '192.0.2.1' }), { status: 404 })
  await assert.rejects(controlRequest(controlUrl, 'POST', '/why', { name: 'www.example.test', client: 'x' }), {
    status: 400,
  })
})

test('for a thousand networks, answer and explanation agree', async () => {
  const { controlUrl } = await start()
  await feed.publish(zone(SYSTEM))
  await feed.publish(zone(site(1, '')))
  const clients = Array.from(
    { length: 1000 },
    (_, i) => `${(i * 37) % 223 || 1}.${(i * 101) % 256}.${(i * 13) % 256}.0/24`,
  )
  const many = WhyManyAnswer.parse(
    await controlRequest(controlUrl, 'POST', '/explain-many', { name: 'www.example.test', clients }),
  )
  assert.deepEqual(
    many.answers.map((answer) => answer.client),
    clients,
  )
  for (const { client, cdnId } of many.answers)
    assert.equal(
      await first('www.example.test', { type: 'CNAME', subnet: client }),
      `NOERROR aa.${cdnId}.cdn.fairway.test`,
    )
})

test('answers are counted by domain, CDN and country and sent to the collector', async () => {
  await start()
  await feed.publish(zone(SYSTEM))
  await feed.publish(zone(site(1, 'host 300 A 192.0.2.1')))
  const told: DnsAnswers[] = []
  const collecting = (async () => {
    while (told.flatMap(({ counts }) => counts).reduce((sum, { answers }) => sum + answers, 0) < 4)
      told.push(DnsAnswers.parse(await feed.nextPost('/dns-answers/')))
  })()
  for (let i = 0; i < 3; i++) await first('www.example.test', { subnet: GERMANY })
  await first('host.example.test', { subnet: '0.0.0.0/0' })
  await first('ns1.fairway.test')
  await collecting
  assert.deepEqual([...new Set(told.map(({ node }) => node))], [`${config.nodeName}/dns`])
  // A report may leave between two of the questions.
  const seen = new Map<string, number>()
  for (const { answers, ...of } of told.flatMap(({ counts }) => counts)) {
    const key = JSON.stringify([of.organizationId, of.siteId, of.domainId, of.cdnId, of.country])
    seen.set(key, (seen.get(key) ?? 0) + answers)
  }
  const site1 = ['org-1', 'site-example.test']
  assert.deepEqual(Object.fromEntries(seen), {
    [JSON.stringify([...site1, 'd1', 'two', 'DE'])]: 3,
    [JSON.stringify([...site1, null, null, null])]: 1,
  })
})

test('readiness says what is missing', async () => {
  const { controlUrl } = await start()
  const ready = async () =>
    (await controlRequest(controlUrl, 'GET', '/readyz')) as { ready: boolean; reasons: string[] }
  assert.deepEqual(
    [(await ready()).ready, (await ready()).reasons[0]],
    [false, 'no zone has been published to this node yet'],
  )
  await feed.publish(zone(SYSTEM))
  await until(async () => (await ready()).reasons.length === 0)
  assert.equal((await ready()).ready, true)
  await feed[Symbol.asyncDispose]()
  await until(async () => (await ready()).reasons[0]?.startsWith('the API is away') === true)
  assert.equal((await ready()).ready, true)
})

test('a port that is taken is told in a sentence', async () => {
  await start()
  const taken = { ...config, dnsListen: at(), home: fs.mkdtempSync(path.join(os.tmpdir(), 'dns-')) }
  shareGeo(taken.home)
  try {
    await assert.rejects(
      startDns({ config: taken, log: silentLog }),
      /is taken by another program\. Stop it, or set FAIRWAY_DNS_LISTEN/,
    )
    await stop()
    // One that would share it.
    const other = dgram.createSocket({ type: 'udp4', reusePort: true })
    await new Promise<void>((resolve) => other.bind(taken.dnsListen.port, '127.0.0.1', resolve))
    await assert.rejects(startDns({ config: taken, log: silentLog }), /is taken by another program/)
    await new Promise<void>((resolve) => other.close(resolve))
  } finally {
    fs.rmSync(taken.home, { recursive: true, force: true })
  }
})

test('a signed zone is served signed, by the builder and online, also after a restart without the API; its keys open with the secret of the nodes only', async () => {
  const sealed = (key: ZoneKey) => ({ ...key, sealedPrivateKey: sealForNodes(config, ZONE_KEYS, key.sealedPrivateKey) })
  const key = zoneKey()
  const signing = { keys: [sealed(key)], withdraw: false }
  await start()
  await feed.publish(zone(SYSTEM))
  assert.equal((await feed.publish(zone({ ...site(1, 'host 300 A 192.0.2.1'), signing }))).ok, true)
  const signatures = async (name: string) =>
    (await ask(at(), name, { dnssecOk: true })).answers
      .map((record) => record.type)
      .concat((await ask(at(), name, { dnssecOk: true })).authorities.map((record) => record.type))
  assert.deepEqual(await signatures('host.example.test'), ['A', 'RRSIG'])
  assert.deepEqual((await signatures('www.example.test')).slice(0, 2), ['CNAME', 'RRSIG'])
  assert.deepEqual(await signatures('none.example.test'), ['SOA', 'RRSIG', 'NSEC', 'RRSIG'])
  const foreign = {
    ...signing,
    keys: [{ ...zoneKey(), sealedPrivateKey: sealForNodes({ ...config, nodeToken: 'another' }, ZONE_KEYS, 'x') }],
  }
  const refused = await feed.publish(zone({ ...site(2, 'host 300 A 192.0.2.2'), signing: foreign }))
  assert.deepEqual([refused.ok, /keys of example\.test cannot be opened/.test(refused.reason ?? '')], [false, true])
  await stop()
  await feed[Symbol.asyncDispose]()
  await start()
  assert.deepEqual(await signatures('host.example.test'), ['A', 'RRSIG'])
  assert.deepEqual((await signatures('www.example.test')).slice(0, 2), ['CNAME', 'RRSIG'])
  const disk = fs
    .readdirSync(home, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.includes('/geo'))
  for (const file of disk)
    assert.ok(!fs.readFileSync(path.join(file.parentPath, file.name)).includes(key.sealedPrivateKey), file.name)
})

test('transfers are given as published, after a restart too, and taken back', async () => {
  const secret = Buffer.alloc(32, 7).toString('base64')
  const transfers = (version: number) => ({
    kind: 'dns-transfers' as const,
    key: 'org-1',
    version,
    body: {
      organizationId: 'org-1',
      version,
      peers: [{ keyName: 'mine', sealedSecret: sealForNodes(config, TRANSFER_KEYS, secret), notify: null }],
    },
  })
  const transferred = async () =>
    (
      await promisify(execFile)('dig', [
        '@127.0.0.1',
        '-p',
        String(at().port),
        '-y',
        `hmac-sha256:mine:${secret}`,
        '+tries=1',
        'example.test',
        'AXFR',
      ]).catch((error: { stdout: string }) => error)
    ).stdout
  await start()
  // A zone with a steered name goes out when its other form is known.
  await feed.publish(zone({ ...site(1, 'host 300 A 192.0.2.1'), transfer: { flattened: [] } }))
  assert.doesNotMatch(await transferred(), /192\.0\.2\.1/)
  await feed.publish(transfers(1))
  await until(async () => /host\.example\.test\.\s+300\s+IN\s+A\s+192\.0\.2\.1/.test(await transferred()))
  await stop()
  await start()
  assert.match(await transferred(), /192\.0\.2\.1/)
  await feed.publish({ kind: 'dns-transfers', key: 'org-1', version: 2, body: null })
  await until(async () => !/192\.0\.2\.1/.test(await transferred()))
})
