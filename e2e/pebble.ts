import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import fs from 'node:fs'
import net from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { freePorts } from '@fairway/platform'
import { until } from './until.ts'

const PROGRAM = '/usr/bin/pebble'
/** Comes with it. */
const NAME_SERVER = '/usr/bin/pebble-challtestsrv'

/** Why there is no local authority here, or false when there is. */
export const pebbleMissing: string | false = fs.existsSync(PROGRAM) ? false : 'pebble is not installed'

export type Pebble = AsyncDisposable & {
  directory: string
  /** Root of the authority's own connection, PEM file. */
  rootsFile: string
  /** Root of the certificates that it signs, PEM. */
  issuerRoot(): Promise<string>
  /** External account, when it asks for one. */
  keyId: string
  hmacKey: string
}

type At = { host: string; port: number }

/**
 * A name server that has nothing to do with ours, and leads every name to one address: what the world asks for a zone
 * that is elsewhere.
 */
export async function startOutsideDns(address: string): Promise<AsyncDisposable & At> {
  const [port = 0, management = 0] = await freePorts(2, ['127.0.0.1'])
  const child = spawn(
    NAME_SERVER,
    [
      '-dns01',
      `127.0.0.1:${port}`,
      '-management',
      `127.0.0.1:${management}`,
      '-defaultIPv4',
      address,
      '-defaultIPv6',
      '',
      '-http01',
      '',
      '-https01',
      '',
      '-tlsalpn01',
      '',
    ],
    { stdio: 'ignore', env: { PATH: '/usr/bin:/bin' } },
  )
  await until('the other name server listens', () => connects(management), 10_000)
  return { host: '127.0.0.1', port, [Symbol.asyncDispose]: () => killed(child) }
}

/**
 * A certificate authority of our own (the ACME test server pebble) that asks the given name server, and looks at hosts
 * on `httpPort` instead of 80 and `tlsPort` instead of 443. Starts at once: it needs them only when an order comes.
 */
export async function startPebble({
  dns,
  httpPort,
  tlsPort = 5001,
  external = false,
}: {
  dns: At
  httpPort: number
  tlsPort?: number
  external?: boolean
}): Promise<Pebble> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'pebble-'))
  const [port = 0, management = 0] = await freePorts(2, ['127.0.0.1'])
  serverCertificate(folder)
  const [keyId, hmacKey] = ['kid-1', 'zWNDZM6eQGHWpSRTPal5eIUYFTu7EajVIoguysqZ9wG44nMEtx3MUAsUDkMTQ12W']
  const config = {
    pebble: {
      listenAddress: `127.0.0.1:${port}`,
      managementListenAddress: `127.0.0.1:${management}`,
      certificate: path.join(folder, 'server.pem'),
      privateKey: path.join(folder, 'server.key'),
      httpPort,
      tlsPort,
      ocspResponderURL: '',
      externalAccountBindingRequired: external,
      domainBlocklist: ['blocked-domain.example'],
      externalAccountMACKeys: external ? { [keyId]: hmacKey } : {},
    },
  }
  fs.writeFileSync(path.join(folder, 'pebble.json'), JSON.stringify(config))
  const child: ChildProcess = spawn(
    PROGRAM,
    ['-config', path.join(folder, 'pebble.json'), '-dnsserver', `${dns.host}:${dns.port}`, '-strict'],
    { stdio: ['ignore', 'pipe', 'pipe'], env: { PATH: '/usr/bin:/bin', PEBBLE_VA_NOSLEEP: '1' } },
  )
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => (said = (said + text).slice(-20_000)))
  await until('pebble listens', () => connects(port), 10_000).catch(() => {
    throw new Error(`pebble does not start:\n${said}`)
  })
  return {
    directory: `https://127.0.0.1:${port}/dir`,
    rootsFile: path.join(folder, 'ca.pem'),
    keyId,
    hmacKey,
    issuerRoot: async () =>
      execFileSync('curl', ['--silent', '--insecure', `https://127.0.0.1:${management}/roots/0`], { encoding: 'utf8' }),
    async [Symbol.asyncDispose]() {
      await killed(child)
      fs.rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function killed(child: ChildProcess): Promise<void> {
  const gone = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGKILL')
  await gone
}

function serverCertificate(folder: string): void {
  const openssl = (...words: string[]) => execFileSync('openssl', words, { cwd: folder, stdio: 'pipe' })
  openssl(
    'req',
    '-x509',
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:P-256',
    '-nodes',
    '-keyout',
    'ca.key',
    '-out',
    'ca.pem',
    '-days',
    '2',
    '-subj',
    '/CN=Authority of this test',
  )
  openssl(
    'req',
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:P-256',
    '-nodes',
    '-keyout',
    'server.key',
    '-out',
    'server.csr',
    '-subj',
    '/CN=127.0.0.1',
  )
  fs.writeFileSync(path.join(folder, 'names'), 'subjectAltName=IP:127.0.0.1,DNS:localhost\n')
  openssl(
    'x509',
    '-req',
    '-in',
    'server.csr',
    '-CA',
    'ca.pem',
    '-CAkey',
    'ca.key',
    '-CAcreateserial',
    '-out',
    'server.pem',
    '-days',
    '2',
    '-extfile',
    'names',
  )
}

function connects(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = net.connect(port, '127.0.0.1')
    socket
      .once('connect', () => {
        socket.destroy()
        resolve(true)
      })
      .once('error', () => resolve(false))
  })
}
