import type { ProbeTarget } from '@fairway/contract'
import { type OutgoingGate, OutgoingRefusal, type RefusalReason, type Sender } from '../outgoing/gate.ts'

/** `status`: of an answer that has come, whether it was good or not. `refused`: why nothing was opened. */
export type ProbeOutcome = {
  ok: boolean
  rttMs: number | null
  error: string | null
  status: number | null
  refused?: RefusalReason
}
export type ProbeWays = { timeoutMs: number; serviceDomain: string; gate: OutgoingGate; sender: Sender }

/** More than any test object; a target that sends on and on is cut there and counts as answered. */
const BODY_LIMIT_BYTES = 1 << 20

/**
 * One request for the target's test object on a connection of its own: a kept connection would outlive a listener or a
 * route that is already gone.
 * The round trip is from the finished handshake to the first byte of the answer, so that plain and TLS targets compare.
 * Ok is a status below 400 and a whole body. Of a page of a customer's own, whatever it is, only whether the CDN
 * answers counts: any status below 500, but not 421 (RFC 9110 15.5.20: it serves no such name), and no more is read.
 * Never rejects.
 */
export async function probeOnce(target: ProbeTarget, ways: ProbeWays, signal: AbortSignal): Promise<ProbeOutcome> {
  try {
    return await probe(target, ways, signal)
  } catch (error) {
    if (error instanceof OutgoingRefusal) return { ...failed(error.message), refused: error.reason }
    return failed(reasonOf(error as Error))
  }
}

const failed = (error: string, status: number | null = null): ProbeOutcome => ({
  ok: false,
  rttMs: null,
  error: error.slice(0, 200),
  status,
})

async function probe(target: ProbeTarget, ways: ProbeWays, signal: AbortSignal): Promise<ProbeOutcome> {
  const { host, port, path, tls, page } = target
  const own = host === ways.serviceDomain || host.endsWith(`.${ways.serviceDomain}`)
  const { request } = await ways.gate.request(ways.sender, {
    url: new URL(`${tls ? 'https' : 'http'}://${host}${path}`),
    connectTo: { host: target.address ?? host, port },
    own: target.house,
    timeoutMs: ways.timeoutMs,
    signal,
    mostBytes: 2 * BODY_LIMIT_BYTES,
    headers: { host, 'user-agent': 'Fairway-Probe/1', accept: '*/*', 'cache-control': 'no-cache' },
    // Our own names may carry the installation's self-made certificate; everybody else must prove who they are.
    checkCertificate: !own,
  })
  return new Promise((resolve) => {
    let connectedAt = 0
    let rttMs: number | null = null
    let status: number | null = null
    const done = (error: string | null) => {
      request.destroy()
      resolve(
        error === null && rttMs !== null
          ? { ok: true, rttMs, error: null, status }
          : failed(error ?? 'no answer', status),
      )
    }
    request.on('socket', (socket) =>
      socket.once(tls ? 'secureConnect' : 'connect', () => (connectedAt = performance.now())),
    )
    request.on('error', (error) => done(reasonOf(error)))
    request.on('response', (response) => {
      rttMs = Math.max(0.01, performance.now() - connectedAt)
      status = response.statusCode ?? 0
      const problem = isGood(status, page === true) ? null : `status ${status}`
      if (page === true) return done(problem)
      let bytes = 0
      response.on('data', (chunk: Buffer) => {
        if ((bytes += chunk.length) > BODY_LIMIT_BYTES) done(null)
      })
      response.on('error', (error) => done(reasonOf(error)))
      response.on('end', () => done(response.complete ? problem : 'the answer was cut'))
    })
    request.end()
  })
}

const isGood = (status: number, isPage: boolean): boolean =>
  status < (isPage ? 500 : 400) && !(isPage && status === 421)

function reasonOf(error: Error & { code?: unknown }): string {
  if (error.name === 'AbortError' || error.name === 'TimeoutError' || error.code === 'ABORT_ERR')
    return 'no answer in time'
  return typeof error.code === 'string' ? error.code : error.message
}
