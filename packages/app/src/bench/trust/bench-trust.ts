import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { makeLog } from '@fairway/platform'
import { table } from '../figures.ts'
import { ATTACKS, damageOf } from './attacks.ts'
import { outageOf, outageOfCountry } from './outages.ts'
import { TrustWorld } from './trust-world.ts'

const OUTAGES = 10
const OUTAGE_SECONDS = 90

/** False beacons against a thousand /24s of ten countries, by the collector's own code and a clock moved by hand. */
export async function benchPoisoning(say: (line: string) => void): Promise<void> {
  const rows = [['attack', 'moved', 'of them outside', 'of', 'incident']]
  for (const attack of ATTACKS)
    inFolder((folder) => {
      const damage = damageOf(worldIn(folder), attack)
      rows.push([
        attack.name,
        String(damage.moved),
        String(damage.outside),
        String(damage.of),
        damage.named ? attack.place : 'NONE',
      ])
    })
  say(`\n${table(rows)}`)
}

/**
 * Ten outages that probes see: how long until nobody is sent there, and until the first and all are sent back. And one
 * that only the visitors of a country see.
 */
export async function benchOutages(say: (line: string) => void): Promise<void> {
  const rows = [['outage', 'left after s', 'first back after s', 'all back after s']]
  inFolder((folder) => {
    const world = worldIn(folder)
    world.run(300)
    for (let i = 1; i <= OUTAGES; i++) {
      const { goneMs, firstBackMs, allBackMs } = outageOf(world, OUTAGE_SECONDS)
      rows.push([String(i), ...[goneMs, firstBackMs, allBackMs].map((ms) => (ms / 1000).toFixed(0))])
      world.run(60)
    }
  })
  const { actedMs, elsewhere } = inFolder((folder) => {
    const world = worldIn(folder)
    world.run(300)
    return outageOfCountry(world, 'DE')
  })
  say(`\n${OUTAGES} outages of ${OUTAGE_SECONDS} s by a simulated clock\n${table(rows)}`)
  say(
    `an outage that only one country sees: left after ${(actedMs / 1000).toFixed(0)} s, /24s of other countries that left too: ${elsewhere}`,
  )
}

const worldIn = (folder: string) =>
  new TrustWorld(folder, makeLog('bench', { logLevel: 'error' }), { countries: 10, perCountry: 100 })

function inFolder<T>(run: (folder: string) => T): T {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'fairway-trust-'))
  try {
    return run(folder)
  } finally {
    fs.rmSync(folder, { recursive: true })
  }
}
