import assert from 'node:assert/strict'
import dgram from 'node:dgram'
import { once } from 'node:events'
import http from 'node:http'
import { after, before, test } from 'node:test'
import { cdnManagement, dnsPrimary, dnsRecords, dnsSecondaries, domains, webhooks } from '@fairway/contract'
import { startApiUnderTest, type ApiUnderTest } from './testing/api-under-test.ts'
import { startNodeUnderTest } from './testing/node-under-test.ts'
import { newSteeredDomain, type SteeredDomain } from './testing/steered-domain.ts'
import { until } from './testing/until.ts'

const { createPlatform, install, list } = cdnManagement.routes
/** The port that custom CDNs are asked at. */
const INNER = { host: '127.0.0.77', port: 80 }
const seen: string[] = []
const inner = http.createServer((request, response) => {
  seen.push(`${request.method} ${request.headers.host}${request.url}`)
  response.end('inside')
})
const running = new AsyncDisposableStack()
let api: ApiUnderTest
let resolver: ResolverUnderTest

before(async () => {
  // Without the right to listen at port 80 the words of the refusals still tell.
  await once(inner.listen(INNER.port, INNER.host), 'listening').catch(() =>
    once(inner.listen(0, INNER.host), 'listening'),
  )
  running.defer(() => new Promise<void>((resolve) => (inner.closeAllConnections(), inner.close(() => resolve()))))
  resolver = running.use(await startResolver())
  api = running.use(await startApiUnderTest({ FAIRWAY_RESOLVER: resolver.at }))
  running.use(startNodeUnderTest(api, 'dns'))
  running.use(startNodeUnderTest(api, 'edge'))
})
after(() => running.disposeAsync())

type ResolverUnderTest = AsyncDisposable & {
  at: string
  says(name: string, ...answers: string[]): void
  asked: string[]
}

/** Answers A and CNAME questions; several addresses are answered one after the other, the last one from then on. */
async function startResolver(): Promise<ResolverUnderTest> {
  const known = new Map<string, string[]>()
  const asked: string[] = []
  const socket = dgram.createSocket('udp4')
  socket.on('message', (query, from) => {
    const end = query.indexOf(0, 12)
    const labels: string[] = []
    for (let at = 12; at < end; at += (query[at] ?? 0) + 1)
      labels.push(query.toString('latin1', at + 1, at + 1 + (query[at] ?? 0)))
    const name = labels.join('.').toLowerCase()
    const type = query.readUInt16BE(end + 1)
    const [first, ...later] = known.get(name) ?? []
    const isAddress = /^[\d.]+$/.test(first ?? '')
    const data =
      first === undefined || (type !== 5 && !isAddress) || (type === 5 && isAddress) || (type !== 1 && type !== 5)
        ? null
        : isAddress
          ? Buffer.from(first.split('.').map(Number))
          : Buffer.from(
              `${first
                .split('.')
                .map((label) => String.fromCharCode(label.length) + label)
                .join('')}\0`,
            )
    if (type === 1 && isAddress) asked.push(`${name} ${first}`)
    if (type === 1 && later.length > 0) known.set(name, later)
    const header = Buffer.from(query.subarray(0, 12))
    header.writeUInt16BE(first === undefined ? 0x8183 : 0x8180, 2)
    header.writeUInt16BE(data ? 1 : 0, 6)
    header.writeUInt32BE(0, 8)
    const fixed = Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 0, 0, data?.length ?? 0])
    socket.send(
      Buffer.concat([header, query.subarray(12, end + 5), ...(data ? [fixed, data] : [])]),
      from.port,
      from.address,
    )
  })
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve))
  return {
    at: `127.0.0.1:${socket.address().port}`,
    asked,
    says: (name, ...answers) => void known.set(name, answers),
    [Symbol.asyncDispose]: () => new Promise<void>((resolve) => socket.close(() => resolve())),
  }
}

let made = 0
/** A custom CDN under this name on the owner's domain; answers when it is operational or has failed, and why. */
async function outcomeOf({ client, site, domain }: SteeredDomain, cname: string): Promise<string> {
  const { data } = await client.call(createPlatform, { name: `Custom ${++made}`, cname })
  await client.call(install, { site, domain, cdnId: data.id })
  const row = await until(async () =>
    (await client.call(list, { site, domain })).data.find(
      (cdn) => cdn.cdnId === data.id && (cdn.state === 'operational' || cdn.state === 'failed'),
    ),
  )
  return `${row.state}: ${row.detail}`
}

test('a custom CDN whose name leads inside is never called, and its owner learns nothing of what is there', async () => {
  const own = await newSteeredDomain(api)
  resolver.says('evil.attacker.test', INNER.host)
  assert.equal(
    await outcomeOf(own, 'evil.attacker.test'),
    `failed: evil.attacker.test does not answer for ${own.host}: the name stands for an address of a private network`,
  )
  resolver.says('closed.attacker.test', '127.0.0.78')
  const closed = await outcomeOf(own, 'closed.attacker.test')
  assert.match(closed, /the name stands for an address of a private network$/, 'the same whether somebody listens')
  assert.deepEqual(seen, [])
})

test('a name that turns inside after it was looked up (rebinding) is not called', async () => {
  const own = await newSteeredDomain(api)
  const times = resolver.asked.length
  // The first answer is for the check, the second one would be for the connection.
  resolver.says('rebinding.attacker.test', '240.0.0.1', INNER.host)
  assert.match(await outcomeOf(own, 'rebinding.attacker.test'), /^failed: .*private network$/)
  assert.ok(resolver.asked.length > times)
  assert.deepEqual(seen, [])
})

test('inner addresses are refused where they are entered: origin, webhook, primary, secondary', async () => {
  const own = await newSteeredDomain(api)
  const { client, site, domain } = own
  const fieldsOf = async (work: Promise<{ status: number; fields: { path: string; message: string }[] }>) => {
    const { status, fields } = await work
    return [status, ...fields.map(({ path, message }) => `${path} ${message}`)]
  }
  const forms = ['127.0.0.77', '169.254.169.254', '10.0.0.1', '100.64.0.1', '192.0.0.170', '198.18.0.1']
  const v6 = ['[::1]', '[::ffff:7f00:4d]', '[64:ff9b::7f00:4d]', '[64:ff9b:1::a00:1]', '[2002:7f00:4d::]', '[fd00::1]']
  for (const host of [...forms, ...v6]) {
    const notify = client.refusal(dnsSecondaries.routes.create, { name: `S ${host}`, notify: `${host}:53` })
    assert.deepEqual(await fieldsOf(notify), [400, 'notify validation.bogon'], host)
    const primary = client.refusal(dnsPrimary.routes.set, { site, servers: [`${host}:53`], key: null })
    assert.deepEqual(await fieldsOf(primary), [400, 'servers.0 validation.bogon'], host)
    const hook = client.refusal(webhooks.routes.create, { url: `https://${host}/`, types: ['dns'] })
    assert.deepEqual((await fieldsOf(hook))[0], 400, host)
  }
  for (const address of forms) {
    const origin = { address, port: 80, protocol: 'http', hostHeader: own.host } as const
    assert.deepEqual(await fieldsOf(client.refusal(domains.routes.update, { site, domain, origin })), [
      400,
      'origin.address validation.bogonIpCheck',
    ])
  }
  assert.deepEqual(seen, [])
})

test('27034, 27035: a CDN is there once, and its name leads to no name of the domain that it would serve', async () => {
  const own = await newSteeredDomain(api)
  const { client, site, domain, host } = own
  const zone = host.slice('www.'.length)
  const add = async (cname: string) => (await client.call(createPlatform, { name: `Loop ${++made}`, cname })).data.id
  const codeOf = async (cdnId: string) => (await client.refusal(install, { site, domain, cdnId })).code
  assert.equal(await codeOf(await add(host)), 27035)
  const twice = await client.refusal(createPlatform, { name: 'Twice', cname: host })
  assert.deepEqual([twice.code, twice.fields[0]?.path], [27034, 'cname'])
  await client.call(dnsRecords.routes.create, { site, type: 'CNAME', name: 'own', value: host })
  assert.equal(await codeOf(await add(`own.${zone}`)), 27035, 'by an alias of our own')
  resolver.says('alias.outside.test', 'second.outside.test')
  resolver.says('second.outside.test', host)
  assert.equal(await codeOf(await add('alias.outside.test')), 27035, "by others' aliases")
  resolver.says('edge.outside.test', `x.edge.${api.config.serviceDomain}`)
  assert.equal(await codeOf(await add('edge.outside.test')), 27035, 'by a CDN of the house')
  // The domain goes to a CDN that is the name of another domain, which would go to the first one.
  const other = (
    await client.call(dnsRecords.routes.create, { site, type: 'A', name: 'other', value: '8.8.8.8', multiCdn: true })
  ).data
  await client.call(install, { site, domain, cdnId: await add(`other.${zone}`) })
  const back = (await client.call(cdnManagement.routes.platforms, { search: 'Loop' })).data.find(
    ({ cname }) => cname === host,
  )
  const crossed = await client.refusal(install, { site, domain: other.domainId ?? '', cdnId: back?.id ?? '' })
  assert.equal(crossed.code, 27035, 'by another steered name')
})
