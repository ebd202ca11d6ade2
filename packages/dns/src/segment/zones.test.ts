import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { zoneOf } from '../testing/zone-fixture.ts'
import { nameToWire } from '../wire/name.ts'
import { NameCursor } from '../wire/name-cursor.ts'
import { compileZone } from './compile.ts'
import { Segment } from './segment.ts'
import { Zones } from './zones.ts'

const ORIGINS = Array.from({ length: 24 }, (_, i) => (i % 3 === 0 ? `z${i}.test` : `z${i}.z${i - (i % 3)}.test`))
const SEGMENTS = ORIGINS.map((origin) =>
  [1, 2].map((version) => Segment.openNow(compileZone(zoneOf(origin, '', { version }), version))),
)

test('whatever zones come, change and go, the closest that is there is found', () => {
  const step = fc.record({
    at: fc.nat(ORIGINS.length - 1),
    does: fc.constantFrom(0, 1, 'remove' as const),
    asks: fc.boolean(),
  })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 80 }), (steps) => {
      const zones = new Zones()
      const there = new Map<string, Segment>()
      const cursor = new NameCursor()
      const check = () => {
        for (const origin of ORIGINS) {
          const wire = nameToWire(`www.${origin}`)
          cursor.read(wire, 0, wire.length)
          const closest = there.get(origin) ?? there.get(origin.slice(origin.indexOf('.') + 1)) ?? null
          assert.equal(zones.find(cursor, 1), closest, origin)
        }
      }
      for (const { at, does, asks } of steps) {
        const [origin, segment] = [ORIGINS[at] ?? '', does === 'remove' ? undefined : SEGMENTS[at]?.[does]]
        if (segment) {
          zones.put(segment)
          there.set(origin, segment)
        } else {
          zones.remove(SEGMENTS[at]?.[0]?.zoneId ?? '')
          there.delete(origin)
        }
        if (asks) check()
      }
      check()
    }),
    { numRuns: 200 },
  )
})
