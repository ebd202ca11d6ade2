import assert from 'node:assert/strict'
import fs from 'node:fs'
import { after, before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { DnsClient, type Reply, cnameOf } from '@fairway/app'
import { FEATURES, type SimulatedCdn } from '@fairway/contract'
import { type Asked, type QueryStream, askSteadily, failuresOf } from './query-stream.ts'
import { pace } from './pace.ts'
import { until } from './until.ts'
import { type World, startDemoWorld } from './world.ts'

const { domains, overview, routingStrategies, simulatedCdns, sites } = FEATURES
const LEAVES_WITHIN_MS = 5000
/** A CDN comes back to a tenth of the networks, then to half, then to all; these may be among the last. */
const RETURNS_WITHIN_MS = 60_000
const PER_SECOND = 20
/** German visitors go where it is fastest. */
const FASTEST = { label: 'www', subnet: '80.147.0.0/24' }
/** Networks for documentation (RFC 5737), each sent to one CDN while that is well, whatever was measured. */
const FIXED: Record<string, string> = {
  swiftlane: '198.51.100.0/26',
  polaris: '198.51.100.64/26',
  tidewater: '198.51.100.128/26',
}

let world: World & { demo: { site: string } }
let site = ''
let cdns: SimulatedCdn[] = []

before(async () => {
  world = await startDemoWorld()
  site = (await world.api(sites.routes.list, {})).data[0]?.id ?? ''
  cdns = (await world.api(simulatedCdns.routes.list, {})).data
  const domain =
    (await world.api(domains.routes.list, { site, page_size: -1 })).data.find(({ name }) => name === nameOf('api'))
      ?.id ?? ''
  for (const [cdnId, cidr] of Object.entries(FIXED)) {
    const targets = [cdnId, ...Object.keys(FIXED).filter((other) => other !== cdnId)].map((target) => ({
      cdnId: target,
    }))
    await world.api(routingStrategies.routes.create, {
      site,
      domain,
      name: `${cdnId} first`,
      method: 'static-route',
      filter: { cidrs: [cidr] },
      targets,
      availabilityThreshold: null,
    })
  }
  const all = (await world.api(routingStrategies.routes.list, { site, domain })).data.map(({ id }) => id)
  await world.api(routingStrategies.routes.reorder, { site, domain, ids: [...all.slice(1), ...all.slice(0, 1)] })
  using dns = new DnsClient(world.dns)
  for (const [cdnId, subnet] of Object.entries(FIXED))
    await until(
      `${cdnId} for ${subnet}`,
      async () => cdnOf(await dns.ask({ name: nameOf('api'), type: 'A', subnet })) === cdnId,
      5000,
    )
})
after(() => world[Symbol.asyncDispose]())

test('the best CDN dies: within 5 s nobody is sent there, without a query lost; well again, it is back for good', async (t) => {
  // `bench failover` does so twenty times over.
  const patience = pace()
  const best = await bestFor(FASTEST)
  await using fastest = askSteadily(
    world.dns,
    { name: nameOf(FASTEST.label), type: 'A', subnet: FASTEST.subnet },
    PER_SECOND,
  )
  await using fixed = askSteadily(world.dns, { name: nameOf('api'), type: 'A', subnet: FIXED[best] ?? '' }, PER_SECOND)
  const diedAt = performance.now()
  await sim(best, 'down')
  const leftMs = Math.max(await left(fastest, best, diedAt), await left(fixed, best, diedAt))
  assert.ok(leftMs < LEAVES_WITHIN_MS * patience, `${best} was still answered after ${leftMs} ms`)
  const event = await until(
    'the failover event',
    async () => (await events()).find((one) => one.cdnId === best && one.kind === 'cdn-down' && one.endedAt === null),
    5000 * patience,
  )
  assert.match(String(event.detail['evidence']), /failed/)
  const recoveredAt = performance.now()
  await sim(best, 'up')
  const back = await until(
    `${best} back`,
    () => fixed.asked.find((one) => one.askedAt > recoveredAt && cdnOf(one.reply) === best),
    RETURNS_WITHIN_MS * patience,
  )
  await until(
    'the event is over',
    async () => (await events()).find((one) => one.id === event.id)?.endedAt,
    5000 * patience,
  )
  // Long enough for a second opinion of every node.
  await delay(2500)
  for (const stream of [fastest, fixed]) {
    const asked = await stream.stop()
    assert.deepEqual(failuresOf(asked), { lost: 0, refused: 0 })
    assert.deepEqual(
      asked.filter((one) => one.askedAt > diedAt + leftMs && one.answeredAt < recoveredAt && cdnOf(one.reply) === best),
      [],
      `${best} was answered again while it was dead`,
    )
  }
  assert.ok(turns(fixed.asked) === 2, `${best} came and went: ${turns(fixed.asked)} turns`)
  t.diagnostic(
    `${best} out of the answers ${Math.round(leftMs)} ms after the command began, back ${Math.round(back.answeredAt - recoveredAt)} ms after the one that mended it`,
  )
})

test('with API, worker, collector and database dead, DNS leaves a dead CDN by its own checks and returns to it', async () => {
  const best = 'polaris'
  const patience = pace()
  await using _ = holdDown(['api', 'worker', 'collector', 'database'])
  await until('the API is away', async () => !(await fetch(world.url).catch(() => null)), 5000)
  await using stream = askSteadily(world.dns, { name: nameOf('api'), type: 'A', subnet: FIXED[best] ?? '' }, PER_SECOND)
  await until(
    `${best} is answered`,
    () => cdnOf(stream.asked.at(-1)?.reply ?? null) === best,
    RETURNS_WITHIN_MS * patience,
  )
  const diedAt = performance.now()
  await breakAtTheEdge(best, 'down')
  const leftMs = await left(stream, best, diedAt)
  assert.ok(leftMs < LEAVES_WITHIN_MS * patience, `${best} was still answered after ${leftMs} ms`)
  const recoveredAt = performance.now()
  await breakAtTheEdge(best, 'up')
  // The collector's last word, given while the CDN was well, was not that it is dead; only this node's own checks hold
  // it back.
  await until(
    `${best} back`,
    () => stream.asked.find((one) => one.askedAt > recoveredAt && cdnOf(one.reply) === best),
    RETURNS_WITHIN_MS * patience,
  )
  assert.deepEqual(failuresOf(await stream.stop()), { lost: 0, refused: 0 })
})

const nameOf = (label: string): string => `${label}.${world.demo.site}`
const cdnOf = (reply: Reply | null): string | null => cnameOf(reply)?.split('.')[1] ?? null
const events = async () => (await world.api(overview.routes.get, { site })).events

async function bestFor({ label, subnet }: { label: string; subnet: string }): Promise<string> {
  using dns = new DnsClient(world.dns)
  return await until(
    'a CDN for German visitors',
    async () => cdnOf(await dns.ask({ name: nameOf(label), type: 'A', subnet })),
    10_000,
  )
}

async function sim(cdn: string, mode: 'down' | 'up'): Promise<void> {
  const { status, stderr } = await world.fairway('sim', cdn, mode)
  assert.equal(status, 0, stderr)
}

/** How long after `since` the CDN was named last, once it has not been for a second. */
async function left({ asked }: QueryStream, cdn: string, since: number): Promise<number> {
  const last = await until(
    `${cdn} out of the answers`,
    () => {
      const named = asked.findLast((one) => cdnOf(one.reply) === cdn)?.answeredAt ?? since
      return performance.now() - named > 1000 && Math.max(named, since)
    },
    30_000,
  )
  return last - since
}

/** How often the CDN answered was another one than before. */
function turns(asked: readonly Asked[]): number {
  const names = asked.toSorted((a, b) => a.askedAt - b.askedAt).map((one) => cdnOf(one.reply))
  return names.filter((name, at) => at > 0 && name !== names[at - 1]).length
}

/** The CDN itself breaks: only the listener that plays it is told, nothing else of Fairway. */
async function breakAtTheEdge(cdnId: string, mode: 'down' | 'up'): Promise<void> {
  const cdn = cdns.find((one) => one.cdnId === cdnId)
  assert.ok(cdn)
  const document = { cdnId, slug: cdnId, address: cdn.address, mode, addMs: 0, percent: 0 }
  await world.control('edge-admin', 'POST', '/apply', {
    documents: [{ key: `at:${cdn.address}`, stamp: `test.${mode}`, document }],
    removed: [],
    names: {},
    tagsKnown: false,
    primed: false,
  })
}

type Held = 'api' | 'worker' | 'collector' | 'database'

/**
 * Kills these roles and PostgreSQL again and again, faster than they can start, until disposed; then waits for all to
 * be back.
 */
function holdDown(roles: readonly Held[]): AsyncDisposable {
  const killAll = () => {
    const states = world.roles()
    for (const role of roles) endProcess(states[role]?.pid ?? 0, `role ${role}`)
    const pidFile = `${world.config.home}/database/postmaster.pid`
    if (roles.includes('database') && fs.existsSync(pidFile))
      endProcess(Number(fs.readFileSync(pidFile, 'utf8').split('\n')[0]), `${world.config.home}/database`)
  }
  killAll()
  const timer = setInterval(killAll, 50)
  return {
    async [Symbol.asyncDispose]() {
      clearInterval(timer)
      // Busy with starting everything, the supervisor may be late with one answer.
      const reasons = () => world.notReady().catch((error: unknown) => [String(error)])
      await until('everything is back', async () => (await reasons()).length === 0, 60_000, 200).catch(async () =>
        assert.deepEqual(await reasons(), []),
      )
    },
  }
}

/** Kills a process whose command line says what it is meant to be: its number may have become another's meanwhile. */
function endProcess(pid: number, command: string): void {
  try {
    if (pid > 0 && fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').includes(command))
      process.kill(pid, 'SIGKILL')
  } catch {
    // It has gone by itself.
  }
}
