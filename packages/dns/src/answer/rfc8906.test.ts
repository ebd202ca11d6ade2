import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { signingBy, zoneKey } from '../testing/key-fixture.ts'
import { serve, type Served } from '../testing/server-fixture.ts'
import { zoneOf } from '../testing/zone-fixture.ts'

const run = promisify(execFile)
let served: Served
before(async () => {
  served = await serve([zoneOf('example.test', 'www 300 A 192.0.2.1', { signing: signingBy(zoneKey()) })])
})
after(() => served[Symbol.asyncDispose]())

type Seen = {
  status: string
  flags: string[]
  opcode: string
  soa: boolean
  edns: { version: string; flags: string; mbz: boolean } | null
  text: string
}

async function dig(words: string): Promise<Seen> {
  const { stdout } = await run('dig', [
    `@${served.at.host}`,
    '-p',
    String(served.at.port),
    '+tries=1',
    '+time=5',
    ...words.split(' '),
  ])
  const edns = /; EDNS: version: (\d+), flags:([^;]*);/.exec(stdout)
  return {
    status: /status: (\w+)/.exec(stdout)?.[1] ?? '',
    opcode: /opcode: (\w+)/.exec(stdout)?.[1] ?? '',
    flags: (/;; flags: ([^;]*);/.exec(stdout)?.[1] ?? '').split(' '),
    soa: /^example\.test\.\s.*\sSOA\s/m.test(stdout),
    edns: edns && {
      version: edns[1] ?? '',
      flags: (edns[2] ?? '').trim().replace(/^MBZ.*/, ''),
      mbz: stdout.includes('MBZ'),
    },
    text: stdout,
  }
}

const PLAIN = '+noedns +noad +norec +nocookie'
const EDNS = '+edns=0 +noad +norec +nocookie'
const NEWER = '+edns=100 +noednsneg +noad +norec +nocookie'
const answered = (seen: Seen) =>
  assert.deepEqual([seen.status, seen.opcode, seen.soa, seen.flags.includes('aa')], ['NOERROR', 'QUERY', true, true])
const badVersion = ({ status, soa, edns }: Seen) =>
  assert.deepEqual([status, soa, edns], ['BADVERS', false, { version: '0', flags: '', mbz: false }])

/** The list of RFC 8906 8 as its commands: what is asked, and what must come back. */
const LIST: Record<string, { ask: string; expect: (seen: Seen) => void }> = {
  '8.1.1 a plain question': {
    ask: `${PLAIN} example.test SOA`,
    expect: (seen) => {
      answered(seen)
      assert.deepEqual([seen.edns, seen.flags.includes('rd'), seen.flags.includes('ad')], [null, false, false])
    },
  },
  '8.1.2 an unknown type': {
    ask: `${PLAIN} example.test TYPE1000`,
    expect: ({ status, flags, edns, text }) => {
      assert.deepEqual([status, flags.includes('aa'), edns], ['NOERROR', true, null])
      assert.match(text, /ANSWER: 0/)
    },
  },
  '8.1.3.1 recursion desired': {
    ask: '+noedns +noad +rec +nocookie example.test SOA',
    expect: (seen) => {
      answered(seen)
      assert.deepEqual([seen.flags.includes('rd'), seen.flags.includes('ra')], [true, false])
    },
  },
  '8.1.3.2 CD': { ask: `${PLAIN} +cd example.test SOA`, expect: answered },
  '8.1.3.3 AD': {
    ask: '+noedns +ad +norec +nocookie example.test SOA',
    expect: (seen) => {
      answered(seen)
      assert.ok(!seen.flags.includes('ad'), 'nothing is validated here')
    },
  },
  '8.1.3.4 the reserved flag': {
    ask: `${PLAIN} +zflag example.test SOA`,
    expect: (seen) => {
      answered(seen)
      assert.doesNotMatch(seen.text, /MBZ/)
    },
  },
  '8.1.4 an unknown opcode': {
    ask: `${PLAIN} +opcode=15 +header-only`,
    expect: ({ status, soa, flags, edns }) =>
      assert.deepEqual([status, soa, flags.includes('aa'), edns], ['NOTIMP', false, false, null]),
  },
  '8.1.5 over TCP': { ask: `${PLAIN} +tcp example.test SOA`, expect: answered },
  '8.2.1 EDNS': {
    ask: `${EDNS} example.test SOA`,
    expect: (seen) => {
      answered(seen)
      assert.deepEqual(seen.edns, { version: '0', flags: '', mbz: false })
    },
  },
  '8.2.2 another version': { ask: `${NEWER} example.test SOA`, expect: badVersion },
  '8.2.3 an unknown option': {
    ask: `${EDNS} +ednsopt=100 example.test SOA`,
    expect: (seen) => {
      answered(seen)
      assert.doesNotMatch(seen.text, /OPT=100/)
    },
  },
  '8.2.4 unknown flags': {
    ask: `${EDNS} +ednsflags=0x40 example.test SOA`,
    expect: (seen) => {
      answered(seen)
      assert.deepEqual(seen.edns, { version: '0', flags: '', mbz: false })
    },
  },
  '8.2.5 another version with unknown flags': { ask: `${NEWER} +ednsflags=0x40 example.test SOA`, expect: badVersion },
  '8.2.6 another version with an unknown option': {
    ask: `${NEWER} +ednsopt=100 example.test SOA`,
    expect: (seen) => {
      badVersion(seen)
      assert.doesNotMatch(seen.text, /OPT=100/)
    },
  },
  '8.2.7 an answer that is cut off': {
    ask: `${EDNS} +dnssec +bufsize=512 +ignore example.test DNSKEY`,
    expect: ({ status, edns }) => assert.deepEqual([status, edns?.version], ['NOERROR', '0']),
  },
  '8.2.8 DO': {
    ask: `${EDNS} +dnssec example.test SOA`,
    expect: (seen) => {
      answered(seen)
      assert.equal(seen.edns?.flags, 'do')
    },
  },
  '8.2.9 another version with DO': {
    ask: `${NEWER} +dnssec example.test SOA`,
    expect: ({ status, soa, edns }) => assert.deepEqual([status, soa, edns?.version], ['BADVERS', false, '0']),
  },
  '8.2.10 options that are defined': {
    ask: '+edns=0 +noad +norec +nsid +expire +subnet=0.0.0.0/0 +cookie=0102030405060708 example.test SOA',
    expect: (seen) => {
      answered(seen)
      assert.match(seen.text, /COOKIE: 0102030405060708[0-9a-f]{32}/)
    },
  },
}
for (const [what, { ask, expect }] of Object.entries(LIST)) test(what, async () => expect(await dig(ask)))
