import type { BulkChange } from '@fairway/contract'
import type { Tx } from '@fairway/platform'
import type { DomainRow } from '../../http/context.ts'
import { Failure } from '../../http/failure.ts'
import type { Slice } from '../../http/register.ts'
import { botManagementSlice } from '../bot-management/service.ts'
import { cacheRules, noCacheRules } from '../cache-rules/store.ts'
import { cacheRulesSlice } from '../cache-rules/service.ts'
import { attachedCdns } from '../cdn-management/store.ts'
import { cdnManagementSlice } from '../cdn-management/service.ts'
import { hasCertificateFor } from '../certificates/store.ts'
import { certificatesSlice } from '../certificates/service.ts'
import { crsRulesSlice } from '../crs-rules/service.ts'
import { originOf } from '../domains/delivery.ts'
import { domainsSlice } from '../domains/service.ts'
import { purgesSlice } from '../purges/service.ts'

/** A call of another feature's verb, as its own screen would make it. */
export type Step = { slice: Slice; verb: string; input: Record<string, unknown> }
type Of<T extends BulkChange['tab']> = Extract<BulkChange, { tab: T }>

/**
 * What is missing at this domain for it to be as wanted. Nothing where it is so already, so that a job may run twice.
 */
export async function stepsFor(tx: Tx, domain: DomainRow, change: BulkChange): Promise<Step[]> {
  switch (change.tab) {
    case 'general':
      return general(domain, change)
    case 'multi-cdn':
      return multiCdn(tx, domain, change)
    case 'security':
      return security(tx, domain, change)
    case 'cache':
      return cache(tx, domain, change)
  }
}

const updateDomain = (input: Record<string, unknown>): Step => ({ slice: domainsSlice, verb: 'update', input })

function general(domain: DomainRow, { origin, settings, addTags, removeTags }: Of<'general'>): Step[] {
  const { type: _type, ...now } = originOf(domain)
  const { appendAddresses = [], ...wanted } = origin ?? {}
  const spare = wanted.spareAddresses ?? now.spareAddresses
  const known = new Set([wanted.address ?? now.address, ...spare])
  const tags = [...new Set([...domain.tags.filter((tag) => !removeTags?.includes(tag)), ...(addTags ?? [])])]
  return [
    updateDomain({
      ...(origin
        ? {
            origin: {
              ...now,
              ...wanted,
              spareAddresses: [...spare, ...appendAddresses.filter((address) => !known.has(address))],
            },
          }
        : {}),
      settings: { ...settings, ...(addTags || removeTags ? { tags } : {}) },
    }),
  ]
}

/** CDNs that a domain does not have are neither enabled nor taken away there. */
async function multiCdn(
  tx: Tx,
  domain: DomainRow,
  { install = [], enable = [], disable = [], uninstall = [] }: Of<'multi-cdn'>,
): Promise<Step[]> {
  const here = (await attachedCdns(tx, domain.id)).filter(
    ({ state }) => state !== 'deleting' && state !== 'review-failed',
  )
  const step = (verb: string, input: Record<string, unknown>): Step => ({ slice: cdnManagementSlice, verb, input })
  const attached = (cdnIds: readonly string[]) => here.filter(({ cdn_id }) => cdnIds.includes(cdn_id))
  return [
    ...install
      .filter((cdnId) => !here.some(({ cdn_id }) => cdn_id === cdnId))
      .map((cdnId) => step('install', { cdnId })),
    ...attached(enable).map(({ id }) => step('update', { id, enabled: true })),
    ...attached(disable).map(({ id }) => step('update', { id, enabled: false })),
    ...attached(uninstall).map(({ id }) => step('uninstall', { id })),
  ]
}

async function security(
  tx: Tx,
  domain: DomainRow,
  { alwaysHttps, originShield, bots, crs, certificate }: Of<'security'>,
): Promise<Step[]> {
  if ((bots ?? crs) && (originShield ?? domain.origin_shield) === 'bypass')
    throw new Failure(400, { fields: [{ path: 'originShield', message: 'validation.needsShield' }] })
  const settings = {
    ...(alwaysHttps === undefined ? {} : { alwaysHttps }),
    ...(originShield === undefined ? {} : { originShield }),
  }
  const hasOne = certificate === undefined || (await hasCertificateFor(tx, domain.site_id, [domain.name]))
  return [
    ...(Object.keys(settings).length > 0 ? [updateDomain({ settings })] : []),
    ...(bots ? [{ slice: botManagementSlice, verb: 'update', input: bots }] : []),
    ...(crs ? [{ slice: crsRulesSlice, verb: 'update', input: crs }] : []),
    ...(hasOne
      ? []
      : [{ slice: certificatesSlice, verb: 'issue', input: { names: [domain.name], authority: certificate } }]),
  ]
}

async function cache(
  tx: Tx,
  domain: DomainRow,
  { defaultExpiry, defaultHonorOrigin, tieredCache, rules = [], noCache = [], purge }: Of<'cache'>,
): Promise<Step[]> {
  if (purge && domain.name.startsWith('*.')) throw new Failure(27029)
  const step = (verb: string, input: Record<string, unknown>): Step => ({ slice: cacheRulesSlice, verb, input })
  const known = await cacheRules(tx, domain.id)
  const never = await noCacheRules(tx, domain.id)
  const same = (wanted: { type: string; path: string }) => (row: { type: string; path: string }) =>
    row.type === wanted.type && row.path === wanted.path
  return [
    ...(defaultExpiry === undefined && defaultHonorOrigin === undefined
      ? []
      : [
          step('update', {
            id: domain.id,
            ...(defaultExpiry ? { expiry: defaultExpiry } : {}),
            ...(defaultHonorOrigin === undefined ? {} : { honorOrigin: defaultHonorOrigin }),
          }),
        ]),
    ...(tieredCache === undefined ? [] : [updateDomain({ settings: { tieredCache } })]),
    ...rules.map((rule) => {
      const row = known.find(same(rule))
      return row
        ? step('update', { id: row.id, expiry: rule.expiry, honorOrigin: rule.honorOrigin })
        : step('create', rule)
    }),
    ...noCache.filter((rule) => !never.some(same(rule))).map((rule) => step('createNoCache', rule)),
    ...(purge ? [{ slice: purgesSlice, verb: 'create', input: { ...purge, domainIds: [domain.id] } }] : []),
  ]
}
