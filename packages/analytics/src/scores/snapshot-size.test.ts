import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CdnScores } from '@fairway/contract'
import { SNAPSHOT_BYTES } from './snapshot-size.ts'
import { buildSnapshot } from './build-snapshot.ts'

const NOW = Date.UTC(2026, 10, 27)
const sized = (cdns: Record<string, CdnScores>) => Buffer.byteLength(JSON.stringify(cdns))

test('a snapshot that feeds have blown up stays small enough to be posted, and keeps its coarse and well heard places', () => {
  const said = (samples: number) =>
    Array.from({ length: 10 }, (_, feed) => ({
      feed: `feed${feed}`,
      name: '測'.repeat(60),
      samples,
      share: 0.25,
      availability: 99.123456789,
      latencyMs: 123.456789,
      newestAt: NOW,
    }))
  const places = new Map(Array.from({ length: 3000 }, (_, i) => [`region:US-${i}|AS${i}`, said(i)]))
  for (const coarse of ['world', 'country:US']) places.set(coarse, said(1))
  const { snapshot, cutPlaces } = buildSnapshot({
    organizationId: 'o',
    measured: undefined,
    health: [],
    previous: null,
    lifetimeSeconds: 300,
    shortSeconds: 30,
    outside: { cdns: new Map([['a', places]]), leftOut: [] },
    lots: 1,
    now: NOW,
  })
  const kept = snapshot.cdns['a']?.places ?? {}
  assert.ok(sized(snapshot.cdns) < SNAPSHOT_BYTES + 10_000, `${sized(snapshot.cdns)}`)
  assert.ok(sized(snapshot.cdns) > SNAPSHOT_BYTES * 0.9)
  assert.equal(cutPlaces, 3002 - Object.keys(kept).length)
  assert.ok(kept['world'] && kept['country:US'])
  assert.ok(kept['region:US-2999|AS2999'] && !kept['region:US-0|AS0'])
})
