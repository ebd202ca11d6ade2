import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { RecordInput } from '@fairway/contract'
import * as fc from 'fast-check'
import { quoteTxt } from './txt.ts'
import { tidyRecord, valueOfRdata } from './record-values.ts'
import { toRdata } from './to-rrsets.ts'

const tidy = (type: RecordInput['type'], value: string) =>
  tidyRecord({ type, name: '@', value, preference: 5, ttlSeconds: null, multiCdn: false, weight: null })

test('values are kept in one form', () => {
  const forms: [RecordInput['type'], string, string][] = [
    ['CNAME', 'Www.Example.NET.', 'www.example.net'],
    ['PTR', 'Host.example.net.', 'host.example.net'],
    ['MX', '.', '.'],
    ['MX', 'Mail.example.net.', 'mail.example.net'],
    ['TXT', 'As It Is.', 'As It Is.'],
    ['SRV', '010  5 443 SIP.example.net.', '10 5 443 sip.example.net'],
    ['SRV', '0 0 0 .', '0 0 0 .'],
    ['SRV', 'not a service', 'not a service'],
    ['CAA', '0 ISSUE letsencrypt.org', '0 issue "letsencrypt.org"'],
    ['CAA', '0 issue ca.example; a=b', '0 issue ca.example; a=b'],
  ]
  for (const [type, value, kept] of forms) assert.equal(tidy(type, value).value, kept, `${type} ${value}`)
  assert.deepEqual([tidy('MX', 'm.example.net').preference, tidy('A', '192.0.2.1').preference], [5, null])
})

test('rdata becomes what people write, and the same rdata again', () => {
  const forms: [RecordInput['type'], string, string, number | null][] = [
    ['MX', '10 mail.example.net.', 'mail.example.net', 10],
    ['MX', '0 .', '.', 0],
    ['CNAME', 'a.example.net.', 'a.example.net', null],
    ['SRV', '1 2 3 sip.example.net.', '1 2 3 sip.example.net', null],
    ['SRV', '0 0 0 .', '0 0 0 .', null],
    ['TXT', '"v=spf1 -all"', 'v=spf1 -all', null],
    ['TXT', '"a" "b"', '"a" "b"', null],
    ['TXT', '" a"', '" a"', null],
    ['TXT', '"\\"a\\""', '"\\"a\\""', null],
    ['TXT', '""', '""', null],
    ['CAA', '0 iodef "mailto:a@example.com"', '0 iodef "mailto:a@example.com"', null],
  ]
  for (const [type, rdata, value, preference] of forms) {
    assert.deepEqual(valueOfRdata(type, rdata), { value, preference })
    assert.equal(toRdata({ type, value, preference }), rdata)
  }
})

test('any text survives', () => {
  fc.assert(
    fc.property(fc.array(fc.array(fc.nat(255), { maxLength: 255 }), { minLength: 1, maxLength: 3 }), (strings) => {
      const rdata = quoteTxt(strings)
      const { value } = valueOfRdata('TXT', rdata)
      assert.equal(toRdata({ type: 'TXT', value: value.trim(), preference: null }), rdata)
    }),
  )
})
