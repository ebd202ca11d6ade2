import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { utf8 } from '../utf8.ts'
import { hidesAscii, inUtf8 } from './charsets.ts'
import { readFindings } from './findings.ts'
import { fromBase64, readingsOf } from './layers.ts'
import { readAs } from './read-as.ts'
import { type BodyKind, type NamedValue, revealed, revealedPlace, withQuery } from './revealed.ts'
import { shown } from './shown.ts'

const SQL = "1' union select password from users -- "
const base64 = (text: string) => Buffer.from(text).toString('base64')
const shownOf = (
  target: string,
  more: { headers?: NamedValue[]; body?: string; kind?: BodyKind; type?: string } = {},
) => revealed(target, more.headers ?? [], more.body ?? '', more.kind ?? '', more.type ?? '')
const pairs = (query: string) => [...new URLSearchParams(query)].map(([name, value]) => `${name}: ${value}`)

describe('other readings of a value', () => {
  it('are what is left when everything is undone that the rules do not undo by themselves', () => {
    const cases: [value: string, ...readings: string[]][] = [
      ['blue shirt'],
      ['it%27s'],
      ['it%2527s', "it's"],
      ['%25252527', "'"],
      ['\\u0027 or 1', "' or 1"],
      ['\\x27\\u{27}\\047', "'''"],
      ['%u0027', "'"],
      ['\xc0\xa7', "'"],
      ['\xe0\x80\xa7', "'"],
      [utf8('＜ａ＞'), '<a>'],
      [utf8('東京')],
      [base64(SQL), SQL],
      [base64(base64(SQL)), base64(SQL), SQL],
      ['documentation'],
      ['\\u00e9', '\xc3\xa9'],
      ['C:\\new\\users'],
      ['%zz\\u12\\x4'],
    ]
    for (const [value, ...readings] of cases) assert.deepEqual(readingsOf(value), readings, value)
  })
  it('take for base64 only what holds text, and no document', () => {
    assert.equal(fromBase64(base64('hello world, all')), 'hello world, all')
    assert.equal(fromBase64(base64('x')), undefined, 'too short')
    assert.equal(fromBase64(Buffer.from('\xff\xd8\xff\xe0 a picture', 'latin1').toString('base64')), undefined)
    assert.equal(fromBase64(base64('<svg xmlns="http://www.w3.org/2000/svg"/>')), undefined)
    assert.equal(fromBase64(base64('a'.repeat(4000))), undefined, 'a file')
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme-ascii', minLength: 9, maxLength: 90 }), (text) => {
        for (const form of ['base64', 'base64url'] as const)
          assert.equal(fromBase64(Buffer.from(text).toString(form)), text.includes('\x7f') ? undefined : text)
      }),
    )
  })
  it('end, whatever the bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
        const text = String.fromCharCode(...bytes)
        for (const one of readingsOf(text)) assert.ok(one.length <= text.length * 3)
      }),
    )
  })
})

describe('what the rules are shown beside a request', () => {
  it('is nothing of an ordinary one', () => {
    for (const target of ['/', '/shop?q=blue+shirt&page=2', '/a/b.html#top', '/?q=it%27s', '/tags/caf%C3%A9?a=1&a=2'])
      assert.equal(shownOf(target).query, '', target)
    const headers = [
      { name: 'User-Agent', value: 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0' },
      { name: 'Accept', value: 'text/html;q=0.9,*/*;q=0.8' },
      { name: 'Cookie', value: 'a=b; session=abc' },
      { name: 'If-None-Match', value: 'W/"abc"' },
      { name: 'X-Forwarded-For', value: '203.0.113.9, 10.0.0.1' },
      { name: 'Sec-CH-UA', value: '"Chromium";v="118", "Not=A?Brand";v="99"' },
      { name: 'Authorization', value: 'Bearer abc.def-ghi' },
    ]
    assert.equal(shownOf('/', { headers, body: '{"a":"b c","n":[1,"d"]}', kind: 'json' }).query, '')
  })
  it('has its place in a name that tells it from parameters, and findings are told of that place', () => {
    const headers = [
      { name: 'X-Forwarded-For', value: SQL },
      { name: 'cookie', value: `id=${base64(SQL)}` },
      { name: 'Authorization', value: `Basic ${base64(`${SQL}:secret`)}` },
    ]
    const { query } = shownOf(`/item/1'%20or%201/x?q=%25255c%252527`, { headers })
    assert.deepEqual(pairs(query), [
      "fairway.path: 1' or 1",
      "q: \\'",
      `fairway.header.x-forwarded-for: ${SQL}`,
      `fairway.cookie.id: ${SQL}`,
      `fairway.header.authorization: ${SQL}`,
    ])
    assert.ok(!query.includes('secret'))
    const places = ['ARGS:fairway.path', 'ARGS:fairway.cookie.id', 'ARGS:fairway.header.x-a', 'ARGS:q', 'ARGS']
    assert.deepEqual(places.map(revealedPlace), [
      'REQUEST_FILENAME',
      'REQUEST_COOKIES:id',
      'REQUEST_HEADERS:x-a',
      'ARGS:q',
      'ARGS',
    ])
    const hex = Buffer.from('942100 5 ARGS:fairway.cookie.id x').toString('hex')
    assert.equal(readFindings(`1,,.${hex},`)?.[0]?.variable, 'REQUEST_COOKIES:id')
  })
  it('joins what comes under one name, reads texts of JSON and the parts of a form, and tells what is said twice', () => {
    const named = (target: string, more: Parameters<typeof shownOf>[1] = {}) => pairs(shownOf(target, more).query)
    assert.deepEqual(named(`/?q=1'/*&q=*/or 1`), ["q: 1'/*,*/or 1"])
    assert.deepEqual(named('/', { body: `{"a":{"q":"\\\\u0027 or"}}`, kind: 'json' }), ["q: ' or"])
    const type = 'multipart/form-data; boundary=b'
    const part = (head: string, value: string) => `--b\r\n${head}\r\n\r\n${value}\r\n`
    const file = 'Content-Disposition: form-data; name="f"; filename="<b>.png"'
    const value = 'Content-Disposition: form-data; name="q"'
    assert.deepEqual(named('/', { body: `${part(file, 'x')}${part(value, base64(SQL))}--b--`, kind: 'parts', type }), [
      'f: <b>.png',
      `q: ${SQL}`,
    ])
    assert.equal(shownOf('/', { body: `${part(`${file}\r\n${value}`, SQL)}--b--`, kind: 'parts', type }).twofold, true)
  })
  it('is bounded, and says when there was more', () => {
    const many = Array.from({ length: 600 }, (_, i) => `a${i}=%252527${i}`).join('&')
    const { query, tooMany } = shownOf(`/?${many}`)
    assert.ok(tooMany && query.length < 45_000)
  })
  it('has room for articles and code, and refuses none of them', () => {
    const article = utf8('東京（２０２６年）は、晴れ！'.repeat(300))
    const body = JSON.stringify(Array.from({ length: 10 }, (_, i) => `${i}${article}`))
    const code = JSON.stringify(
      Array.from({ length: 20 }, (_, i) => `${i} const a = "\\x41 and more of it"\n`.repeat(200)),
    )
    for (const text of [body, code]) {
      const { query, tooMany } = shownOf('/', { body: text, kind: 'json' })
      assert.deepEqual([tooMany, query.length < 40_000], [false, true])
    }
  })
  it('stands before a fragment', () => {
    assert.deepEqual(
      [withQuery('/a', ''), withQuery('/a#x', 'b=1'), withQuery('/a?c=1', 'b=1')],
      ['/a', '/a?b=1', '/a?c=1&b=1'],
    )
  })
})

describe('charsets', () => {
  const FORM = 'application/x-www-form-urlencoded'
  it('in which ASCII hides are told, however they are named', () => {
    const hidden: [type: string, header: string[], target: string, body: string][] = [
      [`${FORM}; charset=ibm037`, [], '/', ''],
      [`${FORM}; CHARSET = "UTF-7"`, [], '/', ''],
      [`${FORM}; charset=utf-8; charset=ibm500`, [], '/', ''],
      [`${FORM}; ${'charset=utf-8;'.repeat(500)}charset=ibm037`, [], '/', ''],
      [`${FORM}; charset=utf-16`, [], '/', 'q=1'],
      ['text/xml; charset=iso-2022-jp', [], '/', ''],
      ['', ['ibm037'], '/', ''],
      [FORM, [], '/?_charset_=utf-7', ''],
      [FORM, [], '/', 'q=1&_charset_=cp037'],
      [
        'multipart/form-data; boundary=b',
        [],
        '/',
        '--b\r\nContent-Disposition: form-data; name="_charset_"\r\n\r\nibm037\r\n--b--',
      ],
    ]
    for (const one of hidden) assert.equal(hidesAscii(...one), true, JSON.stringify(one))
    for (const type of [
      '',
      FORM,
      `${FORM}; charset=UTF-8`,
      'text/html;charset="gbk"',
      'application/json; charset=utf-16le',
      'a/b; charset=windows-1251',
    ])
      assert.equal(hidesAscii(type, ['utf-8'], '/?_charset_=UTF-8', '_charset_=Shift_JIS'), false, type)
  })
  it('of two and four bytes are read by their mark, their beginning or their name; others are left alone', () => {
    const text = '{"q":"é東"}'
    const wide = Buffer.from(text, 'utf16le')
    const latin = (bytes: Buffer) => bytes.toString('latin1')
    for (const [type, body] of [
      ['', latin(wide)],
      ['', latin(Buffer.from(wide).swap16())],
      ['', `\xff\xfe${latin(wide)}`],
      ['', `\xfe\xff${latin(Buffer.from(wide).swap16())}`],
      ['a/b; charset=utf-16', latin(wide)],
      [
        'a/b; charset=UTF-32LE',
        latin(Buffer.from([...text].flatMap((one) => [one.charCodeAt(0) % 256, one.charCodeAt(0) >> 8, 0, 0]))),
      ],
    ] as const)
      assert.equal(inUtf8(type, body), utf8(text), `${type} ${body.slice(0, 4)}`)
    for (const body of ['', '{', '\0\x01={}', utf8(text), '\xff']) assert.equal(inUtf8('', body), body)
  })
})

describe('bodies whose type says little', () => {
  const isJson = (text: string) => {
    try {
      JSON.parse(text)
      return true
    } catch {
      return false
    }
  }
  it('are read as lenient readers do', () => {
    const as = (type: string, body: string) => readAs(type, body, false, isJson)?.as
    assert.deepEqual(
      [
        as('text/plain', '/* x */ {"a":1}'),
        as('text/plain', ')]}\',\n{"a":1}'),
        as('text/plain', "{'a':1,}"),
        as('text/plain', '{ no JSON: one of them }'),
        as('text/plain', 'a=1\r\nb=c d\r\n'),
        as('text/plain', 'One is a=1, two is more'),
        as('multipart/mixed; boundary=b', '--b\r\nContent-Disposition: form-data; name=q'),
        as('multipart/related; boundary=b', '--b\r\nContent-Type: application/json'),
      ],
      ['JSON', 'JSON', 'URLENCODED', undefined, 'URLENCODED', undefined, 'MULTIPART', undefined],
    )
  })
  it('go on as a whole request that the rules are shown', () => {
    const sent = { target: '/a', headers: [], charset: [], cut: false }
    const parts = `--b\r\nContent-Disposition: form-data; name="q"\r\n\r\n${base64(SQL)}\r\n--b--`
    const { target, contentType, as } = shown({ ...sent, contentType: 'multipart/x; boundary=b', body: parts }, isJson)
    assert.deepEqual(
      [as, contentType, pairs(target.slice(3))],
      ['MULTIPART', 'multipart/form-data; boundary=b', [`q: ${SQL}`]],
    )
    assert.deepEqual(shown({ ...sent, contentType: 'a/b; charset=utf-7', body: '' }, isJson).found, ['200014'])
  })
})
