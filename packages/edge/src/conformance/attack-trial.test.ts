import assert from 'node:assert/strict'
import fs from 'node:fs'
import { after, before, test } from 'node:test'
import { type EdgeSecurity, SecurityPolicy } from '@fairway/contract'
import {
  attackTrialReport,
  BOT_DEFAULTS,
  CRS_DEFAULTS,
  stricterInspections,
  stricterSettings,
  trialRequests,
} from '@fairway/domain'
import { attackTrial } from '../attack-trial/attack-trial.ts'
import {
  type EdgeUnderTest,
  eventually,
  type Origin,
  siteOf,
  startEdgeUnderTest,
  startOrigin,
} from '../testing/edge-under-test.ts'

const HOST = 'www.example.test'
const BROWSER = { 'user-agent': 'Mozilla/5.0', accept: '*/*' }
let edge: EdgeUnderTest
let origin: Origin
let version = 1
before(async () => {
  origin = await startOrigin((_, response) => void response.end('origin'))
  edge = await startEdgeUnderTest()
  await edge.publish(siteOf('site', version, [{ origin: origin.origin() }]))
  await hold({})
  await eventually(() => assert.equal(edge.agent.inspector.state().state, 'running'))
})
after(async () => {
  await Promise.all([edge, origin].map((one) => one?.[Symbol.asyncDispose]()))
})

async function hold(crs: object): Promise<SecurityPolicy> {
  version += 1
  const policy = SecurityPolicy.parse({
    access: [],
    bots: BOT_DEFAULTS,
    firewall: [],
    headers: [],
    origins: [],
    crs: { ...CRS_DEFAULTS, rules: [], exclusions: [], ...crs },
  })
  const body: EdgeSecurity = {
    siteId: 'site',
    organizationId: 'org-1',
    version,
    domains: [{ domainId: 'site-domain-0', host: HOST, policy }],
  }
  await edge.publish({ revision: version, kind: 'edge-security', key: 'site', version, body })
  return policy
}

async function tried(policy: SecurityPolicy) {
  const changes = stricterSettings(policy.crs)
  const question = { host: HOST, stricter: stricterInspections(policy.crs, changes) }
  const { outcomes, failed } = await attackTrial(edge.agent, edge.config, question)
  assert.equal(failed, '')
  assert.equal(outcomes.length, trialRequests().length)
  return attackTrialReport(policy, changes, outcomes)
}
const sum = (rows: readonly object[], field: string) =>
  rows.reduce((all, row) => all + ((row as Record<string, number>)[field] ?? 0), 0)

test('a trial says what the rules would do; the origin, the request log and the limits never hear of it', async () => {
  const policy = await hold({})
  const report = await tried(policy)
  assert.ok(sum(report.attacks, 'stopped') >= 0.85 * sum(report.attacks, 'sent'), JSON.stringify(report.attacks))
  assert.ok(report.touched.length <= 0.06 * sum(report.harmless, 'sent'), JSON.stringify(report.touched))
  for (const { change } of report.passed) assert.ok(change === null || report.changes[change])
  assert.equal(origin.asked.length, 0)
  assert.ok(Number((await edge.agent.state())?.counters['trials']) > 200)
  // One that is no trial comes after them, and is the only one in the log.
  assert.equal((await edge.get(HOST, '/seen', { headers: BROWSER })).status, 200)
  const lines = await eventually(() => {
    const text = fs.readFileSync(edge.agent.layout.requestLog, 'utf8')
    assert.match(text, /"\/seen"/)
    return text.trim().split('\n')
  })
  assert.equal(lines.length, 1)
})

test('with the rule sets switched off nothing is stopped by them, and switching them on is what would', async () => {
  const off = await hold({ enabled: false })
  const before = await tried(off)
  assert.equal(before.changes[0]?.kind, 'switch-on')
  assert.ok(before.passed.length > 80)
  const promised = before.changes[0]?.stops ?? 0
  assert.ok(promised > 0.8 * before.passed.length, `${promised} of ${before.passed.length}`)
  const after = await tried(await hold({ enabled: true }))
  assert.equal(before.passed.length - after.passed.length, promised, 'what was promised is what comes')
})

test('nobody else can say that a request is a trial', async () => {
  await hold({})
  const attack = '/shop?q=%3Cscript%3Ealert(1)%3C/script%3E'
  for (const token of ['', '1', '9999999999.0', `9999999999.${'0'.repeat(40)}`, 'x'.repeat(5000), '.'])
    assert.equal(
      (await edge.get(HOST, attack, { headers: { ...BROWSER, 'x-fairway-trial': token } })).status,
      403,
      token,
    )
  const before = origin.asked.length
  assert.equal((await edge.get(HOST, '/plain', { headers: { ...BROWSER, 'x-fairway-trial': '9.9' } })).text, 'origin')
  assert.equal(origin.asked.length, before + 1)
})
