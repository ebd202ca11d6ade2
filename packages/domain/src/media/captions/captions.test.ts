import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { LIMITS } from '@fairway/contract'
import { isCaptionProblem, readCaptions } from './read.ts'

const read = (text: string) => readCaptions(new TextEncoder().encode(text))
const textOf = (text: string): string => {
  const found = read(text)
  assert.ok(!isCaptionProblem(found), JSON.stringify(found))
  return found.text
}
const cue = (said: string, settings = '') => `WEBVTT\n\n00:00:01.000 --> 00:00:09.000${settings}\n${said}\n`
const said = (text: string) => textOf(cue(text)).split('\n').slice(3, -1).join('\n')
const problem = (text: string | Uint8Array) => {
  const found = typeof text === 'string' ? read(text) : readCaptions(text)
  assert.ok(isCaptionProblem(found), 'it was taken')
  return `${found.fault.replace(/^validation\.caption/, '')} ${found.line}`
}

test('SubRip of any editor becomes WebVTT, in order of time', () => {
  const srt =
    '\uFEFF1\r\n00:01:00,5 --> 00:01:02,000  X1:10 X2:20\r\n{\\an8}<I>Ahoy</I> & <font color="red">port</font>\r\n\r\n2\r\n0:00:01,000-->0:00:02,250\r\nTwo\r\nlines\r\n'
  assert.equal(
    textOf(srt),
    'WEBVTT\n\n00:00:01.000 --> 00:00:02.250\nTwo\nlines\n\n00:01:00.500 --> 00:01:02.000\n<i>Ahoy</i> &amp; port\n',
  )
  assert.deepEqual(read(srt.replaceAll('\r\n', '\r')), read(srt))
})

test('WebVTT keeps what it knows, and loses styles, notes, regions and unknown settings', () => {
  const text = `WEBVTT - a film\nKind: captions\n\nSTYLE\n::cue { background: url(https://x.example/) }\n\nREGION\nid:fred\n\nNOTE\nno cue\n\nintro\n01:02.000 --> 01:03.500 align:start line:10%,end region:fred size:200% position:50% align:end\n<v.loud Ada>Hello <c.yellow.bg_blue>there</c></v>\n`
  assert.equal(
    textOf(text),
    'WEBVTT\n\n00:01:02.000 --> 00:01:03.500 align:start line:10%,end position:50%\n<v.loud Ada>Hello <c.yellow.bg_blue>there</c></v>\n',
  )
})

test('markup is closed, in order, and of scripts, links and pictures the words alone are left', () => {
  for (const [given, wanted] of [
    ['<script>alert(1)</script>', 'alert(1)'],
    ['<img src=x onerror=alert(1)>boat', 'boat'],
    ['<a href="javascript:x">boat</a>', 'boat'],
    ['<b onclick=x>boat', '<b>boat</b>'],
    ['<b><i>boat</b> on</i>', '<b><i>boat</i></b> on'],
    ['</b>boat', 'boat'],
    ['<v>boat', 'boat'],
    ['<v Tom &amp; "Jo">boat', '<v Tom &amp; "Jo">boat</v>'],
    ['<lang x<y>boat', '&lt;lang xboat'],
    ['<lang de-CH>Boot</lang>', '<lang de-CH>Boot</lang>'],
    ['<ruby>船<rt>ふね</rt></ruby>', '<ruby>船<rt>ふね</rt></ruby>'],
    ['<rt>boat</rt>', 'boat'],
    ['a < b & c > d', 'a &lt; b &amp; c &gt; d'],
    ['&lt;script&gt;', '&lt;script&gt;'],
    ['<00:00:02.000>one <00:00:01.500>two <00:00:20.000>three', '<00:00:02.000>one two three'],
    [`${'<b>'.repeat(50)}deep`, `${'<b>'.repeat(8)}deep${'</b>'.repeat(8)}`],
    ['one\n<font>\n</font>\ntwo', 'one\ntwo'],
  ] as const)
    assert.equal(said(given), wanted, given)
})

test('what is wrong with a file is told with its line', () => {
  for (const [text, wanted] of [
    ['', 'None 1'],
    ['WEBVTT\n', 'None 1'],
    ['<html>\n', 'Format 1'],
    ['#EXTM3U\n#EXTINF:4,\nhttp://127.0.0.1/\n', 'Format 1'],
    ['WEBVTTX\n\n00:01.000 --> 00:02.000\na\n', 'Format 1'],
    ['WEBVTT\n\n00:01.000 -> 00:02.000\na\n', 'Time 4'],
    ['WEBVTT\n\n00:01,000 --> 00:02,000\na\n', 'Time 3'],
    ['WEBVTT\n\n00:61.000 --> 00:62.000\na\n', 'Time 3'],
    ['WEBVTT\n\n00:03.000 --> 00:02.000\na\n', 'Order 3'],
    ['WEBVTT\n\n99:00:00.000 --> 99:00:01.000\na\n', 'Late 3'],
    ['1\n00:00:01,000 --> 00:00:02,000\na\n2\n00:00:03,000 --> 00:00:04,000\nb\n', 'Arrow 5'],
    ['1\n00:00:01,000 --> 00:00:02,000\na\n\nb\n', 'Time 5'],
    [cue('x'.repeat(LIMITS.captions.characters + 1)), 'Long 3'],
    [cue('a\u0000b'), 'Control 4'],
    [cue('lost \uFFFD'), 'Encoding 4'],
  ] as const)
    assert.equal(problem(text), wanted, JSON.stringify(text.slice(0, 60)))
  const many = `WEBVTT\n${'\n00:01.000 --> 00:02.000\na\n'.repeat(LIMITS.captions.cues + 1)}`
  assert.equal(problem(many), `Many ${LIMITS.captions.cues * 3 + 3}`)
})

test('other encodings are told at the first line that shows them', () => {
  const windows = Uint8Array.from(
    [...'1\n00:00:01,000 --> 00:00:02,000\ncaf'].map((one) => one.charCodeAt(0)).concat(0xe9, 10),
  )
  assert.equal(problem(windows), 'Encoding 3')
  const wide = (text: string) => new Uint8Array(new Uint16Array([...text].map((one) => one.charCodeAt(0))).buffer)
  assert.equal(problem(wide('\uFEFFWEBVTT\n')), 'Encoding 1')
  assert.equal(problem(wide('WEBVTT\n')), 'Control 1')
})

test('a megabyte that was made to be slow is read as fast as any other', () => {
  const bomb = (line: string) => `WEBVTT\n${`\n00:01.000 --> 00:02.000\n${line}\n`.repeat(500)}`
  for (const line of [
    '<'.repeat(1900),
    `${'<'.repeat(1900)}>`,
    '<b>'.repeat(630),
    `<c${'.x'.repeat(900)} `,
    '&'.repeat(1900),
  ]) {
    const found = read(bomb(line))
    assert.ok(isCaptionProblem(found) || found.text.length < 12 * 2 ** 20)
  }
})

test('whatever is sent is refused or becomes WebVTT that reads as itself, with nothing but its markup', () => {
  const word = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 12 }),
    fc.constantFrom(
      '<b>',
      '</b>',
      '<i',
      '<v A>',
      '<script>',
      '-->',
      '&lt;',
      '&',
      '\n',
      '\r\n',
      'NOTE',
      '{\\an8}',
      '<00:02.000>',
      '<lang de>',
      '<ruby><rt>',
    ),
  )
  const body = fc.array(word, { maxLength: 30 }).map((words) => words.join(''))
  const file = fc.array(
    fc.tuple(fc.constantFrom('00:01.000 --> 00:05.000', '00:00:01,000 --> 00:00:05,000', ''), body),
    { maxLength: 5 },
  )
  fc.assert(
    fc.property(fc.constantFrom('WEBVTT\n\n', ''), file, (head, cues) => {
      const found = read(head + cues.map(([times, text]) => `${times}\n${text}\n\n`).join(''))
      if (isCaptionProblem(found)) return assert.ok(found.line >= 1)
      assert.deepEqual(read(found.text), found)
      const bare = found.text.replaceAll(/<\/?(?:b|i|u|c|v|lang|ruby|rt)(?:\.[\w-]+)*(?: [^<>\n]*)?>|<[\d:.]+>/g, '')
      assert.doesNotMatch(bare.replaceAll('-->', ''), /[<>]/)
    }),
  )
  fc.assert(fc.property(fc.uint8Array({ maxLength: 400 }), (bytes) => void readCaptions(bytes)))
})
