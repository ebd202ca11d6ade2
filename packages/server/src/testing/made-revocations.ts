import crypto from 'node:crypto'
import { execFile } from 'node:child_process'
import fs from 'node:fs'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { makeCertificate, type Made } from './made-certificates.ts'

/** An authority whose responder and list are openssl's own, on loopback. */
export type RevokingAuthority = AsyncDisposable & {
  root: Made
  /** A certificate that names the responder, the list, or both. */
  certificate(names: string[], at: { ocsp?: boolean; list?: boolean }): Made
  revoke(one: Made): void
  /** Answers with another authority's signature, as an impostor would. */
  forge(by: Made): void
  /** Answers by a certificate that the authority has entrusted, or not. */
  delegateTo(by: Made | null): void
  asked: string[]
}

export async function startRevokingAuthority(): Promise<RevokingAuthority> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'authority-'))
  const file = (name: string) => path.join(folder, name)
  const openssl = (...words: string[]) => promisify(execFile)('openssl', words, { cwd: folder })
  const root = makeCertificate({ subject: '/CN=Revoking root', names: [], ca: true, days: 400 })
  const asked: string[] = []
  const index = new Map<string, string>()
  let signer = root
  let listSigner = root
  const write = () => {
    fs.writeFileSync(file('index.txt'), [...index.values()].map((line) => `${line}\n`).join(''))
    for (const [name, one] of [
      ['root', root],
      ['signer', signer],
      ['list', listSigner],
    ] as const) {
      fs.writeFileSync(file(`${name}.pem`), one.certificate)
      fs.writeFileSync(file(`${name}.key`), one.privateKey)
    }
    fs.writeFileSync(
      file('ca.conf'),
      '[ca]\ndefault_ca = own\n[own]\ndatabase = index.txt\ndefault_md = sha256\ndefault_crl_days = 7\n',
    )
  }
  const answer = async (asked: Buffer | null): Promise<Buffer> => {
    write()
    if (asked) {
      fs.writeFileSync(file('request.der'), asked)
      await openssl(
        'ocsp',
        '-index',
        'index.txt',
        '-CA',
        'root.pem',
        '-rsigner',
        'signer.pem',
        '-rkey',
        'signer.key',
        '-reqin',
        'request.der',
        '-respout',
        'response.der',
        '-ndays',
        '1',
      )
      return fs.readFileSync(file('response.der'))
    }
    await openssl(
      'ca',
      '-gencrl',
      '-config',
      'ca.conf',
      '-cert',
      'list.pem',
      '-keyfile',
      'list.key',
      '-out',
      'list.crl',
    )
    await openssl('crl', '-in', 'list.crl', '-outform', 'DER', '-out', 'list.der')
    return fs.readFileSync(file('list.der'))
  }
  const server = http.createServer((request, response) => {
    const chunks: Buffer[] = []
    asked.push(`${request.method} ${request.url}`)
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on(
      'end',
      () =>
        void answer(request.method === 'POST' ? Buffer.concat(chunks) : null).then(
          (bytes) => response.end(bytes),
          (error: unknown) => response.writeHead(500).end(String(error)),
        ),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const entry = (one: Made, state: string) => {
    const { serialNumber } = new crypto.X509Certificate(one.certificate)
    index.set(serialNumber, `${state}\t${serialNumber}\tunknown\t/CN=${serialNumber}`)
  }
  return {
    root,
    asked,
    certificate(names, { ocsp = false, list = false }) {
      const made = makeCertificate({
        subject: `/CN=${names[0]}`,
        names,
        days: 60,
        issuer: root,
        extensions: [
          ...(ocsp ? [`authorityInfoAccess=OCSP;URI:${url}/ocsp`] : []),
          ...(list ? [`crlDistributionPoints=URI:${url}/list.crl`] : []),
        ],
      })
      entry(made, 'V\t491231235959Z\t')
      return made
    },
    revoke: (one) => entry(one, 'R\t491231235959Z\t250101000000Z,keyCompromise'),
    forge(by) {
      signer = by
      listSigner = by
    },
    delegateTo(by) {
      signer = by ?? root
      listSigner = root
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      fs.rmSync(folder, { recursive: true, force: true })
    },
  }
}
