import type { BotManagement, Location, SecurityPolicy, SecurityVerdict, TriedRequest } from '@fairway/contract'
import { locationKeys } from '../steering/places.ts'
import type { PlainRequest } from './ask.ts'
import type { Content } from './api-schema/shape.ts'
import { compile } from './compile.ts'
import { evaluateData } from './evaluate-data.ts'
import type { Inspection } from './rule-sets/findings.ts'
import { inBytes, utf8 } from './utf8.ts'

/** What a domain has that has only been switched on: no ordinary visitor meets anything. */
export const BOT_DEFAULTS: BotManagement = {
  securityLevel: 'medium',
  challengeMode: 'browser-standard',
  integrityCheck: 'off',
  clearanceSeconds: 1800,
  verifiedCrawlers: true,
}
/** What a domain begins with: hardly anybody is challenged. */
export const BOT_BEGINNING: BotManagement = { ...BOT_DEFAULTS, securityLevel: 'off' }

/**
 * What the edge would make of a request, with the way there. `now` is epoch seconds; the inspection is what the rule set
 * finds; the content, in bytes, is the body where that is no text or in some coding.
 */
export function tryRequest(
  policy: SecurityPolicy,
  request: TriedRequest,
  host: string,
  location: Location,
  now: number,
  inspection: Inspection,
  content?: Content,
): SecurityVerdict {
  const { verdict, trace } = evaluateData(inBytes(compile(policy)), plainRequest(request, host, location, content), {
    now,
    inspection,
    cleared: request.cleared ? 3 : 0,
    exceeded: [],
    leaked: [],
    // As at its first visit, before its address was looked up.
    lookedUp: 'unknown',
  })
  return {
    action: verdict.action,
    part: verdict.part === '' ? null : verdict.part,
    ruleId: verdict.ruleId,
    reason: verdict.reason,
    status: verdict.status,
    location: verdict.location,
    trace: trace.flatMap(({ part, action, ...step }) =>
      part === '' ? [] : [{ ...step, part, name: fromBytes(step.name), action: action === '' ? null : action }],
    ),
    headers: [
      ...verdict.requestHeaders.map((one) => ({ direction: 'request' as const, ...one, value: fromBytes(one.value) })),
      ...verdict.responseHeaders.map((one) => ({
        direction: 'response' as const,
        ...one,
        value: fromBytes(one.value),
      })),
    ],
    originRuleId: verdict.originId,
  }
}

/** The same policy with the keys of API protection in another form. */
export function withApiKeys(policy: SecurityPolicy, form: (key: string) => string): SecurityPolicy {
  return { ...policy, api: policy.api.map((rule) => ({ ...rule, key: form(rule.key) })) }
}

function plainRequest(
  request: TriedRequest,
  host: string,
  location: Location,
  content: Content = { text: utf8(request.body), size: utf8(request.body).length, state: 'whole' },
): PlainRequest {
  const said = inBytes({
    address: request.address,
    continent: location.continent,
    country: location.country ?? '',
    region: location.region ?? '',
    city: location.city ?? '',
    networks: locationKeys(location).networks,
    host,
    method: request.method,
    scheme: request.scheme,
    target: request.target,
    protocol: request.protocol,
    tlsVersion: request.scheme === 'https' ? request.tlsVersion : '',
    bodySize: content.size,
    headers: request.headers.map(({ name, value }) => ({ name: name.toLowerCase(), value })),
  })
  return { ...said, body: content.text, bodyState: content.state === 'unknown' ? 'unread' : content.state }
}

function fromBytes(bytes: string): string {
  try {
    return decodeURIComponent(bytes.replaceAll(/[%\x80-\xff]/g, (one) => `%${one.charCodeAt(0).toString(16)}`))
  } catch {
    return bytes
  }
}
