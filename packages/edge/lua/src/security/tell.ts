import * as json from 'cjson.safe'
import { type LoginAttempt, redactedTarget } from '@fairway/domain/web-security'
import type { Seen } from './record.ts'
import { weighed } from './weigh.ts'

/** What web security made of a request, for whoever reads the log. */
export type Told = {
  part: string
  action: string
  /** Of the rule or entry; a word for a part as a whole. */ ruleId: string
  reason: string
}
/** The field that a rule has looked at, its name where it has one, and the bytes that fitted, secrets left out. */
export type Found = { field: string; name: string; text: string }

/**
 * For how many this one is written down with its line in the request log: in a flood some stand for many, and others,
 * which are 0, for none. Their own line stands for many, too, where the edge answers by itself (`isAnswered`).
 */
export function weightOf({ part, action, ruleId, reason }: Told, isAnswered: boolean): number {
  const weight = weighed(`${ngx.var.fw_owner} ${part} ${action} ${ruleId} ${reason}`, ngx.time())
  // Without an owner no line is written.
  if (weight === 0 && isAnswered) ngx.var.fw_owner = ''
  return weight
}

/** Writes down what became of a request, with its line in the request log. `weight`: how many it stands for, at least 1. */
export function tell(told: Told, weight: number, isAnswered: boolean, matched: Found | undefined, seen?: Seen): void {
  const target = redactedTarget(ngx.var.request_uri ?? '')
  const mark = target.indexOf('?')
  const threat = {
    part: told.part,
    action: told.action,
    ruleId: told.ruleId,
    reason: told.reason,
    address: ngx.var.remote_addr ?? '',
    query: mark < 0 ? '' : target.slice(mark + 1, mark + 1001),
    agent: (ngx.var.http_user_agent ?? '').slice(0, 300),
    matched,
    weight,
    lines: isAnswered ? weight : 1,
  }
  write({ threat, seen })
}

/** Puts what is told into the request's line, as a text of its own: other requests pay nothing for it. */
export function write(said: { threat?: object; seen?: Seen | undefined }): void {
  const text = json.encode(said)
  if (text !== undefined) ngx.var.fw_threat = text
}

/**
 * How a login went. What was told of the request before gives way: of its password, this says the same. What was
 * recorded of it stays.
 */
export function tellLogin({ rule, leaked }: LoginAttempt, went: 'succeeded' | 'failed' | 'unjudged'): void {
  const before = json.decode(ngx.var.fw_threat ?? '') as { seen?: Seen } | undefined
  ngx.var.fw_threat = ''
  const reason = `${leaked ? 'leaked-' : ''}login-${went}`
  const told: Told = { part: 'account-takeover-prevention', action: 'pass', ruleId: rule.id, reason }
  const weight = weightOf(told, false)
  if (weight > 0) tell(told, weight, false, undefined, before?.seen)
  else if (before?.seen !== undefined) write({ seen: before.seen })
}
