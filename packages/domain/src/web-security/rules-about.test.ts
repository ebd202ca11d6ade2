import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SecurityCondition, SecurityPolicy } from '@fairway/contract'
import fc from 'fast-check'
import type { PlainRequest } from './ask.ts'
import { compile } from './compile.ts'
import { evaluateData } from './evaluate-data.ts'
import { NO_SCHEMA } from './api-schema/schema-in-force.ts'
import { CRS_DEFAULTS } from './rule-sets/defaults.ts'
import { BOT_DEFAULTS } from './try-request.ts'

const WORLD = { now: 1, cleared: 0, exceeded: ['r1'], inspection: { findings: [], failed: '', cut: false }, leaked: [] }
const one = <T>(...of: T[]) => fc.constantFrom(...of)

const field = one<SecurityCondition['field']>(
  'path',
  'extension',
  'query',
  'method',
  'country',
  'network',
  'user-agent',
  'referer',
  'address',
  'header',
)
const condition: fc.Arbitrary<SecurityCondition> = fc
  .record({
    field,
    name: fc.constant('x-a'),
    operator: one<SecurityCondition['operator']>('equals', 'contains', 'exists'),
    negate: fc.boolean(),
    ignoreCase: fc.boolean(),
    values: one('/a', 'php', 'a', 'POST', 'JP', 'AS1').map((value) => [value]),
  })
  .map((said) => (said.field === 'address' ? { ...said, operator: 'equals', values: ['203.0.113.0/24'] } : said))
const action = one<SecurityPolicy['firewall'][number]['action']>(
  { type: 'block' },
  { type: 'pass' },
  { type: 'simulate' },
  { type: 'redirect', location: 'https://a.test/' },
  { type: 'challenge', mode: 'human' },
  { type: 'rate-limit', limit: { requests: 1, seconds: 10, blockSeconds: 10, keys: [{ by: 'address' }] } },
)
const policy = fc
  .tuple(fc.array(fc.tuple(condition, action), { maxLength: 5 }), one('off', 'high', 'under-attack'))
  .map(([rules, securityLevel]) =>
    compile({
      access: [],
      bots: { ...BOT_DEFAULTS, securityLevel: securityLevel as 'off' },
      firewall: rules.map(([expression, does], index) => ({
        id: `r${index}`,
        name: '',
        expression,
        action: does,
      })),
      crs: { ...CRS_DEFAULTS, enabled: false, rules: [], exclusions: [] },
      api: [],
      schema: NO_SCHEMA,
      failedLogins: [],
      credentialStuffing: [],
      headers: [],
      origins: [],
    } as SecurityPolicy),
  )
const header = fc.record({
  name: one('user-agent', 'referer', 'x-a', 'x-http-method-override'),
  value: one('a', '/a', '', 'sqlmap', 'delete'),
})
const request: fc.Arbitrary<PlainRequest> = fc
  .record({
    target: one('/a', '/A', '/a.php', '/a?a', '/b;x/a', '/?/a', '/%2fa', '/a\\b', '/1:/a', '/'),
    method: one('GET', 'POST'),
    country: one('JP', ''),
    networks: one(['AS1'], ['AS1', 'AS2'], []),
    address: one('203.0.113.9', '::1'),
    headers: fc.array(header, { maxLength: 3 }),
  })
  .map((said) => ({
    continent: '',
    region: '',
    city: '',
    host: 'a.test',
    scheme: 'https',
    protocol: 'HTTP/2.0',
    tlsVersion: '1.3',
    bodySize: 0,
    ...said,
  }))

test('what rules were found to be about before changes no verdict', () => {
  fc.assert(
    fc.property(policy, fc.array(request, { minLength: 2, maxLength: 12 }), (compiled, requests) => {
      for (const asked of requests) {
        const world = { ...WORLD, lookedUp: 'off' as const }
        // A copy has nothing that was found before.
        assert.deepEqual(evaluateData(compiled, asked, world), evaluateData(structuredClone(compiled), asked, world))
      }
    }),
    { numRuns: 2000 },
  )
})
