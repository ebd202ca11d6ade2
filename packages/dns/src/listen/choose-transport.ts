import { Problem, type Log } from '@fairway/platform/lean'
import { batchesWork } from './self-test.ts'
import type { UdpTransport } from './udp-options.ts'

/**
 * Batches where they work.
 * @throws Problem when the setting insists on batches and they do not work
 */
export async function chooseTransport(setting: UdpTransport | 'auto', log: Log): Promise<UdpTransport> {
  if (setting === 'dgram' || (await batchesWork(log))) return setting === 'dgram' ? 'dgram' : 'mmsg'
  if (setting === 'mmsg')
    throw new Problem(
      'FAIRWAY_DNS_TRANSPORT=mmsg: datagrams cannot be taken in batches on this machine. Leave the setting out, and the name server takes what works.',
    )
  log.warn({ event: 'udp.batches-left-out', reason: 'they do not work on this machine', goesOnWith: 'dgram' })
  return 'dgram'
}
