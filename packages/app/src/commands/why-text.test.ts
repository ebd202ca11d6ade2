import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Explanation } from '@fairway/contract'
import { explanationText } from './why-text.ts'

const location = {
  continent: 'EU' as const,
  country: 'DE',
  region: 'Bavaria',
  city: 'Munich',
  network: 'AS3320',
  asn: 3320,
}
const measure = (value: number) => ({
  value,
  source: 'rum' as const,
  level: 'country:DE',
  samples: 240,
  ageMs: 1200,
  skipped: [{ level: 'city:DE-Bavaria-Munich', source: 'rum' as const, reason: 'too-few' as const, samples: 3 }],
})
const candidate = {
  percent: 0,
  availability: measure(99.5),
  latency: measure(25),
  rankedLatencyMs: 25,
  hardDown: false,
  vsrRuleId: null,
}
const explanation: Explanation = {
  name: 'www.aurora-news.test',
  visitor: { address: '80.147.0.0', prefixLength: 24, location },
  decision: {
    shares: [{ cdnId: 'polaris', percent: 100 }],
    ordered: ['polaris', 'swiftlane'],
    ttlSeconds: 30,
    strategyId: '2',
    dependsOn: { location: true, cidrPrefixLength: null },
    trace: {
      policyId: 'p',
      scoresSerial: 41,
      scoresStale: false,
      location,
      steps: [
        {
          strategyId: '1',
          name: 'China first',
          method: 'static-route',
          reason: 'filter-place',
          candidates: [],
          mixedLevels: false,
        },
        {
          strategyId: '2',
          name: 'Europe',
          method: 'best-latency',
          reason: 'decided',
          mixedLevels: false,
          candidates: [
            { ...candidate, cdnId: 'polaris', reason: 'chosen', chosen: true, percent: 100 },
            {
              ...candidate,
              cdnId: 'swiftlane',
              reason: 'hard-down',
              chosen: false,
              hardDown: true,
              latency: null,
              rankedLatencyMs: null,
            },
          ],
        },
      ],
    },
  },
  decidedAt: Date.UTC(2026, 4, 20),
  node: 'dns-1',
  by: 'dns-node',
  version: 12,
  thresholds: {},
  outages: [],
  otherwise: [],
}

test('an explanation reads: who, where to, by whom, each strategy, each candidate with figures and reason', () => {
  const text = explanationText(explanation)
  assert.match(
    text,
    /^www\.aurora-news\.test for 80\.147\.0\.0\/24 \(Munich, Bavaria, DE, network AS3320\)\n {2}goes to polaris, for 30 s\n {2}said by the name server dns-1/,
  )
  assert.match(text, /1\. China first \(static route\): passed, it is for other places/)
  assert.match(text, /2\. Europe \(best latency\): decides/)
  assert.match(
    text,
    /> {2}polaris +100 % +25\.0 ms +25\.0 ms +99\.5 % +240 +1\.2 s +country:DE visitors +chosen; finer levels left out: city:DE-Bavaria-Munich rum too-few/,
  )
  assert.match(text, /swiftlane +- .*down, say the probes/)
})

test('a throughput that was asked for is told with where it comes from', () => {
  const wide = structuredClone(explanation)
  const [winner] = wide.decision.trace.steps[1]?.candidates ?? []
  assert.ok(winner)
  Object.assign(winner, {
    reason: 'chosen-by-throughput',
    throughputMbps: 84.26,
    throughputFrom: { source: 'rum', level: 'continent:EU', samples: 31 },
  })
  assert.match(
    explanationText(wide),
    /chosen, as fast and with more throughput; 84\.3 Mbit\/s by 31 samples of continent:EU visitors/,
  )
})

test('measurements that are too old say so loudly', () => {
  const stale = structuredClone(explanation)
  stale.decision.trace.scoresStale = true
  assert.match(explanationText(stale), /TOO OLD/)
})
