import assert from 'node:assert/strict'
import crypto from 'node:crypto'
import { test } from 'node:test'
import type {
  SchemaEndpoint,
  SchemaType,
  SecurityCondition,
  SecurityExpression,
  SecurityPolicy,
} from '@fairway/contract'
import { BOT_DEFAULTS, CRS_DEFAULTS, compileSecurity, expressionProblems, inBytes } from '@fairway/domain'
import {
  evaluateData,
  type LookedUp,
  partFields,
  type PlainRequest,
  type PlainWorld,
} from '@fairway/domain/web-security'
import fc from 'fast-check'
import { callInLuajit, luajitInstalled } from '../testing/luajit.ts'

const some = <T>(...of: T[]) => fc.constantFrom(...of)
const word = some(
  '/a',
  '/A/b',
  'a',
  'é',
  '東京',
  'curl',
  'Mozilla/5.0 (compatible; bingbot/2.0)',
  'Mozilla/5.0',
  '1',
  '12.5',
  'JP',
  'AS2500',
  '',
  'x y',
  '%',
  'b.php',
)
// Of old: it has a state for each way in which twelve letters can be written.
const OLD_PATTERN = '[ab]*a[ab]{12}c'
const pattern = some('^/a', 'a+b?$', '[^a]{2,3}', '東|é', '\\d+\\.\\d', '^$', '(a|b)*c', '.', '\\xe6')
const block = some(
  '203.0.113.0/24',
  '203.0.113.9',
  '0.0.0.0/0',
  '2001:db8::/32',
  '::/0',
  '10.0.0.0/9',
  '::ffff:1.2.3.4',
)

const value: Record<string, fc.Arbitrary<string>> = { matches: pattern, 'in-cidr': block }
const condition: fc.Arbitrary<SecurityCondition> = fc
  .tuple(
    some(
      'address',
      'country',
      'region',
      'path',
      'query',
      'query-parameter',
      'method',
      'header',
      'cookie',
      'user-agent',
      'host',
      'network',
      'extension',
      'body-size',
      'tls-version',
    ),
    some('equals', 'in', 'contains', 'starts-with', 'ends-with', 'matches', 'in-cidr', 'exists', 'less', 'at-least'),
    fc.boolean(),
    fc.boolean(),
  )
  .chain(([field, operator, negate, ignoreCase]) =>
    fc.array(value[operator] ?? (field === 'address' ? block : word), { minLength: 1, maxLength: 3 }).map((values) => ({
      field: field as SecurityCondition['field'],
      operator: operator as SecurityCondition['operator'],
      name: field === 'header' || field === 'cookie' || field === 'query-parameter' ? 'n' : '',
      negate,
      ignoreCase,
      values: operator === 'exists' ? [] : operator.startsWith('in') ? values : values.slice(0, 1),
    })),
  )
  .filter((one) => expressionProblems(one).length === 0)
const group = (inner: fc.Arbitrary<SecurityExpression>): fc.Arbitrary<SecurityExpression> =>
  fc.oneof(
    inner,
    fc.array(inner, { minLength: 1, maxLength: 3 }).map((all) => ({ all })),
    fc.array(inner, { minLength: 1, maxLength: 3 }).map((any) => ({ any })),
  )
const expression = fc.option(group(group(condition)))
const limit = { requests: 1, seconds: 1, blockSeconds: 60, keys: [{ by: 'path' as const }] }
const action = some<SecurityPolicy['firewall'][number]['action']>(
  { type: 'block' },
  { type: 'pass' },
  { type: 'simulate' },
  { type: 'rate-limit', limit },
  { type: 'redirect', location: 'https://m.{host}' },
  { type: 'challenge', mode: 'human' },
)
const named = <T>(rules: T[]) => rules.map((rule, i) => ({ id: `r${i}`, name: `r${i}`, ...rule }))
const list = <T>(rule: fc.Arbitrary<T>) => fc.array(rule, { maxLength: 4 }).map(named)
const entry = fc.record({
  list: some('whitelist' as const, 'blacklist' as const),
  kind: some('address' as const, 'place' as const),
  exclude: fc.boolean(),
  until: some(0, 5, 5000),
  network: some(null, 'AS2500', 'CT'),
  address: block,
  place: some('world', 'country:JP', 'region:JP-13', 'continent:AS', 'city:JP-13-東京'),
})
const parameter = fc.record({
  in: some('query' as const, 'body' as const),
  name: some('n', 'a', 'a.b', 'a[]', '', '東', '{key}'),
  type: some<SchemaType>('integer', 'number', 'boolean', 'uuid', 'date', 'text', 'object', 'array', 'any'),
  nullable: fc.boolean(),
  required: some(false, false, true),
  maxLength: some(0, 1, 4),
})
const endpoint: fc.Arbitrary<Omit<SchemaEndpoint, 'id'>> = fc.record({
  method: some('GET', 'POST'),
  path: some('/', '/a', '/{x}', '/{x}/b.PHP', '/東京', '/a/{y}'),
  kinds: some(
    ['none' as const],
    ['none' as const, 'json' as const],
    ['json' as const, 'form' as const, 'other' as const],
  ),
  maxBytes: some(0, 20, 1000),
  open: fc.boolean(),
  edited: some(false),
  parameters: fc
    .uniqueArray(parameter, { maxLength: 5, selector: ({ in: where, name }) => `${where} ${name}` })
    .chain((own) =>
      some<SchemaType>('integer', 'uuid', 'text').map((type) => [
        ...own,
        { in: 'path' as const, name: 'x', type, nullable: false, required: true, maxLength: 0 },
      ]),
    ),
})
const policy: fc.Arbitrary<SecurityPolicy> = fc.record({
  access: fc
    .array(entry, { maxLength: 5 })
    .map((entries) =>
      named(
        entries.map(({ address, place, ...rest }) => ({ ...rest, value: rest.kind === 'address' ? address : place })),
      ),
    ),
  bots: fc
    .record({
      securityLevel: some('under-attack', 'high', 'medium', 'low', 'off'),
      integrityCheck: some('off', 'standard', 'strict'),
    })
    .map((more) => ({ ...BOT_DEFAULTS, ...more })),
  firewall: list(fc.record({ expression, action })),
  api: list(
    fc.record({
      path: some('/a', '/*', '/b*'),
      key: some('k'.repeat(16), 'q'.repeat(64)),
      tokenSeconds: some(60),
      parameter: some('n', 't'),
      rateLimitQueries: some(1),
      rateLimitBlockSeconds: some(60),
      mode: some('block' as const, 'simulate' as const),
      language: some('node' as const),
    }),
  ),
  schema: fc.record({
    learning: fc.boolean(),
    paths: some(['/*'], ['/a', '/b*']),
    mode: some('off' as const, 'simulate' as const, 'block' as const),
    endpoints: fc.array(endpoint, { maxLength: 4 }).map((all) => all.map((one, i) => ({ ...one, id: `e${i}` }))),
  }),
  failedLogins: list(
    fc.record({
      path: some('/a', '/*'),
      methods: some(['POST' as const], ['GET' as const, 'POST' as const]),
      maxAttempts: some(3),
      maxFailed: some(2),
      seconds: some(60),
      failure: some({ by: 'status' as const, status: 401 }),
      account: some(null),
    }),
  ),
  credentialStuffing: list(
    fc.record({
      path: some('/*'),
      payload: some('form' as const),
      accountField: some('user'),
      passwordField: some('password'),
    }),
  ),
  headers: list(
    fc.record({
      expression,
      direction: some('request' as const, 'response' as const),
      operations: some([{ operation: 'set' as const, header: 'x', value: '::PATH:: ::COUNTRY:: ::NO:: é' }]),
    }),
  ),
  crs: fc
    .record({
      enabled: fc.boolean(),
      mode: some('block' as const, 'simulate' as const),
      full: fc.boolean(),
      sets: fc.record({ xss: fc.boolean(), sqlInjection: fc.boolean(), genericInjection: fc.boolean() }),
      threshold: some(3, 5, 8),
      longBodies: some('inspect-beginning' as const, 'block' as const),
      onFailure: some('pass' as const, 'block' as const),
      rules: fc.array(
        fc.record({ ruleId: some(942100, 941100), enabled: fc.boolean(), action: some('block', 'simulate', 'pass') }),
        { maxLength: 2 },
      ),
      exclusions: fc.array(
        fc.record({
          ruleId: some(null, 942100),
          path: some('', '/a', '/*'),
          parameter: some('', 'q', 'a.b'),
          note: some(''),
        }),
        { maxLength: 2 },
      ),
    })
    .map((more) => ({ ...CRS_DEFAULTS, ...more })),
  origins: list(
    fc.record({ expression, origin: some({ address: null, port: 1, protocol: null, hostHeader: null, sni: null }) }),
  ),
})
/** Of the first second of 1970, for paths and keys of the policies above. */
const TOKENS = ['k'.repeat(16), 'q'.repeat(64)].flatMap((key) =>
  ['/a', '/b'].map((path) => `${path}?n=0-${crypto.createHmac('sha256', key).update(`${path}\n0`).digest('hex')}`),
)
const request: fc.Arbitrary<PlainRequest> = fc.record({
  address: some('203.0.113.9', '10.1.2.3', '2001:db8::1', '::ffff:203.0.113.9', '198.51.100.1', 'no'),
  continent: some('AS', '00'),
  country: some('JP', 'TW', ''),
  region: some('13', ''),
  city: some('東京', ''),
  networks: some([], ['AS2500'], ['CT', 'AS4134']),
  host: some('www.example.test', 'é.test'),
  method: some('GET', 'POST'),
  scheme: some('http', 'https'),
  target: some(
    '/',
    '/a',
    '/%61/../a//b.PHP?n=1&n=%E6%9D%B1',
    '/東京?n',
    '/%ff%00',
    '/?n=12.5',
    '//a/./',
    '/x/..;/a',
    '/a;p=1/b.PHP',
    '/b%5C..\\a?n=1',
    '*',
    '/5/b.PHP?n=5',
    '/a/%35?a=true&n=2026-11-25',
    '/0f8fad5b-d9cb-469f-a165-70867728950e',
    ...TOKENS,
  ),
  protocol: some('HTTP/1.0', 'HTTP/1.1', 'HTTP/2.0'),
  tlsVersion: some('', '1.3'),
  bodySize: some(0, 1, 13),
  body: some(
    '',
    '{"a":{"b":5},"n":"東"}',
    '{"a":[1,2.5,-3e2],"\\u0061":null,"n":true}',
    '[{"a":"2026-11-25"}]',
    '{"a":',
    'n=5&a=%E6%9D%B1&a=x',
    ' 12 ',
    '{"aZ3kd9Wk":"0f8fad5b-d9cb-469f-a165-70867728950e","東":""}',
  ),
  headers: fc.array(
    fc.record({
      name: some('n', 'user-agent', 'accept', 'cookie', 'accept-language', 'content-type'),
      value: fc.oneof(
        word,
        some('application/json', 'Application/X+JSON ; a', 'application/x-www-form-urlencoded'),
        some('n=1; n=東', 'Mozilla/5.0 Googlebot HeadlessChrome', 'sqlmap', 'aaab'),
      ),
    }),
    { maxLength: 5 },
  ),
})
const world: fc.Arbitrary<PlainWorld> = fc.record({
  now: some(10),
  cleared: some(0, 1, 3),
  exceeded: some([], ['r0'], ['r1', 'r2']),
  inspection: fc.record({
    findings: fc.array(
      fc.record({
        ruleId: some('942100', '941100', '930100', '920350', '200002'),
        score: some(2, 3, 5),
        variable: some('ARGS:q', 'ARGS:json.a.b', 'REQUEST_COOKIES:n', ''),
        matched: some('', "' or 1", 'é'),
      }),
      { maxLength: 4 },
    ),
    failed: some('', '', '', 'connect'),
    cut: fc.boolean(),
  }),
  leaked: some([]),
  lookedUp: some<LookedUp>('verified', 'false', 'unknown', 'off'),
})

/** As many as take a second or two; the same in every run, so that what fails here fails everywhere. */
const CASES = 400

test(
  'web security decides in LuaJIT, which nginx runs, as in Node, and for the same reason',
  { skip: luajitInstalled() ? false : 'luajit and lua-cjson are not installed (apt-get install luajit2 lua-cjson)' },
  async () => {
    const cases = fc.sample(fc.tuple(policy, request, world), { numRuns: CASES, seed: 20_26 })
    const inputs = cases.map(([rules, asked, met]) => [compileSecurity(rules), asked, met] as const)
    const answers = await callInLuajit(
      inputs.map((args) => ({
        module: 'domain.src.web-security.evaluate-data',
        name: 'evaluateData',
        args: [...args],
      })),
    )
    const actions = new Set<string>()
    for (const [i, [rules, asked, met]] of inputs.entries()) {
      const here = evaluateData(inBytes(rules), inBytes(asked), met)
      actions.add(here.verdict.action)
      const there = answers[i] as typeof here
      assert.deepEqual(summary(there), summary(here), JSON.stringify(cases[i]))
    }
    assert.deepEqual([...actions].toSorted(), ['block', 'challenge', 'pass', 'rate-limit', 'redirect', 'simulate'])
  },
)

test(
  'a form in parts is read in LuaJIT as in Node',
  { skip: luajitInstalled() ? false : 'luajit and lua-cjson are not installed (apt-get install luajit2 lua-cjson)' },
  async () => {
    const piece = some(
      '--x',
      '--x',
      '\r\n',
      '\r\n\r\n',
      '--',
      'Content-Disposition: form-data; name="a"',
      'Content-Disposition: form-data; name=é; filename="b.txt"',
      'Content-Type: text/plain',
      ';',
      '"',
      '5',
      '\n',
    )
    const whole = fc
      .array(fc.tuple(some('name="a"', 'name="b"; filename="ä.txt"', 'name="c"; filename=""', 'name=d'), word), {
        maxLength: 5,
      })
      .map(
        (all) =>
          `${all.map(([said, text]) => `--x\r\nContent-Disposition: form-data; ${said}\r\n\r\n${text}\r\n`).join('')}--x--\r\n`,
      )
    const text = fc.oneof(
      whole,
      fc.array(piece, { maxLength: 20 }).map((all) => all.join('')),
      fc.tuple(whole, piece, fc.nat(200)).map(([form, more, at]) => `${form.slice(0, at)}${more}${form.slice(at)}`),
    )
    const type = some(
      'multipart/form-data; boundary=x',
      'multipart/form-data; boundary="x" ; a=b',
      'multipart/form-data',
    )
    const cases = fc.sample(fc.tuple(type, text), { numRuns: 2 * CASES, seed: 20_26 })
    const answers = await callInLuajit(
      cases.map((args) => ({
        module: 'domain.src.web-security.api-schema.part-fields',
        name: 'partFields',
        args: [...args],
      })),
    )
    const problems = new Set<string>()
    for (const [i, [said, form]] of cases.entries()) {
      const here = partFields(inBytes(said), inBytes(form))
      problems.add(here.problem)
      const there = answers[i] as typeof here
      // An empty list is an object to Lua's JSON.
      const fields = Array.isArray(there.fields) ? there.fields : []
      assert.deepEqual(
        inBytes({ problem: there.problem, fields }),
        { problem: here.problem, fields: here.fields },
        form,
      )
    }
    assert.ok(problems.has('') && problems.has('invalid'))
  },
)

const NOTHING: SecurityPolicy = {
  access: [],
  bots: { ...BOT_DEFAULTS, securityLevel: 'off' },
  firewall: [],
  api: [],
  schema: { learning: false, paths: ['/*'], mode: 'off', endpoints: [] },
  failedLogins: [],
  credentialStuffing: [],
  headers: [],
  crs: { ...CRS_DEFAULTS, enabled: false, rules: [], exclusions: [] },
  origins: [],
}
const ASKED: PlainRequest = {
  address: '203.0.113.9',
  continent: 'AS',
  country: 'JP',
  region: '13',
  city: '',
  networks: [],
  host: 'www.example.test',
  method: 'GET',
  scheme: 'https',
  target: '/world/?a=1',
  protocol: 'HTTP/2.0',
  tlsVersion: '1.3',
  bodySize: 0,
  headers: [{ name: 'user-agent', value: 'Python-Requests/2.32' }],
}
const MET: PlainWorld = {
  now: 10,
  cleared: 3,
  exceeded: [],
  leaked: [],
  lookedUp: 'off',
  inspection: { findings: [], failed: '', cut: false },
}
const FITTING: [SecurityCondition['operator'], field: SecurityCondition['field'], ...values: string[]][] = [
  ['equals', 'method', 'GET'],
  ['in', 'method', 'POST', 'GET'],
  ['contains', 'user-agent', 'python-requests'],
  ['starts-with', 'path', '/wor'],
  ['ends-with', 'path', 'ld/'],
  ['matches', 'user-agent', 'requests/\\d+'],
  ['in-cidr', 'address', '203.0.113.0/24'],
  ['exists', 'user-agent'],
]

test(
  'what a rule has found is told alike by LuaJIT and Node, whatever it compares by',
  { skip: luajitInstalled() ? false : 'luajit and lua-cjson are not installed (apt-get install luajit2 lua-cjson)' },
  async () => {
    const inputs = FITTING.map(([operator, field, ...values]) => {
      const expression = { field, operator, name: '', negate: false, ignoreCase: true, values }
      const firewall = [{ id: 'r', name: 'r', expression, action: { type: 'simulate' as const } }]
      return [compileSecurity({ ...NOTHING, firewall }), ASKED, MET] as const
    })
    const answers = await callInLuajit(
      inputs.map((args) => ({
        module: 'domain.src.web-security.evaluate-data',
        name: 'evaluateData',
        args: [...args],
      })),
    )
    assert.deepEqual(
      answers.map((answer) => (answer as ReturnType<typeof evaluateData>).matched?.text),
      ['GET', 'GET', 'Python-Requests', '/wor', 'ld/', 'Requests/2', '203.0.113.9', 'Python-Requests/2.32'],
    )
    for (const [i, [rules, one, state]] of inputs.entries())
      assert.deepEqual(
        answers[i] && summary(answers[i] as ReturnType<typeof evaluateData>),
        summary(evaluateData(inBytes(rules), one, state)),
      )
  },
)

test(
  'LuaJIT gives up a pattern of old where Node does, and finds with it what Node finds',
  { skip: luajitInstalled() ? false : 'luajit and lua-cjson are not installed (apt-get install luajit2 lua-cjson)' },
  async () => {
    const expression = {
      field: 'header' as const,
      operator: 'matches' as const,
      name: 'x',
      negate: false,
      ignoreCase: false,
      values: [OLD_PATTERN],
    }
    assert.deepEqual(
      expressionProblems(expression).map(({ message }) => message),
      ['validation.patternStates'],
    )
    const letters = fc.oneof(
      ...[12, 4000].map((length) => fc.string({ unit: some('a', 'b'), minLength: length, maxLength: length })),
    )
    const texts = fc.sample(fc.tuple(letters, some('', 'c', 'abababababababac')), { numRuns: 30, seed: 20_26 })
    // What one call has worked out is not there for the next, as in LuaJIT.
    const inputs = texts.map(([text, end]) => {
      const firewall = [{ id: 'r', name: 'r', expression, action: { type: 'block' as const } }]
      return [
        compileSecurity({ ...NOTHING, firewall }),
        { ...ASKED, headers: [{ name: 'x', value: text + end }] },
        MET,
      ] as const
    })
    const answers = await callInLuajit(
      inputs.map((args) => ({
        module: 'domain.src.web-security.evaluate-data',
        name: 'evaluateData',
        args: [...args],
      })),
    )
    const said = inputs.map((args) => evaluateData(...args))
    for (const [i, here] of said.entries())
      assert.equal(
        (answers[i] as typeof here).verdict.isPartial || (answers[i] as typeof here).verdict.ruleId,
        here.verdict.isPartial || here.verdict.ruleId,
      )
    assert.ok(said.some(({ verdict }) => verdict.isPartial) && said.some(({ verdict }) => verdict.ruleId === 'r'))
  },
)

/** An empty list and an empty table are the same to Lua; texts beyond ASCII come back decoded. */
function summary({ verdict, trace, matched }: ReturnType<typeof evaluateData>) {
  const { action, part, ruleId, reason, status, location, strength, seconds, score, originId, isPartial } = verdict
  return {
    decided: [action, part, ruleId, reason, status, ascii(location), strength, seconds, score, originId, isPartial],
    headers: [...values(verdict.requestHeaders), ...values(verdict.responseHeaders)].map(({ value: text }) =>
      ascii(text),
    ),
    matched: matched && [matched.field, matched.name, ascii(matched.text)],
    trace: values(trace).map((step) => [step.part, step.ruleId, step.outcome, step.action, step.reason]),
  }
}
const values = <T>(list: T[]): T[] => (Array.isArray(list) ? list : [])
const ascii = (text: string) => text.replaceAll(/[^\x20-\x7e]+/g, '?')
