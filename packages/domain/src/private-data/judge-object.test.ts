import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isObjectAtFault, isObjectRight, judgeObject, type ObjectSeen } from './judge-object.ts'

const OPEN = {
  'access-control-allow-origin': '*',
  'timing-allow-origin': '*',
  'cache-control': 'public, max-age=3600',
}
const object = (change: Partial<{ status: number; headers: Record<string, string>; bytes: number | null }> = {}) => ({
  status: 200,
  headers: OPEN as Record<string, string>,
  bytes: 40_960,
  ...change,
})
const faultsOf = (seen: ObjectSeen, secure = true) =>
  judgeObject(seen, { secure }).flatMap(({ check, state }) => (state === 'fault' ? [check] : []))

test('each fault of a test object is told by itself', () => {
  for (const [seen, faults] of [
    [object(), []],
    [object({ bytes: 99_999 }), []],
    [object({ bytes: 100_000 }), ['size']],
    [object({ bytes: null }), ['size']],
    [object({ bytes: 0 }), ['size']],
    [object({ headers: { ...OPEN, 'access-control-allow-origin': 'https://other.example' } }), ['cors']],
    [object({ headers: { ...OPEN, 'timing-allow-origin': '' } }), ['timing']],
    [object({ headers: {} }), ['cors', 'timing']],
    [object({ status: 404 }), ['status']],
    [{ error: 'ECONNREFUSED', isCertificate: false }, ['reachable']],
    [{ error: 'certificate has expired', isCertificate: true }, ['tls']],
  ] as [ObjectSeen, string[]][])
    assert.deepEqual(faultsOf(seen), faults, JSON.stringify(seen))
})

test('what caches do not keep, and what pages over TLS cannot fetch, is advice', () => {
  const findings = judgeObject(object({ headers: { ...OPEN, 'cache-control': 'no-store' } }), { secure: false })
  assert.deepEqual(
    findings.flatMap(({ check, state }) => (state === 'advice' ? [check] : [])),
    ['cache', 'tls'],
  )
  assert.ok(isObjectRight(findings))
})

test('a CDN that is dead is not an object at fault: its visitors are to say so', () => {
  const atFault = (seen: ObjectSeen) => isObjectAtFault(judgeObject(seen, { secure: true }))
  assert.deepEqual([object({ status: 404 }), object({ headers: {} }), object({ bytes: 200_000 })].map(atFault), [
    true,
    true,
    true,
  ])
  assert.deepEqual(
    [
      object(),
      object({ status: 503, headers: {} }),
      object({ status: 429 }),
      { error: 'ETIMEDOUT', isCertificate: false },
      { error: 'certificate has expired', isCertificate: true },
    ].map(atFault),
    [false, false, false, false, false],
  )
  assert.equal(isObjectRight([]), false)
})
