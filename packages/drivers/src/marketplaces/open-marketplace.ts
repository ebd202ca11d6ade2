import type { Config } from '@fairway/platform'
import { awsMarketplace } from './aws-marketplace.ts'
import type { CloudMarketplace } from './marketplace.ts'
import { OWN_PREFIX, ownSales } from './own-sales.ts'

/** The operator's own sales always, and AWS Marketplace where the settings hold its seller's key. */
export function openMarketplace(
  { awsMarketplaceKey, awsMarketplaceUrl }: Pick<Config, 'awsMarketplaceKey' | 'awsMarketplaceUrl'>,
  secret: string,
): CloudMarketplace {
  const own = ownSales(secret)
  const aws = awsMarketplaceKey === '' ? own : awsMarketplace({ url: awsMarketplaceUrl, key: awsMarketplaceKey })
  return { resolve: (token) => (token.startsWith(OWN_PREFIX) ? own : aws).resolve(token) }
}
