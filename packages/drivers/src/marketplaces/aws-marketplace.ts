import { awsRefusal } from '../aws/aws-refusal.ts'
import { awsSettings } from '../aws/aws-settings.ts'
import { type CloudMarketplace, MarketplaceAway, TokenRefused } from './marketplace.ts'

const PATIENCE_MS = 8_000
/**
 * The service answers in the region of the seller's products, which is this one for SaaS (AWS Marketplace seller guide,
 * "SaaS customer onboarding").
 */
const REGION = 'us-east-1'

/** AWS Marketplace: `ResolveCustomer` of its metering service, by AWS's own SDK, which is loaded when it is asked. */
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
      const sdk = await import('@aws-sdk/client-marketplace-metering')
      const client = new sdk.MarketplaceMeteringClient(
        awsSettings({ accessKeyId, secret, url, region: REGION, patienceMs: PATIENCE_MS }),
      )
      const answer = await client
        .send(new sdk.ResolveCustomerCommand({ RegistrationToken: token }))
        .catch((error: unknown) => {
          const refusal = awsRefusal(error)
          if (refusal?.code === 'ExpiredTokenException') throw new TokenRefused('expired')
          if (refusal?.code === 'InvalidTokenException') throw new TokenRefused('unknown')
          throw new MarketplaceAway(
            refusal
              ? `AWS Marketplace answered ${refusal.status} ${refusal.code}`
              : `AWS Marketplace does not answer: ${error instanceof Error ? error.message : String(error)}`,
          )
        })
      if (!answer.CustomerIdentifier) throw new MarketplaceAway('AWS Marketplace names no customer')
      return { customerId: answer.CustomerIdentifier }
    },
  }
}
