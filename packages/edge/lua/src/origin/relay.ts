import { answerPage, count } from '../answer/answer.ts'
import { nameNoServer } from '../answer/headers.ts'
import { beginVisit, clearanceSecret, policyFor } from '../policy/held.ts'
import { signed } from '../security/clearance.ts'
import { type Answered, ask, show } from './client.ts'
import type { Asked } from './connection.ts'
import { failedLately, markFailed, unreachable } from './peers.ts'
import { isPassedOn, mayBeRepeated, type OriginRequest } from './request.ts'

// Machines of a shield region speak with the origin for all others. Between them goes what goes between the servers of
// one machine, over TLS with a certificate that only they can have.

/** What machines of this installation show each other. */
const ours = (): string => signed(clearanceSecret(), 'relay')

/** Name in the certificate that they all have. */
const NAME = 'relay.fairway'
const RETRY_SECONDS = 15
const KEPT_SECONDS = 60

/** Rewrite phase of what another machine asks for. */
export function enter(): void {
  beginVisit()
  const shown = ngx.var.http_x_fairway_relay
  if (clearanceSecret() === '' || shown === undefined || !isSame(shown, ours())) {
    count('relays_refused')
    ngx.status = 403
    ngx.exit(403)
    return
  }
  const policy = policyFor(ngx.var.http_x_fairway_host ?? '', ngx.var.http_x_fairway_cdn ?? '')
  if (policy !== undefined) ngx.shared.relayed.incr(`${policy.domainId} others`, 1, 0)
  if ((ngx.var.http_x_fairway_tier_key ?? '') !== '' && ngx.var.http_x_fairway_slice === undefined)
    ngx.var.fw_next = 'tier'
}

/** Digests are compared: how long that takes says nothing of the secret. */
function isSame(a: string, b: string): boolean {
  const key = `${ngx.now()}`
  return ngx.hmac_sha1(key, a) === ngx.hmac_sha1(key, b)
}

/** Header filter there: that this is an answer, and no page of a server on the way, which may have asked the origin. */
export function mark(): void {
  if (ngx.var.upstream_status === undefined) return
  // This server's own word, where the origin said none.
  if (ngx.var.upstream_http_server === undefined) nameNoServer()
  const isOwnFault = ngx.status >= 500 && ngx.var.upstream_http_x_fairway_born === undefined
  ngx.header['X-Fairway-Relay'] = ngx.var.upstream_http_x_fairway_relay ?? (isOwnFault ? 'asked' : 'answered')
}

/** Content of a request that other machines are asked for; without an answer of theirs it goes to the origin from here. */
export function answer(): void {
  const policy = policyFor(ngx.var.http_x_fairway_host ?? '', ngx.var.http_x_fairway_cdn ?? '')
  if (policy === undefined) return answerPage(421, 'withdrawn')
  ngx.ctx.policy = policy
  ngx.req.read_body()
  const request = requestToRelay()
  const until = ngx.now() + RETRY_SECONDS
  for (const { address, port } of policy.relays ?? []) {
    if (ngx.now() >= until) break
    const asked = relayAt(port)
    if (failedLately(asked, address)) continue
    const said = ask(asked, address, request)
    if ('head' in said) {
      const word = wordOf(said)
      if (word === 'answered') {
        ngx.ctx.isRelayed = true
        return show(asked, request, said, isShown)
      }
      said.connection.socket.close()
      count('relays_failed')
      if (word === 'asked' && !request.repeatable) return lost()
      continue
    }
    markFailed(asked, address)
    count('relays_failed')
    if (said.asked && !request.repeatable) return lost()
  }
  ngx.exec('@direct')
}

/** It may have been done, so it is asked nobody else (RFC 9110 9.2.2). */
function lost(): void {
  ngx.status = 502
  unreachable()
}

const relayAt = (port: number): Asked => ({
  organizationId: '',
  origin: {
    addresses: [],
    balance: 'failover',
    fallback: '',
    port,
    scheme: 'https',
    hostHeader: NAME,
    keepaliveSeconds: KEPT_SECONDS,
    verify: true,
  },
})

/** What it says of its answer; empty when it is none of such a machine. */
function wordOf({ head }: Answered): string {
  for (const { name, value } of head.fields) if (name === 'x-fairway-relay') return value
  return ''
}

/** All but what is said between two hops: its words to the cache in front are for ours. */
const isShown = (name: string): boolean =>
  name !== 'x-fairway-relay' && (name.startsWith('x-fairway-') || name.startsWith('x-accel-') || isPassedOn(name))

/** Of what goes between our servers: what they need to know there. */
const TOLD: Record<string, boolean> = {
  'x-fairway-host': true,
  'x-fairway-cdn': true,
  'x-fairway-visitor': true,
  'x-fairway-request': true,
  'x-fairway-tier-key': true,
  'x-fairway-slice': true,
}

function requestToRelay(): OriginRequest {
  const method = ngx.req.get_method()
  const repeatable = mayBeRepeated(method)
  const lines = [
    `${method} ${ngx.var.request_uri} HTTP/1.1`,
    `Host: ${ngx.var.http_x_fairway_host ?? ''}`,
    `X-Fairway-Relay: ${ours()}`,
  ]
  if (!repeatable) lines.push('Connection: close')
  const headers = ngx.req.get_headers(0, true)
  for (const name in headers) {
    const lower = name.toLowerCase()
    if (TOLD[lower] !== true && !isPassedOn(lower)) continue
    const value = headers[name]
    if (typeof value === 'string') lines.push(`${name}: ${value}`)
    else if (typeof value !== 'boolean') for (const one of value ?? []) lines.push(`${name}: ${one}`)
  }
  return { method, repeatable, text: `${lines.join('\r\n')}\r\n\r\n` }
}
