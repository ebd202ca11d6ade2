import assert from 'node:assert/strict'
import { once } from 'node:events'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { acmeAuthority, newCertificateKey } from './acme.ts'
import { AuthorityAway, AuthorityRefusal } from './authority.ts'

/** Asks for an account where each request is answered so; null closes the connection. */
async function asked(answer: { status: number; headers?: http.OutgoingHttpHeaders; body?: string } | null) {
  const server = http.createServer((request, response) => {
    if (answer === null) return void request.socket.destroy()
    response.writeHead(answer.status, answer.headers).end(answer.body)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const directoryUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/directory`
  const authority = acmeAuthority({ directoryUrl, contact: '', binding: null, trustedRoots: null })
  const began = performance.now()
  const error: unknown = await authority.account(newCertificateKey()).catch((reason: unknown) => reason)
  server.closeAllConnections()
  server.close()
  return { error, tookMs: performance.now() - began }
}

test('an authority that is away, or not well, is told to be so at once, with its own words', async () => {
  const cases: [Parameters<typeof asked>[0], RegExp][] = [
    [null, /socket hang up|ECONNRESET/],
    [{ status: 503 }, /answered 503/],
    [
      { status: 500, body: '{"detail":"down for the night"}', headers: { 'content-type': 'application/json' } },
      /night/,
    ],
  ]
  for (const [answer, said] of cases) {
    const { error, tookMs } = await asked(answer)
    assert.ok(error instanceof AuthorityAway, String(error))
    assert.match(error.message, said)
    // The library would have come back after 5 s, and again.
    assert.ok(tookMs < 4_000, `${tookMs}`)
  }
})

test('a limit is told with when to come again, however far away that is', async () => {
  const { error } = await asked({ status: 429, headers: { 'retry-after': '7200' } })
  assert.ok(error instanceof AuthorityRefusal && error.isLimit)
  assert.ok(Math.abs((error.retryAt ?? 0) - Date.now() - 7_200_000) < 60_000)
})
