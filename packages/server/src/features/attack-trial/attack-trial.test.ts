import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { attackTrial, AttackTrialQuestion, auditLog, crsRules, domains, TrialAttack } from '@fairway/contract'
import { trialRequests } from '@fairway/domain'
import { startControl } from '@fairway/platform'
import { startApiUnderTest, type ApiUnderTest } from '../../testing/api-under-test.ts'
import { startNodeUnderTest } from '../../testing/node-under-test.ts'
import { newSteeredDomain, type SteeredDomain } from '../../testing/steered-domain.ts'
import { until } from '../../testing/until.ts'

let api: ApiUnderTest
before(async () => {
  api = await startApiUnderTest()
})
after(() => api[Symbol.asyncDispose]())

const placeOf = ({ site, domain }: SteeredDomain) => ({ site, domain })
async function shielded(): Promise<SteeredDomain> {
  const own = await newSteeredDomain(api, { planId: 'enterprise' })
  await own.client.call(domains.routes.update, { ...placeOf(own), settings: { originShield: 'use' } })
  return own
}

test('while no edge node answers there is no trial, and nothing is said of what the rules would stop', async () => {
  const own = await shielded()
  assert.equal((await own.client.refusal(attackTrial.routes.run, placeOf(own))).status, 503)
})

test('the node that serves the domain is asked once; what it says is shown by category, written into the audit log, and not repeated at will', async () => {
  const own = await shielded()
  await own.client.call(crsRules.routes.update, { ...placeOf(own), full: false, mode: 'block' })
  const asked: AttackTrialQuestion[] = []
  const stopped = { stopped: true, action: 'block', part: 'crs-rules', ruleId: '941100', reason: 'score', found: [] }
  const passed = { stopped: false, action: 'pass', part: '', ruleId: '', reason: '' }
  await using control = await startControl({
    config: api.config,
    role: 'edge',
    log: api.log,
    ready: () => ({ ready: true, reasons: [] }),
    routes: {
      'POST /attack-trial': (body) => {
        const question = AttackTrialQuestion.parse(body)
        asked.push(question)
        const found = question.stricter.map(({ scope }) =>
          scope === 'full'
            ? [{ ruleId: '913100', score: 5, variable: 'REQUEST_HEADERS:User-Agent', matched: 'x' }]
            : [],
        )
        const outcomes = trialRequests().map(({ id, kind, category }) =>
          kind === 'attack' && category !== 'scanners-and-probes'
            ? { id, ...stopped }
            : { id, ...passed, found: kind === 'attack' ? found : found.map(() => []) },
        )
        return { node: 'tokyo-1', outcomes, failed: '' }
      },
    },
  })
  await using _node = startNodeUnderTest(api, 'edge', 'tokyo-1', control.url)
  const trial = await until(async () => {
    const answer = await own.client.call(attackTrial.routes.run, placeOf(own)).catch(() => null)
    return answer ?? false
  })
  assert.deepEqual([trial.node, trial.enabled, asked.length, asked[0]?.host], ['tokyo-1', true, 1, own.host])
  assert.deepEqual(
    trial.attacks.map(({ category }) => category),
    TrialAttack.options,
  )
  const scanners = trial.attacks.find(({ category }) => category === 'scanners-and-probes')
  assert.deepEqual([scanners?.stopped, trial.passed.length], [0, scanners?.sent])
  assert.ok(trial.passed.every(({ change }) => change === 0))
  const [first] = trial.changes
  assert.deepEqual(
    [first?.kind, first?.settings, first?.stops, first?.touches],
    ['full', { full: true }, trial.passed.length, 0],
  )
  const again = await own.client.refusal(attackTrial.routes.run, placeOf(own))
  assert.equal(again.status, 429)
  assert.equal(asked.length, 1)
  const { data } = await own.client.call(auditLog.routes.list, {})
  assert.ok(data.some(({ action }) => action === 'attackTrial.run'))
})
