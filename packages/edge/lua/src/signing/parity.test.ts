import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readClaims } from '@fairway/domain/signed-urls'
import fc from 'fast-check'
import { callInLuajit, luajitInstalled } from '../testing/luajit.ts'

const odd = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  fc.constantFrom('', 'TW', '/a/', '/a', '/../', 'a.test', 'A.test', '192.0.2.0/24', '::/0', '*.a.test', 1, 1.5, -1, 0),
  fc.constantFrom<unknown>(['TW'], ['tw'], [], {}, ['192.0.2.0/24', '2001:db8::/32'], ['*.a.test'], ['x y'], [null]),
  fc.constantFrom(4_102_444_799, 4_102_444_800),
)
const NAMES = ['path', 'exp', 'nbf', 'countries', 'addresses', 'referrers', 'iat']
const whole = { host: 'a.test', path: '/a/', exp: 2_000 }
const claims = fc.oneof(
  odd,
  fc.tuple(fc.constantFrom(...NAMES), odd).map(([name, value]) => ({ ...whole, [name]: value })),
  fc
    .record(Object.fromEntries(NAMES.map((name) => [name, odd])), { requiredKeys: [] })
    .map((some) => ({ ...whole, ...some })),
)

test(
  'claims are read alike by nginx and by Node',
  { skip: luajitInstalled() ? false : 'luajit and lua-cjson are not installed (apt-get install luajit2 lua-cjson)' },
  async () => {
    // As both get them: from JSON.
    const all = fc.sample(claims, 2_000).map((one): unknown => JSON.parse(JSON.stringify(one ?? null)))
    const answers = await callInLuajit(
      all.map((one) => ({ module: 'domain.src.signed-urls.claims', name: 'readClaims', args: [one] })),
    )
    const problems = answers.map((answer) => (answer as { problem: string }).problem)
    for (const [i, one] of all.entries()) assert.equal(problems[i], readClaims(one).problem, JSON.stringify(one))
    assert.ok(problems.includes('') && problems.includes('nbf'))
  },
)
