import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Installation } from '../../installation/start-installation.ts'
import { quantile, table } from '../figures.ts'
import { type PairMet, startPairLoad } from './pair-load.ts'
import { type Pair, startPair } from './pair.ts'

const KILLS = 200
const READY_MS = 120_000
/** Between two ends: what they interrupt is to be on its way again. */
const PAUSE_MS = 500

const ROLES = ['api', 'worker', 'collector'] as const

/** What the ends of processes have cost; all counts of what is wrong are 0 when it is as it should be. */
type PairOutcome = { met: PairMet; wrong: string[]; readyMs: Map<string, number[]> }

/**
 * Ends one of two API, worker and collector processes after the other, in random order, each as soon as the one before
 * is back, while somebody is signed in, records are written, jobs are given and visitors measure.
 */
async function killPairs(pair: Pair, kills: number, say: (line: string) => void): Promise<PairOutcome> {
  const load = await startPairLoad(pair)
  const readyMs = new Map<string, number[]>()
  const every = pair.machines.flatMap((machine, at) =>
    ROLES.map((role) => ({ machine, role, name: `${role} of ${at + 1}` })),
  )
  for (let number = 1; number <= kills; number++) {
    // The first round meets each of them once.
    const left = every.filter(({ name }) => !readyMs.has(name))
    const among = left.length > 0 ? left : every
    const victim = among[randomInt(among.length)]
    if (!victim) break
    const began = performance.now()
    const pid = victim.machine.kill(victim.role)
    await victim.machine.restarted(victim.role, pid, READY_MS)
    await allReady(victim.machine)
    const ms = Math.round(performance.now() - began)
    readyMs.set(victim.name, [...(readyMs.get(victim.name) ?? []), ms])
    const { sessions, beacons, scores } = load.met
    say(
      `${number}: ${victim.name}, ready after ${ms} ms; ${sessions.asked} calls, ${sessions.lost} lost; ${beacons.taken} beacons; scores at most ${scores.oldestMs} ms old`,
    )
    await sleep(PAUSE_MS)
  }
  return { met: load.met, wrong: await load.stop(), readyMs }
}

async function allReady(machine: Installation): Promise<void> {
  for (const end = performance.now() + READY_MS; ; await sleep(50)) {
    const reasons = await machine.notReady().catch(() => ['the supervisor does not answer'])
    if (reasons.length === 0) return
    if (performance.now() > end) throw new Error(`not ready in time: ${reasons.join('; ')}`)
  }
}

export async function benchKillPairs(say: (line: string) => void, kills = KILLS): Promise<void> {
  await using pair = await startPair()
  const { met, wrong, readyMs } = await killPairs(pair, kills, say)
  say('')
  say(
    table([
      ['ended', 'times', 'ready again ms p50', 'max'],
      ...[...readyMs].map(([name, ms]) => [
        name,
        `${ms.length}`,
        quantile(ms, 0.5).toFixed(0),
        quantile(ms, 1).toFixed(0),
      ]),
    ]),
  )
  const { sessions, writes, jobs, beacons, scores } = met
  say(`${sessions.asked} calls of one session, ${sessions.lost} lost, ${sessions.refused} refused`)
  say(`${writes.acknowledged} writes acknowledged, ${writes.doubtful} without a word`)
  say(`${jobs.given} jobs given, ${jobs.doubtful} without a word`)
  say(`${beacons.taken} beacons taken, ${beacons.doubtful} without a word`)
  say(`scores at most ${scores.oldestMs} ms old`)
  say(`${wrong.length} things wrong`)
  for (const line of wrong.slice(0, 40)) say(line)
}
