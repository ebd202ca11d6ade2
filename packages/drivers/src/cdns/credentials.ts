import type { ByoPlatform, ByoTestProblem } from '@fairway/contract'
import type { Config } from '@fairway/platform'
import { akamaiCredentials } from './akamai/credentials.ts'
import { bunnyCredentials } from './bunny/credentials.ts'
import { cloudflareCredentials } from './cloudflare/credentials.ts'
import { cloudfrontCredentials } from './cloudfront/credentials.ts'
import { fastlyCredentials } from './fastly/credentials.ts'
import { tencentCredentials } from './tencent/credentials.ts'
import type { CredentialCheck, Judgement, WiredCheck } from './credential-check.ts'
import { causeOf, overridingUrl, withoutSecrets } from './vendor/vendor-words.ts'

const CHECKS: Record<ByoPlatform, CredentialCheck> = {
  akamai: akamaiCredentials,
  bunny: bunnyCredentials,
  cloudflare: cloudflareCredentials,
  cloudfront: cloudfrontCredentials,
  fastly: fastlyCredentials,
  tencent: tencentCredentials,
}

const PATIENCE_MS = 8_000

export type CredentialOutcome = {
  problem: ByoTestProblem | null
  /** The vendor's own words; no secret of the key is in them. */ detail: string | null
}

/**
 * Makes the cheapest call of the vendor that needs the key, and says in which of a few ways it ended. Never throws for
 * what the vendor does.
 */
export async function testCredentials(
  config: Pick<Config, 'cdnApiUrls'>,
  platform: ByoPlatform,
  values: Record<string, string>,
): Promise<CredentialOutcome> {
  const check = CHECKS[platform]
  const url = overridingUrl(config.cdnApiUrls, platform)
  try {
    const { problem, detail } =
      'ask' in check
        ? await check.ask({ values, url, patienceMs: PATIENCE_MS })
        : await wired(check, values, url ?? check.base(values))
    return { problem, detail: detail === null ? null : withoutSecrets(detail, values) }
  } catch (error) {
    return { problem: 'unreachable', detail: withoutSecrets(causeOf(error, PATIENCE_MS), values) }
  }
}

async function wired(check: WiredCheck, values: Record<string, string>, base: string): Promise<Judgement> {
  const request = check.request({ values, base, now: new Date() })
  const response = await fetch(request.url, {
    method: request.method,
    headers: request.headers,
    ...(request.body === undefined ? {} : { body: request.body }),
    redirect: 'manual',
    signal: AbortSignal.timeout(PATIENCE_MS),
  })
  return check.judge(response.status, (await response.text()).slice(0, 20_000))
}
