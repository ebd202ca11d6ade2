import { seal, unseal, type Config } from '@fairway/platform'

/** Bound into every sealed secret of a receiver. */
export const WEBHOOK_SECRETS = 'webhook'

export const sealSecret = (config: Config, secret: string): string => seal(config, WEBHOOK_SECRETS, secret)

/** The secrets that sign now: the present one, and the one before until its day is over. */
export function signingSecrets(
  config: Config,
  row: { secret: string; previous_secret: string | null; previous_until: Date | null },
  now: Date,
): string[] {
  const previous = row.previous_secret && row.previous_until && row.previous_until > now ? [row.previous_secret] : []
  return [row.secret, ...previous].map((sealed) => unseal(config, WEBHOOK_SECRETS, sealed))
}
