// `node make-home.ts <file>`: a small filled home of this version, as a fixture for upgrades to later ones (`homes/`).
import fs from 'node:fs'
import path from 'node:path'
import zlib from 'node:zlib'
import { dnsRecords, sites } from '@fairway/contract'
import { DatabaseReader, embeddedConnection } from '@fairway/platform'
import { startApiUnderTest } from './api-under-test.ts'
import { until } from './until.ts'

const ZONES = ['harbour.example', 'lantern.example']
const RECORDS = [
  { type: 'A', name: 'www', value: '93.184.215.14' },
  { type: 'AAAA', name: 'www', value: '2606:2800:21f::1' },
  { type: 'TXT', name: '@', value: 'v=spf1 -all' },
  { type: 'MX', name: '@', value: 'mail.example.net', preference: 10 },
] as const

const [, , file = ''] = process.argv
await using api = await startApiUnderTest()
for (const domainName of ZONES) {
  const client = await api.newClient()
  const site = (await client.call(sites.routes.create, { domainName })).data.id
  for (const record of RECORDS) await client.call(dnsRecords.routes.create, { site, multiCdn: false, ...record })
  const { data } = await client.call(dnsRecords.routes.create, {
    site,
    type: 'CNAME',
    name: 'old',
    value: 'www.example.net',
    multiCdn: false,
  })
  await client.call(dnsRecords.routes.remove, { site, id: data.id })
}
await until(() => api.database.system(async (tx) => (await tx.query('SELECT FROM outbox LIMIT 1')).length === 0))
const tables: Record<string, { columns: string[]; rows: unknown[] }> = {}
await using reader = await DatabaseReader.open(embeddedConnection(api.config))
for (const table of reader.tables) {
  const rows: unknown[] = []
  for await (const some of reader.rows(table)) rows.push(...some.map((row) => JSON.parse(row.toString()) as unknown))
  if (rows.length > 0) tables[table.name] = { columns: table.columns.map(({ name }) => name), rows }
}
const folder = path.join(api.config.home, 'secrets')
const secrets = Object.fromEntries(
  fs.readdirSync(folder).map((name) => [name, fs.readFileSync(path.join(folder, name), 'base64')]),
)
const sequences = (await reader.sequences()).filter(({ called }) => called)
fs.writeFileSync(file, zlib.gzipSync(JSON.stringify({ tables, sequences, secrets })))
