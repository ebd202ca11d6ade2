import {
  addressKey,
  type CompiledRuleSets,
  CROWDED,
  type Inspection,
  type NamedValue,
  ownFinding,
  READ_AS,
  readFindings,
  type Sent,
  type Shown,
  shown,
  unopened,
} from '@fairway/domain/web-security'
import * as json from 'cjson.safe'
import { count } from '../answer/answer.ts'
import { clearanceSecret, inspectorOf } from '../policy/held.ts'
import { giveInspection, isInspectedFully, takeInspection } from '../origin/room.ts'
import { readBody } from '../visitor-body.ts'
import { isCoded, opened } from './opened.ts'

const OWN = READ_AS.toLowerCase()
const CONNECT_MS = 500
const ANSWER_MS = 4_000
const IDLE_MS = 60_000
const KEPT = 64
/** How long a request waits for its customer's or visitor's flood, and for others that are in the way. */
const PATIENCE_SECONDS = 1
const PATIENCE_WITH_OTHERS_SECONDS = 5
/** An inspection that has answered nobody for so long does not answer: that is for the domain's setting. */
const SILENT_SECONDS = 1

/** What was remembered of a request when it was last looked for, so that it is not looked for twice. */
let rememberedOf = ''
let remembered = ''

/** Whether nothing has to be asked about the request that nginx has before it, as far as it has no body. */
export function isRemembered(ruleSets: CompiledRuleSets): boolean {
  const inspector = inspectorOf()
  if (inspector === undefined) return true
  const [known] = ngx.shared.inspected.get(keyOf(inspector.version, addressOf(inspector.sockets, ruleSets)))
  if (known === undefined) return false
  rememberedOf = ngx.var.fw_incident ?? ''
  remembered = known
  return true
}

const addressOf = (sockets: string, ruleSets: CompiledRuleSets): string =>
  `unix:${sockets}.${ruleSets.full ? 'f' : 's'}${ruleSets.level}`

const keyOf = (version: string, address: string): string =>
  ngx.hmac_sha1(`${clearanceSecret()}${version}${address}`, exactHead())

/**
 * Holds the request that nginx has before it against the rule set, in the process that has it. What was found in a
 * request without a body is remembered by its exact bytes and the rules' version: the rules keep nothing of visitors, so
 * the same bytes find the same again.
 */
export function inspect(customer: string, ruleSets: CompiledRuleSets): Inspection {
  const inspector = inspectorOf()
  if (inspector === undefined) return failed('the inspection does not run')
  const address = addressOf(inspector.sockets, ruleSets)
  if (!hasBody()) {
    if (rememberedOf !== '' && rememberedOf === ngx.var.fw_incident) {
      count('inspections_remembered')
      return inspectionOf(remembered, false)
    }
    const key = keyOf(inspector.version, address)
    const [known] = ngx.shared.inspected.get(key)
    if (known !== undefined) {
      count('inspections_remembered')
      return inspectionOf(known, false)
    }
    const headers = headersOf()
    const seen = shown(sentWith(headers, '', false), isJson)
    const answer = askInTurn(customer, address, headOf(seen, headers, false, true))
    if (answer.found === '') return uninspected(answer.problem)
    const found = `${answer.found}${OURS}${seen.found.join('.')}`
    ngx.shared.inspected.set(key, found, REMEMBERED_SECONDS)
    return inspectionOf(found, false)
  }
  const sent = bodyOf(ruleSets.bodyBytes)
  const content = isCoded() ? opened(sent.text, sent.cut, ruleSets.bodyBytes) : { ...sent, problem: '' as const }
  // What could not be opened is looked at as it came.
  const isOpen = content.problem === ''
  const { text, cut } = isOpen ? content : sent
  const headers = headersOf()
  const seen = shown(sentWith(headers, text, cut), isJson)
  const answer = askInTurn(customer, address, `${headOf(seen, headers, true, isOpen)}${seen.body}`)
  if (answer.found === '') return uninspected(answer.problem)
  const inspection = inspectionOf(`${answer.found}${OURS}${seen.found.join('.')}`, cut)
  return inspection.failed !== '' || content.problem === ''
    ? inspection
    : { ...inspection, findings: [...inspection.findings, unopened(content.problem)] }
}

const isJson = (text: string): boolean => json.decode(text) !== undefined

/** The request that nginx has before it, with as much of its body. */
function sentWith(headers: NamedValue[], body: string, cut: boolean): Sent {
  const charset: string[] = []
  for (const { name, value } of headers) if (name.toLowerCase() === 'x-up-devcap-post-charset') charset.push(value)
  const contentType = ngx.var.http_content_type ?? ''
  return { target: ngx.var.request_uri ?? '/', headers, contentType, charset, body, cut }
}

/** As the origin is told them: nginx leaves out those whose names are none. */
function headersOf(): NamedValue[] {
  const headers: NamedValue[] = []
  const said = ngx.req.get_headers(0, true)
  for (const name in said) {
    const value = said[name]
    if (typeof value === 'string') headers.push({ name, value })
    else if (typeof value === 'boolean') headers.push({ name, value: '' })
    else if (value !== undefined) for (const one of value) headers.push({ name, value: one })
  }
  return headers
}

/** The memory is bounded: what is not asked for again goes first. */
const REMEMBERED_SECONDS = 3_600

/** Between what the rules have found and what we have. */
const OURS = '!'

function inspectionOf(found: string, cut: boolean): Inspection {
  if (found === CLEAN) return { findings: NONE, failed: '', cut }
  const mark = found.indexOf(OURS)
  const findings = readFindings(found.slice(0, mark))
  if (findings === undefined) return failed('the answer says nothing')
  for (const one of found.slice(mark + 1).split('.')) if (one !== '') findings.push(ownFinding(one))
  return { findings, failed: '', cut }
}
const CLEAN = `0,,,${OURS}`
const NONE: NonNullable<ReturnType<typeof readFindings>> = []

const NO_TURN = { found: '', problem: CROWDED }

const NO_ANSWER = { found: '', problem: 'no answer' }

/** When a request of this worker was last answered, epoch seconds. */
let answeredAt = 0
let waits = 0

/** One customer's flood waits for itself: with it in the way, others' requests would not be inspected in time. */
function askInTurn(customer: string, address: string, request: string): { found: string; problem: string } {
  const visitor = visitorBound()
  const began = ngx.now()
  while (!takeInspection(customer, visitor)) {
    const now = ngx.now()
    const waited = now - began
    if (waited >= PATIENCE_SECONDS && now - answeredAt > SILENT_SECONDS) return NO_ANSWER
    if (waited >= (isInspectedFully(customer, visitor) ? PATIENCE_SECONDS : PATIENCE_WITH_OTHERS_SECONDS))
      return NO_TURN
    // Those that came together do not look together, or most of each turn would be nobody's.
    waits = (waits + 7) % 32
    ngx.sleep(0.02 + waits * 0.001)
  }
  const [done, answer] = pcall(ask, address, request)
  giveInspection(customer, visitor)
  if (!done) return { found: '', problem: `${answer}` }
  if (answer.found !== '') {
    answeredAt = ngx.now()
    count('inspections_answered')
  }
  return answer
}

/** Whom a turn is counted for; empty for nobody, as where requests of an address have no bound (`visitorsBound`). */
function visitorBound(): string {
  if ((ngx.var.fw_bound ?? '') === '') return ''
  // Whoever has one address of IPv6 has the whole /64.
  const key = addressKey(ngx.var.remote_addr ?? '').slice(0, 16)
  return key === '' ? 'unknown' : key
}

function uninspected(problem: string): Inspection {
  if (problem !== CROWDED) return failed(problem)
  count('inspections_crowded')
  return { findings: NONE, failed: CROWDED, cut: false }
}

function failed(problem: string): Inspection {
  count('inspections_failed')
  ngx.log(ngx.ERR, `inspection: ${problem}`)
  return { findings: NONE, failed: problem, cut: false }
}

function hasBody(): boolean {
  if (ngx.var.server_protocol !== 'HTTP/2.0') {
    const length = ngx.var.http_content_length
    return (length !== undefined && length !== '0') || ngx.var.http_transfer_encoding !== undefined
  }
  // Of HTTP/2 no header has to speak of a body: what has come is looked at, of whatever method.
  readBody()
  return ngx.req.get_body_data() !== undefined || ngx.req.get_body_file() !== undefined
}

/** Byte by byte, where nginx has it; of HTTP/2, which has other words for it, as we write it. */
function exactHead(): string {
  if (ngx.var.server_protocol !== 'HTTP/2.0') return ngx.req.raw_header()
  return headOf(AS_IT_CAME, headersOf(), false, false)
}
const AS_IT_CAME: Pick<Shown, 'target' | 'body' | 'as' | 'contentType'> = {
  target: '',
  body: '',
  as: '',
  contentType: '',
}

/**
 * The head as HTTP/1.1 says it. `raw_header` would not do: of blanks behind a value it makes an end of all headers. With a
 * body its length stands in place of what the visitor says of its framing, and its coding is left out where it has been
 * undone. How a body is to be read, only we say.
 */
function headOf(
  { target, body, as, contentType }: typeof AS_IT_CAME,
  headers: NamedValue[],
  hasContent: boolean,
  isOpen: boolean,
): string {
  const protocol = ngx.var.server_protocol ?? ''
  const version = protocol === 'HTTP/2.0' || protocol === '' ? 'HTTP/1.1' : protocol
  const lines = [`${ngx.req.get_method()} ${target === '' ? (ngx.var.request_uri ?? '/') : target} ${version}`]
  let hasHost = false
  for (const { name, value } of headers) {
    const small = name.toLowerCase()
    if (small === 'host') hasHost = true
    const isOurs =
      small === OWN ||
      (hasContent &&
        (small === 'content-length' ||
          small === 'transfer-encoding' ||
          small === 'expect' ||
          (isOpen && small === 'content-encoding'))) ||
      (contentType !== '' && small === 'content-type')
    if (!isOurs) lines.push(`${name}: ${value}`)
  }
  if (!hasHost) lines.push(`Host: ${ngx.var.http_host ?? ngx.var.host}`)
  if (contentType !== '') lines.push(`Content-Type: ${contentType}`)
  if (as !== '') lines.push(`${READ_AS}: ${as}`)
  if (hasContent) lines.push(`Content-Length: ${body.length}`)
  lines.push('', '')
  return lines.join('\r\n')
}

/** The beginning of the body, as much of it as is inspected. nginx keeps what is long in a file. */
function bodyOf(most: number): { text: string; cut: boolean } {
  readBody()
  const data = ngx.req.get_body_data()
  if (data !== undefined)
    return data.length > most ? { text: data.slice(0, most), cut: true } : { text: data, cut: false }
  const path = ngx.req.get_body_file()
  if (path === undefined) return { text: '', cut: false }
  const [file] = io.open(path, 'rb')
  if (file === undefined) return { text: '', cut: true }
  const text = file.read(most) ?? ''
  const more = file.read(1)
  file.close()
  return { text, cut: more !== undefined }
}

/** Sends a request and reads what was found; empty with the reason when nobody answers. */
function ask(address: string, request: string): { found: string; problem: string } {
  const socket = ngx.socket.tcp()
  socket.settimeouts(CONNECT_MS, ANSWER_MS, ANSWER_MS)
  const [connected, problem] = socket.connect(address)
  if (connected === undefined) return { found: '', problem: `connect: ${problem}` }
  const [sent, unsent] = socket.send(request)
  if (sent === undefined) return { found: '', problem: `send: ${unsent}` }
  let found = ''
  let length = 0
  let keeps = true
  let status = ''
  for (;;) {
    const [line, broken] = socket.receive('*l')
    if (line === undefined) return { found: '', problem: `read: ${broken}` }
    if (line === '') break
    if (status === '') status = line
    else if (line.startsWith('Location: found:')) found = line.slice(16)
    else if (line.startsWith('Content-Length: ')) length = tonumber(line.slice(16)) ?? 0
    else if (line === 'Connection: close') keeps = false
  }
  if (found === '') {
    socket.close()
    return { found: '', problem: `no finding: ${status}` }
  }
  const [rest] = !keeps || ngx.req.get_method() === 'HEAD' || length === 0 ? [''] : socket.receive(length)
  if (keeps && rest !== undefined) socket.setkeepalive(IDLE_MS, KEPT)
  else socket.close()
  return { found, problem: '' }
}
