import type { ByoTestProblem } from '@fairway/contract'

export type CredentialRequest = { url: string; method: 'GET' | 'POST'; headers: Record<string, string>; body?: string }

/** How one vendor is asked whether it knows a key. Pure: the call itself is made in one place. */
export type CredentialCheck = {
  /** Where the vendor's API is. */
  base(values: Record<string, string>): string
  request(of: { values: Record<string, string>; base: string; now: Date }): CredentialRequest
  judge(status: number, text: string): { problem: ByoTestProblem | null; detail: string | null }
}

/** What a status of HTTP says of a key, for vendors that use it as it is meant. `saying` finds the vendor's words. */
export function judgeByStatus(saying: (text: string) => string | null): CredentialCheck['judge'] {
  return (status, text) => {
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
    return { problem, detail: [String(status), saying(text)].filter(Boolean).join(' ') }
  }
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

/** The text between two tags of an XML answer. */
export const xmlText = (text: string, tag: string): string | null =>
  new RegExp(`<${tag}>([^<]*)</${tag}>`).exec(text)?.[1] ?? null
