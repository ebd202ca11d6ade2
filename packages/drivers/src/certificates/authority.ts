import type { ChallengeType } from '@fairway/contract'

/** How control is proven: what customers choose from, and what whoever speaks TLS at port 443 itself can (RFC 8737). */
export type ProofType = ChallengeType | 'tls-alpn-01'

/**
 * What has to be there before the authority looks: TXT `value` at `name` in DNS (RFC 8555 8.4), `value` under the token
 * at the host `name` over HTTP (8.3), or `challengeCertificate` of both in a handshake (RFC 8737).
 */
export type Challenge =
  | { type: 'dns-01'; name: string; value: string }
  | { type: 'http-01'; name: string; token: string; value: string }
  | { type: 'tls-alpn-01'; name: string; value: string }

/**
 * `pending`: the challenges are to be met. `ready`: they are, it waits for our request. `processing`: it signs.
 * `valid`: there is a certificate. `invalid`: over; `problem` says why.
 */
export type OrderState = { state: 'pending' | 'ready' | 'processing' | 'valid' | 'invalid'; problem: string | null }

export type AcmeAccount = { url: string; keyPem: string }

export type RenewalWindow = { start: number; end: number; askAgainAt: number | null }

/**
 * An authority that signs by ACME (RFC 8555). Every call may be made again after a crash: the order's address is all
 * that has to be kept. Fails with `AuthorityRefusal` when the authority says no, with `AuthorityAway` when it cannot be
 * asked.
 */
export type CertificateAuthority = {
  /** Makes the account, or finds the one of this key. */
  account(keyPem: string): Promise<AcmeAccount>
  order<P extends ProofType>(
    account: AcmeAccount,
    names: readonly string[],
    type: P,
    /** The certificate that it renews, PEM. */ replaces: string | null,
  ): Promise<{ url: string; challenges: Extract<Challenge, { type: P }>[] }>
  /** Says that the challenges of this type can be seen. */
  challengesAreMet(account: AcmeAccount, orderUrl: string, type: ProofType): Promise<void>
  state(account: AcmeAccount, orderUrl: string): Promise<OrderState>
  finalize(account: AcmeAccount, orderUrl: string, names: readonly string[], keyPem: string): Promise<void>
  /** Leaf first, PEM. */
  chain(account: AcmeAccount, orderUrl: string): Promise<string>
  /**
   * When the authority would like the certificate to be renewed (RFC 9773), and when it wants to be asked again, epoch
   * ms; null when it does not say.
   */
  renewalWindow(chainPem: string): Promise<RenewalWindow | null>
}

/**
 * The authority has said no; `retryAt` (epoch ms) is when it takes orders again, null when it did not say.
 * `isOfAccount`: the limit is one of the whole account, not of a name or a set of them.
 */
export class AuthorityRefusal extends Error {
  readonly isLimit: boolean
  readonly retryAt: number | null
  readonly isOfAccount: boolean
  constructor(
    message: string,
    { isLimit, retryAt, isOfAccount = false }: { isLimit: boolean; retryAt: number | null; isOfAccount?: boolean },
  ) {
    super(message)
    this.isLimit = isLimit
    this.retryAt = retryAt
    this.isOfAccount = isOfAccount
  }
}

/** The authority could not be asked. */
export class AuthorityAway extends Error {}
