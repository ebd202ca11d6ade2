import http from 'node:http'
import { LIMITS } from '@fairway/contract'
import { denseJson, type Finding, READ_AS, readAs, readFindings } from '@fairway/domain'
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
/** Beyond so many values of JSON the rules do not look through: as in nginx. */
const MOST_VALUES = LIMITS.crs.arguments

/** What the inspection finds in a request. @throws Problem when the answer says nothing */
export function ask(socketPath: string, { method, target, headers, body }: WrittenRequest): Promise<Finding[]> {
  const lines = headers.filter(({ name }) => !OURS.has(name.toLowerCase())).flatMap(({ name, value }) => [name, value])
  const type = headers.find(({ name }) => name.toLowerCase() === 'content-type')?.value ?? ''
  const { text, as } = asInspected(type, body.toString('latin1'))
  const written = Buffer.from(text, 'latin1')
  if (as !== '') lines.push(READ_AS, as)
  if (written.length > 0) lines.push('Content-Length', String(written.length))
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
    request.end(written)
  })
}

/** What nginx does with a live one (`security/inspect.ts`). */
function asInspected(contentType: string, body: string): { text: string; as: string } {
  const read = readAs(contentType, body, false, isJson)
  const plain = read?.text ?? body
  const isList = read ? read.as === 'JSON' : /^(?:application|text)\/(?:[^;]*[/+])?json(?:;|$)/i.test(contentType)
  const dense = isList && isJson(plain) ? denseJson(plain, MOST_VALUES) : undefined
  return { text: dense ?? plain, as: read?.as ?? '' }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
