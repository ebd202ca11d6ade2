import assert from 'node:assert/strict'
import fs from 'node:fs'
import net from 'node:net'
import { setImmediate as turn } from 'node:timers/promises'
import { after, before, test } from 'node:test'
import zlib from 'node:zlib'
import { type EdgeSecurity, SecurityPolicy } from '@fairway/contract'
import { BOT_DEFAULTS, CRS_DEFAULTS } from '@fairway/domain'
import {
  certificateOf,
  EDGE,
  type EdgeUnderTest,
  eventually,
  type Origin,
  siteOf,
  startEdgeUnderTest,
  startOrigin,
} from '../testing/edge-under-test.ts'
import { connectHttp2, FLAG, FRAME, field, frame, getFields } from '../testing/raw-http2.ts'
import { ATTACKS, FORMS, LOOK_ALIKES, SINGLE_FORMS } from './attack-forms.ts'
import { readLogLine } from '../requests/log-line.ts'
import { sendRaw } from '../testing/raw-peers.ts'

// Ways around the rules that lie in the form of a request, not in its words, at the settings a domain begins with. What
// is no proper HTTP at all is in `broken-clients.test.ts`.

const HOST = 'www.example.test'
const SQL = "1' union select password from users -- "
const XSS = '<script>alert(document.cookie)</script>'
/** In whatever form it comes: seen at the origin, it has got through. */
const FORBIDDEN = /union|script|passwd|\uFF55|%u00/i
let edge: EdgeUnderTest
let origin: Origin
let workers: string
const bodies: string[] = []
/** nginx's helpers come and go: the one that reads what is cached ends after a minute. */
const workersNow = () =>
  fs
    .readFileSync(`/proc/${edge.agent.nginx.pid()}/task/${edge.agent.nginx.pid()}/children`, 'utf8')
    .split(' ')
    .filter((pid) => pid !== '' && fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('worker process'))
    .join(' ')

before(async () => {
  origin = await startOrigin((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      bodies.push(Buffer.concat(chunks).toString('latin1'))
      response.writeHead(200, { 'cache-control': 'no-store' }).end('origin')
    })
  })
  edge = await startEdgeUnderTest(undefined, { clientHeader: 3, clientBody: 3, origin: 20 })
  await edge.publish(siteOf('site', 1, [{ origin: origin.origin() }]))
  await edge.publish(certificateOf(edge, 'site', HOST, 1))
  const policy = SecurityPolicy.parse({
    access: [],
    bots: { ...BOT_DEFAULTS, securityLevel: 'off' },
    firewall: [],
    headers: [],
    origins: [],
    crs: { ...CRS_DEFAULTS, rules: [], exclusions: [] },
  })
  const body: EdgeSecurity = {
    siteId: 'site',
    organizationId: 'org-1',
    version: 2,
    domains: [{ domainId: 'site-domain-0', host: HOST, policy }],
  }
  await edge.publish({ revision: 2, kind: 'edge-security', key: 'site', version: 2, body })
  await eventually(() => assert.equal(edge.agent.inspector.state().state, 'running'))
  await eventually(async () => assert.equal((await ask(`/ready?q=${encodeURIComponent(XSS)}`)).status, 403))
  workers = workersNow()
})
after(async () => {
  await Promise.all([edge, origin].map((one) => one?.[Symbol.asyncDispose]()))
})

const BROWSER = { 'user-agent': 'Mozilla/5.0', accept: '*/*', 'x-forwarded-for': '203.0.113.9' }
const ask = (target: string, more: { method?: string; body?: string; headers?: Record<string, string> } = {}) =>
  edge.get(HOST, target, { ...more, headers: { ...BROWSER, ...more.headers } })
const post = (type: string, body: string, headers: Record<string, string> = {}) =>
  ask('/form', { method: 'POST', body, headers: { 'content-type': type, ...headers } })
/** nginx may be too busy to answer at once; what it did not tell is not 0. */
const counter = (name: string) =>
  eventually(async () => {
    const state = await edge.agent.state()
    assert.ok(state, 'the edge does not tell its counters')
    return Number(state.counters[name] ?? 0)
  })
/** What a test before this one has left under way counts, too, when it is over. */
const settled = (name: string) =>
  eventually(async () => {
    const first = await counter(name)
    await new Promise((resolve) => setTimeout(resolve, 500))
    assert.equal(await counter(name), first)
    return first
  })
/** What the origin was asked meanwhile. */
async function reached(run: () => Promise<void>): Promise<string[]> {
  const [asked, sent] = [origin.asked.length, bodies.length]
  await run()
  return [...origin.asked.slice(asked).map(({ url }) => decoded(url ?? '')), ...bodies.slice(sent)]
}
function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

test('an attack in another encoding is stopped, or means nothing to whoever decodes it once', async () => {
  const hex = (char: string) => char.charCodeAt(0).toString(16).padStart(2, '0')
  const every = (write: (char: string) => string) => (value: string) => [...value].map(write).join('')
  const forms: Record<string, (value: string) => string> = {
    'each byte escaped': every((char) => `%${hex(char)}`),
    'escaped twice': (value) => encodeURIComponent(encodeURIComponent(value)),
    'each byte escaped twice': every((char) => `%25${hex(char)}`),
    'in IIS’s form': every((char) => `%u00${hex(char)}`),
    'with NUL between': (value) => encodeURIComponent(value).replaceAll('%20', '%00%20'),
    'as full-width letters': (value) =>
      encodeURIComponent(
        every((char) => (/[!-~]/.test(char) ? String.fromCodePoint(char.charCodeAt(0) + 0xfee0) : char))(value),
      ),
    'with a comment for each blank': (value) => encodeURIComponent(value.replaceAll(' ', '/**/')),
    'with other blanks': (value) => encodeURIComponent(value.replaceAll(' ', '\u000b')),
  }
  const stopped = await counter('security_block')
  const through: string[] = []
  for (const [name, write] of Object.entries(forms))
    for (const attack of [SQL, XSS]) {
      const { status } = await ask(`/shop?q=${write(attack)}`)
      if (status !== 403 && status !== 400) through.push(`${name}: ${attack} ${status}`)
    }
  assert.deepEqual(through, [])
  assert.ok((await counter('security_block')) >= stopped + 12, 'each is counted')
})

test('a path that climbs, however it is written, is stopped before the origin', async () => {
  const climbs = [
    '/..%2f..%2f..%2fetc%2fpasswd',
    '/%2e%2e/%2e%2e/etc/passwd',
    '/a/..%c0%af..%c0%afetc/passwd',
    '/a/%c0%ae%c0%ae/%c0%ae%c0%ae/etc/passwd',
    '/a/..%5c..%5cetc/passwd',
    '/a?f=..%252f..%252f..%252fetc%252fpasswd',
    '/a?f=....//....//etc/passwd',
    '/a?f=/%5C../%5C../etc/passwd',
  ]
  const seen = await reached(async () => {
    for (const target of climbs) assert.ok([400, 403].includes((await ask(target)).status), target)
  })
  assert.deepEqual(seen, [])
})

test('a form in parts hides nothing: not by its names, boundaries, encodings, files or a part that never ends', async () => {
  const part = (head: string, value: string, boundary = 'b') => `--${boundary}\r\n${head}\r\n\r\n${value}\r\n`
  const named = 'Content-Disposition: form-data; name="q"'
  const ends = '--b--\r\n'
  const type = 'multipart/form-data; boundary=b'
  const tricks: Record<string, [string, string]> = {
    plain: [type, part(named, SQL) + ends],
    'a quoted boundary': ['multipart/form-data; boundary="b"', part(named, SQL) + ends],
    'two boundaries': ['multipart/form-data; boundary=x; boundary=b', part(named, SQL) + ends],
    'a boundary that is not there': ['multipart/form-data; boundary=x', part(named, SQL) + ends],
    'no boundary': ['multipart/form-data', part(named, SQL) + ends],
    'no last boundary': [type, part(named, SQL)],
    'line feeds alone': [type, (part(named, SQL) + ends).replaceAll('\r\n', '\n')],
    'a transfer encoding': [
      type,
      part(`${named}\r\nContent-Transfer-Encoding: base64`, Buffer.from(SQL).toString('base64')) + ends,
    ],
    'the name twice': [type, part('Content-Disposition: form-data; name="a"; name="q"', SQL) + ends],
    'a name without quotes': [type, part('Content-Disposition: form-data; name=q', SQL) + ends],
    'a folded header': [type, part('Content-Disposition: form-data;\r\n name="q"', SQL) + ends],
    'words before the first part': [type, `preamble ${XSS}\r\n${part(named, SQL)}${ends}`],
    'a charset': [type, part(`${named}\r\nContent-Type: text/plain; charset=utf-7`, SQL) + ends],
    'a file with the words as its name': [
      type,
      part(`Content-Disposition: form-data; name="f"; filename="a.php"`, '<?php system($_GET[1]) ?>') + ends,
    ],
  }
  const through: string[] = []
  for (const [name, [contentType, body]] of Object.entries(tricks)) {
    const { status } = await post(contentType, body)
    if (status !== 403 && status !== 400) through.push(`${name} ${status}`)
  }
  assert.deepEqual(through, [])
  const harmless = part(named, 'Blue shirt') + part('Content-Disposition: form-data; name="f"; filename="a b.jpg"', 'x')
  assert.equal((await post(type, harmless + ends)).status, 200)
})

test('an attack that is stopped as it is is stopped in every form in which an origin may undo it', async () => {
  const failed = await counter('inspections_failed')
  const statusOf = async (request: string) => (await sendRaw(edge.config.edgeHttp.port, request)).slice(9, 12)
  const through: string[] = []
  const seen = await reached(async () => {
    for (const [kind, forms] of Object.entries(FORMS))
      for (const [name, write, but = []] of forms)
        for (const [attack, value] of Object.entries(ATTACKS))
          if (!but.some((one) => one === attack) && (await statusOf(write(value))) === '200')
            through.push(`${attack} ${kind}: ${name}`)
    for (const [name, request] of SINGLE_FORMS) if ((await statusOf(request)) === '200') through.push(name)
  })
  assert.deepEqual(through, [])
  assert.deepEqual(seen, [])
  const touched: string[] = []
  for (const [name, request] of LOOK_ALIKES) if ((await statusOf(request)) !== '200') touched.push(name)
  assert.deepEqual(touched, [], 'what only looks like one of them')
  assert.equal(await counter('inspections_failed'), failed)
})

test('depth and breadth of JSON and XML cost their sender, and hide nothing', async () => {
  const failed = await counter('inspections_failed')
  const deepJson = `${'{"a":'.repeat(3000)}"${SQL}"${'}'.repeat(3000)}`
  const deepXml = `${'<a>'.repeat(3000)}${SQL}${'</a>'.repeat(3000)}`
  const bomb = `<?xml version="1.0"?><!DOCTYPE l [<!ENTITY a "lol">${Array.from({ length: 9 }, (_, i) => `<!ENTITY ${'bcdefghij'[i]} "${`&${'abcdefghi'[i]};`.repeat(10)}">`).join('')}]><l>&j;</l>`
  const outside = '<?xml version="1.0"?><!DOCTYPE l [<!ENTITY x SYSTEM "file:///etc/passwd">]><l>&x;</l>'
  const began = performance.now()
  for (const [type, body] of [
    ['application/json', deepJson],
    ['application/json', `{"q":"${SQL}`],
    ['application/json', `{"q":"\\u003cscript\\u003ealert(document.cookie)\\u003c/script\\u003e"}`],
    ['application/json', `\ufeff{"q":"${SQL}"}`],
    ['text/xml', deepXml],
    ['application/xml', outside],
    ['application/soap+xml', bomb],
    ['text/xml', `<a>${'<![CDATA['}${XSS}]]></a>`],
  ] as const)
    assert.ok([400, 403].includes((await post(type, body)).status), `${type} ${body.slice(0, 60)}`)
  // Bytes go as they are: a body in UTF-16 begins with its mark.
  const wide = Buffer.from(`\ufeff${outside}`, 'utf16le').toString('latin1')
  const head = `POST /form HTTP/1.1\r\nHost: ${HOST}\r\nUser-Agent: Mozilla/5.0\r\nAccept: */*\r\nContent-Type: text/xml\r\nContent-Length: ${wide.length}\r\nConnection: close\r\n\r\n`
  assert.match(await sendRaw(edge.config.edgeHttp.port, head + wide), /^HTTP\/1\.1 40[03]/)
  assert.equal((await post('text/xml; charset=utf-8', '<order><name>Fish &amp; chips</name></order>')).status, 200)
  assert.ok(performance.now() - began < 15_000)
  assert.equal(await counter('inspections_failed'), failed)
})

const PACKED: Record<string, (bytes: Buffer) => Buffer> = {
  gzip: (bytes) => zlib.gzipSync(bytes),
  'X-GZip': (bytes) => zlib.gzipSync(bytes),
  deflate: (bytes) => zlib.deflateSync(bytes),
  'identity, deflate': (bytes) => zlib.deflateRawSync(bytes),
  br: (bytes) => zlib.brotliCompressSync(bytes),
  zstd: (bytes) => zlib.zstdCompressSync(bytes),
  'gzip, br': (bytes) => zlib.brotliCompressSync(zlib.gzipSync(bytes)),
  'gzip\r\nContent-Encoding: zstd': (bytes) => zlib.zstdCompressSync(zlib.gzipSync(bytes)),
}
const postPacked = async (coding: string, body: Buffer, type = 'application/x-www-form-urlencoded') => {
  const head = `POST /form HTTP/1.1\r\nHost: ${HOST}\r\nUser-Agent: Mozilla/5.0\r\nAccept: */*\r\nContent-Type: ${type}\r\nContent-Encoding: ${coding}\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n`
  return Number((await sendRaw(edge.config.edgeHttp.port, head + body.toString('latin1'))).slice(9, 12))
}

test('a packed body is looked at as its origin reads it, and goes on as it came', async () => {
  const harmless = Buffer.from('q=Blue+shirt&note=50+%25+off')
  const through: string[] = []
  for (const [coding, pack] of Object.entries(PACKED)) {
    for (const attack of [`q=${encodeURIComponent(SQL)}`, `q=${encodeURIComponent(XSS)}`])
      if ((await postPacked(coding, pack(Buffer.from(attack)))) !== 403) through.push(`${coding} ${attack}`)
    const json = JSON.stringify({ a: 'x'.repeat(3000), q: SQL })
    if ((await postPacked(coding, pack(Buffer.from(json)), 'application/json')) !== 403) through.push(`${coding} JSON`)
    const seen = await reached(async () =>
      assert.equal(await postPacked(coding, pack(harmless)), 200, `harmless in ${coding}`),
    )
    assert.deepEqual(seen, ['/form', pack(harmless).toString('latin1')])
  }
  assert.deepEqual(through, [])
  // Longer than is looked at, in a file: its beginning is, as of any other.
  const numbers = Array.from({ length: 300_000 }, (_, i) => `${(i * 7919) % 99_991}`).join(' ')
  assert.equal(await postPacked('gzip', zlib.gzipSync(`q=${numbers}`)), 200)
  assert.equal(await postPacked('gzip', zlib.gzipSync(`q=${encodeURIComponent(SQL)}&r=${numbers}`)), 403)
})

test('a packed body that cannot be read is not let through unread, and the log says why', async () => {
  const body = zlib.gzipSync(`q=${encodeURIComponent('Blue shirt')}`)
  const bomb = Buffer.alloc(64 << 20)
  const unread: [coding: string, body: Buffer, reason: string][] = [
    ['compress', body, 'unknown-coding'],
    ['gzip;q=1', body, 'unknown-coding'],
    ['br', body, 'broken-coding'],
    ['deflate', body, 'broken-coding'],
    ['gzip', body.subarray(0, -4), 'broken-coding'],
    ['gzip', Buffer.concat([body, Buffer.from(`&q=${SQL}`)]), 'broken-coding'],
    ['gzip, gzip, gzip, gzip', body, 'too-many-codings'],
    ['gzip', zlib.gzipSync(bomb), 'expands-too-far'],
    ['gzip, gzip', zlib.gzipSync(zlib.gzipSync(bomb)), 'expands-too-far'],
    ['zstd', zlib.zstdCompressSync(bomb), 'expands-too-far'],
    ['br', zlib.brotliCompressSync(bomb, { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 1 } }), 'expands-too-far'],
  ]
  const seen = await reached(async () => {
    for (const [coding, packed, reason] of unread) assert.equal(await postPacked(coding, packed), 403, reason)
  })
  assert.deepEqual(seen, [])
  await eventually(() => {
    const lines = fs.readFileSync(edge.agent.layout.requestLog, 'utf8').split('\n').map(readLogLine)
    const told = lines.flatMap((line) =>
      line?.threat?.matched?.name === 'Content-Encoding' ? [line.threat.reason] : [],
    )
    assert.deepEqual(told.toSorted(), unread.map(([, , reason]) => reason).toSorted())
  })
})

test('bodies without an end are cut off at their limit or their time, and their connection with them', async () => {
  const refused = await counter('requests_refused')
  const head = `POST /form HTTP/1.1\r\nHost: ${HOST}\r\nContent-Type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\n`
  const chunk = `10000\r\n${'a'.repeat(65_536)}\r\n`
  const seen = await reached(async () => {
    const socket = net.connect(edge.config.edgeHttp.port, EDGE)
    socket.on('error', () => {})
    socket.resume()
    const closed = new Promise((resolve) => socket.once('close', resolve))
    socket.write(head)
    let sent = 0
    // A hundred megabytes are the most that is taken.
    while (!socket.destroyed && sent < 200 << 20) {
      sent += chunk.length
      if (!socket.write(chunk)) await Promise.race([new Promise((resolve) => socket.once('drain', resolve)), closed])
    }
    await closed
    assert.ok(sent < 160 << 20, `${sent >> 20} MB were taken`)
    // One chunk, and then silence.
    assert.equal(await sendRaw(edge.config.edgeHttp.port, `${head}5\r\nhello\r\n`), '')
  })
  assert.deepEqual(seen, [])
  assert.ok((await counter('requests_refused')) >= refused + 1)
})

test('HTTP/2: streams that are reset as soon as they are opened cost others nothing', async () => {
  const flood = await connectHttp2(edge.config.edgeHttps.port, HOST)
  const attack = getFields(HOST, `/reset?q=${encodeURIComponent(SQL)}`)
  const agent = field('user-agent', 'Mozilla/5.0')
  const cancel = Buffer.from([0, 0, 0, 8])
  const seen = await reached(async () => {
    for (let stream = 1; stream < 10_000 && flood.isOpen(); stream += 2) {
      flood.write(
        Buffer.concat([
          frame(FRAME.headers, FLAG.endHeaders | FLAG.endStream, stream, Buffer.concat([attack, agent])),
          frame(FRAME.reset, 0, stream, cancel),
        ]),
      )
      if (stream % 200 === 1) await turn()
    }
    for (let i = 0; i < 5; i++) assert.equal((await ask(`/other?n=${i}`)).status, 200)
    flood.end()
    await flood.closed
  })
  assert.deepEqual(
    seen.filter((one) => FORBIDDEN.test(one)),
    [],
  )
})

test('HTTP/2: what its own forms hide is found as well', async () => {
  const { closed, end, isOpen, write } = await connectHttp2(edge.config.edgeHttps.port, HOST)
  const attack = `q=${encodeURIComponent(SQL)}`
  const VISITOR = Buffer.concat([field('user-agent', 'Mozilla/5.0'), field('accept', '*/*')])
  const get = (target: string, ...more: Buffer[]) => Buffer.concat([getFields(HOST, target), VISITOR, ...more])
  const post = (target: string, ...more: Buffer[]) =>
    Buffer.concat([Buffer.from([0x83, 0x87]), field(1, HOST), field(4, target), VISITOR, ...more])
  const form = field('content-type', 'application/x-www-form-urlencoded')
  const stopped: [fields: Buffer, body?: string][] = [
    [get(`/h2?${attack}`)],
    [get('/h2', field('cookie', 'a=1'), field('cookie', attack))],
    [get('/h2', field('x-api-version', SQL))],
    [get('/h2', field('x-forwarded-for', SQL))],
    [get(`/h2/${encodeURIComponent(SQL)}`)],
    [post('/h2', form), attack],
    [get('/h2', form), attack],
    [
      post('/h2', field('content-type', 'application/json')),
      JSON.stringify({ q: Buffer.from(SQL).toString('base64') }),
    ],
    [post('/h2', form, field('content-length', String(attack.length))), attack],
  ]
  const malformed = [
    get(`/h2?${attack}`, field(4, '/h2')),
    get('/h2', field('X-Upper', SQL)),
    get(`/h2 ?${attack}`),
    get('/h2', field('transfer-encoding', 'chunked'), field('x-a', SQL)),
    Buffer.concat([getFields('other.example.test', `/h2?${attack}`), VISITOR, field('host', HOST)]),
  ]
  const before = await settled('security_block')
  const seen = await reached(async () => {
    let stream = 1
    for (const [fields, body] of stopped) {
      const flags = body === undefined ? FLAG.endHeaders | FLAG.endStream : FLAG.endHeaders
      write(frame(FRAME.headers, flags, stream, fields))
      if (body !== undefined) write(frame(FRAME.data, FLAG.endStream, stream, Buffer.from(body)))
      stream += 2
    }
    await eventually(async () => assert.equal((await counter('security_block')) - before, stopped.length))
    for (const fields of malformed) {
      if (!isOpen()) break
      write(frame(FRAME.headers, FLAG.endHeaders | FLAG.endStream, stream, fields))
      stream += 2
    }
    assert.equal((await ask('/after')).status, 200)
    end()
    await closed
  })
  assert.deepEqual(seen, ['/after', ''])
})

test('HTTP/2: headers that never end are cut off, and so is what opens without asking', async () => {
  const endless = await connectHttp2(edge.config.edgeHttps.port, HOST)
  endless.write(frame(FRAME.headers, 0, 1, getFields(HOST, '/endless')))
  const more = frame(FRAME.continuation, 0, 1, field('x-more', 'a'.repeat(4_000)))
  let sent = 0
  for (; endless.isOpen() && sent < 20_000; sent++) {
    endless.write(more)
    if (sent % 20 === 0) await turn()
  }
  await endless.closed
  assert.ok(sent < 20_000, 'it was let go on')
  const seen = await reached(async () => {
    const pings = await connectHttp2(edge.config.edgeHttps.port, HOST)
    const ping = frame(FRAME.ping, 0, 0, Buffer.alloc(8))
    const settings = frame(FRAME.settings, 0, 0)
    for (let i = 0; i < 3_000 && pings.isOpen(); i++) {
      pings.write(Buffer.concat([ping, settings]))
      if (i % 100 === 0) await turn()
    }
    assert.equal((await ask('/meanwhile')).status, 200)
    pings.end()
    await pings.closed
  })
  assert.deepEqual(seen, ['/meanwhile', ''])
})

test('no worker has died of any of it, nothing that is forbidden has come to the origin, and the next visitor is served', async () => {
  assert.equal((await ask('/last')).text, 'origin')
  assert.equal(workersNow(), workers)
  assert.equal(edge.agent.nginx.restarts(), 0)
  assert.deepEqual(
    bodies.filter((body) => /union select/i.test(body)),
    [],
  )
})
