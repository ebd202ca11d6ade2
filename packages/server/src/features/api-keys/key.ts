import type { ApiTier, GrantedPermission } from '@fairway/contract'
import { API_TIERS, permissionsOfTier } from '@fairway/domain'
import { mint } from '@fairway/platform'

const PREFIX_LENGTH = 12

/** An API key and its beginning, which people recognise it by. Only the hash of its secret is kept. */
export function newKeyText(id: string): { text: string; secret: string; prefix: string } {
  const { text, secret } = mint('apiKey', id)
  return { text, secret, prefix: text.slice(0, PREFIX_LENGTH) }
}

/** Null for what is no API key by its form. */
export function readKeyText(text: string): { id: string; secret: string } | null {
  const match = /^fwk_([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})_([A-Za-z0-9_-]{43})$/.exec(
    text,
  )
  return match?.[6] ? { id: match.slice(1, 6).join('-'), secret: match[6] } : null
}

/** What a key of that tier may do in the hands of somebody with these permissions. */
export function permissionsOfKey(tier: number, owners: ReadonlySet<GrantedPermission>): GrantedPermission[] {
  const known = API_TIERS.find((one): one is ApiTier => one === tier)
  return known ? [...permissionsOfTier(known)].filter((permission) => owners.has(permission)) : []
}
