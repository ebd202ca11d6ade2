import type { SteeringPolicy, Visitor, VsrRuleEntry } from '@fairway/contract'
import { parseAddress, parseVisitorAddress } from './cidr.ts'
import { filtersByPlace, mismatch, readsCidrs, type Standpoint } from './match.ts'
import { locationKeys } from './places.ts'

/** How one CDN sees the visitor: where it really is, or where a VSR rule puts it. */
export type View = Standpoint & { vsrRuleId: string | null }

/** The visitor as seen for each CDN. `common` is the view of all CDNs without a rule of their own. */
export type Views = {
  common: View
  targeted: ReadonlyMap<string, View>
  /** What the choice of rules hung on, beside what the views are used for. */
  readPlace: boolean
  readCidrs: boolean
}

const NONE: ReadonlyMap<string, View> = new Map()

/**
 * Applies the VSR rules to the visitor's real location. For one CDN a rule that targets it goes before a rule for all;
 * among equals the first in the list does. The visitor then stands at the whole mimicked address, for CIDRs too.
 */
export function viewsOf(policy: SteeringPolicy, visitor: Visitor): Views {
  const real: View = {
    keys: locationKeys(visitor.location),
    address: parseVisitorAddress(visitor.address, visitor.prefixLength),
    vsrRuleId: null,
  }
  let readPlace = false
  let readCidrs = false
  let common: View | null = null
  let targeted: Map<string, View> | null = null
  for (const rule of policy.vsrRules) {
    if (!rule.enabled) continue
    if (rule.cdnId === null ? common !== null : targeted?.has(rule.cdnId)) continue
    const found = mismatch(rule.filter, real)
    readPlace ||= filtersByPlace(rule.filter)
    readCidrs ||= readsCidrs(rule.filter, found)
    if (found !== null) continue
    if (rule.cdnId === null) common = mimicked(rule)
    else (targeted ??= new Map()).set(rule.cdnId, mimicked(rule))
  }
  return { common: common ?? real, targeted: targeted ?? NONE, readPlace, readCidrs }
}

export const viewOf = (views: Views, cdnId: string): View => views.targeted.get(cdnId) ?? views.common

const mimicked = (rule: VsrRuleEntry): View => ({
  keys: locationKeys(rule.mimickedLocation),
  address: parseAddress(rule.mimickedAddress),
  vsrRuleId: rule.id,
})
