import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import tls from 'node:tls'
import { embeddedConnection, seal, shareGeo, socketFolder } from '@fairway/platform'
import { startApi } from '../../api.ts'
import { type ApiUnderTest, startApiUnderTest } from '../../testing/api-under-test.ts'
import { makeCertificate } from '../../testing/made-certificates.ts'
import { until } from '../../testing/until.ts'
import { CERTIFICATE_KEYS } from './seal-purpose.ts'

const HOST = 'console.example'
const authority = makeCertificate({ subject: '/CN=House authority', names: [], ca: true })

let api: ApiUnderTest
/** Another machine's API, with the same secrets and database. */
let second: { url: string; tlsPort: number | null }
const stack = new AsyncDisposableStack()
before(async () => {
  api = stack.use(
    await startApiUnderTest({
      FAIRWAY_TLS_LISTEN: '127.0.0.1:0',
      FAIRWAY_TLS_ACME: 'lets-encrypt',
      FAIRWAY_PUBLIC_URL: `https://${HOST}`,
      // Nobody is there.
      FAIRWAY_ACME_LETS_ENCRYPT_URL: 'https://127.0.0.1:9/directory',
    }),
  )
  const home = fs.mkdtempSync(path.join(os.tmpdir(), 'fairway-second-'))
  stack.defer(() => fs.rmSync(home, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 }))
  shareGeo(home)
  fs.cpSync(path.join(api.config.home, 'secrets'), path.join(home, 'secrets'), { recursive: true })
  const { user, password, database } = embeddedConnection(api.config)
  const databaseUrl = `postgres://${user}:${String(password)}@/${database}?host=${encodeURIComponent(socketFolder(api.config))}`
  const config = { ...api.config, home, nodeName: 'second', databaseUrl }
  second = stack.use(await startApi({ config, log: api.log, consoleFolder: null }))
})
after(() => stack.disposeAsync())

const shownBy = ({ tlsPort }: { tlsPort: number | null }) =>
  new Promise<string | null>((resolve) => {
    const socket = tls.connect({ port: tlsPort ?? 0, servername: HOST, ca: authority.certificate }, () => {
      resolve(String(socket.getPeerCertificate().subject.CN))
      socket.destroy()
    })
    socket.once('error', () => resolve(null))
  })
const put = (column: string, value: string) =>
  api.database.system((tx) => tx.query(`UPDATE console_certificate SET ${column} = $1`, [value]))

test('one certificate is ordered for all processes, and all of them show the newest without a restart', async () => {
  assert.deepEqual([await shownBy(api), await shownBy(second)], [null, null])
  for (const name of ['first', 'second']) {
    const made = makeCertificate({ subject: `/CN=${name}`, names: [HOST], key: 'ec', issuer: authority })
    await api.database.system(async (tx) => {
      await tx.query('UPDATE console_certificate SET chain_pem = $1, sealed_key = $2', [
        made.certificate,
        seal(api.config, CERTIFICATE_KEYS, made.privateKey),
      ])
      await tx.query(`SELECT pg_notify('console-certificate', '')`)
    })
    await until(async () => (await shownBy(api)) === name && (await shownBy(second)) === name)
  }
})

test('an authority is answered by every process for a token that is asked for, and for no other', async () => {
  const challenge = { type: 'http-01', name: HOST, token: 'abc-1', value: 'abc-1.thumb' }
  await put('challenges', JSON.stringify([challenge]))
  for (const { url } of [api, second]) {
    const answer = (token: string) => fetch(new URL(`/.well-known/acme-challenge/${token}`, url))
    assert.equal(await (await answer('abc-1')).text(), 'abc-1.thumb')
    assert.equal((await answer('abc-2')).status, 404)
  }
})

test('a key that this installation cannot open changes nothing, and is told', async () => {
  const other = makeCertificate({ subject: '/CN=other', names: [HOST], key: 'ec', issuer: authority })
  await put('sealed_key', 'not of this installation')
  await put('chain_pem', other.certificate)
  await api.database.system((tx) => tx.query(`SELECT pg_notify('console-certificate', '')`))
  await until(async () => {
    const answer = (await (await fetch(new URL('/readyz', api.url))).json()) as { degraded: string[] }
    return answer.degraded.includes('tls')
  })
  assert.equal(await shownBy(api), 'second')
})
