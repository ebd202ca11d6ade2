import type { Config } from '@fairway/platform'
import type { RoleName } from '../roles/role.ts'

/**
 * Where the demo's visitors come from. They say in X-Forwarded-For which network they stand for; of this address alone
 * collector and edge believe it, so that nobody else on the machine can pass for a visitor from somewhere.
 */
export const VISITORS_ADDRESS = '127.0.0.9'

const MEETS_VISITORS: ReadonlySet<RoleName> = new Set(['collector', 'edge'])

/** The settings of a role beside these others: what meets visitors believes the simulated ones where there are some. */
export function settingsOfRole(config: Config, name: RoleName, beside: readonly RoleName[]): Config {
  return beside.includes('visitors') && MEETS_VISITORS.has(name)
    ? { ...config, trustedProxies: [...config.trustedProxies, VISITORS_ADDRESS] }
    : config
}
