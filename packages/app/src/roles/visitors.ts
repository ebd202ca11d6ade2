import { startControl } from '@fairway/platform'
import { startSimulator } from '../simulator/simulator.ts'
import type { RoleContext } from './role.ts'

/** The demo's visitors: real queries, real page views, real beacons. */
export async function startVisitorsRole({ config, log }: RoleContext): Promise<AsyncDisposable> {
  await using started = new AsyncDisposableStack()
  const simulator = started.use(await startSimulator({ config, log }))
  // A demo whose site was taken away has nothing to visit, and nothing is wrong with that.
  const ready = () => ({ ready: true, reasons: [], facts: { ...simulator.counts(), waitsFor: simulator.problem() } })
  started.use(await startControl({ config, role: 'visitors', log, ready }))
  const stop = started.move()
  return { [Symbol.asyncDispose]: () => stop.disposeAsync() }
}
