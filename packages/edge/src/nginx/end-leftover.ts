import path from 'node:path'
import { endGenerations, generations } from './generations.ts'

/** Ends every nginx that has outlived its agent in this home. */
export async function endLeftoverNginx({ home }: { home: string }): Promise<void> {
  const prefix = path.join(home, 'edge')
  const known = generations(prefix)
  await endGenerations(known.all(), prefix, [
    ['SIGTERM', 2000],
    ['SIGKILL', 2000],
  ])
  for (const { number } of known.all()) known.remove(number)
}
