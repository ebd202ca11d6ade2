import { marked } from '../vendor/vendor-driver.ts'
import type { CloudfrontClient, Distribution } from './cloudfront-client.ts'
import { distributionConfig } from './distribution-config.ts'

/**
 * Makes a distribution, or of one that is there what is wanted. Its comment says which state of the settings it has:
 * what is there already is not sent again.
 */
export function placeDistribution(
  client: CloudfrontClient,
  name: string,
  wanted: Omit<Parameters<typeof distributionConfig>[0], 'comment'>,
  found: Distribution | null,
): Promise<Distribution> {
  const comment = `${name} ${marked(distributionConfig({ ...wanted, comment: '' }))}`
  const config = distributionConfig({ ...wanted, comment })
  if (found === null) return client.create(config)
  return found.comment === comment ? Promise.resolve(found) : client.update(found.id, found.etag, config)
}
