import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { WhiteLabelState } from '@fairway/contract'
import { addressSets } from '../dns/house-addresses.ts'
import { judgeRecord, mergedSpf } from './judge-record.ts'
import { leaksOf, standingOf } from './standing.ts'
import { wantedRecords, type WhiteLabelFacts } from './wanted-records.ts'

const KEY = 'MIIBIjANBg+/kqh='
const FACTS: WhiteLabelFacts = {
  hostName: 'console.nimbus.example',
  consoleHost: 'console.house.example',
  serviceDomain: null,
  cnameHost: null,
  senderAddress: null,
  namesIn: (zone) => ['ns1', 'ns2', 'ns3', 'cn1'].map((name) => `${name}.${zone}`),
  houseZone: 'house.example',
  nameserverSets: () => addressSets(['192.0.2.53']),
  edgeSets: addressSets(['2001:db8::80']),
  spf: 'include:_spf.relay.example',
  dkim: { selector: 'k1', publicKey: KEY },
}
const asked = (facts: Partial<WhiteLabelFacts>) =>
  wantedRecords({ ...FACTS, ...facts }).map(
    ({ name, type, values, place }) => `${place} ${name} ${type} ${values.join(' ')}`,
  )

test('what a partner has to set follows from what it has chosen', () => {
  const link = 'own console.nimbus.example CNAME console.house.example'
  assert.deepEqual(asked({}), [link])
  assert.deepEqual(asked({ hostName: null }), [])
  assert.deepEqual(asked({ consoleHost: '192.0.2.1' }), ['own console.nimbus.example A 192.0.2.1'])
  assert.deepEqual(asked({ serviceDomain: 'd.example', cnameHost: 'cdn.d.example' }), [
    link,
    'parent d.example NS ns1.d.example ns2.d.example',
    'parent ns1.d.example A 192.0.2.53',
    'parent ns2.d.example A 192.0.2.53',
    'answered ns3.d.example A 192.0.2.53',
    'answered cn1.d.example A 192.0.2.53',
    'answered check.edge.cdn.d.example AAAA 2001:db8::80',
  ])
  // A zone of its own is delegated to the partner's nameservers, or to the house's while it has none.
  assert.equal(
    asked({ serviceDomain: 'd.example', cnameHost: 'c.example' }).at(-2),
    'parent c.example NS ns1.d.example ns2.d.example',
  )
  assert.equal(asked({ cnameHost: 'c.example' })[1], 'parent c.example NS ns1.house.example ns2.house.example')
  assert.deepEqual(asked({ senderAddress: 'Post@Nimbus.example' }).slice(1), [
    'own nimbus.example TXT v=spf1 include:_spf.relay.example ~all',
    `own k1._domainkey.nimbus.example TXT v=DKIM1; k=rsa; p=${KEY}`,
    'own _dmarc.nimbus.example TXT v=DMARC1; p=quarantine; adkim=r; aspf=r',
  ])
})

test('an address record of each family is asked for, one of them required; without addresses nothing fulfils it', () => {
  const sets = addressSets(['2001:db8::1', '192.0.2.1', '192.0.2.2'])
  const records = wantedRecords({ ...FACTS, cnameHost: 'c.example', edgeSets: sets }).slice(2)
  assert.deepEqual(
    records.map(({ id, type, values, required }) => [id, type, values.join(), required]),
    [
      ['cname-answer', 'A', '192.0.2.1,192.0.2.2', true],
      ['cname-answer-aaaa', 'AAAA', '2001:db8::1', false],
    ],
  )
  const [none] = wantedRecords({ ...FACTS, cnameHost: 'c.example', edgeSets: [] }).slice(2)
  assert.ok(none)
  assert.deepEqual([judgeRecord(none, [], []), judgeRecord(none, ['192.0.2.1'], [])], ['missing', 'wrong'])
})

test('addresses of some of our machines are right, of anybody else beside them wrong', () => {
  const record = { id: 'glue-1', type: 'A' as const, values: ['192.0.2.1'] }
  const judge = (...seen: string[]) => judgeRecord(record, seen, ['192.0.2.1', '192.0.2.2', '2001:db8::1'])
  assert.deepEqual(
    [judge('192.0.2.2'), judge('192.0.2.1', '2001:DB8::0:1'), judge('2001:db8::1'), judge('192.0.2.1', '198.51.100.1')],
    ['good', 'good', 'missing', 'wrong'],
  )
})

const wish = { spf: 'v=spf1 include:a.example ~all', dkim: `v=DKIM1; k=rsa; p=${KEY}`, dmarc: '', ns: '' }
const JUDGED: [keyof typeof wish, string[] | null, WhiteLabelState][] = [
  ['spf', null, 'unknown'],
  ['spf', [], 'missing'],
  ['spf', ['google-site-verification=x'], 'missing'],
  ['spf', ['v=spf10 include:a.example'], 'missing'],
  ['spf', ['v=spf1 mx include:a.example -all', 'other'], 'good'],
  ['spf', ['V=SPF1 MX +INCLUDE:A.EXAMPLE'], 'good'],
  ['spf', ['v=spf1 mx -all'], 'wrong'],
  ['spf', ['v=spf1 -include:a.example -all'], 'wrong'],
  ['spf', ['v=spf1 ?include:a.example -all'], 'wrong'],
  ['spf', ['v=spf1 -all include:a.example'], 'wrong'],
  ['spf', ['v=spf1 include:a.example.evil.example -all'], 'wrong'],
  ['spf', ['v=spf1 include:a.example -all', 'v=spf1 -all'], 'wrong'],
  ['dkim', [], 'missing'],
  ['dkim', [`v=DKIM1; k=rsa; p=${KEY}`], 'good'],
  ['dkim', [`p=${KEY.slice(0, 5)} ${KEY.slice(5)};`], 'good'],
  ['dkim', [`v=DKIM1; k=rsa; t=y; p=${KEY}`], 'wrong'],
  ['dkim', ['v=DKIM1; k=rsa; p='], 'wrong'],
  ['dkim', [`v=DKIM1; k=ed25519; p=${KEY}`], 'wrong'],
  ['dkim', [`v=DKIM1; p=${KEY}; p=${KEY}`], 'wrong'],
  ['dkim', [`v=DKIM1; p=${KEY}`, 'v=DKIM1; p=other'], 'wrong'],
  ['dkim', ['v=DKIM1; k=rsa; p=AAAA'], 'wrong'],
  ['dmarc', ['v=spf1 -all'], 'missing'],
  ['dmarc', ['v=DMARC1; p=none'], 'good'],
  ['dmarc', ['v=DMARC1'], 'wrong'],
  ['dmarc', ['v=DMARC1; p=none', 'v=DMARC1; p=reject'], 'wrong'],
]
test('texts are judged as their receivers would', () => {
  for (const [id, seen, state] of JUDGED)
    assert.equal(judgeRecord({ id, type: 'TXT', values: [wish[id]] }, seen), state, `${id} ${String(seen)}`)
})

test('names and addresses are the very set, whatever their order and form', () => {
  const ns = { id: 'ns', type: 'NS', values: ['ns1.d.example', 'ns2.d.example'] } as const
  const judge = (seen: string[] | null) => judgeRecord({ ...ns, values: [...ns.values] }, seen)
  assert.deepEqual(
    [null, [], ['NS2.d.example.', 'ns1.d.example'], ['ns1.d.example'], [...ns.values, 'ns.other.example']].map(judge),
    ['unknown', 'missing', 'good', 'wrong', 'wrong'],
  )
  assert.equal(judgeRecord({ id: 'x', type: 'AAAA', values: ['2001:db8::1'] }, ['2001:0DB8:0::1']), 'good')
})

test('nothing that is seen in DNS throws, and a merged record is one that is good', () => {
  fc.assert(
    fc.property(fc.constantFrom('spf', 'dkim', 'dmarc', 'ns'), fc.array(fc.string(), { maxLength: 4 }), (id, seen) => {
      judgeRecord({ id, type: 'TXT', values: ['v=spf1 include:a.example ~all'] }, seen)
    }),
  )
  const term = fc.constantFrom('mx', 'a', 'ip4:192.0.2.0/24', '-all', '~all', 'include:b.example')
  fc.assert(
    fc.property(fc.array(term, { maxLength: 6 }), (terms) => {
      const merged = mergedSpf(wish.spf, [['v=spf1', ...terms].join(' ')])
      assert.equal(judgeRecord({ id: 'spf', type: 'TXT', values: [wish.spf] }, [merged]), 'good', merged)
    }),
  )
})

test('names are given out while all is good, and nothing changes while nobody can be asked', () => {
  const of = (...states: WhiteLabelState[]) => [
    ...states.map((state) => ({ use: 'sender', required: true, state }) as const),
    { use: 'sender', required: false, state: 'missing' } as const,
    { use: 'cname', required: true, state: 'wrong' } as const,
  ]
  const strict = { tolerant: false }
  assert.equal(standingOf(of('good', 'good'), 'sender', strict), 'good')
  assert.equal(standingOf(of('good', 'unknown'), 'sender', strict), 'unknown')
  assert.equal(standingOf(of('missing', 'unknown'), 'sender', strict), 'bad')
  assert.equal(standingOf(of(), 'sender', strict), 'bad')
  // Letters go out into the world: what could not be asked is not taken for good.
  assert.equal(standingOf(of('good', 'unknown'), 'sender', { tolerant: true }), 'unknown')
  assert.equal(standingOf([{ use: 'cname', required: true, state: 'unknown' }], 'cname', { tolerant: true }), 'good')
})

test('what leaks is named with why', () => {
  const facts = {
    isDefault: false,
    settings: { serviceDomain: 'd.example', cnameHost: null, senderAddress: 'a@b.example', senderName: null },
    hostName: 'c.example',
    since: { nameservers: '2026-01-01', cname: null, sender: null },
    linkState: 'missing' as const,
    house: { nameservers: 'ns1.house', cname: 'edge.house', sender: 'no-reply@house', links: 'console.house' },
    earlier: { nameservers: 2, cname: 0 },
  }
  assert.deepEqual(
    leaksOf(facts).map(({ use, reason, shown, organizations }) => `${use} ${reason} ${shown} ${organizations}`),
    [
      'nameservers earlier ns1.house 2',
      'cname not-set edge.house 0',
      'sender not-ready no-reply@house 0',
      'links not-ready console.house 0',
    ],
  )
  assert.deepEqual(leaksOf({ ...facts, isDefault: true }), [])
})
