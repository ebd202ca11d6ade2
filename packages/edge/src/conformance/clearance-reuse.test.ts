import assert from 'node:assert/strict'
import crypto from 'node:crypto'
import fs from 'node:fs'
import { after, before, test } from 'node:test'
import { type EdgeSecurity, type Publication, SecurityPolicy } from '@fairway/contract'
import { BOT_DEFAULTS } from '@fairway/domain'
import { nodeSecret } from '@fairway/platform'
import {
  type Answer,
  type EdgeUnderTest,
  type Origin,
  siteOf,
  startEdgeUnderTest,
  startOrigin,
  temporaryHome,
} from '../testing/edge-under-test.ts'

// What somebody may try who has one solved challenge, or one cookie of it, and wants more than was given for it. What
// is let through by choice stands in decision 0042.

const HOST = 'www.example.test'
/** Of the same site, and of another one. */
const SISTER = 'shop.example.test'
const STRANGER = 'www.other.test'
const ADDRESS = '203.0.113.9'
const PAGE = { accept: 'text/html', 'user-agent': 'Mozilla/5.0 (one)' }
const NAME = 'fairway_clearance'
let home: string
let edge: EdgeUnderTest
let origin: Origin
let version = 1
type Mode = 'browser-no-delay' | 'browser-standard' | 'human'

before(async () => {
  origin = await startOrigin((_, response) => void response.end('the page'))
  home = temporaryHome()
  edge = await startEdgeUnderTest(home)
  const at = (host: string) => ({ host, origin: origin.origin() })
  await edge.publish(siteOf('site', version, [at(HOST), at(SISTER)]))
  await edge.publish(siteOf('other', version, [at(STRANGER)]))
  await ask('browser-no-delay')
})
after(async () => {
  await edge?.[Symbol.asyncDispose]()
  await origin?.[Symbol.asyncDispose]()
  fs.rmSync(home, { recursive: true, force: true })
})

/** From now on everybody is asked like this, everywhere. */
async function ask(challengeMode: Mode): Promise<void> {
  version += 1
  const bots = { ...BOT_DEFAULTS, securityLevel: 'under-attack' as const, challengeMode }
  const policy = SecurityPolicy.parse({ access: [], bots, firewall: [], headers: [], origins: [] })
  const publication = (siteId: string, hosts: string[]): Publication => {
    const domains = hosts.map((host, index) => ({ domainId: `${siteId}-domain-${index}`, host, policy }))
    const body: EdgeSecurity = { siteId, organizationId: 'org-1', version, domains }
    return { revision: version, kind: 'edge-security', key: siteId, version, body }
  }
  await edge.publish(publication('site', [HOST, SISTER]))
  await edge.publish(publication('other', [STRANGER]))
}

type Visitor = { host?: string; address?: string; agent?: string; cookie?: string; target?: string }
const visit = ({ host = HOST, address = ADDRESS, agent, cookie, target = '/' }: Visitor): Promise<Answer> =>
  edge.get(host, target, {
    headers: {
      ...PAGE,
      ...(agent === undefined ? {} : { 'user-agent': agent }),
      'x-forwarded-for': address,
      ...(cookie === undefined ? {} : { cookie }),
    },
  })
const statusOf = async (visitor: Visitor): Promise<number> => (await visit(visitor)).status

type Challenge = { seed: string; bits: number }
async function challenge(visitor: Visitor = {}): Promise<Challenge> {
  const { text } = await visit(visitor)
  const [, seed, bits] = /solve\("([^"]+)",(\d+)/.exec(text) ?? []
  assert.ok(seed !== undefined && bits !== undefined, text)
  return { seed, bits: Number(bits) }
}
const zeroBits = (seed: string, nonce: number): number =>
  Math.clz32(crypto.createHash('sha1').update(`${seed}${nonce}`).digest().readUInt32BE(0))
/** The first number that does as much work, and less than `below`. */
function workFor({ seed, bits }: Challenge, below = 33): number {
  for (let nonce = 0; ; nonce++) {
    const found = zeroBits(seed, nonce)
    if (found >= bits && found < below) return nonce
  }
}
const sent = (seed: string, nonce: number | string, more: Visitor & { to?: string } = {}) =>
  visit({
    ...more,
    target: `/.well-known/cdn/clearance?seed=${encodeURIComponent(seed)}&nonce=${nonce}&to=${more.to ?? '/'}`,
  })
const cookieOf = ({ headers }: Answer): string | undefined => headers['set-cookie']?.[0]?.split(';')[0]
async function cleared(visitor: Visitor = {}): Promise<string> {
  const asked = await challenge(visitor)
  const cookie = cookieOf(await sent(asked.seed, workFor(asked), visitor))
  assert.ok(cookie, 'the work is worth a cookie')
  return cookie
}
/** A cookie as a node would have signed it. */
function signedBy(secret: string, strength: number, until: number, network = 'cb0071', host = HOST): string {
  const text = ['clearance', host, network, `${strength}`, `${until}`].join('\n')
  return `${NAME}=${strength}.${until}.${crypto.createHmac('sha1', secret).update(text).digest('hex')}`
}
const ownSecret = (): string => nodeSecret(edge.config, 'clearance', 32).toString('base64url')
const now = (): number => Math.floor(Date.now() / 1000)

test('a cookie opens the host and the network that it was given for, and no other', async () => {
  const cookie = await cleared()
  const opened: [string, Visitor, number][] = [
    ['the same visitor', {}, 200],
    ['another path', { target: '/deep?a=1' }, 200],
    ['another way to write the host', { host: 'WWW.Example.Test' }, 200],
    ['another address of the /24', { address: '203.0.113.200' }, 200],
    ['the same address, written as IPv6', { address: '::ffff:203.0.113.9' }, 200],
    ['another browser', { agent: 'Mozilla/5.0 (two)' }, 200],
    ['another host of the site', { host: SISTER }, 403],
    ['another site', { host: STRANGER }, 403],
    ['the next /24', { address: '203.0.114.9' }, 403],
    ['an address of IPv6 that begins alike', { address: 'cb00:71::9' }, 403],
  ]
  for (const [what, visitor, status] of opened) assert.equal(await statusOf({ ...visitor, cookie }), status, what)

  const own = { address: '2001:db8:1:2::3' }
  const sixth = await cleared(own)
  for (const [address, status] of [
    ['2001:db8:1:2::3', 200],
    ['2001:0DB8:1:2:0::4', 200],
    ['2001:db8:1:ffff::3', 200],
    ['2001:db8:2:2::3', 403],
    ['::ffff:32.1.13.184', 403],
    [ADDRESS, 403],
  ] as const)
    assert.equal(await statusOf({ address, cookie: sixth }), status, address)
})

test('a cookie says what it says in one way: no bit, case, code or further field of it may differ', async () => {
  const cookie = await cleared()
  const value = cookie.slice(NAME.length + 1)
  for (let at = 0; at < value.length; at++) {
    const flipped = `${value.slice(0, at)}${String.fromCharCode(value.charCodeAt(at) ^ 1)}${value.slice(at + 1)}`
    assert.equal(await statusOf({ cookie: `${NAME}=${flipped}` }), 403, `${at}: ${flipped}`)
  }
  const [level = '', until = '', mark = ''] = value.split('.')
  for (const other of [
    `3.${until}.${mark}`,
    `0x${level}.${until}.${mark}`,
    `0${level}.${until}.${mark}`,
    `${level}e0.${until}.${mark}`,
    `${level}.0x${Number(until).toString(16)}.${mark}`,
    `${level}.${until}0.${mark}`,
    `${level}.inf.${mark}`,
    `nan.${until}.${mark}`,
    `${level}.${until}.${mark.toUpperCase()}`,
    `${level}.${until}.${mark.slice(0, 39)}`,
    `${level}.${until}.`,
    `${level}.${until}`,
    `${value}.`,
    `${value}.more`,
    value.replaceAll('.', '%2E'),
    `%31${value.slice(1)}`,
    `'${value}'`,
    '',
  ])
    assert.equal(await statusOf({ cookie: `${NAME}=${other}` }), 403, other)
  for (const name of ['Fairway_Clearance', NAME.toUpperCase(), 'fairway%5Fclearance', `x${NAME}`, `$${NAME}`])
    assert.equal(await statusOf({ cookie: `${name}=${value}` }), 403, name)
  assert.equal(await statusOf({ cookie: `a=1, ${cookie}` }), 403, 'a comma parts no cookies (RFC 6265 4.2)')
  // The same cookie in another coat (RFC 6265 4.1.1), and among others.
  for (const same of [`${NAME}="${value}"`, `a=1;${cookie} ;b=2`])
    assert.equal(await statusOf({ cookie: same }), 200, same)
})

test('of several cookies of the name one that is right is enough, and no more than eight are looked at', async () => {
  const cookie = await cleared()
  const false1 = `${NAME}=1.${now() + 600}.${'0'.repeat(40)}`
  assert.equal(await statusOf({ cookie: `${false1}; ${cookie}` }), 200)
  assert.equal(await statusOf({ cookie: `${cookie}; ${false1}` }), 200)
  assert.equal(await statusOf({ cookie: `${false1}; ${false1}` }), 403)
  const [level, until, mark] = cookie.slice(NAME.length + 1).split('.')
  assert.equal(await statusOf({ cookie: `${NAME}=${level}.${until}; ${NAME}=${mark}` }), 403, 'halves are no whole')
  assert.equal(await statusOf({ cookie: `${`${false1}; `.repeat(7)}${cookie}` }), 200)
  assert.equal(await statusOf({ cookie: `${`${false1}; `.repeat(8)}${cookie}` }), 403)
})

test('a cookie ends when it says, wherever clocks have been; one of another secret or of none opens nothing', async () => {
  const mine = ownSecret()
  const day = 86_400
  assert.equal(await statusOf({ cookie: signedBy(mine, 1, now() + 600) }), 200, 'signed as nodes do')
  assert.equal(await statusOf({ cookie: signedBy(mine, 1, now() + day) }), 200, 'the longest that can be set')
  for (const [what, cookie] of [
    ['this second', signedBy(mine, 1, now())],
    ['long ago', signedBy(mine, 1, now() - day)],
    ['made while a clock was days ahead', signedBy(mine, 1, now() + 3 * day)],
    ['made while a clock was years ahead', signedBy(mine, 1, now() + 4000 * day)],
    ['nothing solved', signedBy(mine, 0, now() + 600)],
    ['below nothing', signedBy(mine, -1, now() + 600)],
    ['another secret', signedBy('another', 1, now() + 600)],
    ['no secret', signedBy('', 1, now() + 600)],
    ['of a network that is none', signedBy(mine, 1, now() + 600, '')],
  ] as const)
    assert.equal(await statusOf({ cookie }), 403, what)
})

test('what was solved for an easier level does not open a harder one; what is harder opens the easier', async () => {
  const easy = await cleared()
  await ask('browser-standard')
  assert.equal(await statusOf({ cookie: easy }), 403)
  const harder = await cleared()
  assert.match(harder, /=2\./)
  // Work that would do for the easier level, with a seed of the harder one.
  const asked = await challenge()
  assert.equal(asked.bits, 15)
  const cheap = workFor({ seed: asked.seed, bits: 12 }, 15)
  assert.equal(cookieOf(await sent(asked.seed, cheap)), undefined)
  const [, ...rest] = asked.seed.split('.')
  const renamed = `1.${rest.join('.')}`
  assert.equal(
    cookieOf(await sent(renamed, workFor({ seed: renamed, bits: 12 }))),
    undefined,
    'the seed says its level',
  )
  assert.ok(cookieOf(await sent(asked.seed, workFor(asked))), 'a false try costs nobody the right one')
  await ask('human')
  for (const cookie of [easy, harder, `${easy}; ${harder}`]) assert.equal(await statusOf({ cookie }), 403)
  // A program's work is no answer of a person.
  const { text } = await visit({})
  const seed = /name="seed" value="([^"]+)"/.exec(text)?.[1] ?? ''
  assert.match(seed, /^3\./)
  assert.equal(cookieOf(await sent(seed, workFor({ seed, bits: 15 }))), undefined)
  await ask('browser-no-delay')
  assert.equal(await statusOf({ cookie: harder }), 200)
})

test('a proof of work is worth one cookie: not twice, not at once, not elsewhere, not later', async () => {
  const asked = await challenge()
  const nonce = workFor(asked)
  const [strength, seconds, at, ...rest] = asked.seed.split('.')
  const [mark = ''] = rest
  for (const [what, seed] of [
    ['longer', [strength, 86_400, at, ...rest]],
    ['issued later', [strength, seconds, Number(at) + 1, ...rest]],
    ['of another rule', [strength, seconds, at, ...rest.slice(0, -1), 'another']],
    ['with a further field', [strength, seconds, at, ...rest, 'more']],
    ['with a further line', [strength, seconds, at, ...rest.slice(0, -1), `level\n${HOST}`]],
    ['of another form', [`0x${strength}`, seconds, at, ...rest]],
    [
      'with another mark',
      [strength, seconds, at, mark.replace(/.$/, (last) => (last === '0' ? '1' : '0')), ...rest.slice(1)],
    ],
  ] as const) {
    const text = seed.join('.')
    assert.equal(cookieOf(await sent(text, workFor({ seed: text, bits: 12 }))), undefined, what)
  }
  assert.equal(cookieOf(await sent(asked.seed, nonce, { host: SISTER })), undefined, 'at another host')
  assert.equal(cookieOf(await sent(asked.seed, nonce, { host: STRANGER })), undefined, 'at another site')
  assert.equal(cookieOf(await sent(asked.seed, nonce, { address: '203.0.114.9' })), undefined, 'from another network')
  assert.equal(cookieOf(await sent(asked.seed, `${nonce}${'0'.repeat(20)}`)), undefined, 'a number without end')
  // Of all who send it at the same moment, from two addresses and for two paths, one is first.
  const tries = Array.from({ length: 8 }, (_, index) =>
    sent(asked.seed, nonce, { address: index % 2 ? ADDRESS : '203.0.113.77', to: index % 3 ? '/' : '/other' }),
  )
  const answers = await Promise.all(tries)
  assert.equal(answers.filter((answer) => cookieOf(answer) !== undefined).length, 1)
  for (const { headers } of answers) assert.equal(headers['cache-control'], 'no-store')
  const next = workFor({ seed: asked.seed, bits: 12 }, 33)
  assert.equal(cookieOf(await sent(asked.seed, next)), undefined, 'nor for another number of it')
  // Seeds as nodes sign them, of another time.
  const secret = ownSecret()
  const seedOf = (issued: number): string => {
    const text = ['challenge 1800  salt level', HOST, 'cb0071', '1', `${issued}`].join('\n')
    return `1.1800.${issued}.${crypto.createHmac('sha1', secret).update(text).digest('hex')}..salt.level`
  }
  const worth = async (seed: string) =>
    cookieOf(await sent(seed, workFor({ seed, bits: 12 }), { address: '203.0.113.78' })) !== undefined
  assert.deepEqual(
    [await worth(seedOf(now() - 60)), await worth(seedOf(now() - 700)), await worth(seedOf(now() + 60))],
    [true, false, false],
  )
})

test('whoever has a whole /64 of IPv6 has no more tries than who has one address', async () => {
  const tries = await Promise.all(
    Array.from({ length: 80 }, (_, index) => sent('none', 1, { address: `2001:db8:9:9::${index.toString(16)}` })),
  )
  const refused = tries.filter(({ status }) => status === 429).length
  assert.ok(refused >= 18, `${refused} of 80 were too many`)
  assert.equal((await sent('none', 1, { address: '2001:db8:9:a::1' })).status, 302, 'its neighbour has its own')
})

test('after the secret of the nodes was changed, cookies and seeds of before are worth nothing', async () => {
  const cookie = await cleared()
  const asked = await challenge({ address: '203.0.113.80' })
  const nonce = workFor(asked)
  await edge[Symbol.asyncDispose]()
  edge = await startEdgeUnderTest(home)
  assert.equal(await statusOf({ cookie }), 200, 'a restart takes nothing away')
  await edge[Symbol.asyncDispose]()
  edge = await startEdgeUnderTest(home, undefined, { FAIRWAY_NODE_TOKEN: crypto.randomBytes(32).toString('base64url') })
  assert.equal(await statusOf({ cookie }), 403)
  assert.equal(cookieOf(await sent(asked.seed, nonce, { address: '203.0.113.80' })), undefined)
  assert.equal(await statusOf({ cookie: await cleared() }), 200)
})
