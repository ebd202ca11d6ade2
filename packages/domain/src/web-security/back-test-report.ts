import type { BackTest, RecordedRequest } from '@fairway/contract'
import { isSignedIn, type Judged } from './back-test.ts'

type Turned = BackTest['newlyStopped']
export type JudgedRequest = {
  at: number
  id: string
  method: string
  path: string
  country: string
  request: RecordedRequest
}

const SHARES = 10
const EXAMPLES = 8
/** Values that are told apart; whoever asks for a million paths makes no million of them. */
const VALUES = 5000

/** Adds up what a change turns, request by request. */
export function backTestReport(): {
  add(one: JudgedRequest, before: Judged, after: Judged): void
  report(ms: number): BackTest
} {
  const sum = { recorded: 0, requests: 0, before: 0, after: 0, otherwise: 0, uncertain: 0 }
  let from: number | null = null
  let to: number | null = null
  const stopped = turned()
  const passed = turned()
  return {
    add(one, before, after) {
      const { weight } = one.request
      sum.recorded += 1
      sum.requests += weight
      from ??= one.at
      to = one.at
      if (before.stopped) sum.before += weight
      if (after.stopped) sum.after += weight
      if (before.uncertain || after.uncertain) sum.uncertain += weight
      if (before.stopped && after.stopped && before.action !== after.action) sum.otherwise += weight
      if (after.stopped && !before.stopped) stopped.add(one, before, after)
      if (before.stopped && !after.stopped) passed.add(one, before, after)
    },
    report: (ms) => ({
      recorded: sum.recorded,
      requests: sum.requests,
      from,
      to,
      stopped: { before: sum.before, after: sum.after },
      newlyStopped: stopped.report(),
      newlyPassed: passed.report(),
      otherwise: sum.otherwise,
      uncertain: sum.uncertain,
      ms,
    }),
  }
}

function turned() {
  let requests = 0
  let signedIn = 0
  const countries = new Map<string, number>()
  const paths = new Map<string, number>()
  const examples: Turned['examples'] = []
  const count = (counts: Map<string, number>, value: string, weight: number) => {
    if (counts.has(value) || counts.size < VALUES) counts.set(value, (counts.get(value) ?? 0) + weight)
  }
  const most = (counts: Map<string, number>): Turned['countries'] =>
    [...counts]
      .map(([value, number]) => ({ value, requests: number }))
      .sort((a, b) => b.requests - a.requests || a.value.localeCompare(b.value))
      .slice(0, SHARES)
  return {
    add({ at, id, method, path, country, request }: JudgedRequest, before: Judged, after: Judged): void {
      const isKnown = isSignedIn(request)
      requests += request.weight
      if (isKnown) signedIn += request.weight
      count(countries, country, request.weight)
      count(paths, path, request.weight)
      if (examples.length >= EXAMPLES) return
      const part = after.stopped ? after.part : before.part
      examples.push({
        id,
        at,
        address: request.address,
        country,
        method,
        path,
        agent: request.headers.find(({ name }) => name === 'user-agent')?.value ?? '',
        before: before.action,
        after: after.action,
        part: part === '' ? null : part,
        signedIn: isKnown,
      })
    },
    report: (): Turned => ({ requests, signedIn, countries: most(countries), paths: most(paths), examples }),
  }
}
