import assert from 'node:assert/strict'
import fs from 'node:fs'
import https from 'node:https'
import type { AddressInfo } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import type { WantedRecord } from '@fairway/domain'
import { loadConfig, makeLog, OutgoingGate, type Names } from '@fairway/platform'
import { makeCertificate } from '../../testing/made-certificates.ts'
import { lookAt } from './look.ts'

const NAME = 'console.partner.example'
const CONSOLE = 'console.house.example'

test('a partner’s host name is right when browsers take the certificate there, wrong when they do not, and not known where nobody answers', async (context) => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'look-tls-'))
  context.after(() => fs.rmSync(folder, { recursive: true, force: true }))
  const root = makeCertificate({ subject: '/CN=Root', names: [], ca: true })
  const roots = path.join(folder, 'roots.pem')
  fs.writeFileSync(roots, root.certificate)
  const shown = (names: string[], issuer = root) => {
    const { certificate: cert, privateKey: key } = makeCertificate({ subject: `/CN=${names[0]}`, names, issuer })
    return { cert, key }
  }
  const server = https.createServer(shown([CONSOLE]), (_, response) => void response.end())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const names = {
    aliasOf: async () => CONSOLE,
    addressesOf: async () => ['127.0.0.1'],
  } as Partial<Names> as Names
  const config = loadConfig({
    FAIRWAY_PUBLIC_URL: `https://${CONSOLE}:${port}`,
    FAIRWAY_PRIVATE_NETWORKS: '127.0.0.0/8',
    FAIRWAY_ACME_ROOTS_FILE: roots,
  })
  const gate = new OutgoingGate({ config, log: makeLog('test', { logLevel: 'silent' }), names })
  const link: WantedRecord = {
    id: 'links',
    use: 'links',
    name: NAME,
    type: 'CNAME',
    values: [CONSOLE],
    place: 'own',
    required: true,
  }
  const seen = async () =>
    (await lookAt({ config, gate }, 'partner', [link], { dns: [], edge: [], ours: { dns: [], edge: [] } })).get('links')
  const foreign = await seen()
  assert.equal(foreign?.state, 'wrong')
  assert.match(foreign.seen[0] ?? '', /^TLS: .*altnames/)
  server.setSecureContext(shown([CONSOLE, NAME], makeCertificate({ subject: '/CN=Stranger', names: [], ca: true })))
  assert.equal((await seen())?.state, 'wrong')
  server.setSecureContext(shown([CONSOLE, NAME]))
  assert.deepEqual(await seen(), { state: 'good', seen: [CONSOLE] })
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
  assert.deepEqual(await seen(), { state: 'unknown', seen: [] })
})
