import crypto from 'node:crypto'
import { type Config, nodeToken } from '@fairway/platform'

const DAY_MS = 86_400_000
const REMEMBERED = 50_000

/**
 * Seed of the lots that choose which samples count. Made of the installation's secret: whoever sends beacons cannot
 * know it, and every collector has the same.
 */
export const lotsSeed = (config: Config): number => keyed(config, 'lots').readUInt32LE(0)

/**
 * Names the /24 or /48 that a beacon came from by a hash that is keyed and another one each day: rows can tell who said
 * how much, and not who it was. Never 0, and the same in every collector of the installation.
 */
export function subnetHasher(config: Config): (network: string, now: number) => number {
  let day = -1
  let key = ''
  const known = new Map<string, number>()
  return (network, now) => {
    const today = Math.floor(now / DAY_MS)
    if (today !== day) {
      day = today
      key = keyed(config, `subnets ${today}`).toString('hex')
      known.clear()
    }
    const before = known.get(network)
    if (before !== undefined) return before
    // A flood brings a new network with each beacon, and an HMAC costs four times as much. Of a digest that is cut to
    // 32 bits nobody can go on hashing, which is all that an HMAC is there against.
    const hash = crypto.hash('sha256', key + network, 'buffer').readUInt32LE(0) || 1
    if (known.size >= REMEMBERED) known.clear()
    known.set(network, hash)
    return hash
  }
}

/**
 * Names who watches by a hash of address and device that is keyed and another one each day: views of one viewer are
 * known to be, and not whose they are. Of IPv6 the /64 counts, which a device keeps while its address changes.
 */
export function viewerHasher(config: Config): (parts: { address: Uint8Array; agent: string }, now: number) => number {
  let day = -1
  let key: Buffer = Buffer.alloc(0)
  return ({ address, agent }, now) => {
    const today = Math.floor(now / DAY_MS)
    if (today !== day) {
      day = today
      key = keyed(config, `viewers ${today}`)
    }
    const hash = crypto.createHmac('sha256', key).update(address.subarray(0, 8)).update(agent.slice(0, 300)).digest()
    // As many bits as a number of JSON holds.
    return Number(hash.readBigUInt64LE(0) >> 11n)
  }
}

const keyed = (config: Config, purpose: string): Buffer =>
  crypto.createHmac('sha256', nodeToken(config)).update(`fairway beacons: ${purpose}`).digest()
