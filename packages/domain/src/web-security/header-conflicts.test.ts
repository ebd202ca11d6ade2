import assert from 'node:assert/strict'
import { test } from 'node:test'
import { headerConflicts } from './header-conflicts.ts'

type Rule = Parameters<typeof headerConflicts>[0]
const rule = (
  direction: Rule['direction'],
  ...operations: [Rule['operations'][number]['operation'], string, string?][]
): Rule => ({
  name: 'this',
  enabled: true,
  direction,
  operations: operations.map(([operation, header, value = '']) => ({ operation, header, value })),
})
const other = (made: Rule, more: object = {}): Rule => ({ ...made, name: 'other', ...more })
const said = (made: Rule, others: Rule[] = []) =>
  headerConflicts(made, others).map(({ code, header }) => `${code} ${header}`)

const CASES: [string, Rule, Rule[], string[]][] = [
  ['an ordinary header is fine', rule('response', ['set', 'x-a', '1']), [], []],
  ['a row that is not filled in yet says nothing', rule('response', ['set', '']), [rule('response', ['set', ''])], []],
  [
    'the same header in another rule',
    rule('response', ['set', 'x-a']),
    [other(rule('response', ['remove', 'x-a']))],
    ['twice x-a'],
  ],
  ['both only add', rule('response', ['add', 'x-a']), [other(rule('response', ['add', 'x-a']))], []],
  ['the other way', rule('response', ['set', 'x-a']), [other(rule('request', ['set', 'x-a']))], []],
  [
    'the other is off',
    rule('response', ['set', 'x-a']),
    [other(rule('response', ['set', 'x-a']), { enabled: false })],
    [],
  ],
  ['one origin by name', rule('response', ['set', 'access-control-allow-origin', 'https://a.test']), [], []],
  [
    'a second allowed origin',
    rule('response', ['add', 'access-control-allow-origin', 'https://a.test']),
    [],
    ['cors access-control-allow-origin'],
  ],
  [
    'two allowed origins in one value',
    rule('response', ['set', 'access-control-allow-origin', 'https://a.test, https://b.test']),
    [],
    ['cors access-control-allow-origin'],
  ],
  [
    'any origin, with credentials by another rule',
    rule('response', ['set', 'access-control-allow-origin', '*']),
    [other(rule('response', ['set', 'access-control-allow-credentials', 'true']))],
    ['cors access-control-allow-origin'],
  ],
  [
    "the page's own policy",
    rule('response', ['set', 'content-security-policy', "default-src 'self'"]),
    [],
    ['csp content-security-policy'],
  ],
  ['cookies that are replaced', rule('response', ['set', 'set-cookie', 'a=1']), [], ['cookies set-cookie']],
  ['a cookie beside the others', rule('response', ['add', 'set-cookie', 'a=1']), [], []],
  ['the cookies of a request', rule('request', ['remove', 'cookie']), [], ['challenge cookie']],
  ['what caches live by', rule('response', ['set', 'cache-control', 'no-store']), [], ['caching cache-control']],
]
for (const [name, made, others, expected] of CASES)
  test(`header rules say before they are saved what they break: ${name}`, () => {
    assert.deepEqual(said(made, others), expected)
  })
