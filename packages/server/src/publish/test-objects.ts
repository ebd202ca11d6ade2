import { type CdnDriverName, EDGE_PATHS } from '@fairway/contract'
import { type Config, edgeHost, isWildcard, type Tx } from '@fairway/platform'

/**
 * Where one of an organisation's CDNs is measured. `address` is what to connect to; `house` when it serves our test
 * object. `others`: more names that a CDN is asked for which does not.
 */
export type TestObject = {
  cdnId: string
  house: boolean
  host: string
  address: string
  port: number
  path: string
  /** A larger one for throughput, where there is one. */
  largePath: string | null
  others: { host: string; address: string }[]
  /** Of a simulated CDN. */
  slug: string | null
}

type Row = {
  cdn_id: string
  driver: CdnDriverName
  host: string
  cname: string
  slug: string
  simulated_address: string | null
}

/** A page may be slow, forbidden or broken while all others are well: so many names speak for a CDN of a vendor. */
const NAMES = 3

/**
 * Each CDN that serves an organisation, once: by our object through its oldest domain, by pages through the oldest and
 * the newest ones. One that is still being set up would be measured as dead.
 */
export async function testObjects(tx: Tx, organizationId: string, config: Config): Promise<TestObject[]> {
  const rows = await tx.query<Row>(
    `SELECT cdn_id, driver, host, cname, slug, simulated_address FROM (
       SELECT dc.cdn_id, c.driver, d.name AS host, coalesce(dc.vendor_cname, dc.cname) AS cname, c.slug, s.address AS simulated_address,
         row_number() OVER (PARTITION BY dc.cdn_id ORDER BY d.created_at, d.id) AS age, row_number() OVER (PARTITION BY dc.cdn_id ORDER BY d.created_at DESC, d.id DESC) AS youth
       FROM domain_cdn dc JOIN domain d ON d.id = dc.domain_id JOIN site t ON t.id = dc.site_id AND t.claim IN ('served', 'proven') JOIN cdn c ON c.organization_id = dc.organization_id AND c.id = dc.cdn_id LEFT JOIN simulated_cdn s ON s.slug = c.slug AND c.driver = 'simulated'
       WHERE dc.organization_id = $1 AND dc.state = 'operational') named
     WHERE age = 1 OR youth < ${NAMES} ORDER BY cdn_id, age`,
    [organizationId],
  )
  return [...Map.groupBy(rows, (row) => row.cdn_id).values()].flatMap(([first, ...others]) =>
    first === undefined ? [] : [testObject(first, others, config)],
  )
}

/** Whether visitors measure a CDN by our object; any other one by an object of the customer's own, or not at all. */
export const servesOurObject = (driver: CdnDriverName): boolean => driver === 'simulated' || driver === 'fairway-edge'

function testObject(
  { cdn_id, driver, host, cname, slug, simulated_address }: Row,
  more: readonly Row[],
  config: Config,
): TestObject {
  if (!servesOurObject(driver)) {
    const others = more.map((other) => ({ host: other.host, address: other.cname }))
    return {
      cdnId: cdn_id,
      house: false,
      host,
      address: cname,
      port: 80,
      path: '/',
      largePath: null,
      others,
      slug: null,
    }
  }
  const own = driver === 'simulated' ? simulated_address : edgeHost(config)
  return {
    cdnId: cdn_id,
    house: true,
    host,
    address: own === null || isWildcard(own) ? cname : own,
    port: config.edgeHttp.port,
    path: EDGE_PATHS.test,
    largePath: EDGE_PATHS.large,
    others: [],
    slug: driver === 'simulated' ? slug : null,
  }
}
