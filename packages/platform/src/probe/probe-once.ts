import dns from 'node:dns'
import http from 'node:http'
import https from 'node:https'
import type { ProbeTarget } from '@fairway/contract'

export type ProbeOutcome = { ok: boolean; rttMs: number | null; error: string | null }
export type ProbeWays = { timeoutMs: number; serviceDomain: string; lookup: typeof dns.lookup }

/** More than any test object; a target that sends on and on is cut there and counts as answered. */
const BODY_LIMIT_BYTES = 1 << 20

/**
 * One request for the target's test object on a connection of its own: a kept connection would outlive a listener or a
 * route that is already gone.
 * The round trip is from the finished handshake to the first byte of the answer, so that plain and TLS targets compare.
 * Ok is a status below 400 and a whole body. Never rejects.
 */
export function probeOnce(target: ProbeTarget, ways: ProbeWays, signal: AbortSignal): Promise<ProbeOutcome> {
  return new Promise((resolve) => {
    let connectedAt = 0
    let rttMs: number | null = null
    const done = (error: string | null) => {
      request.destroy()
      resolve(
        error === null && rttMs !== null
          ? { ok: true, rttMs, error: null }
          : { ok: false, rttMs: null, error: (error ?? 'no answer').slice(0, 200) },
      )
    }
    const request = (target.tls ? https : http).request(
      requestOptions(target, ways, AbortSignal.any([signal, AbortSignal.timeout(ways.timeoutMs)])),
    )
    request.on('socket', (socket) =>
      socket.once(target.tls ? 'secureConnect' : 'connect', () => (connectedAt = performance.now())),
    )
    request.on('error', (error) => done(reasonOf(error)))
    request.on('response', (response) => {
      rttMs = Math.max(0.01, performance.now() - connectedAt)
      let bytes = 0
      response.on('data', (chunk: Buffer) => {
        if ((bytes += chunk.length) > BODY_LIMIT_BYTES) done(null)
      })
      response.on('error', (error) => done(reasonOf(error)))
      response.on('end', () =>
        done(
          !response.complete
            ? 'the answer was cut'
            : (response.statusCode ?? 0) >= 400
              ? `status ${response.statusCode}`
              : null,
        ),
      )
    })
    request.end()
  })
}

function requestOptions(target: ProbeTarget, ways: ProbeWays, signal: AbortSignal): https.RequestOptions {
  const own = target.host === ways.serviceDomain || target.host.endsWith(`.${ways.serviceDomain}`)
  return {
    host: target.address ?? target.host,
    port: target.port,
    path: target.path,
    method: 'GET',
    agent: false,
    headers: {
      host: target.host,
      'user-agent': 'Fairway-Probe/1',
      accept: '*/*',
      'cache-control': 'no-cache',
      connection: 'close',
    },
    lookup: ways.lookup,
    signal,
    maxHeaderSize: 16_384,
    // Our own names may carry the installation's self-made certificate; everybody else must prove who they are.
    ...(target.tls ? { servername: target.host, rejectUnauthorized: !own } : {}),
  }
}

function reasonOf(error: Error & { code?: string }): string {
  if (error.name === 'AbortError' || error.name === 'TimeoutError' || error.code === 'ABORT_ERR')
    return 'no answer in time'
  return error.code ?? error.message
}

/** Name lookups through the configured resolver (`host:port`); the system's when there is none. */
export function lookupThrough(resolver: string): typeof dns.lookup {
  if (!resolver) return dns.lookup
  const servers = new dns.Resolver({ timeout: 1000, tries: 1 })
  servers.setServers([resolver])
  const lookup = (
    host: string,
    options: dns.LookupOptions,
    answer: (error: NodeJS.ErrnoException | null, address: string | dns.LookupAddress[], family?: number) => void,
  ) => {
    servers.resolve4(host, (error, addresses) => {
      const [first] = addresses ?? []
      if (error || first === undefined)
        return answer(error ?? Object.assign(new Error(`no address for ${host}`), { code: 'ENOTFOUND' }), [])
      if (options.all)
        return answer(
          null,
          addresses.map((address) => ({ address, family: 4 })),
        )
      answer(null, first, 4)
    })
  }
  // net.connect calls it with (host, options, callback) only; the other overloads of dns.lookup are never used here.
  return lookup as unknown as typeof dns.lookup
}
