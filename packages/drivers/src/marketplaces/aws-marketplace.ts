import { z } from 'zod'
import { signV4 } from '../aws/sign-v4.ts'
import { type CloudMarketplace, MarketplaceAway, TokenRefused } from './marketplace.ts'

const PATIENCE_MS = 8_000
/**
 * The service answers in the region of the seller's products, which is this one for SaaS (AWS Marketplace seller guide,
 * "SaaS customer onboarding").
 */
const REGION = 'us-east-1'

const Resolved = z.object({ CustomerIdentifier: z.string().min(1) })
const Refused = z.object({ __type: z.string() })

/** AWS Marketplace: `ResolveCustomer` of its metering service (API of 2016-01-14, JSON 1.1). */
export function awsMarketplace({
  url,
  key,
}: {
  url: string
  /** `<access key id>:<secret access key>` */ key: string
}): CloudMarketplace {
  const accessKeyId = key.slice(0, key.indexOf(':'))
  const secret = key.slice(accessKeyId.length + 1)
  return {
    async resolve(token) {
      const at = new URL('/', url)
      const body = JSON.stringify({ RegistrationToken: token })
      const signed = signV4({
        method: 'POST',
        url: at,
        body,
        headers: { 'x-amz-target': 'AWSMPMeteringService.ResolveCustomer' },
        region: REGION,
        service: 'aws-marketplace',
        accessKeyId,
        secret,
        now: new Date(),
      })
      const response = await fetch(at, {
        method: 'POST',
        headers: { ...signed, 'content-type': 'application/x-amz-json-1.1' },
        body,
        redirect: 'error',
        signal: AbortSignal.timeout(PATIENCE_MS),
      }).catch((error: unknown) => {
        throw new MarketplaceAway(
          `AWS Marketplace does not answer: ${error instanceof Error ? error.message : String(error)}`,
        )
      })
      const answer: unknown = await response.json().catch(() => null)
      const resolved = Resolved.safeParse(answer)
      if (response.ok && resolved.success) return { customerId: resolved.data.CustomerIdentifier }
      const type = Refused.safeParse(answer).data?.__type.split('#').at(-1)
      if (type === 'ExpiredTokenException') throw new TokenRefused('expired')
      if (type === 'InvalidTokenException') throw new TokenRefused('unknown')
      throw new MarketplaceAway(`AWS Marketplace answered ${response.status} ${type ?? ''}`)
    },
  }
}
