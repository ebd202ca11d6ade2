import type { ErrorCode } from '@fairway/contract'
import { isHostName } from './names.ts'
import { isReverseName, isReverseZone, isRootDomain } from './site-name.ts'
import { isWellKnownSite } from './well-known-sites.ts'

const ADDRESS = /^\d{1,3}(?:\.\d{1,3}){3}$|:/
const LOCAL = /^(?:.+\.)?(?:localhost|localdomain)$/

/**
 * Why a name, lower case and without the trailing dot, cannot become a site; null when by itself it can. Others may
 * have it: that is for the installation to know.
 */
export function siteNameProblem(name: string): { problem: ErrorCode } | { message: `validation.${string}` } | null {
  if (name.includes('*')) return { problem: 900020 }
  if (ADDRESS.test(name)) return { message: 'validation.siteAddress' }
  if (LOCAL.test(name)) return { message: 'validation.siteLocal' }
  if (name.includes('_')) return { message: 'validation.siteUnderscore' }
  if (isReverseName(name)) return isReverseZone(name) ? null : { message: 'validation.reverseZone' }
  if (!isHostName(name)) return { message: 'validation.fqdn' }
  if (isWellKnownSite(name)) return { problem: 900027 }
  return isRootDomain(name) ? null : { message: 'validation.rootDomain' }
}
