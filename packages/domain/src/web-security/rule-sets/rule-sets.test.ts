import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { NO_SCHEMA } from '../api-schema/schema-in-force.ts'
import type { CompiledRuleSets } from '../compiled.ts'
import { compile } from '../compile.ts'
import { BOT_DEFAULTS } from '../try-request.ts'
import { CRS_DEFAULTS } from './defaults.ts'
import { type Finding, readFindings } from './findings.ts'
import { judge } from './judge.ts'
import { catalogOf } from './rule-catalog.ts'

const hex = (text: string) => Buffer.from(text, 'latin1').toString('hex')
const ruleSets = (more: object = {}): CompiledRuleSets =>
  compile({
    access: [],
    bots: BOT_DEFAULTS,
    firewall: [],
    crs: { ...CRS_DEFAULTS, rules: [], exclusions: [], ...more },
    api: [],
    schema: NO_SCHEMA,
    failedLogins: [],
    credentialStuffing: [],
    headers: [],
    origins: [],
  }).ruleSets
const found = (ruleId: string, variable = 'ARGS:q', score = 5): Finding => ({ ruleId, score, variable, matched: '' })
const judged = (findings: Finding[], more: object = {}, path = '/a', cut = false) =>
  judge(ruleSets(more), { findings, failed: '', cut }, path)

describe('the answer of the inspection', () => {
  it('is read with places, or without where there were too many', () => {
    assert.deepEqual(readFindings('0,,,'), [])
    assert.deepEqual(readFindings(`1,,.${hex('942100 5 ARGS:q 1 or 1')},.${hex('942100 5')}`), [
      { ruleId: '942100', score: 5, variable: 'ARGS:q', matched: '1 or 1' },
    ])
    for (const said of ['942100 5', '942100 5 '])
      assert.deepEqual(readFindings(`99,1,,.${hex(said)}`), [{ ruleId: '942100', score: 5, variable: '', matched: '' }])
  })
  it('is none when it says that something was found and not what, or is another text', () => {
    for (const answer of ['', '1,,,', '0', 'x', `1,,.${hex('nonsense')},`, `1,,.${hex('9 x y')},`])
      assert.equal(readFindings(answer), undefined, answer)
    fc.assert(fc.property(fc.string(), (text) => void readFindings(text)))
  })
})

describe('what findings come to', () => {
  it('adds up to a block from the threshold on, heaviest first', () => {
    const { action, score, findings } = judged([found('920300', '', 2), found('942100')])
    assert.deepEqual([action, score, findings[0]?.ruleId], ['block', 7, '942100'])
    assert.equal(judged([found('920300', '', 2)]).action, '')
    assert.equal(judged([found('942100')], { threshold: 6 }).action, '')
    assert.equal(judged([found('942100')], { mode: 'simulate' }).action, 'simulate')
  })
  it('leaves out rules that are off or pass, tells those that simulate, and asks the chosen sets only', () => {
    const rule = (state: object) => ({ rules: [{ ruleId: 942100, enabled: true, action: 'block', ...state }] })
    assert.equal(judged([found('942100')], rule({ action: 'pass' })).action, '')
    assert.equal(judged([found('942100')], rule({ enabled: false })).action, '')
    assert.equal(judged([found('942100')], rule({ action: 'simulate' })).action, 'simulate')
    assert.equal(judged([found('942100'), found('941100')], rule({ action: 'simulate' })).action, 'block')
    const sets = { full: false, sets: { xss: true, sqlInjection: false, genericInjection: false } }
    assert.equal(judged([found('942100'), found('920170'), found('932160')], sets).action, '')
    assert.equal(judged([found('941100')], sets).action, 'block')
    assert.equal(judged([found('200002', 'REQUEST_BODY')], sets).action, 'block')
  })
  it('counts a hint once and never alone, whatever it was found in', () => {
    assert.equal(judged([found('942190'), found('942190', 'ARGS:b'), found('942190', 'ARGS:c')]).action, '')
    assert.equal(judged([found('942190'), found('932105')]).action, 'block')
    const spared = { exclusions: [{ ruleId: null, path: '', parameter: 'a', note: '' }], threshold: 2 }
    assert.equal(judged([found('942190', 'ARGS:a'), found('942190', 'ARGS:b')], spared).action, 'block')
  })
  it('spares what is excluded by rule, path and parameter, and nothing beside it', () => {
    const is = (exclusion: object, finding: Finding, path: string) =>
      judged([finding], { exclusions: [{ ruleId: null, path: '', parameter: '', note: '', ...exclusion }] }, path)
        .action === ''
    const one = found('942100', 'ARGS:json.post.body')
    assert.ok(is({ parameter: 'post.body' }, one, '/x'))
    assert.ok(is({ ruleId: 942100, path: '/posts/*', parameter: 'post.body' }, one, '/posts/1'))
    assert.ok(!is({ ruleId: 942100, path: '/posts/*' }, one, '/admin'))
    assert.ok(!is({ ruleId: 941100 }, one, '/posts/1'))
    assert.ok(!is({ parameter: 'post' }, one, '/posts/1'))
    assert.ok(!is({ path: '/posts' }, one, '/posts/1'))
    assert.ok(!is({ parameter: 'q' }, found('942100', ''), '/x'), 'of an unknown place nothing is spared')
  })
  it('blames nobody for a body that was cut here', () => {
    assert.equal(judged([found('200002', 'REQUEST_BODY')], {}, '/a', true).action, '')
    assert.equal(judged([found('942100')], {}, '/a', true).action, 'block')
  })
})

describe('the catalogue', () => {
  const text = [
    '# id:900001 in a comment',
    'SecRule ARGS "@rx a" \\',
    '    "id:942999,\\',
    "    phase:2,block,msg:'It''s',\\",
    '    chain"',
    '    SecRule ARGS "@rx b" \\',
    `        "setvar:'tx.inbound_anomaly_score_pl2=+%{tx.warning_anomaly_score}'"`,
    'SecRule ARGS "@rx c" "id:942998,phase:2,pass"',
  ].join('\n')
  it('lists rules that find something, of 3.x and 4.x, chains under their first part', () => {
    const rules = catalogOf([
      { name: 'REQUEST-942-X.conf', text },
      { name: 'RESPONSE-950-X.conf', text: text.replaceAll('9429', '9509') },
    ])
    assert.deepEqual(
      rules.map(({ ruleId, set, severity, paranoiaLevel }) => [ruleId, set, severity, paranoiaLevel]),
      [[942999, 'sql-injection', 'warning', 2]],
    )
  })
})
