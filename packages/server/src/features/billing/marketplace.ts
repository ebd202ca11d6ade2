import type { FastifyInstance } from 'fastify'
import { type CloudMarketplace, MarketplaceAway, TokenRefused, openMarketplace } from '@fairway/drivers'
import { type Config, type Tx, secret } from '@fairway/platform'
import { beyondTenant } from '../../http/beyond-tenant.ts'
import type { Context } from '../../http/context.ts'
import { Failure } from '../../http/failure.ts'

/** What the operator's own sales are signed with. */
export const salesSecret = (config: Config): string => secret(config, 'marketplace')

/** Links a purchase with the caller's organisation: one purchase, one organisation, for good. */
export async function linkMarketplace(
  { tx, actor, services: { config }, change }: Context,
  { token }: { token: string },
): Promise<{ customerId: string }> {
  const { customerId } = await customerOf(openMarketplace(config, salesSecret(config)), token)
  const owner = await beyondTenant(tx, () => organizationOf(tx, customerId))
  if (owner !== undefined && owner !== actor.organizationId) throw new Failure(2455)
  // Of two people who link at once, one does.
  const linked = await tx.query(
    'UPDATE organization SET aws_customer_id = $2 WHERE id = $1 AND aws_customer_id IS NULL RETURNING id',
    [actor.organizationId, customerId],
  )
  if (!linked.length) throw new Failure(2456)
  change.record({
    entity: 'billing',
    id: actor.organizationId,
    label: 'Marketplace',
    before: null,
    after: { customerId },
  })
  return { customerId }
}

async function customerOf(marketplace: CloudMarketplace, token: string): Promise<{ customerId: string }> {
  try {
    return await marketplace.resolve(token)
  } catch (error) {
    if (error instanceof TokenRefused)
      throw error.why === 'expired'
        ? new Failure(2700)
        : new Failure(400, { fields: [{ path: 'token', message: 'validation.tokenUnknown' }] })
    throw error instanceof MarketplaceAway ? new Failure(503, { internal: error.message }) : error
  }
}

async function organizationOf(tx: Tx, customerId: string): Promise<string | undefined> {
  return (await tx.query<{ id: string }>('SELECT id FROM organization WHERE aws_customer_id = $1', [customerId]))[0]?.id
}

const LANDING = '/redirect/third-party-marketplace'

/**
 * AWS Marketplace brings the buyer by a form post from its own pages; the console's page takes the token from its
 * address.
 */
export async function registerMarketplaceReturn(server: FastifyInstance): Promise<void> {
  await server.register(async (scope) => {
    scope.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, text, done) =>
      done(null, new URLSearchParams(String(text))),
    )
    for (const path of [LANDING, '/redirect/third-party-markeplace']) {
      scope.post(path, async ({ body }, reply) =>
        reply.redirect(
          `${LANDING}?token=${encodeURIComponent((body instanceof URLSearchParams && body.get('x-amzn-marketplace-token')) || '')}`,
          303,
        ),
      )
    }
  })
}
