import { ErrorEnvelope } from '@fairway/contract'
import { type DetailedError, Upload } from 'tus-js-client'

/** `retrying`: the line was cut, or the server is not well; it goes on by itself. */
export type SendingState = 'waiting' | 'going' | 'retrying' | 'paused' | 'done' | 'failed'
/** `code` says what is in the way: of the catalogue, or 0 when no answer came. */
export type Sending = { loaded: number; state: SendingState; code: number | null }

/** A piece arrives within half a minute on a line of 1 Mbit/s; what a cut line has brought over is kept. */
const PIECE_BYTES = 4 * 2 ** 20
/** Counted anew with each piece that arrives: a line may be away for half an hour. */
const AGAIN_MS = [0, 1000, 3000, 5000, 10_000, 20_000, ...Array<number>(60).fill(30_000)]

/**
 * Sends a file to where the API said, from where it was cut off, and tells how far it is. It begins when it is started.
 * Nothing about it is kept in the browser: the server knows how much has arrived.
 */
export const sendFile = (
  file: File,
  uploadUrl: string,
  { note, onDone }: { note: (row: Partial<Sending>) => void; onDone: () => void },
): Upload =>
  new Upload(file, {
    uploadUrl: new URL(uploadUrl, location.href).href,
    headers: { 'x-fairway-client': 'console' },
    chunkSize: PIECE_BYTES,
    retryDelays: AGAIN_MS,
    storeFingerprintForResuming: false,
    onShouldRetry: (error) => {
      const { code, mayPass } = readFailure(error)
      if (mayPass) note({ state: 'retrying', code })
      return mayPass
    },
    onProgress: (loaded) => note({ loaded, state: 'going', code: null }),
    onSuccess: () => {
      note({ state: 'done', loaded: file.size, code: null })
      onDone()
    },
    onError: (error) => note({ state: 'failed', code: readFailure(error).code }),
  })

/** Whether it may be over by itself: another one has the lock for a moment, the server starts again, no line. */
export function readFailure(error: Error | DetailedError): { code: number; mayPass: boolean } {
  const answer = 'originalResponse' in error ? error.originalResponse : null
  // What has no request behind it is a file that cannot be read any more.
  if (!('originalRequest' in error)) return { code: 30008, mayPass: false }
  if (answer === null) return { code: 0, mayPass: true }
  const status = answer.getStatus()
  return { code: codeIn(answer.getBody()) ?? status, mayPass: status >= 500 || [408, 409, 423, 429].includes(status) }
}

function codeIn(body: string): number | null {
  try {
    const read = ErrorEnvelope.safeParse(JSON.parse(body))
    return read.success ? read.data.meta.code : null
  } catch {
    return null
  }
}
