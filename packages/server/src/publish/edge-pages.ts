import { type EdgePages, PageKind, PageLanguage } from '@fairway/contract'
import { defaultPage } from '@fairway/domain'
import type { Tx } from '@fairway/platform'
import { brandOfPartner } from '../features/custom-pages/brand.ts'
import { PAGE_COLUMNS } from '../features/custom-pages/store.ts'
import type { Built } from './built.ts'
import { contentVersion } from './publication.ts'

const BRAND = 'brand:'
export const brandKey = (partnerId: string): string => `${BRAND}${partnerId}`

/**
 * Pages that a site's domains show, or those of a brand for websites that have none. Key: site id, or `brand:` and the
 * partner's.
 */
export async function buildEdgePages(tx: Tx, key: string): Promise<Built> {
  return key.startsWith(BRAND) ? ofBrand(tx, key) : ofSite(tx, key)
}

async function ofSite(tx: Tx, key: string): Promise<Built> {
  const site = (
    await tx.query<{ organization_id: string; version: number }>(
      'SELECT organization_id, version FROM site WHERE id = $1',
      [key],
    )
  )[0]
  if (!site) return null
  const rows = await tx.query<{ id: string; body: string }>(
    `SELECT p.id, t.body FROM custom_page p JOIN custom_page_text t ON t.organization_id = p.organization_id AND t.digest = p.digest
     WHERE p.site_id = $1 AND EXISTS (SELECT FROM domain d WHERE d.site_id = p.site_id AND p.id IN (${PAGE_COLUMNS.map((column) => `d.${column}`).join(', ')})) ORDER BY p.id`,
    [key],
  )
  const body: EdgePages = {
    organizationId: site.organization_id,
    version: site.version,
    pages: rows.map((row) => ({ key: row.id, texts: { any: row.body } })),
  }
  return { version: site.version, organizationId: site.organization_id, body }
}

async function ofBrand(tx: Tx, key: string): Promise<Built> {
  const brand = await brandOfPartner(tx, key.slice(BRAND.length))
  if (!brand) return null
  const pages = PageKind.options.map((kind) => ({
    key: `${key}:${kind}`,
    texts: Object.fromEntries(PageLanguage.options.map((language) => [language, defaultPage(kind, language, brand)])),
  }))
  const content = (version: number): EdgePages => ({ organizationId: null, version, pages })
  const version = await contentVersion(tx, 'edge-pages', key, content)
  return { version, organizationId: null, body: content(version) }
}
