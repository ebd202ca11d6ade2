import { table } from '../figures.ts'
import { DISASTERS } from './disasters.ts'
import { endure, startScene } from './scene.ts'

const SECONDS = 60

/**
 * One disaster after the other, each so many seconds long, while resolvers ask, visitors come and records are written.
 * What counts is what was lost, and how long after it a change is served again.
 */
export async function benchDisasters(say: (line: string) => void, seconds = SECONDS): Promise<void> {
  await using stack = new AsyncDisposableStack()
  const { scene, load } = await startScene(stack)
  const rows = [
    [
      'disaster',
      'answers lost',
      'asked twice',
      'slowest ms',
      'requests lost',
      'slowest ms',
      'writes taken',
      'without a word',
      'served again after ms',
    ],
  ]
  for (const disaster of DISASTERS) {
    const { met, servedMs } = await endure(scene, load, disaster, seconds)
    const { dns, edge, writes } = met
    const figures = [dns.lost.length, dns.askedTwice, dns.slowestMs, edge.lost.length, edge.slowestMs]
    rows.push([disaster.name, ...[...figures, writes.acknowledged, writes.doubtful, servedMs].map(String)])
    for (const line of [...met.dns.lost, ...met.edge.lost].slice(0, 5)) say(`${disaster.name}: ${line}`)
    say(rows.at(-1)?.join(', ') ?? '')
  }
  const missing = await load.stop()
  say(`\n${seconds} s each\n${table(rows)}`)
  const { dns, edge, writes } = load.met
  say(
    `${dns.asked} questions, ${edge.asked} requests, ${writes.acknowledged} writes acknowledged, ${missing.length} lost`,
  )
  for (const line of missing.slice(0, 20)) say(line)
}
