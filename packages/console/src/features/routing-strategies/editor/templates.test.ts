import { StrategyInput } from '@fairway/contract'
import { strategyProblem } from '@fairway/domain'
import { expect, test } from 'vitest'
import { cdnOf } from '../../../testing/steering-answers.ts'
import { AIMS, filledFor, needsOf } from './templates.ts'

const cdns = ['a', 'b', 'c'].map((id) => cdnOf(id))

test.each(AIMS)('%s fills the editor with a strategy that can be saved, for one CDN as for many', (aim) => {
  for (const some of [cdns, cdns.slice(0, 2), cdns.slice(0, 1)]) {
    const read = StrategyInput.safeParse({ name: 'x', enabled: true, ...filledFor(aim, some) })
    expect(read.error).toBeUndefined()
    if (read.data) expect(strategyProblem(read.data, new Set(some.map(({ cdnId }) => cdnId)))).toBeNull()
  }
})

test('CDNs that are off are left out, unless all are', () => {
  const off = cdns.map((cdn) => ({ ...cdn, enabled: false }))
  expect(filledFor('fastest', [...off.slice(0, 1), ...cdns.slice(1)]).targets.map(({ cdnId }) => cdnId)).toEqual([
    'b',
    'c',
  ])
  expect(filledFor('fastest', off).targets).toHaveLength(3)
})

test('large files go by throughput among the equally fast, and fall back as the fastest do', () => {
  expect(filledFor('wide', cdns)).toMatchObject({
    method: 'best-latency',
    minimumMbps: 5,
    preferThroughput: true,
    whenBelow: 'most-available',
  })
})

test('a trial is for few, with one CDN, and asks more than usual', () => {
  expect(filledFor('canary', cdns)).toMatchObject({
    visitorPercent: 5,
    targets: [{ cdnId: 'c', weight: 1 }],
    availabilityThreshold: 95,
    whenBelow: 'pass',
  })
  expect(filledFor('shares', cdns).targets.map(({ weight }) => weight)).toEqual([70, 15, 15])
  expect(needsOf('geography')).toEqual(['dns.staticRouting', 'dns.geoFilter'])
})
