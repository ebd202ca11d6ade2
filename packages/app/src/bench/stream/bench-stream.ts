import { benchEncode } from './encode.ts'
import { benchStreamFailover } from './failover.ts'
import { benchLive } from './live.ts'
import { benchViewers } from './viewers.ts'

/** All that is promised of video, part by part; each runs alone by its name, too. */
export async function benchStream(say: (line: string) => void, seconds?: number): Promise<void> {
  for (const [name, part] of [
    ['encode', (one: typeof say) => benchEncode(one)],
    ['live', (one: typeof say) => benchLive(one, seconds)],
    ['failover', (one: typeof say) => benchStreamFailover(one)],
    ['viewers', (one: typeof say) => benchViewers(one)],
  ] as const) {
    say(`\n${name}`)
    await part(say)
  }
}
