import assert from 'node:assert/strict'
import { test } from 'node:test'
import { OwnChecks } from './own-checks.ts'

const result = (at: number, ok: boolean, cdnId = 'one') => ({
  organizationId: 'org',
  cdnId,
  at,
  ok,
  rttMs: ok ? 5 : null,
  error: ok ? null : 'refused',
})

test('two of the last three checks failed: down, since then, until it was good for long enough', () => {
  const checks = new OwnChecks()
  const said = [true, true, true, false, false].map((ok, i) => checks.add(result(1000 * i, ok)))
  assert.deepEqual(said, [false, false, true, false, true])
  assert.deepEqual(checks.verdicts('org'), { at: 4000, cdns: { one: { down: true, since: 4000 } } })
  assert.deepEqual(
    [5, 6, 7].map((second) => checks.add(result(1000 * second, true))),
    [false, true, false],
  )
  assert.deepEqual(checks.verdicts('org').cdns, { one: { down: false, since: 6000 } })
})

test('few checks say nothing, unless they say that it is down', () => {
  const checks = new OwnChecks()
  checks.add(result(0, true))
  assert.deepEqual(checks.verdicts('org').cdns, {})
  checks.add(result(0, false, 'two'))
  checks.add(result(1000, false, 'two'))
  assert.deepEqual(checks.verdicts('org').cdns, { two: { down: true, since: 1000 } })
})

test('a CDN that is not probed any more is forgotten', () => {
  const checks = new OwnChecks()
  for (let i = 0; i < 3; i++) checks.add(result(1000 * i, false))
  checks.targets({ organizationId: 'org', version: 2, targets: [] })
  assert.deepEqual(checks.verdicts('org'), { at: 0, cdns: {} })
})
