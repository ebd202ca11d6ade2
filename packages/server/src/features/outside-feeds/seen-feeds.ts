import { SeenFeed } from '@fairway/contract'
import { askCollector, collectorsOf, type Config } from '@fairway/platform'

const TIMEOUT_MS = 2_000

/**
 * What the collectors know of an organisation's outside feeds; null while none answers. They tell each other what feeds
 * post: of each feed the one counts that heard the newest.
 */
export async function seenFeeds(config: Config, organizationId: string): Promise<SeenFeed[] | null> {
  const all = await Promise.all(collectorsOf(config).map((at) => askOne(at, config, organizationId)))
  const told = all.filter((one) => one !== null)
  if (told.length === 0) return null
  const newest = new Map<string, SeenFeed>()
  for (const one of told.flat()) {
    const known = newest.get(one.feed)
    if (known === undefined || (one.newestAt ?? 0) > (known.newestAt ?? 0)) newest.set(one.feed, one)
  }
  return [...newest.values()]
}

async function askOne(collector: string, config: Config, organizationId: string): Promise<SeenFeed[] | null> {
  try {
    const response = await askCollector(
      config,
      `${collector}/feeds/?organization=${encodeURIComponent(organizationId)}`,
      {
        signal: AbortSignal.timeout(TIMEOUT_MS),
      },
    )
    return response.ok ? SeenFeed.array().parse(await response.json()) : null
  } catch {
    return null
  }
}
