import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { RecordInput } from '@fairway/contract'
import { validateRecord } from './validate-record.ts'

const problems = (
  type: RecordInput['type'],
  value: string,
  { name = 'www', preference = type === 'MX' ? 10 : null }: { name?: string; preference?: number | null } = {},
) =>
  validateRecord({ type, name, value, preference }, 'example.com')
    .map((one) => `${one.path} ${one.message}`)
    .join(', ')

test('values that fit their type pass', () => {
  const fitting: [RecordInput['type'], string][] = [
    ['A', '192.0.2.1'],
    ['AAAA', '2001:db8::1'],
    ['AAAA', '::ffff:192.0.2.1'],
    ['CNAME', 'a_b.example.net'],
    ['CNAME', 'Example.NET.'],
    ['NS', 'ns1.example.net.'],
    ['MX', 'mail.example.net'],
    ['TXT', 'v=spf1 include:_spf.example.net ~all'],
    ['TXT', '"one" "two \\" \\200"'],
    ['TXT', 'ünï'],
    ['TXT', 'x'.repeat(4096)],
    ['TXT', '""'],
    ['PTR', 'host.example.net.'],
    ['CAA', '0 issue "letsencrypt.org"'],
    ['CAA', '128 issuewild "ca.example.net; validationmethods=dns-01"'],
    ['CAA', '0 issue ";"'],
    ['CAA', '0 ISSUE letsencrypt.org'],
    ['CAA', '0 iodef "mailto:a@example.com"'],
    ['CAA', '0 iodef "https://example.com/x"'],
  ]
  for (const [type, value] of fitting) assert.equal(problems(type, value), '', `${type} ${value.slice(0, 40)}`)
})

test('values that do not fit their type are named with the text that says why', () => {
  const wrong: [RecordInput['type'], string, string][] = [
    ['A', '2001:db8::1', 'ipAddress'],
    ['A', '192.0.2', 'ipAddress'],
    ['A', 'example.com', 'ipAddress'],
    ['A', '192.0.2.0/24', 'ipAddress'],
    ['AAAA', '192.0.2.1', 'ipv6Address'],
    ['AAAA', 'fe80::1%1', 'ipv6Address'],
    ['CNAME', '192.0.2.1', 'cname'],
    ['CNAME', 'www', 'cname'],
    ['CNAME', '-a.example.com', 'cname'],
    ['CNAME', 'a..b', 'cname'],
    ['CNAME', `${'a'.repeat(64)}.com`, 'cname'],
    ['CNAME', 'a b.com', 'cname'],
    ['NS', 'ns_1.example.com', 'fqdn'],
    ['NS', '192.0.2.1', 'fqdn'],
    ['MX', 'mail_1.example.com', 'fqdn'],
    ['MX', '10 mail.example.com', 'fqdn'],
    ['MX', '.', 'nullMx'],
    ['CNAME', '.', 'rootTarget'],
    ['ALIAS', ' . ', 'rootTarget'],
    ['NS', '.', 'rootTarget'],
    ['PTR', '.', 'rootTarget'],
    ['TXT', '"open', 'txt'],
    ['TXT', '"a" b', 'txt'],
    ['TXT', '"a""b"', 'txt'],
    ['TXT', '"\\999"', 'txt'],
    ['TXT', 'two\nlines', 'txt'],
    ['TXT', 'nul\u0000', 'txt'],
    ['TXT', '\ud800', 'txt'],
    ['TXT', 'é'.repeat(2049), 'txt'],
    ['PTR', '192.0.2.1', 'fqdn'],
    ['CAA', 'letsencrypt.org', 'caa'],
    ['CAA', '256 issue "letsencrypt.org"', 'caa'],
    ['CAA', '0 isue "letsencrypt.org"', 'caa'],
    ['CAA', '0 issue "not a host"', 'caa'],
    ['CAA', '0 issue ""', 'caa'],
    ['CAA', '0 issue ca.example; a=b', 'caa'],
    ['CAA', '0 iodef "a@example.com"', 'caa'],
    ['CAA', '0 issue "ca.example"\n', 'caa'],
  ]
  for (const [type, value, message] of wrong)
    assert.equal(problems(type, value), `value validation.${message}`, `${type} ${JSON.stringify(value.slice(0, 40))}`)
})

test('an SRV has a service and a protocol in its name, and priority, weight, port and host in its value', () => {
  const srv = (value: string, name = '_sip._tcp') => problems('SRV', value, { name })
  for (const value of ['10 5 443 sip.example.net', '0 0 65535 Sip.Example.net.', '0 0 0 .'])
    assert.equal(srv(value), '', value)
  for (const value of [
    '10 5 sip.example.net',
    '10 5 65536 sip.example.net',
    '1 2 3 192.0.2.1',
    '1 2 3 sip',
    'sip.example.net',
    '1 2 3 a b',
    '-1 0 1 a.example.net',
  ])
    assert.equal(srv(value), 'value validation.srv', value)
  for (const name of ['_sip._tcp.deep.down', '_xmpp-client._tcp'])
    assert.equal(srv('1 2 3 sip.example.net', name), '', name)
  for (const name of ['@', 'www', '_sip', 'sip._tcp', '_sip.tcp'])
    assert.equal(srv('1 2 3 sip.example.net', name), 'name validation.srvName', name)
})

test('an MX needs a preference; 0 with a dot says that there is no mail', () => {
  assert.equal(problems('MX', 'mail.example.com', { preference: null }), 'preference validation.required')
  assert.equal(problems('MX', '.', { preference: 0 }), '')
})

test('nameservers of the site itself and of a wildcard are refused', () => {
  assert.equal(problems('NS', 'ns1.example.net', { name: '@' }), 'name validation.nsAtApex')
  assert.equal(problems('NS', 'ns1.example.net', { name: '*.sub' }), 'name validation.nsAtWildcard')
})

test('a name that lies elsewhere is refused as that', () =>
  assert.equal(problems('A', '192.0.2.1', { name: 'www.example.net.' }), 'name validation.nameOutside'))

test('a name that is too long below its site is refused', () => {
  const name = Array.from({ length: 4 }, () => 'a'.repeat(60)).join('.')
  assert.equal(problems('A', '192.0.2.1', { name }), 'name validation.recordName')
})
