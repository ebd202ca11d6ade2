/**
 * Where customers buy from somebody else's catalogue (AWS Marketplace and its like). A buyer comes from there with a
 * token.
 */
export type CloudMarketplace = {
  /**
   * The customer that a buyer's token stands for, by the marketplace's own id.
   * @throws TokenRefused for a token that is over or none, MarketplaceAway when it cannot be asked
   */
  resolve(token: string): Promise<{ customerId: string }>
}

export class TokenRefused extends Error {
  readonly why: 'expired' | 'unknown'
  constructor(why: 'expired' | 'unknown') {
    super(`the marketplace's token is ${why}`)
    this.why = why
  }
}

export class MarketplaceAway extends Error {}
