import { type Ask, firstOf, REDACTED, redactedHeader, redactedTarget, type Verdict } from '@fairway/domain/web-security'
import type { PolicyDocument } from '../policy/documents.ts'
import { clearanceSecret } from '../policy/held.ts'
import { clearedStrength } from './clearance.ts'
import { sizeSaid, sizeSent } from './content.ts'
import { noTurns, takesTurn } from './turns.ts'

/** A request as rules may look at it again later, secrets left out. */
export type Seen = {
  address: string
  scheme: string
  target: string
  protocol: string
  tlsVersion: string
  bodySize: number
  headers: { name: string; value: string }[]
  /** The hardest challenge that the visitor has solved. */ cleared: number
  action: string
  part: string
  ruleId: string
  /** How many requests of the domain came since the last that was recorded, this one among them. */ weight: number
}

/** What rules are tried on before they are saved: one a second of a domain, at most. */
const turns = noTurns()
const LONGEST = 400
const HEADERS = 40

let domains: Record<string, { second: number; passed: number } | undefined> = {}
let known = 0
let isOn: boolean | undefined

/** The request, when it is one that is recorded. */
export function seenOf(
  { domainId, organizationId }: PolicyDocument,
  verdict: Verdict,
  ask: () => Ask,
): Seen | undefined {
  if (isOn === undefined) isOn = ngx.var.fw_records === '1'
  if (!isOn) return undefined
  const now = ngx.time()
  let domain = domains[domainId]
  if (domain === undefined) {
    if (known >= 10_000) {
      domains = {}
      known = 0
    }
    domain = { second: 0, passed: 0 }
    domains[domainId] = domain
    known += 1
  }
  domain.passed += 1
  if (domain.second === now || !takesTurn(turns, organizationId, now)) return undefined
  domain.second = now
  const weight = domain.passed
  domain.passed = 0
  const say = ask()
  return {
    address: ngx.var.remote_addr ?? '',
    scheme: ngx.var.scheme ?? '',
    target: cut(redactedTarget(ngx.var.request_uri ?? '/'), 2000),
    protocol: ngx.var.fw_protocol ?? '',
    tlsVersion: firstOf(say('tls-version', '')),
    bodySize: tonumber(recordedSize()) ?? -1,
    headers: headersOf(),
    cleared: clearedStrength(clearanceSecret()),
    action: verdict.action,
    part: verdict.part,
    ruleId: verdict.ruleId,
    weight,
  }
}

/** Nothing is read for this alone. */
function recordedSize(): string {
  const said = sizeSaid()
  if (said !== undefined) return said
  if (ngx.ctx.isRead === true) return sizeSent()
  const method = ngx.var.request_method
  const isBare = ngx.var.http_transfer_encoding === undefined && (method === 'GET' || method === 'HEAD')
  return isBare ? '0' : '-1'
}

function headersOf(): Seen['headers'] {
  const kept: Seen['headers'] = []
  const all = ngx.req.get_headers(HEADERS, false)
  for (const name of Object.keys(all)) {
    const said = all[name]
    if (said === undefined || typeof said === 'boolean') kept.push({ name, value: '' })
    else if (typeof said === 'string') kept.push({ name, value: cut(redactedHeader(name, said), LONGEST) })
    else for (const value of said) kept.push({ name, value: cut(redactedHeader(name, value), LONGEST) })
  }
  return kept
}

/** Whoever looks at what was cut off is told that it was. */
const cut = (text: string, most: number): string => (text.length > most ? `${text.slice(0, most)}${REDACTED}` : text)
