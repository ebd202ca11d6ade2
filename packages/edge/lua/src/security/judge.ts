import type { CompiledFailure, HeaderChange, LoginAttempt } from '@fairway/domain/web-security'
import * as json from 'cjson.safe'
import { headerText } from '../answer/headers.ts'
import { customerOf } from './customer-of.ts'
import { isTooMany, mark } from './limits.ts'
import { tellLogin } from './tell.ts'

/** A login whose answer is waited for. */
export type WaitingLogin = { attempt: LoginAttempt; responseHeaders: HeaderChange[] | undefined }

/** How much of an answer is looked through for words. */
const MOST_BYTES = 65_536
/** For how long an account is not kept out where it has signed in. */
const KNOWN_SECONDS = 30 * 86_400

/**
 * Has the answer of the origin judged, on a way of its own, so that other requests pay nothing for it. What hangs on
 * the request does not go along there, a variable does.
 */
export function awaitAnswer(attempt: LoginAttempt): void {
  ngx.var.fw_login = json.encode({ attempt, responseHeaders: ngx.ctx.responseHeaders }) ?? ''
  // Words are looked for in the answer as it is meant, not compressed.
  if (attempt.rule.failure.by === 'body') ngx.req.clear_header('Accept-Encoding')
  ngx.exec('@login')
}

/** Header filter, before everything else. */
export function judgeHead(): void {
  const login = json.decode(ngx.var.fw_login ?? '') as WaitingLogin | undefined
  if (login === undefined) return
  ngx.ctx.responseHeaders = login.responseHeaders
  const { attempt } = login
  const { failure } = attempt.rule
  const saysNothing = ngx.status >= 500
  // An origin that is away says nothing of a password, unless the rule says that this is how it refuses one.
  if (saysNothing && !(failure.by === 'status' && hasFailed(failure))) tellLogin(attempt, 'unjudged')
  else if (failure.by === 'body') ngx.ctx.login = attempt
  else judge(attempt, hasFailed(failure))
}

function hasFailed(failure: CompiledFailure): boolean {
  if (failure.by === 'status') return ngx.status === failure.status
  const said = headerText(failure.name)
  if (failure.operator === 'exists') return ngx.header[failure.name] !== undefined
  return failure.operator === 'equals' ? said === failure.value : said.includes(failure.value)
}

/** Body filter. */
export function judgeBody(): void {
  const attempt = ngx.ctx.login
  if (attempt === undefined) return
  const text = `${ngx.ctx.answerText ?? ''}${ngx.arg[1]}`.slice(0, MOST_BYTES)
  ngx.ctx.answerText = text
  if (!ngx.arg[2] && text.length < MOST_BYTES) return
  ngx.ctx.login = undefined
  let failed = false
  for (const word of attempt.rule.failure.keywords) if (text.includes(word)) failed = true
  judge(attempt, failed)
}

function judge(attempt: LoginAttempt, failed: boolean): void {
  const { rule, keys, known } = attempt
  // Neither the failure that the rule knows nor a success: whoever sends nonsense has not signed in.
  if (!failed && ngx.status >= 400) return tellLogin(attempt, 'unjudged')
  const customer = customerOf(ngx.var.fw_owner ?? '')
  // The next one after so many is kept out.
  if (failed)
    for (const key of keys) isTooMany(customer, `${key}\nfailed`, rule.maxFailed - 1, rule.seconds, rule.seconds)
  else if (known !== '') mark(customer, known, KNOWN_SECONDS)
  tellLogin(attempt, failed ? 'failed' : 'succeeded')
}
