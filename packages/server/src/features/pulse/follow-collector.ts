import { setTimeout as delay } from 'node:timers/promises'
import { PulseSeen } from '@fairway/contract'
import { addUpSeen } from '@fairway/domain'
import { askCollector, collectorsOf, type Config } from '@fairway/platform'
import type { EventStream } from '../../http/streams.ts'

type Heard = (seen: PulseSeen) => Promise<void>

/** Who is allowed to see it may change; a stream ends now and then so that the next one is asked for who it is. */
const STREAM_MS = 15 * 60_000
const AGAIN_MS = 1_000

/**
 * Passes on what the collectors together see of an organisation's beacons and players, and waits for those that are
 * away.
 */
export async function followCollector(
  config: Config,
  organizationId: string,
  stream: Pick<EventStream, 'closed'>,
  heard: Heard,
): Promise<void> {
  const ended = AbortSignal.any([stream.closed, AbortSignal.timeout(STREAM_MS)])
  const seen = new Map<string, PulseSeen>()
  await Promise.all(
    collectorsOf(config).map(async (collector) => {
      const hearAll: Heard = async (own) => {
        seen.set(collector, own)
        await heard(addUpSeen([...seen.values()]))
      }
      while (!ended.aborted) {
        try {
          await passOn(collector, config, organizationId, hearAll, ended)
        } catch {
          // Away or starting: what it counts is asked for again.
        }
        await delay(AGAIN_MS, undefined, { signal: ended }).catch(() => {})
      }
    }),
  )
}

async function passOn(
  collector: string,
  config: Config,
  organizationId: string,
  heard: Heard,
  ended: AbortSignal,
): Promise<void> {
  const url = `${collector}/pulse/?organization=${encodeURIComponent(organizationId)}`
  const response = await askCollector(config, url, { signal: ended })
  if (!response.ok || !response.body) return
  let text = ''
  for await (const piece of response.body.pipeThrough(new TextDecoderStream())) {
    const lines = (text + piece).split('\n')
    text = lines.pop() ?? ''
    // Of several that came together the newest says it all.
    const newest = lines.findLast((line) => line !== '')
    if (newest !== undefined) await heard(PulseSeen.parse(JSON.parse(newest)))
  }
}
