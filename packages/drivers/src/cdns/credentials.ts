import type { ByoPlatform, ByoTestProblem } from '@fairway/contract'
import type { Config } from '@fairway/platform'
import { akamaiCredentials } from './akamai/credentials.ts'
import { bunnyCredentials } from './bunny/credentials.ts'
import { cloudflareCredentials } from './cloudflare/credentials.ts'
import { cloudfrontCredentials } from './cloudfront/credentials.ts'
import { fastlyCredentials } from './fastly/credentials.ts'
import { tencentCredentials } from './tencent/credentials.ts'
import type { CredentialCheck } from './credential-check.ts'

const CHECKS: Record<ByoPlatform, CredentialCheck> = {
  akamai: akamaiCredentials,
  bunny: bunnyCredentials,
  cloudflare: cloudflareCredentials,
  cloudfront: cloudfrontCredentials,
  fastly: fastlyCredentials,
  tencent: tencentCredentials,
}

const PATIENCE_MS = 8_000
const DETAIL_CHARACTERS = 300

export type CredentialOutcome = { problem: ByoTestProblem | null; /** The vendor's own words; no secret of the key is in them. */ detail: string | null }

/** Makes the cheapest call of the vendor that needs the key, and says in which of a few ways it ended. Never throws for what the vendor does. */
export async function testCredentials(config: Pick<Config, 'cdnApiUrls'>, platform: ByoPlatform, values: Record<string, string>): Promise<CredentialOutcome> {
  const check = CHECKS[platform]
  const request = check.request({ values, base: overriding(config.cdnApiUrls, platform) ?? check.base(values), now: new Date() })
  let response: Response
  let text: string
  try {
    response = await fetch(request.url, { method: request.method, headers: request.headers, ...(request.body === undefined ? {} : { body: request.body }), redirect: 'manual', signal: AbortSignal.timeout(PATIENCE_MS) })
    text = (await response.text()).slice(0, 20_000)
  } catch (error) {
    return { problem: 'unreachable', detail: withoutSecrets(causeOf(error), values) }
  }
  const { problem, detail } = check.judge(response.status, text)
  return { problem, detail: detail === null ? null : withoutSecrets(detail, values) }
}

const overriding = (urls: readonly string[], platform: ByoPlatform): string | undefined => urls.find((url) => url.startsWith(`${platform}=`))?.slice(platform.length + 1)

function withoutSecrets(text: string, values: Record<string, string>): string {
  return Object.values(values).filter((value) => value.length >= 8).reduce((rest, value) => rest.replaceAll(value, '…'), text).replaceAll(/\s+/g, ' ').slice(0, DETAIL_CHARACTERS)
}

function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error.name === 'TimeoutError') return `no answer within ${PATIENCE_MS / 1000} s`
  return error.cause instanceof Error && error.cause.message ? error.cause.message : error.message
}
