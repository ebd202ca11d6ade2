import type { ObjectFinding } from '@fairway/contract'
import { judgeObject } from '@fairway/domain'
import { OutgoingRefusal, type OutgoingGate } from '@fairway/platform'

const PATIENCE_MS = 8_000
/** Just over what a test object may have. */
const MOST_BYTES = 100_001
/** Some page that is not the object's own: what counts is what the object says to everybody. */
const SOME_PAGE = 'https://page.invalid'

/** Fetches a test object as a browser on another host's page would, and says what it finds. */
export async function lookAtObject(
  gate: OutgoingGate,
  organizationId: string,
  { hostname, path, secure }: { hostname: string; path: string; secure: boolean },
): Promise<ObjectFinding[]> {
  try {
    const { status, headers, body } = await gate.exchange(
      { organizationId, purpose: 'cdn-check' },
      {
        url: new URL(`${secure ? 'https' : 'http'}://${hostname}${path}`),
        headers: { origin: SOME_PAGE, accept: '*/*', 'accept-encoding': 'identity' },
        timeoutMs: PATIENCE_MS,
        mostBytes: MOST_BYTES,
        redirects: 3,
      },
    )
    return judgeObject({ status, headers: flat(headers), bytes: body.length }, { secure })
  } catch (error) {
    if (error instanceof Error && error.message.includes(`longer than ${MOST_BYTES}`))
      return judgeObject({ status: 200, headers: {}, bytes: null }, { secure }).map((one) =>
        one.check === 'cors' || one.check === 'timing' || one.check === 'cache' ? { ...one, state: 'unknown' } : one,
      )
    return judgeObject({ error: wordsOf(error), isCertificate: isOfCertificate(error) }, { secure })
  }
}

const flat = (headers: Record<string, string | string[] | undefined>) =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : value]),
  )

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
const isOfCertificate = (error: unknown): boolean =>
  /CERT|SIGNATURE|ALTNAME|ISSUER|SELF_SIGNED|ERR_TLS|ERR_SSL|EPROTO/.test(codeOf(error))

function wordsOf(error: unknown): string {
  if (error instanceof OutgoingRefusal) return error.message
  return codeOf(error) || (error instanceof Error ? error.message : String(error))
}
