import { evaluate, type Verdict } from '@fairway/domain/web-security'
import * as json from 'cjson.safe'
import { answerFile, count } from '../answer/answer.ts'
import type { SecurityDocument } from '../policy/documents.ts'
import { clearanceSecret } from '../policy/held.ts'
import { signed } from './clearance.ts'
import { contentOf } from './content.ts'
import { inspect } from './inspect.ts'
import { backTo, liveRequest, presentRequest } from './live-request.ts'

/**
 * Whether the agent of an installation's own node has sent this request on trial, at this host and just now: nobody
 * else can sign that.
 */
export function isOnTrial(): boolean {
  const said = ngx.var.http_x_fairway_trial
  if (said === undefined || said.length > 100) return false
  const [until, mark] = said.split('.')
  const end = tonumber(until) ?? 0
  return end > ngx.time() && mark === signed(clearanceSecret(), `trial\n${ngx.var.host ?? ''}\n${end}`)
}

/**
 * Says what the rules make of the request instead of doing it. Nothing is counted towards a limit, written into a log
 * or passed on.
 */
export function answerTrial(security: SecurityDocument | undefined): void {
  ngx.var.fw_owner = ''
  count('trials')
  const verdict = security === undefined ? undefined : verdictOf(security.rules)
  ngx.header['X-Fairway-Trial'] = 'judged'
  answerFile(
    'application/json',
    json.encode({
      stopped: verdict !== undefined && verdict.status !== 0,
      action: verdict === undefined ? 'pass' : verdict.action,
      part: verdict === undefined ? '' : verdict.part,
      ruleId: verdict === undefined ? '' : verdict.ruleId,
      reason: verdict === undefined ? '' : verdict.reason,
    }) ?? '{}',
  )
}

function verdictOf(rules: SecurityDocument['rules']): Verdict {
  return evaluate(rules, liveRequest(true), {
    now: ngx.time(),
    isTooMany: () => false,
    inspect: (ruleSets) => {
      const own = presentRequest()
      // Of the installation itself.
      const inspection = inspect('trials', ruleSets)
      backTo(own)
      return inspection
    },
    content: () => {
      const own = presentRequest()
      const content = contentOf()
      backTo(own)
      return content
    },
    isMarked: () => false,
    isLeaked: () => false,
    isCleared: () => false,
    lookedUp: () => 'off',
    trace: undefined,
  })
}
