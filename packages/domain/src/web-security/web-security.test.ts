import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { SecurityCondition, SecurityExpression, SecurityPolicy } from '@fairway/contract'
import fc from 'fast-check'
import { NO_SCHEMA } from './api-schema/schema-in-force.ts'
import { addressKey } from './address-key.ts'
import { askOf, type PlainRequest } from './ask.ts'
import { blockTable } from './blocks.ts'
import { blockOf, compile, compileExpression, shortestBlock } from './compile.ts'
import { holds } from './conditions.ts'
import type { LookedUp } from './crawlers.ts'
import { NO_CONTENT } from './api-schema/shape.ts'
import { evaluate } from './evaluate.ts'
import type { World } from './verdict.ts'
import { evaluateData } from './evaluate-data.ts'
import { expressionProblems } from './expression-problems.ts'
import { expressionText, isExpression, parseExpression } from './expression-text.ts'
import { findBlock } from './find-block.ts'
import { isPattern, parsePattern } from './parse-pattern.ts'
import { isFound } from './pattern.ts'
import { CRS_DEFAULTS } from './rule-sets/defaults.ts'
import type { Inspection } from './rule-sets/findings.ts'
import { shadowedBy } from './shadowed.ts'
import { cookiesOf, extensionOf, parametersOf, pathOf } from './target.ts'
import { BOT_DEFAULTS } from './try-request.ts'
import { inBytes, utf8 } from './utf8.ts'

const condition = (more: Partial<SecurityCondition>): SecurityCondition => ({
  field: 'path',
  name: '',
  operator: 'equals',
  negate: false,
  ignoreCase: false,
  values: [],
  ...more,
})
const REQUEST: PlainRequest = {
  address: '203.0.113.9',
  continent: 'AS',
  country: 'JP',
  region: '13',
  city: 'Tokyo',
  networks: ['AS2500'],
  host: 'www.example.test',
  method: 'GET',
  scheme: 'https',
  target: '/shop/Cart.PHP?id=7&id=8&q=a%20b+c',
  protocol: 'HTTP/2.0',
  tlsVersion: '1.3',
  bodySize: 100,
  headers: [
    { name: 'user-agent', value: 'curl/8' },
    { name: 'cookie', value: 'a=1; b="two"' },
    { name: 'x-n', value: '12.5' },
  ],
}
const asks = (more: Partial<SecurityCondition>, request = REQUEST) =>
  holds(inBytes(compileExpression(condition(more))), askOf(inBytes(request)))

describe('conditions', () => {
  const table: [Partial<SecurityCondition>, boolean][] = [
    [{ operator: 'starts-with', values: ['/shop/'] }, true],
    [{ operator: 'ends-with', values: ['.php'] }, false],
    [{ operator: 'ends-with', values: ['.php'], ignoreCase: true }, true],
    [{ field: 'extension', values: ['PHP'] }, true],
    [{ field: 'country', operator: 'in', values: ['tw', 'jp'] }, true],
    [{ field: 'country', operator: 'in', values: ['TW'], negate: true }, true],
    [{ field: 'query-parameter', name: 'id', values: ['8'] }, true],
    [{ field: 'query-parameter', name: 'q', values: ['a b c'] }, true],
    [{ field: 'query-parameter', name: 'none', operator: 'exists' }, false],
    [{ field: 'query-parameter', name: 'none', values: ['x'], negate: true }, true],
    [{ field: 'header', name: 'X-N', operator: 'greater', values: ['12'] }, true],
    [{ field: 'header', name: 'x-n', operator: 'at-most', values: ['12.49'] }, false],
    [{ field: 'cookie', name: 'b', values: ['two'] }, true],
    [{ field: 'body-size', operator: 'less', values: ['101'] }, true],
    [{ field: 'address', operator: 'in-cidr', values: ['203.0.113.0/29', '203.0.113.8/29'] }, true],
    [{ field: 'address', operator: 'in-cidr', values: ['203.0.113.10', '::/0'] }, false],
    [{ field: 'network', values: ['AS2500'] }, true],
    [{ field: 'user-agent', operator: 'matches', values: ['^curl/\\d+$'] }, true],
    [{ operator: 'in', values: ['constructor', '__proto__'] }, false],
  ]
  for (const [more, wanted] of table)
    it(`${expressionText(condition(more))} is ${wanted}`, () => assert.equal(asks(more), wanted))

  it('reads a path as origins do, however it is written', () => {
    for (const [target, wanted] of [
      ['/a/%62', '/a/b'],
      ['/x/../a//b', '/a/b'],
      ['/a/./b/', '/a/b/'],
      ['/../../a', '/a'],
      ['/a/..', '/'],
      ['/%2e%2e/a', '/a'],
      ['http://h.test/a?b', '/a'],
      ['http://h.test', '/'],
      ['/a%zz', '/a%zz'],
      ['?a', '/'],
    ] as const)
      assert.equal(pathOf(target), wanted, target)
    assert.equal(extensionOf('/a.b/c'), undefined)
    assert.deepEqual(parametersOf('/?a&a=&b=1&a=%3D', 'a'), ['', '', '='])
    assert.deepEqual(cookiesOf([' a = 1 ;b=2', 'a=3'], 'a'), ['1', '3'])
  })

  it('compares texts beyond ASCII as the bytes that are sent', () => {
    const target = '/%E6%9D%B1%E4%BA%AC'
    assert.equal(asks({ operator: 'equals', values: ['/東京'] }, { ...REQUEST, target }), true)
    assert.equal(asks({ operator: 'matches', values: ['^/(東|京){2}$'] }, { ...REQUEST, target }), true)
  })
})

describe('patterns', () => {
  const pattern = (text: string, ignoreCase = false) => {
    const made = parsePattern(text, ignoreCase)
    assert.ok(isPattern(made), text)
    return made
  }

  it('find what regular expressions do', () => {
    const atom = fc.constantFrom('a', 'b', '.', '[ab]', '[^a]', '\\d', '(?:ab)', 'a|b', '\\.', 'c')
    const piece = fc.tuple(atom, fc.constantFrom('', '*', '+', '?', '{1,2}', '{2}', '*?'))
    const whole = fc
      .tuple(fc.constantFrom('', '^'), fc.array(piece, { minLength: 1, maxLength: 5 }), fc.constantFrom('', '$'))
      .map(([from, pieces, to]) => `${from}${pieces.map(([one, many]) => `(?:${one})${many}`).join('')}${to}`)
    fc.assert(
      fc.property(
        whole,
        fc.string({ unit: fc.constantFrom('a', 'b', 'c', '.', '1', 'A') }),
        fc.boolean(),
        (text, input, i) => {
          assert.equal(
            isFound(pattern(text, i), input),
            new RegExp(text, i ? 'i' : '').test(input),
            `${text} in ${input}`,
          )
        },
      ),
      { numRuns: 500 },
    )
  })

  it('take time that grows with the text only', () => {
    const evil = pattern('^(a+)+(a|a)*(a?){20}$')
    assert.equal(isFound(evil, `${'a'.repeat(20_000)}!`), false)
    assert.equal(isFound(evil, 'a'.repeat(20_000)), true)
  })

  it('that would have thousands of states are refused when they are saved, and ordinary ones are not', () => {
    const problems = (...values: string[]) =>
      expressionProblems({
        any: values.map((value) =>
          condition({ field: 'query', operator: 'matches', ignoreCase: true, values: [value] }),
        ),
      }).map(({ message }) => message)
    for (const value of ['[ab]*a[ab]{90}c', 'a.{30}b', '(a|b)*a(a|b){12}', '(union|select).{0,90}from'])
      assert.deepEqual(problems(value), ['validation.patternStates'], value)
    for (const value of [
      '(union|select|insert|drop|delete|update).*(from|into|table)',
      '^/(en|de|fr)/.{0,40}/(edit|delete)$',
      '^[A-Za-z0-9+/=]{90,}$',
      String.raw`\w+@\w+\.[a-z]{2,20}`,
      '(bot|crawl|spider|curl|wget|python-requests|scrapy|headless|phantom)',
      '^(東|京){2,9}$',
    ])
      assert.deepEqual(problems(value), [], value)
    // Looking at many of them takes no longer than looking at some.
    assert.ok(problems(...Array.from({ length: 200 }, (_, i) => `${i}[ab]*a[ab]{90}c`)).length === 200)
  })

  it('are refused with their place', () => {
    for (const [text, message, column] of [
      ['a(b', 'patternParenthesis', 2],
      ['a)', 'patternParenthesis', 2],
      ['*a', 'patternNothingToRepeat', 1],
      ['(?=a)', 'patternUnsupported', 1],
      ['(a)\\1', 'patternUnsupported', 4],
      ['[b-a]', 'patternClass', 3],
      ['[ab', 'patternClass', 1],
      ['a{3,2}', 'patternRepetition', 2],
      ['a{500}', 'patternTooLarge', 2],
      ['(((a{50}){50}){50}){50}', 'patternTooLarge', 1],
      ['((((){90}){90}){90}){90}', 'patternTooLarge', 1],
      ['東\\', 'patternEnd', 3],
    ] as const)
      assert.deepEqual(parsePattern(text, false), { message: `validation.${message}`, column }, text)
  })
})

describe('blocks', () => {
  it('find the innermost, as a walk over all of them does', () => {
    const v4 = fc
      .tuple(fc.integer({ min: 0, max: 7 }), fc.integer({ min: 24, max: 32 }))
      .map(([n, bits]) => `10.0.0.${(n * 37) % 256}/${bits}`)
    const v6 = fc.integer({ min: 0, max: 128 }).map((bits) => `2001:db8::${bits.toString(16)}/${bits}`)
    fc.assert(
      fc.property(
        fc.array(fc.oneof(v4, v6), { maxLength: 12 }),
        fc.integer({ min: 0, max: 255 }),
        fc.boolean(),
        (texts, n, six) => {
          const blocks = [...new Set(texts.map((text) => shortestBlock(text) ?? ''))].map(blockOf)
          const key = addressKey(six ? `2001:db8::${n.toString(16)}` : `10.0.0.${n}`)
          const around = blocks
            .filter(({ first, last }) => first.length === key.length && first <= key && key <= last)
            .sort((a, b) => (a.first === b.first ? (a.last < b.last ? -1 : 1) : a.first > b.first ? -1 : 1))
          const at = findBlock(blockTable(blocks), key)
          assert.deepEqual(blocks[at], around[0])
        },
      ),
      { numRuns: 500 },
    )
  })

  it('hold a hundred thousand as they hold ten', () => {
    const many = Array.from({ length: 100_000 }, (_, i) =>
      blockOf(`${1 + (i >> 16)}.${(i >> 8) & 255}.${i & 255}.0/24`),
    )
    const table = blockTable(many)
    assert.equal(findBlock(table, addressKey('1.2.3.4')), 0x203)
    assert.equal(findBlock(table, addressKey('200.0.0.1')), -1)
  })

  it('read addresses in all their forms', () => {
    for (const [text, key] of [
      ['1.2.3.4', '01020304'],
      ['::ffff:1.2.3.4', '01020304'],
      ['2001:DB8::1', '20010db8000000000000000000000001'],
      ['::', '0'.repeat(32)],
      ['1.2.3', ''],
      ['1.2.3.04', ''],
      ['1:2:3', ''],
      ['1::2::3', ''],
      ['12345::', ''],
      ['', ''],
    ] as const)
      assert.equal(addressKey(text), key, text)
  })
})

describe('expressions as text', () => {
  const leaf: fc.Arbitrary<SecurityCondition> = fc.record(
    {
      field: fc.constantFrom('path', 'country', 'user-agent'),
      name: fc.constant(''),
      operator: fc.constantFrom('equals', 'in', 'contains', 'matches', 'less', 'in-cidr'),
      negate: fc.boolean(),
      ignoreCase: fc.boolean(),
      values: fc.array(fc.string({ maxLength: 8 }), { minLength: 0, maxLength: 3 }),
    },
    { noNullPrototype: true },
  )
  const named = fc.string({ maxLength: 8 }).map((name) => condition({ field: 'header', name, operator: 'exists' }))
  const nested = (depth: number): fc.Arbitrary<SecurityExpression> =>
    depth === 0
      ? fc.oneof(leaf, named)
      : fc.oneof(
          leaf,
          fc.array(nested(depth - 1), { minLength: 2, maxLength: 3 }).map((all) => ({ all })),
          fc.array(nested(depth - 1), { minLength: 2, maxLength: 3 }).map((any) => ({ any })),
        )

  it('come back as they were', () => {
    fc.assert(
      fc.property(nested(3), (expression) => {
        assert.deepEqual(parseExpression(expressionText(expression)), expression)
      }),
    )
  })

  it('bind and before or, and turn a negated group inside out', () => {
    const form = (text: string) => {
      const read = parseExpression(text)
      assert.ok(isExpression(read), JSON.stringify(read))
      return expressionText(read)
    }
    assert.equal(form('path = "/a" and method = "GET" or host = "h"'), '(path = "/a" and method = "GET") or host = "h"')
    assert.equal(form('not (path = "/a" or not method = "GET")'), 'path not = "/a" and method = "GET"')
    assert.equal(form('path != "/a"'), 'path not = "/a"')
    assert.equal(form('address in-cidr {10.0.0.0/8 ::1}'), 'address in-cidr {10.0.0.0/8, ::1}')
  })

  it('are refused at the column where they stop making sense', () => {
    for (const [text, message, column] of [
      ['pat = "/"', 'expressionField', 1],
      ['path is "/"', 'expressionOperator', 6],
      ['path = "/" or', 'expressionField', 14],
      ['(path = "/"', 'expressionParenthesis', 12],
      ['path = "/', 'expressionQuote', 8],
      ['header = "x"', 'expressionName', 8],
      ['path = "/" path', 'expressionUnexpected', 12],
      ['path = #', 'expressionUnexpected', 8],
      [`${'('.repeat(6)}path exists${')'.repeat(6)}`, 'expressionTooDeep', 6],
    ] as const)
      assert.deepEqual(parseExpression(text), { message: `validation.${message}`, column }, text)
  })

  it('that mean nothing are told by field', () => {
    for (const [more, path, message] of [
      [{ field: 'header', operator: 'exists' }, '.name', 'required'],
      [{ name: 'x', values: ['/'] }, '.name', 'noName'],
      [{ operator: 'less', values: ['1'] }, '.operator', 'operator'],
      [{ operator: 'contains', values: [''] }, '.values.0', 'required'],
      [{ operator: 'equals', values: ['a', 'b'] }, '.values', 'oneValue'],
      [{ field: 'body-size', operator: 'less', values: ['1e3'] }, '.values.0', 'number'],
    ] as [Partial<SecurityCondition>, string, string][])
      assert.deepEqual(expressionProblems(condition(more)), [
        { path: `expression${path}`, message: `validation.${message}`, column: 0 },
      ])
  })
})

describe('a verdict', () => {
  it('leaves out a rule of old whose pattern takes too long, says so, and asks the others', () => {
    const rule = (id: string, name: string, value: string, type: 'block' | 'pass') => ({
      id,
      name: id,
      expression: condition({ field: 'header', name, operator: 'matches', values: [value] }),
      action: { type },
    })
    // What a pattern would have to work out for each byte of it.
    let bits = 1
    const text = Array.from({ length: 8000 }, () => ((bits = (bits * 16_807) % 2_147_483_647) & 64 ? 'a' : 'b')).join(
      '',
    )
    const asked = (value: string, type: 'block' | 'pass') =>
      evaluateData(
        compile(policy({ firewall: [rule('old', 'x', '[ab]*a[ab]{90}c', type), rule('new', 'y', '^bad$', 'block')] })),
        {
          ...REQUEST,
          headers: [
            { name: 'x', value },
            { name: 'y', value: 'bad' },
          ],
        },
        {
          now: 0,
          cleared: 3,
          exceeded: [],
          leaked: [],
          lookedUp: 'off',
          inspection: { findings: [], failed: '', cut: false },
        },
      ).verdict
    for (const type of ['block', 'pass'] as const) {
      const verdict = asked(text, type)
      assert.deepEqual([verdict.isPartial, verdict.ruleId, verdict.status], [true, 'new', 403])
    }
    const found = asked(`${text.slice(0, 91).replace(/^./, 'a')}c`, 'block')
    assert.deepEqual([found.isPartial, found.ruleId], [false, 'old'])
  })

  it('asks a rule about headers once, however many ways there are to read the path', () => {
    const firewall = [
      {
        id: 'r',
        name: 'r',
        expression: condition({ field: 'header', name: 'x', operator: 'matches', values: ['z'] }),
        action: { type: 'block' as const },
      },
    ]
    const plain = askOf({ ...REQUEST, target: '/a/..;/b', headers: [{ name: 'x', value: 'a' }] })
    let times = 0
    evaluate(
      compile(policy({ firewall })),
      (field, name) => {
        if (field === 'header' && name === 'x') times += 1
        return plain(field, name)
      },
      WORLD,
    )
    assert.equal(times, 1)
  })

  const OFF = { ...BOT_DEFAULTS, securityLevel: 'off' as const }
  const policy = (more: Partial<SecurityPolicy>): SecurityPolicy => ({
    access: [],
    bots: OFF,
    firewall: [],
    crs: { ...CRS_DEFAULTS, enabled: false, rules: [], exclusions: [] },
    api: [],
    schema: NO_SCHEMA,
    failedLogins: [],
    credentialStuffing: [],
    headers: [],
    origins: [],
    ...more,
  })
  const WORLD: World = {
    now: 1000,
    isTooMany: () => false,
    inspect: () => NOTHING,
    isCleared: () => false,
    lookedUp: () => 'off',
    isMarked: () => false,
    isLeaked: () => false,
    content: () => NO_CONTENT,
    trace: undefined,
  }
  const NOTHING: Inspection = { findings: [], failed: '', cut: false }
  const verdict = (
    more: Partial<SecurityPolicy>,
    request: Partial<PlainRequest> = {},
    inspection = NOTHING,
    lookedUp: LookedUp = 'off',
  ) =>
    evaluateData(inBytes(compile(policy(more))), inBytes({ ...REQUEST, ...request }), {
      now: 1000,
      cleared: 0,
      exceeded: [],
      inspection,
      leaked: [],
      lookedUp,
    }).verdict
  const place = (id: string, value: string, more: object = {}) => ({
    id,
    list: 'blacklist' as const,
    kind: 'place' as const,
    value,
    network: null,
    exclude: false,
    until: 0,
    ...more,
  })

  it('takes excluded places out, keeps to networks, and lets ended entries go', () => {
    assert.equal(verdict({ access: [place('a', 'country:JP')] }).ruleId, 'a')
    assert.equal(
      verdict({ access: [place('a', 'country:JP'), place('b', 'region:JP-13', { exclude: true })] }).status,
      0,
    )
    assert.equal(verdict({ access: [place('a', 'country:JP', { network: 'AS1' })] }).status, 0)
    assert.equal(verdict({ access: [place('a', 'world', { network: 'AS2500' })] }).status, 403)
    assert.equal(verdict({ access: [place('a', 'country:JP', { until: 1000 })] }).status, 0)
    const block = (id: string, value: string, until: number) => place(id, value, { kind: 'address', until })
    const around = [block('wide', '203.0.0.0/8', 0), block('narrow', '203.0.113.9', 1)]
    assert.equal(verdict({ access: around }).ruleId, 'wide')
  })

  it('holds for every way in which an origin may read a path or a method', () => {
    const rule = (action: SecurityPolicy['firewall'][number]['action'], more: Partial<SecurityCondition>) => ({
      firewall: [{ id: 'r', name: 'r', expression: condition(more), action }],
    })
    const admin: Partial<SecurityCondition> = { operator: 'starts-with', values: ['/admin'] }
    const blocks = (target: string) => verdict(rule({ type: 'block' }, admin), { target }).status === 403
    for (const target of [
      '/admin/users',
      '/;x=1/admin/users',
      '/public/..;/admin',
      '/public/..;a=b/admin',
      '/public/%2e%2e%3b/admin',
      '/public\\..\\admin',
      '/public%5c..%5Cadmin',
      '/./;/admin',
    ])
      assert.ok(blocks(target), target)
    for (const target of ['/public;v=1/a', '/search/a%5Cb', '/public/..;/other', '/;/', '/a;b'])
      assert.ok(!blocks(target), target)
    const open: Partial<SecurityCondition> = { operator: 'starts-with', values: ['/public/'] }
    const outside = (target: string) => verdict(rule({ type: 'block' }, { ...open, negate: true }), { target }).status
    assert.deepEqual([outside('/public/a;v=1'), outside('/public/..;/admin')], [0, 403])
    const letPass = (target: string) => verdict(rule({ type: 'pass' }, open), { target }).reason
    assert.deepEqual([letPass('/public/a;v=1'), letPass('/public/..;/admin')], ['let-pass', ''])
    const deletes = (method: string, name: string, value: string) =>
      verdict(rule({ type: 'block' }, { field: 'method', values: ['DELETE'] }), { method, headers: [{ name, value }] })
        .status
    assert.equal(deletes('POST', 'x-http-method-override', 'delete'), 403)
    assert.equal(deletes('POST', 'x-method-override', 'DELETE'), 403)
    assert.equal(deletes('GET', 'x-http-method-override', 'DELETE'), 0)
    assert.equal(deletes('POST', 'x-other', 'DELETE'), 0)
  })

  it('spares by an exclusion only who is meant in every reading, and counts a path once however it is written', () => {
    const found = { ruleId: '942100', score: 5, variable: 'ARGS:q', matched: 'x' }
    const exclusions = [{ id: 'e', ruleId: null, path: '/posts/*', parameter: '', note: '' }]
    const crs = { ...CRS_DEFAULTS, rules: [], exclusions }
    const inspected = (target: string) =>
      verdict({ crs }, { target }, { findings: [found], failed: '', cut: false }).status
    assert.deepEqual(['/posts/1', '/posts/a;b', '/posts/..;/admin', '/a'].map(inspected), [0, 0, 403, 403])
    const limit = {
      type: 'rate-limit' as const,
      limit: { requests: 1, seconds: 10, blockSeconds: 10, keys: [{ by: 'path' as const }] },
    }
    const keysOf = (target: string) => {
      const seen: string[] = []
      const firewall = [
        { id: 'r', name: 'r', expression: condition({ operator: 'starts-with', values: ['/'] }), action: limit },
      ]
      evaluate(inBytes(compile(policy({ firewall }))), askOf(inBytes({ ...REQUEST, target })), {
        ...WORLD,
        isTooMany: (key) => seen.push(key) < 0,
      })
      return seen
    }
    assert.ok(keysOf('/login;a=1').includes('r\n/login') && keysOf('/login;a=2').includes('r\n/login'))
    assert.ok(keysOf('/a/b\\c/../../login').includes('r\n/login'))
  })

  it('challenges by level what pretends to be a browser, and lets crawlers be who they are', () => {
    const level = (securityLevel: 'high' | 'medium' | 'low') => ({ bots: { ...BOT_DEFAULTS, securityLevel } })
    const headers = [{ name: 'user-agent', value: 'Mozilla/5.0 HeadlessChrome' }]
    assert.equal(verdict(level('medium'), { headers }).action, 'challenge')
    assert.equal(verdict(level('high'), { headers: [] }).action, 'challenge')
    assert.equal(verdict(level('low'), { headers: [] }).action, 'pass')
    const crawler = [{ name: 'user-agent', value: 'Mozilla/5.0 (compatible; Googlebot/2.1)' }]
    assert.equal(verdict(level('high'), { headers: crawler }).action, 'challenge')
    assert.equal(verdict(level('high'), { headers: crawler, networks: ['AS15169'] }).action, 'pass')
  })

  it('believes what was looked up before the network, and holds a name that is not its own against its bearer', () => {
    const bots = { ...BOT_DEFAULTS, securityLevel: 'medium' as const, integrityCheck: 'strict' as const }
    const agent = (value: string) => [{ name: 'user-agent', value }]
    const [google, bing] = ['Mozilla/5.0 (compatible; Googlebot/2.1)', 'Mozilla/5.0 (compatible; bingbot/2.0)']
    const cases: [agent: string, networks: string[], lookedUp: LookedUp, expected: string][] = [
      [google, [], 'verified', 'pass googlebot verified-crawler'],
      [google, ['AS15169'], 'unknown', 'pass googlebot verified-crawler'],
      [google, ['AS15169'], 'off', 'pass googlebot verified-crawler'],
      [google, [], 'unknown', 'pass googlebot unverified-crawler'],
      // Machines for rent stand in a search engine's network, too.
      [google, ['AS15169'], 'false', 'block integrity no-accept'],
      [google, [], 'off', 'block integrity no-accept'],
      [bing, [], 'verified', 'pass bingbot verified-crawler'],
      [bing, ['AS8075'], 'unknown', 'pass bingbot unverified-crawler'],
      ['Mozilla/5.0 bingbot sqlmap', [], 'unknown', 'block integrity scanner'],
      ['facebookexternalhit/1.1', ['AS32934'], 'false', 'pass facebookexternalhit verified-crawler'],
    ]
    for (const [name, networks, lookedUp, expected] of cases) {
      const found = verdict({ bots }, { headers: agent(name), networks }, NOTHING, lookedUp)
      assert.equal(`${found.action} ${found.ruleId} ${found.reason}`, expected, `${name} ${networks} ${lookedUp}`)
    }
    const at = (securityLevel: 'under-attack' | 'high' | 'low', lookedUp: LookedUp, verifiedCrawlers = true) => {
      const settings = { ...BOT_DEFAULTS, securityLevel, verifiedCrawlers }
      const { action, reason } = verdict({ bots: settings }, { headers: agent(bing) }, NOTHING, lookedUp)
      return `${action} ${reason}`
    }
    assert.equal(at('high', 'false'), 'challenge false-crawler')
    assert.equal(at('high', 'unknown'), 'pass unverified-crawler')
    assert.equal(at('under-attack', 'unknown'), 'challenge under-attack')
    assert.equal(at('under-attack', 'verified'), 'pass verified-crawler')
    assert.equal(at('high', 'verified', false), 'challenge suspicion')
  })

  it('fills headers in without letting a request write lines of its own', () => {
    const header = (value: string) => ({
      headers: [
        {
          id: 'h',
          name: 'h',
          expression: null,
          direction: 'request' as const,
          operations: [{ operation: 'set' as const, header: 'x', value }],
        },
      ],
    })
    const value = (text: string, request: Partial<PlainRequest> = {}) =>
      verdict(header(text), request).requestHeaders[0]?.value
    assert.equal(value('::COUNTRY:: ::NETWORK:: ::NOPE:: ::'), 'JP AS2500 ::NOPE:: ::')
    assert.equal(value('::PATH::', { target: '/a%0d%0ab?c' }), '/a%0d%0ab')
    assert.equal(value('::HOST::', { host: 'a\r\nb' }), 'ab')
  })

  it('says which rules cannot be reached, and none that can', () => {
    const rule = (id: string, expression: SecurityExpression | null, ends = true) => ({
      id,
      enabled: true,
      expression,
      ends,
    })
    const begins = (value: string) => condition({ operator: 'starts-with', values: [value] })
    const found = shadowedBy([
      rule('a', begins('/a')),
      rule('b', condition({ operator: 'in', values: ['/a', '/ab'] })),
      rule('c', { all: [begins('/ab'), condition({ field: 'method', values: ['GET'] })] }),
      rule('d', { any: [begins('/ab'), condition({ field: 'method', values: ['GET'] })] }),
      rule('e', { ...begins('/ab'), negate: true }),
    ])
    assert.deepEqual(
      [...found],
      [
        ['b', 'a'],
        ['c', 'a'],
      ],
    )
  })

  it('writes texts as their bytes', () => assert.equal(utf8('é東😀'), Buffer.from('é東😀').toString('latin1')))
})
