import type { BeaconSettings } from '@fairway/contract'
import { urlOf, type Config, type Tx } from '@fairway/platform'
import { measuredObjects } from '../private-data/store.ts'
import { testObjects } from '../../publish/test-objects.ts'
import type { PulseRow } from './store.ts'

/**
 * What the script fetches. Only CDNs that serve our test object are measured: of a customer's own nobody knows what it
 * would answer a browser.
 */
export async function beaconSettings(tx: Tx, config: Config, row: PulseRow): Promise<BeaconSettings> {
  const objects = (await testObjects(tx, row.organization_id, config)).filter((object) => object.house)
  const ofTheHouse = new Set(objects.map(({ cdnId }) => cdnId))
  // A CDN that serves our object needs no other one.
  const own = (await measuredObjects(tx, row.organization_id)).filter((one) => !ofTheHouse.has(one.measured_as))
  return {
    startDelaySeconds: row.start_delay_seconds,
    repeatDelaySeconds: row.repeat_delay_seconds,
    batchNumber: row.batch_number,
    targets: [
      ...objects.map(({ cdnId, address, port, path, largePath }) => ({
        c: cdnId,
        u: `${urlOf({ host: address, port })}${path}`,
        ...(row.throughput && largePath !== null ? { l: `${urlOf({ host: address, port })}${largePath}` } : {}),
      })),
      ...own.map(({ measured_as, hostname, path, secure }) => ({
        c: measured_as,
        u: `${secure ? 'https' : 'http'}://${hostname}${path}`,
        o: 1 as const,
      })),
    ],
  }
}
