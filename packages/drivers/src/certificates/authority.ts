import type { ChallengeType } from '@fairway/contract'

/**
 * What has to be there before the authority looks: TXT `value` at `name` in DNS (RFC 8555 8.4), or `value` under the
 * token at the host `name` over HTTP (8.3).
 */
export type Challenge =
  | { type: 'dns-01'; name: string; value: string }
  | { type: 'http-01'; name: string; token: string; value: string }

/**
 * `pending`: the challenges are to be met. `ready`: they are, it waits for our request. `processing`: it signs.
 * `valid`: there is a certificate. `invalid`: over; `problem` says why.
 */
export type OrderState = { state: 'pending' | 'ready' | 'processing' | 'valid' | 'invalid'; problem: string | null }

export type AcmeAccount = { url: string; keyPem: string }

/**
 * An authority that signs by ACME (RFC 8555). Every call may be made again after a crash: the order's address is all
 * that has to be kept. Fails with `AuthorityRefusal` when the authority says no, with `AuthorityAway` when it cannot be
 * asked.
 */
export type CertificateAuthority = {
  /** Makes the account, or finds the one of this key. */
  account(keyPem: string): Promise<AcmeAccount>
  order(
    account: AcmeAccount,
    names: readonly string[],
    type: ChallengeType,
  ): Promise<{ url: string; challenges: Challenge[] }>
  /** Says that the challenges of this type can be seen. */
  challengesAreMet(account: AcmeAccount, orderUrl: string, type: ChallengeType): Promise<void>
  state(account: AcmeAccount, orderUrl: string): Promise<OrderState>
  finalize(account: AcmeAccount, orderUrl: string, names: readonly string[], keyPem: string): Promise<void>
  /** Leaf first, PEM. */
  chain(account: AcmeAccount, orderUrl: string): Promise<string>
  /** When the authority would like the certificate to be renewed (RFC 9773), epoch ms; null when it does not say. */
  renewalWindow(chainPem: string): Promise<{ start: number; end: number } | null>
}

/**
 * The authority has said no; `retryAt` (epoch ms) is when it takes orders again, null when it did not say. `isFinal`:
 * this order will never come to anything.
 */
export class AuthorityRefusal extends Error {
  readonly isLimit: boolean
  readonly retryAt: number | null
  constructor(message: string, { isLimit, retryAt }: { isLimit: boolean; retryAt: number | null }) {
    super(message)
    this.isLimit = isLimit
    this.retryAt = retryAt
  }
}

/** The authority could not be asked. */
export class AuthorityAway extends Error {}
