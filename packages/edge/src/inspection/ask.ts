import http from 'node:http'
import { type Finding, ownFinding, READ_AS, readFindings, shown } from '@fairway/domain'
import { Problem } from '@fairway/platform'

export type WrittenRequest = {
  method: string
  target: string
  headers: { name: string; value: string }[]
  body: Buffer
}

const PATIENCE_MS = 2_000
/** The framing is ours to say, and how a body is read. */
const OURS: ReadonlySet<string> = new Set([
  'content-length',
  'transfer-encoding',
  'expect',
  'connection',
  READ_AS.toLowerCase(),
])

/** What the inspection finds in a request. @throws Problem when the answer says nothing */
export function ask(socketPath: string, { method, target, headers, body }: WrittenRequest): Promise<Finding[]> {
  const valuesOf = (wanted: string) =>
    headers.filter(({ name }) => name.toLowerCase() === wanted).map(({ value }) => value)
  // As nginx does with a live one (`security/inspect.ts`).
  const seen = shown(
    {
      target,
      headers,
      contentType: valuesOf('content-type')[0] ?? '',
      charset: valuesOf('x-up-devcap-post-charset'),
      body: body.toString('latin1'),
      cut: false,
    },
    isJson,
  )
  const lines = headers
    .filter(({ name }) => !OURS.has(name.toLowerCase()))
    .filter(({ name }) => seen.contentType === '' || name.toLowerCase() !== 'content-type')
    .flatMap(({ name, value }) => [name, value])
  const written = Buffer.from(seen.body, 'latin1')
  if (seen.contentType !== '') lines.push('Content-Type', seen.contentType)
  if (seen.as !== '') lines.push(READ_AS, seen.as)
  if (written.length > 0) lines.push('Content-Length', String(written.length))
  return new Promise((resolve, reject) => {
    const fail = (why: string) => reject(new Problem(`the inspection fails: ${why}`))
    const options = { socketPath, method, path: seen.target, headers: lines, agent: false, timeout: PATIENCE_MS }
    const request = http.request(options, (response) => {
      response.resume()
      const found = /^found:(.*)$/.exec(response.headers.location ?? '')
      const findings = found === null ? undefined : readFindings(found[1] ?? '')
      if (findings === undefined) fail(`status ${response.statusCode}`)
      else resolve([...findings, ...seen.found.map(ownFinding)])
    })
    request.on('timeout', () => request.destroy(new Error('no answer')))
    request.on('error', (error) => fail(error.message))
    request.end(written)
  })
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
