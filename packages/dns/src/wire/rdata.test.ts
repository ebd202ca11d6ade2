import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DnsType } from '@fairway/contract'
import dnsPacket from 'dns-packet'
import { rdataToWire } from './rdata.ts'

const hex = (type: DnsType, text: string) => Buffer.from(rdataToWire(type, text)).toString('hex')

const good: [DnsType, string, string][] = [
  ['A', '192.0.2.1', 'c0000201'],
  ['AAAA', '2001:db8::1', '20010db8000000000000000000000001'],
  ['AAAA', '::ffff:192.0.2.1', '00000000000000000000ffffc0000201'],
  ['AAAA', '::', '00'.repeat(16)],
  ['CNAME', 'a.example.', '0161076578616d706c6500'],
  ['NS', '.', '00'],
  ['PTR', 'a\\.b.example.', '03612e62076578616d706c6500'],
  ['MX', '10 m.', '000a016d00'],
  ['SRV', '1 2 65535 t.', '00010002ffff017400'],
  ['TXT', '"a b" c', '036120620163'],
  ['TXT', '""', '00'],
  ['TXT', '"\\"\\\\\\065\\200"', '04225c41c8'],
  ['TXT', '"é"', '02c3a9'],
  ['CAA', '0 issue "ca.example; x=1"', '00056973737565' + Buffer.from('ca.example; x=1').toString('hex')],
  ['SOA', 'm. r. 1 2 3 4 5', '016d000172000000000100000002000000030000000400000005'],
]
for (const [type, text, expected] of good) {
  test(`${type} ${text} has its wire form`, () => assert.equal(hex(type, text), expected))
}

const bad: [DnsType, string][] = [
  ['A', '192.0.2'],
  ['A', '192.0.2.256'],
  ['A', '192.0.2.01'],
  ['A', '::1'],
  ['A', '192.0.2.1 192.0.2.2'],
  ['A', ''],
  ['AAAA', '192.0.2.1'],
  ['AAAA', '1::2::3'],
  ['AAAA', '1:2:3:4:5:6:7:8:9'],
  ['AAAA', 'fe80::1%eth0'],
  ['AAAA', '1:2:3:4:5:6:7::8:9'],
  ['CNAME', ''],
  ['CNAME', 'a..b.'],
  ['CNAME', `${'a'.repeat(64)}.`],
  ['CNAME', `${'a.'.repeat(128)}`],
  ['CNAME', 'a b.'],
  ['CNAME', 'a\\25.'],
  ['CNAME', 'a\\256.'],
  ['MX', 'm.'],
  ['MX', '65536 m.'],
  ['MX', '-1 m.'],
  ['MX', '10 m. x.'],
  ['TXT', ''],
  ['TXT', '"open'],
  ['TXT', `"${'a'.repeat(256)}"`],
  ['TXT', '"a\\'],
  ['CAA', '256 issue "x"'],
  ['CAA', '0 is-sue "x"'],
  ['CAA', '0 issue'],
  ['SOA', 'm. r. 1 2 3 4'],
  ['SRV', '1 2 t.'],
]
for (const [type, text] of bad) {
  test(`${type} ${JSON.stringify(text.slice(0, 30))} is refused`, () =>
    assert.throws(() => rdataToWire(type, text), { name: 'Error' }))
}

test('what is written here another library reads', () => {
  const cases: [DnsType, string, unknown][] = [
    ['MX', '10 mail.example.', { preference: 10, exchange: 'mail.example' }],
    ['SRV', '1 2 3 target.example.', { priority: 1, weight: 2, port: 3, target: 'target.example' }],
    ['AAAA', '2001:db8:0:1::', '2001:db8:0:1::'],
  ]
  for (const [type, text, expected] of cases) {
    const rdata = rdataToWire(type, text)
    const empty = dnsPacket.encode({ type: 'response', id: 1, questions: [] })
    empty.writeUInt16BE(1, 6)
    const head = Buffer.from([
      0,
      0,
      { MX: 15, SRV: 33, AAAA: 28 }[type as string] ?? 0,
      0,
      1,
      0,
      0,
      0,
      9,
      0,
      rdata.length,
    ])
    assert.deepEqual(dnsPacket.decode(Buffer.concat([empty, head, rdata])).answers[0]?.data, expected)
  }
})
