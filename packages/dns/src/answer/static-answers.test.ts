import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import dnsPacket from 'dns-packet'
import { ask, askTcp, askUdp, serve, type Served } from '../testing/server-fixture.ts'
import { zoneOf } from '../testing/zone-fixture.ts'

const many = Array.from({ length: 60 }, (_, i) => `many 300 A 192.0.2.${i + 1}`).join('\n')
const ZONE = zoneOf(
  'example.test',
  `
  @ 300 A 192.0.2.1
  @ 300 MX 10 mail.example.test.
  @ 300 MX 20 mail.elsewhere.test.
  @ 300 TXT "v=spf1 -all" "second \\"string\\""
  @ 300 CAA 0 issue "ca.test"
  www 300 A 192.0.2.10
  www 300 A 192.0.2.11
  www 300 AAAA 2001:db8::10
  alias 300 CNAME www.example.test.
  twice 300 CNAME alias.example.test.
  outside 300 CNAME www.elsewhere.test.
  dangling 300 CNAME nowhere.example.test.
  across 300 CNAME host.other.test.
  loop-a 300 CNAME loop-b.example.test.
  loop-b 300 CNAME loop-a.example.test.
  into-cut 300 CNAME host.sub.example.test.
  deep.empty.nodes 300 A 192.0.2.20
  *.wild 300 A 192.0.2.30
  *.wild 300 MX 10 mail.example.test.
  exact.wild 300 TXT "exact"
  below.exists.wild 300 A 192.0.2.31
  *.star 300 CNAME www.example.test.
  sub 300 NS ns.sub.example.test.
  sub 300 NS ns.elsewhere.test.
  sub 300 NS ns1.example.test.
  ns.sub 300 A 192.0.2.40
  ns.sub 300 AAAA 2001:db8::40
  hidden.sub 300 A 192.0.2.41
  deeper.hidden.sub 300 NS ns.sub.example.test.
  _sip._tcp 300 SRV 1 2 5060 sip.example.test.
  10 300 PTR host.example.test.
  ${many}`,
)
const OTHER = zoneOf('other.test', 'host 300 A 198.51.100.1')
const CHILD = zoneOf('child.other.test', '@ 300 A 198.51.100.2')

let served: Served
before(async () => {
  served = await serve([ZONE, OTHER, CHILD])
})
after(() => served[Symbol.asyncDispose]())

const data = (answers: { type: string; data?: unknown }[]) =>
  answers.map(
    (answer) => `${answer.type} ${typeof answer.data === 'object' ? JSON.stringify(answer.data) : String(answer.data)}`,
  )

type Case = {
  name: string
  type?: string
  rcode?: string
  answers?: string[]
  authority?: string[]
  additional?: string[]
  aa?: boolean
}
const cases: Record<string, Case> = {
  'an address': { name: 'www.example.test', answers: ['A 192.0.2.10', 'A 192.0.2.11'] },
  'an IPv6 address': { name: 'www.example.test', type: 'AAAA', answers: ['AAAA 2001:db8::10'] },
  'the apex': { name: 'example.test', answers: ['A 192.0.2.1'] },
  'mail servers': {
    name: 'example.test',
    type: 'MX',
    answers: [
      'MX {"preference":10,"exchange":"mail.example.test"}',
      'MX {"preference":20,"exchange":"mail.elsewhere.test"}',
    ],
  },
  'name servers, with their addresses': {
    name: 'example.test',
    type: 'NS',
    answers: ['NS ns1.example.test'],
    additional: ['A'],
  },
  'a service': {
    name: '_sip._tcp.example.test',
    type: 'SRV',
    answers: ['SRV {"priority":1,"weight":2,"port":5060,"target":"sip.example.test"}'],
  },
  'a pointer': { name: '10.example.test', type: 'PTR', answers: ['PTR host.example.test'] },
  'a type that the name lacks: nothing, with the SOA': {
    name: 'www.example.test',
    type: 'TXT',
    answers: [],
    authority: ['SOA'],
  },
  'an unknown type: nothing, with the SOA': {
    name: 'www.example.test',
    type: 'UNKNOWN_65',
    answers: [],
    authority: ['SOA'],
  },
  'a name that does not exist': { name: 'nothing.example.test', rcode: 'NXDOMAIN', answers: [], authority: ['SOA'] },
  'an empty non-terminal exists': { name: 'nodes.example.test', answers: [], authority: ['SOA'] },
  'an empty non-terminal above it exists too': {
    name: 'empty.nodes.example.test',
    type: 'TXT',
    answers: [],
    authority: ['SOA'],
  },
  'nothing below an empty non-terminal': {
    name: 'other.nodes.example.test',
    rcode: 'NXDOMAIN',
    answers: [],
    authority: ['SOA'],
  },
  'an alias with what it points to': {
    name: 'alias.example.test',
    answers: ['CNAME www.example.test', 'A 192.0.2.10', 'A 192.0.2.11'],
  },
  'an alias of an alias': {
    name: 'twice.example.test',
    answers: ['CNAME alias.example.test', 'CNAME www.example.test', 'A 192.0.2.10', 'A 192.0.2.11'],
  },
  'an alias asked for itself': { name: 'alias.example.test', type: 'CNAME', answers: ['CNAME www.example.test'] },
  'an alias whose target lacks the type has the SOA': {
    name: 'alias.example.test',
    type: 'MX',
    answers: ['CNAME www.example.test'],
    authority: ['SOA'],
  },
  'an alias out of our zones': { name: 'outside.example.test', answers: ['CNAME www.elsewhere.test'] },
  'an alias to nothing: the last name counts (RFC 6604)': {
    name: 'dangling.example.test',
    rcode: 'NXDOMAIN',
    answers: ['CNAME nowhere.example.test'],
    authority: ['SOA'],
  },
  'an alias into another zone of ours': {
    name: 'across.example.test',
    answers: ['CNAME host.other.test', 'A 198.51.100.1'],
  },
  'an alias into a delegated zone': {
    name: 'into-cut.example.test',
    answers: ['CNAME host.sub.example.test'],
    authority: ['NS', 'NS', 'NS'],
    additional: ['A', 'AAAA', 'A'],
  },
  'a wildcard': { name: 'any.wild.example.test', answers: ['A 192.0.2.30'] },
  'a wildcard for several labels': { name: 'a.b.c.wild.example.test', answers: ['A 192.0.2.30'] },
  'a wildcard without the type': { name: 'any.wild.example.test', type: 'AAAA', answers: [], authority: ['SOA'] },
  'a name beside the wildcard is itself': { name: 'exact.wild.example.test', answers: [], authority: ['SOA'] },
  'a name below a name beside the wildcard is nothing': {
    name: 'sub.exact.wild.example.test',
    rcode: 'NXDOMAIN',
    answers: [],
    authority: ['SOA'],
  },
  'an empty non-terminal beside the wildcard is not the wildcard': {
    name: 'exists.wild.example.test',
    answers: [],
    authority: ['SOA'],
  },
  'the wildcard by its own name': { name: '*.wild.example.test', answers: ['A 192.0.2.30'] },
  'the name above the wildcard exists': { name: 'wild.example.test', answers: [], authority: ['SOA'] },
  'a wildcard alias': {
    name: 'any.star.example.test',
    answers: ['CNAME www.example.test', 'A 192.0.2.10', 'A 192.0.2.11'],
  },
  'a delegation, with its glue': {
    name: 'sub.example.test',
    aa: false,
    answers: [],
    authority: ['NS', 'NS', 'NS'],
    additional: ['A', 'AAAA', 'A'],
  },
  'below a delegation': {
    name: 'x.y.sub.example.test',
    aa: false,
    answers: [],
    authority: ['NS', 'NS', 'NS'],
    additional: ['A', 'AAAA', 'A'],
  },
  'a name hidden by a delegation': {
    name: 'hidden.sub.example.test',
    aa: false,
    answers: [],
    authority: ['NS', 'NS', 'NS'],
    additional: ['A', 'AAAA', 'A'],
  },
  'glue asked for itself': {
    name: 'ns.sub.example.test',
    aa: false,
    answers: [],
    authority: ['NS', 'NS', 'NS'],
    additional: ['A', 'AAAA', 'A'],
  },
  'a delegation inside a delegation is not seen': {
    name: 'x.deeper.hidden.sub.example.test',
    aa: false,
    answers: [],
    authority: ['NS', 'NS', 'NS'],
    additional: ['A', 'AAAA', 'A'],
  },
  'the name servers of a delegation': {
    name: 'sub.example.test',
    type: 'NS',
    aa: false,
    answers: [],
    authority: ['NS', 'NS', 'NS'],
    additional: ['A', 'AAAA', 'A'],
  },
  'DS at a delegation is ours: there is none': {
    name: 'sub.example.test',
    type: 'DS',
    answers: [],
    authority: ['SOA'],
  },
  'DS below a delegation is a referral': {
    name: 'x.sub.example.test',
    type: 'DS',
    aa: false,
    answers: [],
    authority: ['NS', 'NS', 'NS'],
    additional: ['A', 'AAAA', 'A'],
  },
  'everything: the least that is an answer': {
    name: 'www.example.test',
    type: 'ANY',
    answers: ['HINFO {"cpu":"RFC8482","os":""}'],
  },
  'everything of an alias is the alias': {
    name: 'alias.example.test',
    type: 'ANY',
    answers: ['CNAME www.example.test'],
  },
  'everything of an empty non-terminal is nothing': {
    name: 'nodes.example.test',
    type: 'ANY',
    answers: [],
    authority: ['SOA'],
  },
  'a name of somebody else': { name: 'www.elsewhere.test', rcode: 'REFUSED', aa: false, answers: [] },
  'the root': { name: '.', type: 'NS', rcode: 'REFUSED', aa: false, answers: [] },
  'a zone transfer': { name: 'example.test', type: 'AXFR', rcode: 'REFUSED', aa: false, answers: [] },
  'the deeper of two zones of ours': { name: 'child.other.test', answers: ['A 198.51.100.2'] },
  'DS of the deeper zone is asked of the upper one': {
    name: 'child.other.test',
    type: 'DS',
    rcode: 'NXDOMAIN',
    answers: [],
    authority: ['SOA'],
  },
}

for (const [what, expected] of Object.entries(cases)) {
  for (const transport of ['udp', 'tcp'] as const) {
    test(`${what}, over ${transport}`, async () => {
      const answer = await ask(served.at, expected.name, { type: expected.type ?? 'A', transport })
      assert.equal(answer.rcode, expected.rcode ?? 'NOERROR')
      assert.equal(answer.flag_aa, expected.aa ?? true, 'authoritative')
      assert.equal(answer.flag_ra, false)
      assert.deepEqual(data(answer.answers), expected.answers ?? [])
      assert.deepEqual(
        answer.authorities.map((record) => record.type),
        expected.authority ?? [],
      )
      assert.deepEqual(
        answer.additionals.map((record) => record.type),
        expected.additional ?? [],
      )
    })
  }
}

test('owners are right wherever a record stands', async () => {
  const chain = await ask(served.at, 'twice.example.test')
  assert.deepEqual(
    chain.answers.map((answer) => answer.name),
    ['twice.example.test', 'alias.example.test', 'www.example.test', 'www.example.test'],
  )
  const negative = await ask(served.at, 'dangling.example.test')
  assert.deepEqual(
    negative.authorities.map((record) => record.name),
    ['example.test'],
  )
  const referral = await ask(served.at, 'x.y.sub.example.test')
  assert.deepEqual(
    referral.authorities.map((record) => record.name),
    ['sub.example.test', 'sub.example.test', 'sub.example.test'],
  )
  assert.deepEqual(
    referral.additionals.map((record) => record.name),
    ['ns.sub.example.test', 'ns.sub.example.test', 'ns1.example.test'],
  )
  const chased = await ask(served.at, 'into-cut.example.test')
  assert.deepEqual(
    chased.authorities.map((record) => record.name),
    ['sub.example.test', 'sub.example.test', 'sub.example.test'],
  )
  assert.deepEqual(
    chased.additionals.map((record) => record.name),
    ['ns.sub.example.test', 'ns.sub.example.test', 'ns1.example.test'],
  )
})

test("a negative answer lives as long as the smaller of the SOA's lifetime and minimum", async () => {
  assert.deepEqual(
    (await ask(served.at, 'nothing.example.test')).authorities.map((record) => record.ttl),
    [60],
  )
  assert.deepEqual(
    (await ask(served.at, 'example.test', { type: 'SOA' })).answers.map((record) => record.ttl),
    [3600],
  )
})

test('aliases that go round in circles are told once around', async () => {
  const answer = await ask(served.at, 'loop-a.example.test')
  assert.deepEqual(
    [answer.rcode, answer.answers.map(({ name }) => name)],
    ['NOERROR', ['loop-a.example.test', 'loop-b.example.test']],
  )
})

test('the question comes back as it was written', async () => {
  assert.deepEqual((await ask(served.at, 'wWw.ExAmPlE.tEsT')).questions, [
    { name: 'wWw.ExAmPlE.tEsT', type: 'A', class: 'IN' },
  ])
  assert.equal((await ask(served.at, 'wWw.ExAmPlE.tEsT')).answers.length, 2)
})

test('texts keep their strings apart and their quotes', async () => {
  const answer = await ask(served.at, 'example.test', { type: 'TXT' })
  const [record] = answer.answers
  assert.deepEqual(record?.data, [Buffer.from('v=spf1 -all'), Buffer.from('second "string"')])
})

test('what does not fit into UDP is cut off, and whole over TCP', async () => {
  const cut = await ask(served.at, 'many.example.test')
  assert.deepEqual([cut.flag_tc, cut.answers.length, cut.rcode], [true, 0, 'NOERROR'])
  assert.ok(cut.bytes <= 512)
  assert.equal((await ask(served.at, 'many.example.test', { udpPayloadSize: 1232 })).answers.length, 60)
  assert.equal((await ask(served.at, 'many.example.test', { udpPayloadSize: 900 })).flag_tc, true)
  assert.equal((await ask(served.at, 'many.example.test', { transport: 'tcp' })).answers.length, 60)
})

test('the server tells its name, and its version only when it is to (RFC 4892)', async () => {
  const told = async (name: string, type = 'TXT') => {
    const { rcode, answers, flag_aa } = await ask(served.at, name, { type, class: 'CH' })
    return [rcode, flag_aa, ...answers.map((one) => `${String(one.class)} ${String(one.data)}`)]
  }
  served.answerer.identify('ams-1')
  assert.deepEqual(await told('id.server'), ['NOERROR', true, 'CH ams-1'])
  assert.deepEqual(await told('HostName.Bind', 'ANY'), ['NOERROR', true, 'CH ams-1'])
  assert.deepEqual(await told('id.server', 'A'), ['NOERROR', true])
  for (const name of ['version.bind', 'version.server', 'server', 'x.id.server', 'example.test'])
    assert.deepEqual(await told(name), ['REFUSED', false], name)
  served.answerer.identify('ams-1', 'Fairway 1')
  assert.deepEqual(await told('version.bind'), ['NOERROR', true, 'CH Fairway 1'])
  served.answerer.identify(null)
  assert.deepEqual([await told('id.server'), await told('version.bind')].flat(), ['REFUSED', false, 'REFUSED', false])
  assert.equal((await ask(served.at, 'id.server', { type: 'TXT' })).rcode, 'REFUSED')
})

test('questions of other classes are refused', async () => {
  assert.equal((await ask(served.at, 'example.test', { type: 'TXT', class: 'HS' })).rcode, 'REFUSED')
  assert.equal((await ask(served.at, 'www.example.test', { class: 'ANY' })).rcode, 'REFUSED')
})

test('other operations are not implemented', async () => {
  const update = dnsPacket.encode({
    type: 'query',
    id: 7,
    flags: 5 << 11,
    questions: [{ type: 'SOA', name: 'example.test' }],
  })
  const answer = dnsPacket.decode(await askUdp(served.at, update))
  assert.deepEqual([answer.rcode, answer.id, answer.opcode], ['NOTIMP', 7, 'UPDATE'])
})

test('queries on one connection are answered in order', async () => {
  const names = ['www', 'alias', 'nothing', 'many', 'twice']
  const queries = names.map((name, id) =>
    dnsPacket.encode({ type: 'query', id, questions: [{ type: 'A', name: `${name}.example.test` }] }),
  )
  const answers = (await askTcp(served.at, queries)).map((bytes) => dnsPacket.decode(bytes))
  assert.deepEqual(
    answers.map((answer) => [answer.id, answer.questions[0]?.name]),
    names.map((name, id) => [id, `${name}.example.test`]),
  )
})

test('dig finds nothing to complain about', async () => {
  const { stdout: text } = await promisify(execFile)('dig', [
    '@127.0.0.1',
    '-p',
    String(served.at.port),
    'twice.example.test',
    'A',
    '+norecurse',
  ])
  assert.match(text, /status: NOERROR/)
  assert.match(text, /flags: qr aa;/)
  assert.match(text, /www\.example\.test\.\s+300\s+IN\s+A\s+192\.0\.2\.11/)
  assert.doesNotMatch(text, /WARNING|malformed|extra bytes/i)
})
