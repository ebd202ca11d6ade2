import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { partFields } from './part-fields.ts'
import { bytesOf, formOf } from './testing/form-of.ts'

const TYPE = 'multipart/form-data; boundary=x'
const NAMED = 'form-data; name="a"'
const FILE = 'form-data; name="f"; filename="a.txt"'
const read = (text: string, type = TYPE) => {
  const { fields, problem } = partFields(type, text)
  return problem === '' ? fields.map((one) => `${one.name}:${one.type}:${one.length}`).join(' ') : problem
}

test('values are fields by their form, and files by their size', () => {
  const cases: [string, string][] = [
    [formOf(NAMED, '5'), 'a:integer:1'],
    [formOf(NAMED, ''), 'a:null:0'],
    [formOf(NAMED, 'two\r\nlines'), 'a:text:10'],
    [formOf(NAMED, 'x', NAMED, 'longer'), 'a:text:6'],
    [formOf(FILE, 'hello', NAMED, '2026-11-25'), 'f:file:5 a:date:10'],
    [formOf('form-data; name="f"; filename=""', ''), 'f:null:0'],
    [formOf('form-data; name="f"; filename=""', 'x'), 'f:file:1'],
    [formOf('form-data; name=a; filename=b.txt', 'x'), 'a:file:1'],
    [formOf('form-data; name="a b@c"', 'x'), '{key}:text:1'],
    [formOf(`${FILE}\r\nContent-Type: text/html`, 'x'), 'f:file:1'],
    [formOf(`${NAMED}\r\nContent-Transfer-Encoding: 8BIT`, 'x'), 'a:text:1'],
    ['--x--', ''],
    ['--x--\r\n', ''],
  ]
  for (const [text, found] of cases) assert.equal(read(text), found, text)
  assert.equal(read(formOf(NAMED, '5'), 'Multipart/Form-Data; charset=utf-8; Boundary="x"'), 'a:integer:1')
})

test('what two readers could understand differently is none', () => {
  const invalid = [
    '',
    'a=5',
    '--x',
    `--x\r\nContent-Disposition: ${NAMED}\r\n\r\n5`,
    `preamble\r\n${formOf(NAMED, '5')}`,
    `${formOf(NAMED, '5')}epilogue`,
    formOf(NAMED, '5').replaceAll('\r\n', '\n'),
    formOf(NAMED, '5\n--x\nContent-Disposition: form-data; name="b"\n\n6'),
    formOf(NAMED, '5\r\n--xyz\r\n6'),
    formOf(NAMED, '5 --x'),
    formOf('form-data', '5'),
    formOf('attachment; name="a"', '5'),
    formOf('form-data; name="a"; name="b"', '5'),
    formOf('form-data; name="a"; NAME="b"', '5'),
    formOf('form-data; name="a"; filename="b"; filename="c"', '5'),
    formOf('form-data; name="a"; filename="b"; filename*=utf-8\'\'c.php', '5'),
    formOf('form-data; name="a"; filename="../b"', '5'),
    formOf('form-data; name="a"; filename=".."', '5'),
    formOf('form-data; name="a"; filename="b\\c"', '5'),
    formOf('form-data; name="a\\"; filename=\\"b"', '5'),
    formOf('form-data; name="a" x; filename="b"', '5'),
    formOf(`form-data; name="a"; filename="${'b'.repeat(256)}"`, '5'),
    formOf('form-data; name="a"; filename="b\0.php"', '5'),
    formOf(`${NAMED}\r\nContent-Disposition: form-data; name="b"`, '5'),
    formOf(`${NAMED}\r\n folded: 1`, '5'),
    formOf(`form-data;\r\n name="a"`, '5'),
    formOf(`${NAMED}\r\nContent-Type : text/plain`, '5'),
    formOf(`${NAMED}\r\nContent-Transfer-Encoding: base64`, '5'),
    formOf(`${NAMED}${'\r\nX: y'.repeat(8)}`, '5'),
    formOf(`${NAMED}\r\nX: ${'y'.repeat(5_000)}`, '5'),
    '--x\r\n\r\n5\r\n--x--',
    `--x\r\nContent-Disposition: ${NAMED}\r\n\r\n--x--`,
    `--x  \r\nContent-Disposition: ${NAMED}\r\n\r\n5\r\n--x--`,
  ]
  for (const text of invalid) assert.equal(read(text), 'invalid', JSON.stringify(text))
  const types = [
    'multipart/form-data',
    'multipart/form-data; boundary=',
    'multipart/form-data; boundary=x; boundary=y',
    'multipart/form-data; boundary="x',
    'multipart/form-data; boundary="x\\y"',
    `multipart/form-data; boundary=${'x'.repeat(71)}`,
    'multipart/form-data; boundary=x y',
  ]
  for (const type of types) assert.equal(read(formOf(NAMED, '5'), type), 'invalid', type)
})

test('nobody waits for a form of many parts', () => {
  const many = formOf(...Array.from({ length: 201 }, () => [NAMED, '5']).flat())
  assert.equal(read(many), 'too-complex')
  const began = performance.now()
  read(formOf(FILE, '\r\n--'.repeat(250_000)))
  read('--x\r\n'.repeat(200_000))
  assert.ok(performance.now() - began < 2_000)
})

test('whatever a browser writes is read as it is meant, and whatever else comes ends in a word', async () => {
  const value = fc.string({ unit: 'grapheme', maxLength: 30 })
  const name = fc.stringMatching(/^[a-z_][a-z_.[\]-]{0,20}$/)
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(name, value, fc.boolean()), { maxLength: 8 }), async (all) => {
      const form = new FormData()
      for (const [key, text, isFile] of all) form.append(key, isFile ? new File([text], 'ä "b".txt') : text)
      const written = new Response(form)
      const text = bytesOf(await written.bytes())
      const { fields, problem } = partFields(written.headers.get('content-type') ?? '', text)
      assert.equal(problem, '')
      const files = new Set(all.filter(([, , isFile]) => isFile).map(([key]) => key))
      assert.deepEqual(new Set(fields.filter(({ type }) => type === 'file').map((one) => one.name)), files)
      assert.deepEqual(new Set(fields.map((one) => one.name)), new Set(all.map(([key]) => key)))
    }),
    { numRuns: 60 },
  )
  const piece = fc.constantFrom(
    '--x',
    '\r\n',
    '--',
    'Content-Disposition: ',
    NAMED,
    FILE,
    ';',
    '"',
    ': ',
    'a',
    '\n',
    '\0',
    '\xff',
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
      const { problem } = partFields(TYPE, pieces.join(''))
      assert.ok(['', 'invalid', 'too-complex'].includes(problem))
    }),
    { numRuns: 2_000 },
  )
})
