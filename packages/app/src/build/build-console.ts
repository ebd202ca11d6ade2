import path from 'node:path'
import { buildWithVite } from './build-with-vite.ts'

const PACKAGES = path.join(import.meta.dirname, '../../..')

/** Builds the console into packages/console/dist when its sources have changed since. */
export const buildConsole = (say: (line: string) => void): Promise<void> =>
  buildWithVite(
    {
      name: 'console',
      folder: path.join(PACKAGES, 'console'),
      below: ['contract/src', 'domain/src', 'player/src'].map((folder) => path.join(PACKAGES, folder)),
      entry: 'index.html',
    },
    say,
  )
