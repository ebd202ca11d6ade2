import { SeenFeed } from '@fairway/contract'
import { nodeToken, urlOf, type Config } from '@fairway/platform'

const TIMEOUT_MS = 2_000

/** What the collector knows of an organisation's outside feeds; null while it does not answer. */
export async function seenFeeds(config: Config, organizationId: string): Promise<SeenFeed[] | null> {
  try {
    const response = await fetch(
      `${urlOf(config.collectorListen)}/feeds/?organization=${encodeURIComponent(organizationId)}`,
      { headers: { authorization: `Bearer ${nodeToken(config)}` }, signal: AbortSignal.timeout(TIMEOUT_MS) },
    )
    return response.ok ? SeenFeed.array().parse(await response.json()) : null
  } catch {
    return null
  }
}
