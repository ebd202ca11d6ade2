import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SecurityPolicy, TrialAttack, TrialHarmless, type TrialOutcome } from '@fairway/contract'
import { CRS_DEFAULTS } from '../web-security/rule-sets/defaults.ts'
import { BOT_DEFAULTS } from '../web-security/try-request.ts'
import { trialRequests } from './catalogue.ts'
import { attackTrialReport, stricterInspections, stricterSettings } from './report.ts'

const policyOf = (crs: object = {}) =>
  SecurityPolicy.parse({
    access: [],
    bots: BOT_DEFAULTS,
    firewall: [],
    headers: [],
    origins: [],
    crs: { ...CRS_DEFAULTS, rules: [], exclusions: [], ...crs },
  })
const outcome = (id: string, more: Partial<TrialOutcome> = {}): TrialOutcome => ({
  id,
  stopped: false,
  action: 'pass',
  part: '',
  ruleId: '',
  reason: '',
  found: [],
  ...more,
})

test('the catalogue has something of every kind, the same each time, and every request can be told apart', () => {
  const all = trialRequests()
  assert.deepEqual(all, trialRequests())
  assert.equal(new Set(all.map(({ id }) => id)).size, all.length)
  const kinds = new Set<string>(all.map(({ category }) => category))
  assert.deepEqual([...kinds].toSorted(), [...TrialAttack.options, ...TrialHarmless.options].toSorted())
  assert.ok(all.filter(({ kind }) => kind === 'attack').length >= 100)
  assert.ok(all.filter(({ kind }) => kind === 'harmless').length >= 100)
  for (const { target, headers } of all) {
    assert.match(target, /^\/[^\s\0]*$/)
    for (const value of Object.values(headers)) assert.doesNotMatch(value, /[\r\n\0]/)
  }
})

test('stricter settings go from what is switched off to the third level, and end where nothing is stricter', () => {
  const off = { ...CRS_DEFAULTS, enabled: false, full: false, threshold: 9 }
  assert.deepEqual(
    stricterSettings(off).map(({ kind }) => kind),
    ['switch-on', 'threshold', 'full', 'paranoia', 'paranoia'],
  )
  assert.deepEqual(stricterInspections(off, stricterSettings(off)), [
    { scope: 'sets', level: 1 },
    { scope: 'sets', level: 1 },
    { scope: 'full', level: 1 },
    { scope: 'full', level: 2 },
    { scope: 'full', level: 3 },
  ])
  assert.deepEqual(stricterSettings({ ...CRS_DEFAULTS, paranoiaLevel: 4 }), [])
})

test('what went through is put down to the first change that would stop it, with what that would cost others', () => {
  const policy = policyOf({ enabled: false })
  const changes = stricterSettings(policy.crs)
  const found = [{ ruleId: '942100', score: 5, variable: 'ARGS:q', matched: 'x' }]
  const only = (index: number) => changes.map((_, at) => (at >= index ? found : []))
  const report = attackTrialReport(policy, changes, [
    outcome('attack-1', { stopped: true, action: 'block', part: 'crs-rules', ruleId: '941100', reason: 'score' }),
    outcome('attack-2', { found: only(0) }),
    outcome('attack-3', { found: only(1) }),
    outcome('attack-4', { found: only(9) }),
    outcome('attack-5', { part: 'firewall-rules', action: 'pass', found: only(0) }),
    outcome('harmless-1', { found: only(1) }),
    outcome('harmless-2', { stopped: true, action: 'challenge', part: 'bot-management', reason: 'level' }),
  ])
  assert.deepEqual(
    report.passed.map(({ id, change }) => [id, change]),
    [
      ['attack-2', 0],
      ['attack-3', 1],
      ['attack-4', null],
      ['attack-5', null],
    ],
  )
  assert.deepEqual(
    report.changes.map(({ kind, stops, touches }) => [kind, stops, touches]),
    [
      ['switch-on', 1, 0],
      ['paranoia', 2, 1],
      ['paranoia', 2, 1],
    ],
  )
  assert.deepEqual(report.stoppedBy, [{ part: 'crs-rules', attacks: 1 }])
  assert.deepEqual(
    report.touched.map(({ id, part }) => [id, part]),
    [['harmless-2', 'bot-management']],
  )
  assert.deepEqual(report.attacks[0], { category: 'xss', sent: 5, stopped: 1 })
})
