import type { ByoTestProblem } from '@fairway/contract'

export type CredentialRequest = { url: string; method: 'GET' | 'POST'; headers: Record<string, string>; body?: string }

export type Judgement = { problem: ByoTestProblem | null; detail: string | null }

/** One call as it is written on the wire, and what its answer says. Pure: the call itself is made in one place. */
export type WiredCheck = {
  /** Where the vendor's API is. */
  base(values: Record<string, string>): string
  request(of: { values: Record<string, string>; base: string; now: Date }): CredentialRequest
  judge(status: number, text: string): Judgement
}

/** The vendor's own library makes the call. @throws Error when the vendor does not answer */
export type LibraryCheck = {
  ask(of: { values: Record<string, string>; url: string | undefined; patienceMs: number }): Promise<Judgement>
}

/** How one vendor is asked whether it knows a key. */
export type CredentialCheck = WiredCheck | LibraryCheck

/** What a status of HTTP says of a key, for vendors that use it as it is meant. `saying` finds the vendor's words. */
export function judgeByStatus(saying: (text: string) => string | null): WiredCheck['judge'] {
  return (status, text) => judgeStatus(status, saying(text))
}

export function judgeStatus(status: number, words: string | null): Judgement {
  if (status >= 200 && status < 300) return { problem: null, detail: null }
  const problem =
    status === 401
      ? 'refused'
      : status === 403
        ? 'forbidden'
        : status === 429
          ? 'rateLimited'
          : status >= 500
            ? 'vendorFailed'
            : 'unexpected'
  return { problem, detail: [String(status), words].filter(Boolean).join(' ') }
}

/** A text inside of a JSON answer, by the names on the way to it. */
export function jsonText(text: string, ...names: (string | number)[]): string | null {
  try {
    const found = names.reduce<unknown>(
      (value, name) =>
        typeof value === 'object' && value !== null ? (value as Record<string | number, unknown>)[name] : undefined,
      JSON.parse(text),
    )
    return typeof found === 'string' ? found : null
  } catch {
    return null
  }
}
