import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { denseJson } from './dense-json.ts'

const rows = (count: number, more: unknown = {}) =>
  JSON.stringify([...Array.from({ length: count }, (_, id) => ({ id, name: `Person ${id}`, price: id * 1.5 })), more])
const textsIn = (json: string): string[] => JSON.parse(json) as string[]

describe('JSON with many values', () => {
  it('is left as it came when it has no more of them than are inspected', () => {
    assert.equal(denseJson(rows(3), 1000), undefined)
    assert.equal(denseJson(JSON.stringify({ text: 'a, b'.repeat(2000) }), 1000), undefined)
  })

  it('comes down to few, with each text that is not plain by itself', () => {
    const attacks = ["' or 1=1 --", '<script>', '../../etc/passwd', 'a//b', '\u0027 or', 'x; ls', '/**/', '\uff1cimg']
    const found = textsIn(denseJson(rows(2000, { 'k"': attacks }), 1000) ?? '[]')
    assert.ok(found.length < 60, `${found.length}`)
    for (const one of [...attacks.slice(0, 7), 'k"']) assert.ok(found.includes(one), one)
  })

  it('keeps what is escaped apart, but for letters beyond Latin', () => {
    const body = `[${'1,'.repeat(1200)}"\\u0027 or","\\u4e2d\\u6587","\\uff1cimg","plain"]`
    assert.equal(denseJson(body, 1000), '["\\u0027 or","\\uff1cimg","\\u4e2d\\u6587 plain"]')
  })

  it('cut off anywhere it is JSON again', () => {
    const body = `[${'1,'.repeat(1200)}"a\\u0041\\"b","${'x'.repeat(40)}\\\\"]`
    for (let end = 2401; end <= body.length; end++) JSON.parse(denseJson(body.slice(0, end), 1000) ?? 'no')
  })

  it('is judged as it came when it is none, or too deep', () => {
    for (const odd of ["'", '<', 'x', '\0', '/'])
      assert.equal(denseJson(`[${'1,'.repeat(1200)}${odd}]`, 1000), undefined, odd)
    assert.equal(denseJson(`[${'1,'.repeat(1200)}${'['.repeat(200)}`, 1000), undefined)
  })

  it('loses no text, whatever is in it', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary', maxLength: 12 }), { maxLength: 8 }), (texts) => {
        const body = Buffer.from(JSON.stringify([...texts, ...Array.from({ length: 20 }, () => 1)])).toString('latin1')
        const dense = denseJson(body, 10)
        const all = textsIn(Buffer.from(dense ?? '[]', 'latin1').toString())
        for (const one of texts)
          assert.ok(
            all.some((text) => text.includes(one.toWellFormed())),
            JSON.stringify(one),
          )
      }),
    )
  })
})
