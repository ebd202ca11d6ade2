import fs from 'node:fs'
import type { LoginsOfRule } from '@fairway/analytics'
import { CredentialStuffingContent, FailedLoginContent, type LoginCounts, type LoginPath } from '@fairway/contract'
import { leakedPasswordsFile } from '@fairway/platform'
import type { Context } from '../../http/context.ts'
import { rulesOf } from '../web-security/rule-store.ts'

type Rule = { id: string; path: string; createdAt: number; /** In force, at the edge. */ isOn: boolean }
type Found = { times: number[]; rules: LoginsOfRule[] }

/**
 * What rules have counted, by the paths that they are about now. A path of which nothing was counted is there with
 * zeros while a rule counts, and is not there else.
 */
export async function loginPaths(context: Context, { times, rules: counted }: Found): Promise<LoginPath[]> {
  const { tx, domain, now, services } = context
  const isInForce = domain.origin_shield === 'use'
  const ruleOf = (row: { id: string; enabled: boolean; created_at: Date }, path: string): Rule => ({
    id: row.id,
    path,
    createdAt: row.created_at.getTime() / 1000,
    isOn: row.enabled && isInForce,
  })
  const watching = (await rulesOf(tx, domain.id, 'failed-login')).map((row) =>
    ruleOf(row, FailedLoginContent.parse(row.does).path),
  )
  const checking = (await rulesOf(tx, domain.id, 'credential-stuffing')).map((row) =>
    ruleOf(row, CredentialStuffingContent.parse(row.does).path),
  )
  const byRule = new Map(counted.map((one) => [one.rule, one.points]))
  const hasList = fs.existsSync(leakedPasswordsFile(services.config))
  const ends = now.getTime() / 1000
  const found: LoginPath[] = []
  for (const path of new Set([...watching, ...checking].map((rule) => rule.path))) {
    const here = watching.filter((rule) => rule.path === path)
    const told = checking.filter((rule) => rule.path === path)
    const points = [...here, ...told].flatMap(({ id }) => byRule.get(id) ?? [])
    const isCounted = here.some(({ id, isOn }) => isOn || byRule.has(id))
    const isLookedUp = hasList && checking.some((rule) => rule.isOn && covers(rule.path, path))
    const leaked = points.reduce((sum, one) => sum + (isCounted ? one.leaked : one.told), 0)
    if (points.length === 0 && ![...here, ...told].some(({ isOn }) => isOn)) continue
    // Its rule may be younger than what is asked for.
    const begins = Math.min(...here.map(({ createdAt }) => createdAt), ...points.map(({ at }) => at))
    found.push({
      path,
      logins: isCounted ? sumOf(points) : null,
      leaked: leaked > 0 || isLookedUp ? leaked : null,
      points: pointsOf(times, points, isCounted, begins, ends),
    })
  }
  const known = new Set([...watching, ...checking].map(({ id }) => id))
  const gone = counted.filter(({ rule }) => !known.has(rule)).flatMap(({ points }) => points)
  const logins = sumOf(gone)
  if (logins.attempts > 0) {
    const begins = Math.min(...gone.map(({ at }) => at))
    const leaked = gone.reduce((sum, one) => sum + one.leaked, 0)
    const points = pointsOf(times, gone, true, begins, Math.max(...gone.map(({ at }) => at)) + 1)
    found.push({ path: null, logins, leaked: leaked > 0 ? leaked : null, points })
  }
  return found.toSorted((a, b) => (b.logins?.attempts ?? -1) - (a.logins?.attempts ?? -1))
}

type Counts = LoginsOfRule['points'][number]

function pointsOf(
  times: number[],
  counts: Counts[],
  isCounted: boolean,
  begins: number,
  ends: number,
): LoginPath['points'] {
  const at = Map.groupBy(counts, (one) => one.at)
  const step = (times[1] ?? 0) - (times[0] ?? 0)
  return times.map((time) => {
    const here = at.get(time) ?? []
    const isKnown = isCounted && (here.length > 0 || (time + step > begins && time < ends))
    return {
      at: time * 1000,
      logins: isKnown ? sumOf(here) : null,
      leaked: here.reduce((sum, one) => sum + (isCounted ? one.leaked : one.told), 0),
    }
  })
}

function sumOf(counts: readonly Counts[]): LoginCounts {
  const sum = { attempts: 0, succeeded: 0, failed: 0, unjudged: 0, keptOut: 0 }
  for (const { succeeded, failed, unjudged, keptOut } of counts) {
    sum.succeeded += succeeded
    sum.failed += failed
    sum.unjudged += unjudged
    sum.keptOut += keptOut
    sum.attempts += succeeded + failed + unjudged + keptOut
  }
  return sum
}

/** Whether a rule's path is about everything that another's is. */
function covers(one: string, other: string): boolean {
  return one === other || (one.endsWith('*') && other.startsWith(one.slice(0, -1)))
}
