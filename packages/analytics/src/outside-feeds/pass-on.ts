import { setTimeout as sleep } from 'node:timers/promises'
import { type Config, type Log, askCollector, collectorsOf } from '@fairway/platform'

/** A post as the feed signed it: whoever gets it checks the signature itself. */
export type SignedPost = { path: string; timestamp: string; signature: string; body: Buffer }
export type PassOn = (post: SignedPost) => void

const TIMEOUT_MS = 2_000
const TRIES = 5
const PAUSE_MS = 1_000
/** A collector that is away must not fill the memory of the others; a feed says everything again with its next post. */
const UNDER_WAY_MOST = 200

/**
 * Tells every collector what one of them took from an outside feed, since any may have to build the scores. It comes
 * back to this one too, which knows it by its signature.
 */
export function passOnFeedPosts(config: Config, log: Log): PassOn {
  const urls = collectorsOf(config)
  let underWay = 0
  const tell = async (url: string, { path, timestamp, signature, body }: SignedPost) => {
    for (let left = TRIES; ; await sleep(PAUSE_MS, undefined, { ref: false })) {
      try {
        const response = await askCollector(config, `${url}${path}`, {
          method: 'POST',
          headers: { 'feed-timestamp': timestamp, 'feed-signature': signature },
          body: new Uint8Array(body),
          signal: AbortSignal.timeout(TIMEOUT_MS),
        })
        await response.arrayBuffer()
        // Whatever was said of the post itself stays said.
        if (response.status < 500 && response.status !== 429) return
        throw new Error(`status ${response.status}`)
      } catch (error) {
        if (--left > 0) continue
        log.warn({ event: 'outside-feeds.not-passed-on', url, err: error })
        return
      }
    }
  }
  return (post) => {
    if (underWay >= UNDER_WAY_MOST) return
    underWay += urls.length
    for (const url of urls) void tell(url, post).finally(() => underWay--)
  }
}
