import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type DriverWorld, driverWorld } from '../testing/driver-world.ts'
import { type CdnDriver, type Observation, TryLater, VendorRefusal } from './driver.ts'
import { type Leased, type Learnt, reconcileRound } from './reconcile.ts'
import { type Action, type Desired, type Known, reconcileStep } from './reconcile-step.ts'
import { CDN_DRIVERS } from './registry.ts'

const NOW = 1_800_000_000_000
const MINUTE = 60_000

describe('the next step for a CDN', () => {
  const known = (more: Partial<Known> = {}): Known => ({
    fact: { state: 'deploying', detail: null },
    state: 'deploying',
    stateSince: NOW - MINUTE,
    appliedVersion: 1,
    nextAttemptAt: 0,
    ...more,
  })
  const serving = (version = 1): Desired => ({ goal: 'serving', version })
  const gone: Desired = { goal: 'gone', version: 1 }
  const operational = { state: 'operational' } as const
  const failed = { state: 'failed', detail: 'no' } as const
  const later = { nextAttemptAt: NOW + 1 }

  const TABLE: [string, Desired, Known, Action][] = [
    ['never told: create', serving(), known({ appliedVersion: null, fact: { state: 'gone' } }), { do: 'create' }],
    ['never told, in a pause', serving(), known({ appliedVersion: null, ...later }), { do: 'wait' }],
    ['vanished: create again', serving(), known({ fact: { state: 'gone' }, state: 'operational' }), { do: 'create' }],
    ['older than wanted: apply', serving(2), known({ fact: operational, state: 'operational' }), { do: 'apply' }],
    ['not confirmed yet: wait', serving(), known(), { do: 'wait' }],
    [
      'not confirmed for half an hour: failed',
      serving(),
      known({ stateSince: NOW - 31 * MINUTE }),
      { do: 'settle', state: 'failed', detail: 'Not confirmed in 30 minutes' },
    ],
    ['not confirmed, already failed: wait for the facts', serving(), known({ state: 'failed' }), { do: 'wait' }],
    ['confirmed', serving(), known({ fact: operational }), { do: 'settle', state: 'operational', detail: null }],
    [
      'waits for somebody',
      serving(),
      known({ fact: { state: 'action-required', detail: 'sign' } }),
      { do: 'settle', state: 'action-required', detail: 'sign' },
    ],
    [
      'waits for somebody, for as long as that takes',
      serving(),
      known({
        fact: { state: 'waiting-ssl', detail: 'no certificate' },
        state: 'waiting-ssl',
        stateSince: NOW - 600 * MINUTE,
      }),
      { do: 'wait' },
    ],
    [
      'new settings on their way while the old ones are served: nobody is sent elsewhere',
      serving(),
      known({ fact: { state: 'deploying', detail: null, stays: true }, state: 'operational' }),
      { do: 'wait' },
    ],
    [
      'confirmed after all',
      serving(),
      known({ fact: operational, state: 'failed', ...later }),
      { do: 'settle', state: 'operational', detail: null },
    ],
    ['confirmed and known', serving(), known({ fact: operational, state: 'operational' }), { do: 'wait' }],
    [
      'no longer confirmed',
      serving(),
      known({ state: 'operational' }),
      { do: 'settle', state: 'deploying', detail: null },
    ],
    ['refused', serving(), known({ fact: failed }), { do: 'settle', state: 'failed', detail: 'no' }],
    ['refused and known: again', serving(), known({ fact: failed, state: 'failed' }), { do: 'apply' }],
    ['refused and known, in a pause', serving(), known({ fact: failed, state: 'failed', ...later }), { do: 'wait' }],
    [
      'unwanted',
      gone,
      known({ fact: operational, state: 'operational' }),
      { do: 'settle', state: 'deleting', detail: null },
    ],
    ['leaving', gone, known({ state: 'deleting' }), { do: 'remove' }],
    ['leaving, in a pause', gone, known({ state: 'deleting', ...later }), { do: 'wait' }],
    ['leaving, never told', gone, known({ state: 'deleting', appliedVersion: null }), { do: 'remove' }],
  ]
  for (const [what, desired, facts, action] of TABLE)
    it(what, () => assert.deepEqual(reconcileStep(desired, facts, NOW), action))
})

/** One row in memory: what a table of the database would hold. */
function oneRow(world: DriverWorld, driver: Leased['driver']) {
  const row: Leased & { detail: string | null } = {
    order: world.order(),
    driver,
    desired: { goal: 'serving', version: 1 },
    attempts: 0,
    badLooks: 0,
    state: 'deploying',
    stateSince: NOW,
    appliedVersion: null,
    nextAttemptAt: 0,
    detail: null,
  }
  const clock = { now: NOW, forgotten: false }
  const store = {
    lease: async () => (clock.forgotten ? [] : [{ ...row }]),
    settle: async (_: Leased, learnt: Learnt) => void Object.assign(row, learnt),
    forget: async () => void (clock.forgotten = true),
  }
  const round = (context = world.context, drivers = CDN_DRIVERS) =>
    reconcileRound({ store, drivers, context, now: () => clock.now, random: () => 0.5 })
  return { row, clock, round }
}

describe('the reconciler', () => {
  it('takes a CDN from nothing to operational and away again, by facts', async () => {
    for (const driver of ['fairway-edge', 'simulated'] as const) {
      await using world = await driverWorld()
      const { row, clock, round } = oneRow(world, driver)
      await round()
      assert.deepEqual([row.state, row.appliedVersion, world.publications()], ['deploying', 1, 1])
      await round()
      assert.deepEqual([row.state, world.publications()], ['deploying', 1])
      world.comply()
      await round()
      assert.equal(row.state, 'operational')
      world.hesitate()
      row.desired = { goal: 'gone', version: 2 }
      await round()
      assert.deepEqual([row.state, clock.forgotten], ['deleting', false])
      world.comply()
      clock.now += 1000
      await round()
      assert.ok(clock.forgotten)
    }
  })

  it('tries what was refused again after 1, 2, 4 … seconds, at most five minutes', async () => {
    await using world = await driverWorld()
    const { row, clock, round } = oneRow(world, 'custom')
    const pauses: number[] = []
    for (let i = 0; i < 12; i++) {
      await round()
      if (i > 0) pauses.push((row.nextAttemptAt - clock.now) / 1000)
      clock.now = Math.max(clock.now, row.nextAttemptAt)
    }
    assert.equal(row.state, 'failed')
    assert.match(row.detail ?? '', /cdn\.customer\.example does not answer for www\.example\.test/)
    assert.deepEqual(pauses, [2, 4, 8, 16, 32, 64, 128, 256, 300, 300, 300])
    world.comply()
    await round()
    assert.deepEqual([row.state, row.detail, row.attempts], ['operational', null, 0])
  })

  it('keeps what a vendor has made and wants, asks it no oftener than it should be asked, and shows a no at once', async () => {
    await using world = await driverWorld()
    const { row, clock, round } = oneRow(world, 'fastly')
    const asked: (string | null)[] = []
    const seen: { now: Observation } = {
      now: { state: 'deploying', detail: null, records: [{ name: '_proof.example.test', value: 'x' }] },
    }
    const placed = { ref: 'service-1', cname: 'x.vendor.example', certificate: 'mark' }
    const vendor: CdnDriver = {
      ...CDN_DRIVERS.fastly,
      lookAgainMs: 5_000,
      create: async () => placed,
      observe: async (_, { vendorRef }) => (asked.push(vendorRef), vendorRef === null ? { state: 'gone' } : seen.now),
    }
    const drivers = { ...CDN_DRIVERS, fastly: vendor }
    await round(world.context, drivers)
    assert.deepEqual(asked, [null, 'service-1'])
    assert.deepEqual(
      [row.state, (row as Learnt).placed, (row as Learnt).records, row.nextAttemptAt - clock.now],
      ['deploying', placed, [{ name: '_proof.example.test', value: 'x' }], 5_000],
    )
    row.order = { ...row.order, vendorRef: 'service-1' }
    seen.now = { state: 'operational' }
    clock.now += 5_000
    await round(world.context, drivers)
    assert.equal(row.state, 'operational')

    const refusing = oneRow(world, 'fastly')
    await refusing.round(world.context, {
      ...drivers,
      fastly: { ...vendor, create: () => Promise.reject(new VendorRefusal('Fastly answers 400: no', 400, '')) },
    })
    assert.deepEqual(
      [refusing.row.state, refusing.row.detail, refusing.row.appliedVersion],
      ['failed', 'Fastly answers 400: no', null],
    )
  })

  it('keeps what it knows when the outside throws, and waits as long as a vendor asks', async () => {
    await using world = await driverWorld()
    const { row, clock, round } = oneRow(world, 'fairway-edge')
    const throwing = (error: Error) => ({
      ...world.context,
      async edgeHolds(): Promise<boolean> {
        throw error
      },
    })
    await round(throwing(new Error('the database is away')))
    assert.deepEqual(
      [row.state, row.appliedVersion, row.detail, row.nextAttemptAt - clock.now],
      ['deploying', null, 'the database is away', 1000],
    )
    await round(throwing(new TryLater('429', 90_000)))
    assert.equal(row.nextAttemptAt - clock.now, 90_000)
    clock.now = row.nextAttemptAt
    world.comply()
    await round()
    await round()
    assert.equal(row.state, 'operational')
  })

  it('looks at what serves every five minutes, and believes a vendor that it is gone when it says so twice', async () => {
    await using world = await driverWorld()
    const { row, clock, round } = oneRow(world, 'fastly')
    const fact: { now: Observation | Error } = { now: { state: 'operational' } }
    const vendor: CdnDriver = {
      ...CDN_DRIVERS.fastly,
      create: async () => ({ ref: 'service-1', cname: 'x.vendor.example', certificate: null }),
      observe: async () => {
        if (fact.now instanceof Error) throw fact.now
        return fact.now
      },
    }
    const look = async () => {
      clock.now = Math.max(clock.now, row.nextAttemptAt)
      const at = clock.now
      await round(world.context, { ...CDN_DRIVERS, fastly: vendor })
      return [row.state, Math.round((row.nextAttemptAt - at) / 1000)]
    }
    Object.assign(row, { state: 'operational', appliedVersion: 1 })
    assert.deepEqual(await look(), ['operational', 300])
    fact.now = { state: 'failed', detail: 'suspended' }
    assert.deepEqual(await look(), ['operational', 60])
    for (const away of [new Error('no answer'), new VendorRefusal('403: no', 403, '')]) {
      fact.now = away
      assert.deepEqual([...(await look()), row.detail, row.badLooks], ['operational', 300, null, 1])
    }
    fact.now = { state: 'operational' }
    assert.deepEqual([...(await look()), row.badLooks], ['operational', 300, 0])
    fact.now = { state: 'gone' }
    await look()
    assert.deepEqual([...(await look()), row.detail], ['failed', 1, 'The vendor no longer has it'])
  })

  it('takes no CDN out that answers, and one that only waits for something when it does not', async () => {
    await using world = await driverWorld()
    const { row, clock, round } = oneRow(world, 'fastly')
    const fact: { now: Observation; serves: boolean } = { now: { state: 'deploying', detail: null }, serves: true }
    const context = { ...world.context, stillServes: async () => fact.serves }
    const vendor: CdnDriver = { ...CDN_DRIVERS.fastly, observe: async () => fact.now }
    const look = async () => {
      const at = (clock.now = Math.max(clock.now, row.nextAttemptAt))
      await round(context, { ...CDN_DRIVERS, fastly: vendor })
      return [row.state, Math.round((row.nextAttemptAt - at) / 1000), row.badLooks]
    }
    Object.assign(row, { state: 'operational', appliedVersion: 1 })
    const serving: Observation[] = [
      { state: 'deploying', detail: null, stays: true },
      { state: 'waiting-ssl', detail: 'renewed', records: [{ name: '_renewed.example.test', value: 'x' }] },
    ]
    for (const now of serving) {
      fact.now = now
      assert.deepEqual(await look(), ['operational', 300, 0])
    }
    assert.deepEqual((row as Learnt).records, [{ name: '_renewed.example.test', value: 'x' }])
    const bad: Observation[] = [
      { state: 'deploying', detail: 'No version is in force' },
      { state: 'action-required', detail: 'Sign' },
      { state: 'failed', detail: 'The newest activation failed' },
      { state: 'gone' },
    ]
    for (const now of bad) {
      Object.assign(row, { state: 'operational', badLooks: 0 })
      fact.now = now
      fact.serves = true
      assert.deepEqual(await look(), ['operational', 60, 1])
      if (now.state === 'failed') continue
      assert.deepEqual(await look(), ['operational', 300, 1])
      fact.serves = false
      assert.deepEqual((await look())[0], 'failed')
    }
  })

  it('tells of settings that are not in force while the old ones are served, and applies again what failed', async () => {
    await using world = await driverWorld()
    const { row, clock, round } = oneRow(world, 'fastly')
    const fact: { now: Observation; serves: boolean } = { now: { state: 'failed', detail: 'fatal' }, serves: true }
    const context = { ...world.context, stillServes: async () => fact.serves }
    const applied: number[] = []
    const vendor: CdnDriver = {
      ...CDN_DRIVERS.fastly,
      observe: async () => fact.now,
      apply: async () => void applied.push(clock.now),
    }
    const look = async () => {
      const at = (clock.now = Math.max(clock.now, row.nextAttemptAt))
      await round(context, { ...CDN_DRIVERS, fastly: vendor })
      const { behind } = row as Learnt
      return [row.state, row.detail, behind, row.appliedVersion, Math.round((row.nextAttemptAt - at) / 1000)]
    }
    Object.assign(row, { state: 'operational', desired: { goal: 'serving', version: 7 }, appliedVersion: 7 })
    await look()
    assert.deepEqual(await look(), ['operational', 'fatal', true, 6, 1])
    for (const pause of [2, 4, 8]) assert.deepEqual(await look(), ['operational', 'fatal', true, 6, pause])
    assert.equal(applied.length, 3)
    fact.now = { state: 'deploying', detail: null, stays: true }
    assert.deepEqual((await look()).slice(0, 4), ['operational', 'fatal', true, 7])
    clock.now += 600_000
    fact.now = { state: 'operational' }
    assert.deepEqual(await look(), ['operational', null, false, 7, 300])
    fact.now = { state: 'action-required', detail: 'Sign' }
    await look()
    assert.deepEqual(await look(), ['operational', 'Sign', true, 7, 300])
    Object.assign(row, { appliedVersion: 6, nextAttemptAt: 0 })
    Object.assign(fact, { now: { state: 'failed', detail: 'switched off' }, serves: false })
    assert.deepEqual((await look()).slice(0, 2), ['failed', 'switched off'])
  })

  it('tells of settings that a vendor refuses, and asks what it has just made whether that serves', async () => {
    await using world = await driverWorld()
    const { row, clock, round } = oneRow(world, 'fastly')
    const fact: { now: Observation } = { now: { state: 'operational' } }
    const asked: unknown[] = []
    const context = { ...world.context, stillServes: async (...[, placed]: unknown[]) => (asked.push(placed), true) }
    const roundWith = (more: Partial<CdnDriver>) => {
      clock.now += 600_000
      return round(context, {
        ...CDN_DRIVERS,
        fastly: { ...CDN_DRIVERS.fastly, observe: async () => fact.now, ...more },
      })
    }
    const before = { state: 'operational', desired: { goal: 'serving', version: 7 }, appliedVersion: 6 } as const
    Object.assign(row, before)
    await roundWith({ apply: () => Promise.reject(new VendorRefusal('400: no', 400, '')) })
    assert.deepEqual(
      [row.state, row.detail, (row as Learnt).behind, row.appliedVersion],
      ['operational', '400: no', true, 6],
    )
    const placed = { ref: 'service-2', cname: 'y.vendor.example', certificate: null }
    fact.now = { state: 'failed', detail: 'fatal' }
    await roundWith({ apply: async () => placed })
    assert.deepEqual([row.state, asked], ['operational', [placed]])
    await roundWith({})
    Object.assign(row, { ...before, appliedVersion: 7, behind: false, badLooks: 1 })
    await roundWith({ observe: () => Promise.reject(new VendorRefusal('403: no', 403, '')) })
    assert.equal((row as Learnt).behind, false, 'what is in force is not behind for an answer that is refused')
  })

  it('tries what a vendor takes minutes for up to some five hours apart, and looks at it meanwhile', async () => {
    await using world = await driverWorld()
    const { row, clock, round } = oneRow(world, 'akamai')
    const applied: number[] = []
    const vendor: CdnDriver = {
      ...CDN_DRIVERS.akamai,
      observe: async () =>
        clock.now < (applied.at(-1) ?? 0) + 8 * MINUTE
          ? { state: 'deploying', detail: null, stays: true }
          : { state: 'failed', detail: 'fatal' },
      apply: async () => void applied.push(clock.now),
    }
    Object.assign(row, { state: 'operational', appliedVersion: 1 })
    let longest = 0
    while (clock.now - NOW < 48 * 60 * MINUTE) {
      await round({ ...world.context, stillServes: async () => true }, { ...CDN_DRIVERS, akamai: vendor })
      longest = Math.max(longest, row.nextAttemptAt - clock.now)
      clock.now = Math.max(clock.now + 1000, row.nextAttemptAt)
    }
    const gaps = applied.slice(1).map((at, index) => Math.round((at - (applied[index] ?? 0)) / MINUTE))
    assert.ok(
      gaps.slice(0, 8).every((gap) => gap < 20),
      String(gaps),
    )
    assert.ok(Math.min(...gaps.slice(-3)) > 300 && Math.max(...gaps) <= 360, String(gaps))
    assert.ok(longest <= 5 * MINUTE, String(longest))
  })

  it('looks at what waits for long less and less often', async () => {
    await using world = await driverWorld()
    const { row, clock, round } = oneRow(world, 'fastly')
    const drivers = {
      ...CDN_DRIVERS,
      fastly: {
        ...CDN_DRIVERS.fastly,
        lookAgainMs: 5_000,
        observe: async (): Promise<Observation> => ({ state: 'waiting-approval', detail: 'look' }),
      },
    }
    Object.assign(row, { appliedVersion: 1 })
    const pauses: number[] = []
    while (clock.now - NOW < 3_600_000) {
      await round(world.context, drivers)
      pauses.push(row.nextAttemptAt - clock.now)
      clock.now = row.nextAttemptAt
    }
    assert.deepEqual([pauses[0], pauses.at(-1)], [5_000, 300_000])
    assert.ok(pauses.length < 40, String(pauses.length))
  })

  it('waits after what cannot be kept, and keeps what others have learnt', async () => {
    await using world = await driverWorld()
    const settled = new Map<string, Learnt[]>()
    const leased = (reference: string): Leased => ({
      ...oneRow(world, 'fastly').row,
      order: { ...world.order(), reference },
    })
    await reconcileRound({
      context: world.context,
      now: () => NOW,
      drivers: {
        ...CDN_DRIVERS,
        fastly: {
          ...CDN_DRIVERS.fastly,
          observe: async (_, { reference }) => {
            throw reference === 'odd' ? new TryLater('4\u000029', 1e18) : new Error('no answer')
          },
        },
      },
      store: {
        lease: async () => [leased('odd'), leased('even')],
        settle: async ({ order: { reference } }, learnt) => {
          settled.set(reference, [...(settled.get(reference) ?? []), learnt])
          if (learnt.detail?.includes('\u0000')) throw new Error('invalid byte sequence')
        },
        forget: async () => {},
      },
    })
    assert.equal(settled.get('even')?.[0]?.detail, 'no answer')
    const kept = settled.get('odd')?.at(-1)
    assert.ok(!kept?.detail?.includes('\u0000'))
    assert.ok((kept?.nextAttemptAt ?? 0) > NOW && (kept?.nextAttemptAt ?? Infinity) <= NOW + 3_600_000)
  })
})
