import type { CdnDriverName } from '@fairway/contract'
import { akamai } from './akamai/akamai.ts'
import { bunny } from './bunny/bunny.ts'
import { cloudflare } from './cloudflare/cloudflare.ts'
import { cloudfront } from './cloudfront/cloudfront.ts'
import { custom } from './custom/custom.ts'
import type { CdnDriver } from './driver.ts'
import { fairwayEdge } from './fairway-edge/fairway-edge.ts'
import { fastly } from './fastly/fastly.ts'
import { simulated } from './simulated/simulated.ts'
import { tencent } from './tencent/tencent.ts'

/** Every kind of CDN, one line each. */
export const CDN_DRIVERS: Record<CdnDriverName, CdnDriver> = {
  akamai,
  bunny,
  cloudflare,
  cloudfront,
  custom,
  'fairway-edge': fairwayEdge,
  fastly,
  simulated,
  tencent,
}
