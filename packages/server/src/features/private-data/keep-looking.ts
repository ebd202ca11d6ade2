import type { MonitoringState, ObjectFinding } from '@fairway/contract'
import { isObjectAtFault, isObjectRight } from '@fairway/domain'
import type { Database, Log, OutgoingGate } from '@fairway/platform'
import { startWakeLoop, type RunningLoop } from '../../loops/wake-loop.ts'
import { tellPulse } from '../pulse/store.ts'
import { lookAtObject } from './look.ts'
import { dueMonitoring, keepLook, type MonitoringRow } from './store.ts'

const AT_ONCE = 8
const POLL_MS = 2_000
const RETRY_MS = 2_000
/** The requirements' patience with one that is being deployed. */
const DEPLOYING_MS = 600_000
const AGAIN_SECONDS: Record<MonitoringState, number> = { deploying: 5, operational: 60, aside: 30, failed: 300 }

/** Looks at the test objects of monitoring CDNs again and again: one that turns bad is measured no more. */
export function startMonitoringKeeper(gate: OutgoingGate, database: Database, log: Log): RunningLoop {
  return startWakeLoop(database, log, {
    name: 'monitoring',
    isElected: true,
    channels: ['monitoring'],
    pollMs: POLL_MS,
    due: 'SELECT FROM monitoring_cdn WHERE due_at <= now()',
    retryMs: RETRY_MS,
    async round({ stopped }) {
      for (let more = true; more && !stopped.aborted;) {
        const due = await database.system((tx) => dueMonitoring(tx, AT_ONCE))
        await Promise.all(due.map((row) => lookAgain(gate, database, log, row)))
        more = due.length === AT_ONCE
      }
    },
  })
}

async function lookAgain(gate: OutgoingGate, database: Database, log: Log, row: MonitoringRow): Promise<void> {
  const findings = await lookAtObject(gate, row.organization_id, row)
  const state = nextState(row, findings, Date.now())
  if (state !== row.state) log.info({ event: 'monitoring.state', monitoringCdn: row.id, from: row.state, to: state })
  await database.system(async (tx) => {
    await keepLook(tx, row, { state, findings, againSeconds: AGAIN_SECONDS[state] })
    if (state !== row.state) await tellPulse(tx, row.organization_id)
  })
}

function nextState(
  { state, state_since }: Pick<MonitoringRow, 'state' | 'state_since'>,
  findings: readonly ObjectFinding[],
  now: number,
): MonitoringState {
  if (isObjectRight(findings)) return 'operational'
  if (state === 'operational' || state === 'aside')
    // One that cannot be reached is measured on: its visitors say that it is dead.
    return state === 'aside' || isObjectAtFault(findings) ? 'aside' : 'operational'
  return state === 'failed' || now - state_since.getTime() > DEPLOYING_MS ? 'failed' : 'deploying'
}
