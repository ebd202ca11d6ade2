import http from 'node:http'
import { type Finding, readFindings } from '@fairway/domain'
import { Problem } from '@fairway/platform'

export type WrittenRequest = {
  method: string
  target: string
  headers: { name: string; value: string }[]
  body: Buffer
}

const PATIENCE_MS = 2_000
/** The framing is ours to say. */
const FRAMING: ReadonlySet<string> = new Set(['content-length', 'transfer-encoding', 'expect', 'connection'])

/** What the inspection finds in a request. @throws Problem when the answer says nothing */
export function ask(socketPath: string, { method, target, headers, body }: WrittenRequest): Promise<Finding[]> {
  const lines = headers
    .filter(({ name }) => !FRAMING.has(name.toLowerCase()))
    .flatMap(({ name, value }) => [name, value])
  if (body.length > 0) lines.push('Content-Length', String(body.length))
  return new Promise((resolve, reject) => {
    const fail = (why: string) => reject(new Problem(`the inspection fails: ${why}`))
    const options = { socketPath, method, path: target, headers: lines, agent: false, timeout: PATIENCE_MS }
    const request = http.request(options, (response) => {
      response.resume()
      const found = /^found:(.*)$/.exec(response.headers.location ?? '')
      const findings = found === null ? undefined : readFindings(found[1] ?? '')
      if (findings === undefined) fail(`status ${response.statusCode}`)
      else resolve(findings)
    })
    request.on('timeout', () => request.destroy(new Error('no answer')))
    request.on('error', (error) => fail(error.message))
    request.end(body)
  })
}
