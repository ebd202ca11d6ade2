import type { ByoPlatform, ByoTestProblem } from '@fairway/contract'
import type { Config } from '@fairway/platform'
import { akamaiCredentials } from './akamai/credentials.ts'
import { bunnyCredentials } from './bunny/credentials.ts'
import { cloudflareCredentials } from './cloudflare/credentials.ts'
import { cloudfrontCredentials } from './cloudfront/credentials.ts'
import { fastlyCredentials } from './fastly/credentials.ts'
import { tencentCredentials } from './tencent/credentials.ts'
import type { CredentialCheck } from './credential-check.ts'
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
  const request = check.request({
    values,
    base: overridingUrl(config.cdnApiUrls, platform) ?? check.base(values),
    now: new Date(),
  })
  let response: Response
  let text: string
  try {
    response = await fetch(request.url, {
      method: request.method,
      headers: request.headers,
      ...(request.body === undefined ? {} : { body: request.body }),
      redirect: 'manual',
      signal: AbortSignal.timeout(PATIENCE_MS),
    })
    text = (await response.text()).slice(0, 20_000)
  } catch (error) {
    return { problem: 'unreachable', detail: withoutSecrets(causeOf(error, PATIENCE_MS), values) }
  }
  const { problem, detail } = check.judge(response.status, text)
  return { problem, detail: detail === null ? null : withoutSecrets(detail, values) }
}
