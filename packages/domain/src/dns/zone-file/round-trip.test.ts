import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { PLAN_FEATURES, type RecordInput, type ZoneFileFormat } from '@fairway/contract'
import { tidyRecord } from '../record-values.ts'
import { toRdata } from '../to-rrsets.ts'
import { validateRecord } from '../validate-record.ts'
import { validateZone } from '../validate-zone.ts'
import { exportZone } from './export-zone.ts'
import { readFileRecords } from './file-record.ts'
import { planImport } from './plan-import.ts'

const SITE = 'example.com'
const record = (type: RecordInput['type'], name: string, value: string, extra: Partial<RecordInput> = {}) =>
  tidyRecord({ type, name, value, preference: null, ttlSeconds: 300, multiCdn: false, weight: null, ...extra })
const RECORDS = [
  record('ALIAS', '@', 'www.example.net', { ttlSeconds: 60 }),
  record('MX', '@', 'mail.example.com', { preference: 10 }),
  record('TXT', '@', 'v=spf1 -all; "quoted"'),
  record('CAA', '@', '0 issue "ca.example; policy=ev"'),
  record('HTTPS', '@', '1 . alpn="h3,h2" port=443 ipv4hint=192.0.2.1'),
  record('SVCB', '_dns', '0 dns.example.net'),
  record('A', 'www', '192.0.2.1', { weight: 3 }),
  record('A', 'www', '192.0.2.2', { weight: 1 }),
  record('AAAA', 'mail', '2001:db8::1'),
  record('A', 'mail', '192.0.2.3'),
  record('CNAME', 'alias', 'www.example.com'),
  record('SRV', '_sip._tcp', '10 5 5060 mail.example.com'),
  record('NAPTR', '@', '10 20 "U" "E2U+sip" "!^.*$!sip:info@example.com!" .'),
  record('TLSA', '_443._tcp.www', `3 1 1 ${'AB'.repeat(32)}`),
  record('SSHFP', 'mail', `4 2 ${'CD'.repeat(32)}`),
  record('NS', 'shop', 'ns1.example.net'),
  record('DS', 'shop', `12345 13 2 ${'EF'.repeat(32)}`),
  record('PTR', 'ptr', 'host.example.net'),
  record('TYPE65400', 'own', '\\# 3 0A0B0C'),
]
const APEX = [
  {
    name: SITE,
    type: 'SOA' as const,
    ttlSeconds: 3600,
    rdata: ['ns1.example.net. hostmaster.example.net. 7 86400 7200 3600000 60'],
  },
  { name: SITE, type: 'NS' as const, ttlSeconds: 3600, rdata: ['ns1.example.net.'] },
]
const current = RECORDS.map((one, index) => ({ ...one, id: String(index) }))
const planOf = (format: ZoneFileFormat, records = current) => {
  const { records: read, errors } = readFileRecords(
    format,
    exportZone(format, RECORDS, { name: SITE, apex: APEX }),
    SITE,
  )
  assert.deepEqual(errors, [])
  return planImport({
    records: read,
    current: records,
    siteName: SITE,
    mode: 'replace',
    minimumTtlSeconds: 30,
    ability: PLAN_FEATURES,
  })
}

test('the sample is a valid zone of every type', () => {
  for (const one of RECORDS) assert.deepEqual(validateRecord(one, SITE), [], JSON.stringify(one))
  assert.equal(validateZone(RECORDS, SITE), null)
})

for (const format of ['bind', 'csv'] as const) {
  test(`every type survives the way through ${format}: nothing changes in the site, and an empty one becomes the same`, () => {
    const { counts } = planOf(format)
    assert.deepEqual([counts.added, counts.changed, counts.removed], [0, 0, 0])
    const { added } = planOf(format, [])
    const key = (one: RecordInput) =>
      JSON.stringify([one.name, one.type, toRdata(one), one.ttlSeconds, format === 'csv' ? one.weight : null])
    assert.deepEqual(added.map(key).sort(), RECORDS.map(key).sort())
  })
}

test('another server loads what is exported', { skip: !fs.existsSync('/usr/bin/named-checkzone') }, () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'export-'))
  try {
    const file = path.join(folder, 'zone')
    fs.writeFileSync(file, exportZone('bind', RECORDS, { name: SITE, apex: APEX }))
    execFileSync('/usr/bin/named-checkzone', ['-i', 'none', SITE, file], { stdio: 'pipe' })
    execFileSync('/usr/bin/ldns-read-zone', [file], { stdio: 'pipe' })
  } finally {
    fs.rmSync(folder, { recursive: true, force: true })
  }
})
