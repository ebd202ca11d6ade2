import { Webhook } from 'standardwebhooks'
import { mint } from '@fairway/platform'

/** A secret as Standard Webhooks writes it: `whsec_` and 24 random bytes in base64. */
export const newWebhookSecret = (): string => mint('webhook').text

export type SignedMessage = {
  id: string
  at: Date
  body: string
  /** The present secret first; during a rotation the one before as well. */ secrets: readonly string[]
}

/** The headers of Standard Webhooks 1.0: every secret signs, and a receiver is content with one signature it knows. */
export function webhookHeaders({ id, at, body, secrets }: SignedMessage): Record<string, string> {
  const signatures = secrets.map((secret) => new Webhook(secret).sign(id, at, body))
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': signatures.join(' '),
  }
}
