import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hidesAscii, revealed } from '@fairway/domain'
import fc from 'fast-check'
import { callInLuajit, luajitInstalled } from '../testing/luajit.ts'

const RULE_SETS = 'domain.src.web-security.rule-sets'
const KINDS = ['', 'form', 'json', 'parts'] as const
const TYPE = 'multipart/form-data; boundary=b'
const bytes = (text: string) => ({ hex: Buffer.from(text, 'latin1').toString('hex') })
const PIECES = [
  ...`' " < & = ; / ? \\ % %27 %2527 \\u0027 \\u{27} \\x3c \\047 %u0027 a */ /* --b _charset_=utf-7 {"a":" "}`.split(
    ' ',
  ),
  ...'\xc0\xa7 \xef\xbc\x9c \xe6\x9d\xb1 MScgdW5pb24gc2VsZWN0IHBhc3N3b3Jk'.split(' '),
  ' ',
  '\r\n',
  '\r\n\r\n',
  'Content-Disposition: form-data; name="q"',
  '; filename="<b>"',
]
const piece = fc.constantFrom(...PIECES)
const text = fc.array(piece, { maxLength: 12 }).map((parts) => parts.join(''))

test(
  'what the rules are shown beside a request is the same in LuaJIT, which nginx runs, and in Node',
  { skip: luajitInstalled() ? false : 'luajit and lua-cjson are not installed (apt-get install luajit2 lua-cjson)' },
  async () => {
    const cases = fc.sample(fc.tuple(text, text, text, fc.constantFrom(...KINDS)), 2_000)
    const calls = cases.flatMap(([target, value, body, kind]) => {
      // Headers cross as text.
      const headers = ['cookie', 'X-Any', 'Accept', 'Authorization'].map((name) => ({
        name,
        value: value.replaceAll(/[^ -~]/g, '?'),
      }))
      return [
        {
          call: {
            module: `${RULE_SETS}.revealed`,
            name: 'revealed',
            args: [bytes(target), headers, bytes(body), kind, TYPE],
          },
          here: revealed(target, headers, body, kind, TYPE) as unknown,
        },
        {
          call: { module: `${RULE_SETS}.charsets`, name: 'hidesAscii', args: [TYPE, [], bytes(target), bytes(body)] },
          here: hidesAscii(TYPE, [], target, body) as unknown,
        },
      ]
    })
    const there = await callInLuajit(calls.map(({ call }) => call))
    for (const [i, { call, here }] of calls.entries()) assert.deepEqual(there[i], here, JSON.stringify(call.args))
  },
)
