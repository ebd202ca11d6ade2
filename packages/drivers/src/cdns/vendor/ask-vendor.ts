import { TryLater, VendorRefusal } from '../driver.ts'
import { causeOf, withoutSecrets } from './vendor-words.ts'

export type VendorRequest = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  url: string
  headers: Record<string, string>
  body?: string
}
export type VendorAnswer = { status: number; headers: Headers; text: string }

/** How a vendor says no: its own code and words, read from the body. */
export type ReadRefusal = (
  answer: VendorAnswer,
) => { code: string; words: string | null; /** It is not a no: it is to be tried again. */ later?: boolean } | null

const PATIENCE_MS = 20_000
const LARGEST = 4_000_000
const LATER_MS = 60_000
/** Nobody is left alone for longer because of one answer. */
const LATEST_MS = 3_600_000

/**
 * Makes one call of a vendor's API. Nothing of the key is in what it throws.
 * @throws TryLater when the vendor asks for patience, VendorRefusal when it says no, Error when it does not answer or
 *   fails
 */
export async function askVendor(
  vendor: string,
  request: VendorRequest,
  secrets: Record<string, string>,
  read: ReadRefusal,
): Promise<VendorAnswer> {
  const answer = await send(vendor, request, secrets)
  const refusal = read(answer)
  if (answer.status >= 200 && answer.status < 300 && refusal === null) return answer
  throwRefusal(
    vendor,
    {
      status: answer.status,
      code: refusal?.code ?? '',
      words: refusal?.words ?? null,
      later: refusal?.later ?? false,
      retryAfter: answer.headers.get('retry-after'),
    },
    secrets,
  )
}

export type Refused = {
  status: number
  code: string
  words: string | null
  /** It is not a no: it is to be tried again. */ later: boolean
  /** As the header has it. */ retryAfter: string | null
}

/** What comes of a vendor's no: see `askVendor`. */
export function throwRefusal(
  vendor: string,
  { status, code, words, later, retryAfter }: Refused,
  secrets: Record<string, string>,
): never {
  const said = withoutSecrets([code, words].filter(Boolean).join(': ') || 'no reason given', secrets)
  const message = `${vendor} answers ${status}: ${said}`
  if (status === 429 || later || (status === 503 && retryAfter !== null))
    throw new TryLater(message, retryAfterMs(retryAfter))
  if (status >= 500) throw new Error(message)
  throw new VendorRefusal(message, status, withoutSecrets(code, secrets))
}

export function throwNoAnswer(vendor: string, error: unknown, secrets: Record<string, string>): never {
  throw new Error(`${vendor} does not answer: ${withoutSecrets(causeOf(error, PATIENCE_MS), secrets)}`)
}

async function send(
  vendor: string,
  { url, method, headers, body }: VendorRequest,
  secrets: Record<string, string>,
): Promise<VendorAnswer> {
  try {
    // A redirect would carry the key to somewhere else.
    const response = await fetch(url, {
      method,
      headers,
      ...(body === undefined ? {} : { body }),
      redirect: 'manual',
      signal: AbortSignal.timeout(PATIENCE_MS),
    })
    return { status: response.status, headers: response.headers, text: (await response.text()).slice(0, LARGEST) }
  } catch (error) {
    throwNoAnswer(vendor, error, secrets)
  }
}

/** RFC 9110 10.2.3: seconds, or a date. */
function retryAfterMs(text: string | null): number {
  if (text === null) return LATER_MS
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now()
  return Number.isFinite(ms) ? Math.min(LATEST_MS, Math.max(1000, ms)) : LATER_MS
}

/** Not there, said by the vendor: what was to be removed is gone, what was to be found is to be made. */
export const isMissing = (error: unknown): boolean => error instanceof VendorRefusal && error.status === 404

/** The answer, or null when there is no such thing. */
export async function orMissing<T>(asked: Promise<T>): Promise<T | null> {
  try {
    return await asked
  } catch (error) {
    if (isMissing(error)) return null
    throw error
  }
}
