import { ClickHouseError } from '@clickhouse/client'

/** The store cannot be reached or answered late; worth a repetition, unlike a `StoreRefused`. */
export class StoreAway extends Error {}
/** The store answered that a statement or its data is wrong; `code` is ClickHouse's. */
export class StoreRefused extends Error {
  readonly code: number
  constructor(code: number, message: string) {
    super(message)
    this.code = code
  }
}

/** What ended a call at one server. `isUnsent`: that server has not begun it, so another one may be given it. */
type Failure = { error: StoreAway | StoreRefused; isUnsent: boolean; isConnection: boolean }

/**
 * Codes of what passes by itself, or when somebody mends it, without a change of the statement: the server is busy or
 * full, its Keeper or other servers are away, the user is not let in or has too few rights.
 */
const PASSING_CODES = new Set([
  159, 164, 192, 193, 194, 195, 202, 203, 209, 210, 225, 236, 241, 242, 243, 252, 279, 285, 286, 289, 319, 394, 439,
  497, 516, 999, 1000, 1002,
])
/** Too many queries, no Keeper for its replicas, read-only since that was lost: nothing was begun. */
const UNSENT_CODES = new Set([202, 225, 242])
/** The same at every server: the user, its rights, and how much it asks for. */
const EVERYWHERE_CODES = new Set([159, 164, 192, 193, 194, 195, 241, 252, 394, 497, 516])

const NEVER_CONNECTED = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EADDRNOTAVAIL',
  'ERR_NOT_CONNECTED',
])
/** OpenSSL's names for a certificate that is not believed; Node's own begin with `ERR_TLS_` or `ERR_SSL_`. */
const NOT_BELIEVED =
  /^(?:CERT_|ERR_TLS_|ERR_SSL_|UNABLE_TO_|SELF_SIGNED_CERT|DEPTH_ZERO_|HOSTNAME_MISMATCH|INVALID_CA|EPROTO$)/

export function readFailure(error: unknown): Failure {
  if (error instanceof ClickHouseError) {
    const code = Number(error.code)
    return {
      error: PASSING_CODES.has(code)
        ? new StoreAway(error.message, { cause: error })
        : new StoreRefused(code, error.message),
      isUnsent: UNSENT_CODES.has(code),
      isConnection: false,
    }
  }
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return {
    error: new StoreAway(error instanceof Error ? error.message || code : String(error), { cause: error }),
    isUnsent: NEVER_CONNECTED.has(code) || NOT_BELIEVED.test(code),
    isConnection: true,
  }
}

/** Whether another server may do better. */
export function mayDiffer({ error }: Failure): boolean {
  return error instanceof StoreAway && !EVERYWHERE_CODES.has(codeOf(error) ?? 0)
}

/** ClickHouse's code; null where there was no answer of its own. */
export function codeOf(error: unknown): number | null {
  if (error instanceof StoreRefused) return error.code
  if (error instanceof StoreAway) return error.cause instanceof ClickHouseError ? Number(error.cause.code) : null
  return null
}

/** The certificate of the server was not believed. */
export function isUnbelieved(error: unknown): boolean {
  return (
    error instanceof StoreAway &&
    error.cause instanceof Error &&
    'code' in error.cause &&
    NOT_BELIEVED.test(String(error.cause.code))
  )
}
