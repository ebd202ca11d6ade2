import type { LoginCounts } from '@fairway/contract'
import type { EventStore } from '../store/store.ts'
import { chartGrain, chartTimes } from './grain.ts'
import { type ShieldInput, shieldParameters, shieldRows } from './shield-source.ts'

/** `told`: leaked passwords where no rule counts logins. */
type Counts = Omit<LoginCounts, 'attempts'> & { leaked: number; told: number }
export type LoginsOfRule = { rule: string; points: ({ /** Epoch seconds. */ at: number } & Counts)[] }

const COUNTED: Record<keyof Counts, string> = {
  succeeded: `endsWith(reason, 'login-succeeded')`,
  failed: `endsWith(reason, 'login-failed')`,
  unjudged: `endsWith(reason, 'login-unjudged')`,
  keptOut: `startsWith(reason, 'too-many-')`,
  leaked: `startsWith(reason, 'leaked-login-')`,
  told: `reason = 'leaked'`,
}

/** How logins went by the rule that counted them: the intervals in which there were any, and all there are. */
export async function shieldLogins(
  store: EventStore,
  input: ShieldInput,
): Promise<{ intervalSeconds: number; times: number[]; rules: LoginsOfRule[] }> {
  const now = Math.floor(input.now / 1000)
  const grain = chartGrain(input.seconds, input.until ?? now, now)
  const { level, intervalSeconds: step, from, until } = grain
  const { rows, count } = shieldRows(level, input)
  const found = await store.query<{ rule: string; line: number } & Counts>(
    `SELECT rule, toUInt32(intDiv(toUnixTimestamp(at), {step:UInt32}) * {step:UInt32}) AS line, ${Object.entries(
      COUNTED,
    )
      .map(([name, is]) => `sumIf(${count}, ${is}) AS ${name}`)
      .join(', ')}
     FROM ${rows} AND part = 'account-takeover-prevention' GROUP BY rule, line`,
    { ...shieldParameters(input), from, until, step },
  )
  return {
    intervalSeconds: step,
    times: chartTimes(grain),
    rules: [...Map.groupBy(found, ({ rule }) => rule)].map(([rule, points]) => ({
      rule,
      points: points.map(({ line: at, rule: _rule, ...counts }) => ({ at, ...counts })),
    })),
  }
}
