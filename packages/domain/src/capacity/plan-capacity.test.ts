import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { CONSTANTS, type ConstantName, type Constants } from './constants.ts'
import { CAPACITY_ROLES, DEFAULT_DEMAND, DEFAULT_MACHINE, type Demand, needsOf, planCapacity } from './plan-capacity.ts'

const KEYS = Object.keys(DEFAULT_DEMAND) as (keyof Demand)[]
const demands = fc.record(
  Object.fromEntries(
    KEYS.map((key) => [key, key === 'steeredShare' ? fc.double({ min: 0, max: 1, noNaN: true }) : fc.nat(2_000_000)]),
  ) as { [key in keyof Demand]: fc.Arbitrary<number> },
)
/** Whatever is measured one day. */
const constants = fc
  .array(fc.option(fc.double({ min: 0, max: 1_000, noNaN: true })), { minLength: 40, maxLength: 40 })
  .map(
    (values) =>
      Object.fromEntries(
        Object.entries(CONSTANTS).map(([name, constant], at) => [name, { ...constant, value: values[at] ?? null }]),
      ) as Constants,
  )

test('more of anything never needs fewer machines, less of anything, or less money', () => {
  fc.assert(
    fc.property(demands, fc.constantFrom(...KEYS), fc.nat(1_000_000), constants, (demand, key, more, values) => {
      const grown = {
        ...demand,
        [key]: key === 'steeredShare' ? Math.min(1, demand[key] + more / 1e6) : demand[key] + more,
      }
      const [before, after] = [demand, grown].map((one) => planCapacity(one, DEFAULT_MACHINE, values))
      assert.ok(before && after)
      assert.ok(after.machines >= before.machines && after.monthly >= before.monthly)
      for (const role of CAPACITY_ROLES)
        for (const need of ['cores', 'memoryBytes', 'diskBytes', 'bytesPerSecond', 'machines'] as const)
          assert.ok(after.roles[role][need] >= before.roles[role][need], `${role} ${need}`)
      for (const { what } of before.limits) assert.ok(after.limits.some((limit) => limit.what === what))
    }),
  )
})

test('machines of a demand have the processor that it needs, with what is kept free, and each place has one', () => {
  const plan = planCapacity(DEFAULT_DEMAND)
  for (const role of ['node', 'collector', 'store', 'api', 'worker'] as const) {
    const { machines, cores } = plan.roles[role]
    assert.ok(machines * DEFAULT_MACHINE.cores * DEFAULT_MACHINE.inUse >= cores, role)
  }
  assert.ok(plan.roles.node.machines >= DEFAULT_DEMAND.nodes)
})

test('twice the queries need twice the processor of a name server, and no more of anybody else', () => {
  const none = { ...DEFAULT_DEMAND, queries: 0 }
  const cores = (queries: number) => needsOf({ ...none, queries }).node.cores - needsOf(none).node.cores
  assert.ok(Math.abs(cores(2_000_000) / cores(1_000_000) - 2) < 1e-9)
  assert.deepEqual(needsOf({ ...none, queries: 1e9 }).api, needsOf(none).api)
})

test('what nobody has measured is told, and a database or a node that is too small is', () => {
  const unknown = (name: ConstantName): Constants => ({ ...CONSTANTS, [name]: { ...CONSTANTS[name], value: null } })
  assert.ok(planCapacity(DEFAULT_DEMAND, DEFAULT_MACHINE, unknown('dnsCpuOfQuery')).notKnown.includes('dnsCpuOfQuery'))
  const large = { ...CONSTANTS, databaseDiskOfZone: { ...CONSTANTS.databaseDiskOfZone, value: 1e9 } }
  assert.ok(planCapacity(DEFAULT_DEMAND, DEFAULT_MACHINE, large).limits.some(({ what }) => what === 'disk-of-database'))
})
