import path from 'node:path'
import { buildWithVite } from './build-with-vite.ts'

const PLAYER = path.join(import.meta.dirname, '../../../player')

/** Builds the player that pages embed into packages/player/dist when its sources have changed since. */
export const buildPlayer = (say: (line: string) => void): Promise<void> =>
  buildWithVite({ name: 'player', folder: PLAYER, below: [], entry: 'v1.js' }, say)
