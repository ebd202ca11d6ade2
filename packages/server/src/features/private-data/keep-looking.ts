import type { MonitoringState, ObjectFinding } from '@fairway/contract'
import { isObjectAtFault, isObjectRight } from '@fairway/domain'
import type { Database, Log, OutgoingGate } from '@fairway/platform'
import { startLeasedWork } from '../../loops/leased-work.ts'
import type { RunningLoop } from '../../loops/wake-loop.ts'
import { tellPulse } from '../pulse/store.ts'
import { lookAtObject } from './look.ts'
import { keepLook, MONITORING_DUE, takeMonitoring, type MonitoringRow } from './store.ts'

const AT_ONCE = 8
/** The requirements' patience with one that is being deployed; looks that were not made tell nothing of it. */
const DEPLOYING = { ms: 600_000, looks: 10 }
const AGAIN_SECONDS: Record<MonitoringState, number> = { deploying: 5, operational: 60, aside: 30, failed: 300 }

/** Looks at the test objects of monitoring CDNs again and again: one that turns bad is measured no more. */
export function startMonitoringKeeper(gate: OutgoingGate, database: Database, log: Log): RunningLoop {
  return startLeasedWork<MonitoringRow>(database, log, {
    name: 'monitoring',
    channel: 'monitoring',
    atOnce: AT_ONCE,
    due: MONITORING_DUE,
    take: takeMonitoring,
    work: (row) => lookAgain(gate, database, log, row),
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
  { state, state_since, looks }: Pick<MonitoringRow, 'state' | 'state_since' | 'looks'>,
  findings: readonly ObjectFinding[],
  now: number,
): MonitoringState {
  if (isObjectRight(findings)) return 'operational'
  if (state === 'operational' || state === 'aside')
    // One that cannot be reached is measured on: its visitors say that it is dead.
    return state === 'aside' || isObjectAtFault(findings) ? 'aside' : 'operational'
  const isOver = looks + 1 >= DEPLOYING.looks && now - state_since.getTime() > DEPLOYING.ms
  return state === 'failed' || isOver ? 'failed' : 'deploying'
}
