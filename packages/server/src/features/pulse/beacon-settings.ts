import type { BeaconSettings } from '@fairway/contract'
import { streamCdnTlsOrigin, urlOf, type Config, type Tx } from '@fairway/platform'
import { measuredObjects } from '../private-data/store.ts'
import { testObjects } from '../../publish/test-objects.ts'
import type { PulseRow } from './store.ts'

/**
 * What the script fetches; `isTls` when the edge shows a certificate for its own names, by default as far as is known
 * here. Only CDNs that serve our test object are measured: of a customer's own nobody knows what it
 * would answer a browser.
 */
export async function beaconSettings(tx: Tx, config: Config, row: PulseRow, isTls?: boolean): Promise<BeaconSettings> {
  const objects = (await testObjects(tx, row.organization_id, config)).filter((object) => object.house)
  const ofTheHouse = new Set(objects.map(({ cdnId }) => cdnId))
  // A CDN that serves our object needs no other one.
  const own = (await measuredObjects(tx, row.organization_id)).filter((one) => !ofTheHouse.has(one.measured_as))
  return {
    startDelaySeconds: row.start_delay_seconds,
    repeatDelaySeconds: row.repeat_delay_seconds,
    batchNumber: row.batch_number,
    targets: [
      ...objects.map(({ cdnId, address, port, slug, path, largePath }) => {
        // A page over HTTPS fetches nothing without TLS; one without fetches either.
        const origin = streamCdnTlsOrigin(config, row.organization_id, slug, isTls) ?? urlOf({ host: address, port })
        return {
          c: cdnId,
          u: `${origin}${path}`,
          ...(row.throughput && largePath !== null ? { l: `${origin}${largePath}` } : {}),
        }
      }),
      ...own.map(({ measured_as, hostname, path, secure }) => ({
        c: measured_as,
        u: `${secure ? 'https' : 'http'}://${hostname}${path}`,
        o: 1 as const,
      })),
    ],
  }
}
