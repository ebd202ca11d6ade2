import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { DnsClient, cnameOf, textOf } from '@fairway/app'
import { FEATURES } from '@fairway/contract'
import { pace } from './pace.ts'
import { type Asked, askSteadily, failuresOf } from './query-stream.ts'
import { until } from './until.ts'
import { type World, startWorld } from './world.ts'

const { auth, cdnManagement, dnsRecords, sites } = FEATURES
const READY_WITHIN_MS = 10_000
const DNS_SILENT_MS = 1000
/** From the signal to the end of a process and its socket. */
const DYING_MS = 100
/** What comes while the sockets of before are closed. */
const LOST_AT_HANDOVER = 2
const STEERED = 'www.kill.example'

let world: World
let site = ''

before(async () => {
  world = await startWorld()
  await world.api(auth.routes.register, {
    email: 'owner@example.com',
    password: 'Owner-1234',
    firstName: 'Olive',
    lastName: 'Owner',
    organizationName: 'Example',
  })
  site = (await world.api(sites.routes.create, { domainName: 'kill.example' })).data.id
  const { domainId } = (
    await world.api(dnsRecords.routes.create, { site, type: 'A', name: 'www', value: '93.184.215.14', multiCdn: true })
  ).data
  assert.ok(domainId)
  for (const cdnId of ['swiftlane', 'polaris'])
    await world.api(cdnManagement.routes.install, { site, domain: domainId, cdnId })
  using dns = new DnsClient(world.dns)
  await until('the name is steered', async () => cnameOf(await dns.ask({ name: STEERED, type: 'A' })), 10_000)
})
after(() => world[Symbol.asyncDispose]())

type Victim = {
  name: string
  /** Ends it, and answers what waits for the one that takes its place. */ kill(): Promise<
    (timeoutMs: number) => Promise<void>
  >
}
const role = (name: Parameters<World['kill']>[0]): Victim => ({
  name,
  async kill() {
    const pid = world.kill(name)
    return (timeoutMs) => world.restarted(name, pid, timeoutMs)
  },
})
const answering: Victim = {
  name: 'a process that answers DNS',
  async kill() {
    const pids = async () => ((await world.control('dns', 'GET', '/readyz')) as DnsState).facts.processes
    const [one] = await pids()
    assert.ok(one?.pid)
    process.kill(one.pid, 'SIGKILL')
    return async (timeoutMs) =>
      void (await until(
        'another process in its place',
        async () => (await pids()).every(({ pid, answers }) => answers && pid !== one.pid),
        timeoutMs,
      ))
  },
}
type DnsState = { facts: { processes: { pid: number | null; answers: boolean }[] } }
const VICTIMS = [...(['database', 'store', 'api', 'worker', 'collector', 'edge', 'dns'] as const).map(role), answering]

test('whichever process is killed in the middle of writes: nothing acknowledged is lost, all is back within 10 s, DNS answers every query but what its socket held', async (t) => {
  const writer = startWriter()
  await until('writes', () => writer.acknowledged() > 10, 10_000)
  for (const victim of VICTIMS) {
    const { name } = victim
    let slower = pace()
    await using stream = askSteadily(world.dns, { name: STEERED, type: 'A', subnet: '80.147.0.0/24' }, 200)
    await until('DNS answers', () => stream.asked.length > 10, 5000)
    const killedAt = performance.now()
    const left = () => slower * READY_WITHIN_MS - (performance.now() - killedAt)
    const written = writer.acknowledged()
    const restarted = await victim.kill()
    await restarted(slower * READY_WITHIN_MS)
    await until(`everything ready after ${name} was killed`, async () => (await world.notReady()).length === 0, left())
    const readyMs = Math.round(performance.now() - killedAt)
    await until(`writes go on after ${name} was killed`, () => writer.acknowledged() > written, left())
    await until(
      'DNS answers',
      () => stream.asked.some((one) => one.askedAt > killedAt + readyMs && one.reply !== null),
      left(),
    )
    const asked = await stream.stop()
    // The machine may have become busy meanwhile.
    slower = Math.max(slower, pace())
    const { lost, refused } = failuresOf(asked)
    const gapMs = longestGapMs(asked)
    const lostLater = failuresOf(asked.filter(({ askedAt }) => askedAt > killedAt + slower * DYING_MS)).lost
    t.diagnostic(
      `${name} killed: all ready after ${readyMs} ms; ${asked.length} queries, ${lost} lost, longest silence ${gapMs} ms`,
    )
    assert.equal(refused, 0, `${name} killed: DNS answered ${refused} times that it cannot`)
    if (victim === answering || name === 'dns')
      assert.ok(gapMs < slower * DNS_SILENT_MS, `${name} killed: DNS was silent for ${gapMs} ms`)
    assert.ok(
      (victim === answering ? lostLater : lost) <= (name === 'dns' ? LOST_AT_HANDOVER : 0),
      `${name} killed: ${lost} queries of ${asked.length} were lost, ${lostLater} of them later`,
    )
  }
  const { expected, doubtful } = await writer.stop()
  const rows = (await world.api(dnsRecords.routes.list, { site, page_size: -1 })).data
  const wrongInApi = [...expected].filter(
    ([name, value]) => !doubtful.has(name) && (rows.find((row) => row.name === name)?.value ?? null) !== value,
  )
  assert.deepEqual(wrongInApi, [])
  using dns = new DnsClient(world.dns)
  const wrongInDns = async () => {
    const served = await Promise.all(
      [...expected].map(
        async ([name, value]) =>
          [name, value, textOf(await dns.ask({ name: `${name}.kill.example`, type: 'TXT' }))] as const,
      ),
    )
    return served.filter(([name, value, got]) => !doubtful.has(name) && got !== value)
  }
  await until('DNS serves all that was acknowledged', async () => (await wrongInDns()).length === 0, 5000).catch(
    async () => assert.deepEqual(await wrongInDns(), []),
  )
  t.diagnostic(`${writer.acknowledged()} changes acknowledged, ${doubtful.size} without a word, none lost`)
})

/**
 * Adds, changes and removes records one after the other, and remembers what was acknowledged: the value, or null when
 * removed. What got no answer is doubtful.
 */
function startWriter() {
  const expected = new Map<string, string | null>()
  const ids = new Map<string, string>()
  const doubtful = new Set<string>()
  const state = { stopped: false, acknowledged: 0 }
  const write = async (name: string, value: string | null, call: () => Promise<unknown>) => {
    try {
      await call()
      expected.set(name, value)
      state.acknowledged++
    } catch {
      doubtful.add(name)
      await delay(20)
    }
  }
  const running = (async () => {
    for (let at = 0; !state.stopped; at++) {
      const name = `w${at}`
      await write(
        name,
        'added',
        async () =>
          void ids.set(
            name,
            (await world.api(dnsRecords.routes.create, { site, type: 'TXT', name, value: 'added' })).data.id,
          ),
      )
      const former = `w${at - 5}`
      const id = ids.get(former)
      if (id && !doubtful.has(former) && at % 3 === 0)
        await write(former, 'changed', () => world.api(dnsRecords.routes.update, { site, id, value: 'changed' }))
      if (id && !doubtful.has(former) && at % 3 === 1)
        await write(former, null, () => world.api(dnsRecords.routes.remove, { site, id }))
    }
    return { expected, doubtful }
  })()
  return { acknowledged: () => state.acknowledged, stop: () => ((state.stopped = true), running) }
}

/** The longest time in which no query was answered. */
function longestGapMs(asked: readonly Asked[]): number {
  const answered = asked
    .filter((one) => one.reply !== null)
    .map((one) => one.answeredAt)
    .sort((a, b) => a - b)
  return Math.round(Math.max(...answered.map((at, index) => at - (answered[index - 1] ?? at))))
}
