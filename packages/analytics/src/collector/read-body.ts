import type http from 'node:http'

/** Calls back once with the body, null when it is larger than allowed; never when the client leaves in the middle. */
export function readBody(request: http.IncomingMessage, limitBytes: number, use: (body: Buffer | null) => void): void {
  const chunks: Buffer[] = []
  let size = 0
  request.on('data', (chunk: Buffer) => {
    size += chunk.length
    if (size <= limitBytes) chunks.push(chunk)
    else if (size - chunk.length <= limitBytes) use(null)
  })
  request.on('end', () => {
    if (size <= limitBytes) use(chunks.length === 1 ? (chunks[0] ?? null) : Buffer.concat(chunks))
  })
}
