import assert from 'node:assert/strict'
import { test } from 'node:test'
import zlib from 'node:zlib'
import { openContent } from '@fairway/platform'
import fc from 'fast-check'
import { callInLuajit, luajitInstalled } from '../testing/luajit.ts'

const MOST = 131_072
const TEXT = Buffer.from('q=harmless+words&text=of+a+form&'.repeat(40))
const ZEROS = Buffer.alloc(4_000_000)
const PACK: Record<string, (bytes: Buffer) => Buffer> = {
  gzip: (bytes) => zlib.gzipSync(bytes),
  deflate: (bytes) => zlib.deflateSync(bytes),
  br: (bytes) => zlib.brotliCompressSync(bytes, { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 4 } }),
  zstd: (bytes) => zlib.zstdCompressSync(bytes),
}
const skip = luajitInstalled() ? false : 'luajit and lua-cjson are not installed (apt-get install luajit2 lua-cjson)'

type Case = { what: string; said: string[]; body: Buffer }
type Found = { text: string; cut: boolean; problem: string }

async function openedInNginx(cases: readonly Case[]): Promise<Found[]> {
  const answers = await callInLuajit(
    cases.map(({ said, body }) => ({
      module: 'edge.lua.src.security.opened',
      name: 'openedBy',
      args: [said, { hex: body.toString('hex') }, false, MOST],
    })),
  )
  return answers as Found[]
}

/** Length and beginning: what is longer than is looked at is made of one byte. */
const told = ({ text, cut, problem }: Found) => [text.length, text.slice(0, 2000), cut, problem]

test('what a visitor has packed is undone, or the reason is said, alike in nginx and in Node', { skip }, async () => {
  const expected: (Case & { problem: string; length?: number })[] = [
    { what: 'no coding', said: [], body: TEXT, problem: '' },
    { what: 'a name that says nothing', said: ['identity', ' , '], body: TEXT, problem: '' },
    { what: 'an unknown coding', said: ['gzip, aws-chunked'], body: TEXT, problem: 'unknown-coding' },
    { what: 'a coding with a parameter', said: ['gzip;q=1'], body: zlib.gzipSync(TEXT), problem: 'unknown-coding' },
    { what: 'four codings', said: ['gzip,gzip', 'gzip,gzip'], body: TEXT, problem: 'too-many-codings' },
    { what: 'its old name', said: ['X-GZip'], body: zlib.gzipSync(TEXT), problem: '' },
    { what: 'no wrapping', said: ['deflate'], body: zlib.deflateRawSync(TEXT), problem: '' },
    {
      what: 'two, one within the other',
      said: ['gzip, br'],
      body: zlib.brotliCompressSync(zlib.gzipSync(TEXT)),
      problem: '',
    },
    {
      what: 'two, in the wrong order',
      said: ['br', 'gzip'],
      body: zlib.brotliCompressSync(zlib.gzipSync(TEXT)),
      problem: 'broken-coding',
    },
    {
      what: 'a bomb in a bomb',
      said: ['gzip', 'gzip'],
      body: zlib.gzipSync(zlib.gzipSync(ZEROS)),
      problem: 'expands-too-far',
    },
    {
      what: 'a long text that does not grow too far',
      said: ['gzip'],
      body: zlib.gzipSync(Buffer.from(Array.from({ length: 60_000 }, (_, i) => `${i * 7919},`).join(''))),
      problem: '',
      length: MOST,
    },
  ]
  for (const [coding, pack] of Object.entries(PACK)) {
    const packed = pack(TEXT)
    const joins = coding === 'gzip' || coding === 'zstd'
    expected.push(
      { what: `${coding}, whole`, said: [coding], body: packed, problem: '' },
      { what: `${coding}, without an end`, said: [coding], body: packed.subarray(0, -5), problem: 'broken-coding' },
      { what: `${coding}, of nothing`, said: [coding], body: Buffer.alloc(0), problem: 'broken-coding' },
      { what: `${coding}, of a plain text`, said: [coding], body: TEXT, problem: 'broken-coding' },
      {
        what: `${coding}, one behind the other`,
        said: [coding],
        body: Buffer.concat([packed, packed]),
        problem: joins ? '' : 'broken-coding',
        ...(joins ? { length: 2 * TEXT.length } : {}),
      },
      {
        what: `${coding}, with words behind it`,
        said: [coding],
        body: Buffer.concat([packed, Buffer.from('&q=<script>')]),
        problem: 'broken-coding',
      },
      { what: `${coding}, a bomb`, said: [coding], body: pack(ZEROS), problem: 'expands-too-far' },
    )
  }
  const inNginx = await openedInNginx(expected)
  for (const [i, { what, said, body, problem, length }] of expected.entries()) {
    const inNode = await openContent(said, body, MOST)
    assert.equal(inNode.problem, problem, `Node: ${what}`)
    assert.deepEqual(told(inNginx[i] as Found), told(inNode), what)
    assert.equal(inNode.text.length, length ?? (problem === '' ? TEXT.length : 0), what)
  }
})

test(
  'no damage that is done to a packed body makes the two differ, or costs anybody more than a moment',
  { skip },
  async () => {
    const damaged = fc.record({
      coding: fc.constantFrom('gzip', 'deflate', 'br', 'zstd'),
      text: fc.stringMatching(/^[a-z=&<>%0-9]{0,300}$/),
      places: fc.array(fc.record({ at: fc.nat(400), to: fc.nat(255) }), { maxLength: 3 }),
      kept: fc.integer({ min: 0, max: 500 }),
    })
    const cases = fc.sample(damaged, { numRuns: 400, seed: 20 }).map(({ coding, text, places, kept }): Case => {
      const body = Buffer.from(PACK[coding]?.(Buffer.from(text)) ?? '').subarray(0, kept)
      for (const { at, to } of places) if (at < body.length) body[at] = to
      return { what: `${coding} ${body.toString('hex')}`, said: [coding], body }
    })
    const began = performance.now()
    const inNginx = await openedInNginx(cases)
    assert.ok(performance.now() - began < 20_000)
    for (const [i, { what, said, body }] of cases.entries()) {
      const inNode = await openContent(said, body, MOST)
      assert.equal(inNginx[i]?.problem, inNode.problem, what)
      // Bytes beyond ASCII do not cross whole.
      if (/^[ -~]*$/.test(inNode.text)) assert.equal(inNginx[i]?.text, inNode.text, what)
    }
  },
)
