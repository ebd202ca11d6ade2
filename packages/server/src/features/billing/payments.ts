import {
  type PaymentGateway,
  type SandboxProvider,
  sandboxProvider,
  sandboxStore,
  stripeGateway,
} from '@fairway/drivers'
import type { Config, Database } from '@fairway/platform'

/** Who keeps the cards: Stripe when a key is set, else the embedded sandbox. `sandbox` serves that one's own pages. */
export type Payments = { gateway: PaymentGateway; sandbox: SandboxProvider | null }

export function openPayments(config: Config, database: Database): Payments {
  if (config.stripeSecretKey)
    return {
      gateway: stripeGateway({
        secretKey: config.stripeSecretKey,
        ...(config.stripeUrl ? { url: config.stripeUrl } : {}),
      }),
      sandbox: null,
    }
  const sandbox = sandboxProvider(sandboxStore(database))
  return { gateway: sandbox, sandbox }
}
