import { randomInt } from 'node:crypto'
import { startInstallation } from '../../installation/start-installation.ts'
import { quantile, table } from '../figures.ts'
import { registerOperator } from '../operator.ts'
import { killOnce, killZone, loadOf } from './drill.ts'
import { VICTIMS, type Victim } from './victims.ts'

const KILLS = 200
const READY_MS = 180_000

const EXCHANGE: Victim = {
  name: 'an exchange of the running code',
  async kill(installation) {
    const { status, stderr } = await installation.fairway('reload')
    if (status !== 0) throw new Error(stderr)
  },
}

/**
 * Ends one process after the other, in random order, each as soon as all are well again, while resolvers ask, visitors
 * come and records are written; then the running code is exchanged under the same load. What counts is what was lost.
 */
export async function benchKill(say: (line: string) => void, kills = KILLS): Promise<void> {
  await using installation = await startInstallation({ command: 'up' })
  await registerOperator(installation)
  const load = loadOf(installation, await killZone(installation))
  const took = new Map<string, number[]>()
  for (let at = 1; at <= kills; at++) {
    const victim = at === kills ? EXCHANGE : (VICTIMS[randomInt(VICTIMS.length)] ?? EXCHANGE)
    const readyMs = await killOnce(installation, load, victim, READY_MS)
    took.set(victim.name, [...(took.get(victim.name) ?? []), readyMs])
    const { dns, edge } = load.met
    say(
      `${at}: ${victim.name}, ready after ${readyMs} ms; lost so far: ${dns.lost.length} answers, ${edge.lost.length} requests`,
    )
  }
  const missing = await load.stop()
  const { dns, edge, writes } = load.met
  say('')
  say(
    table([
      ['ended', 'times', 'ready again ms p50', 'max'],
      ...[...took].map(([name, ms]) => [
        name,
        `${ms.length}`,
        quantile(ms, 0.5).toFixed(0),
        quantile(ms, 1).toFixed(0),
      ]),
    ]),
  )
  say(`${dns.asked} questions, ${dns.askedTwice} asked twice, ${dns.lost.length} lost, slowest ${dns.slowestMs} ms`)
  say(`${edge.asked} requests to the edge, ${edge.lost.length} lost or cut, slowest ${edge.slowestMs} ms`)
  say(`${writes.acknowledged} writes acknowledged, ${writes.doubtful} without a word, ${missing.length} lost`)
  for (const line of [...dns.lost, ...edge.lost, ...missing].slice(0, 40)) say(line)
}
