import path from 'node:path'
import { Problem } from '@fairway/platform'
import type { RoleName } from '../roles/role.ts'
import type { Place } from '../service/install.ts'
import { buildAhead } from './build.ts'
import { CHECKOUT } from './checkout.ts'
import { UsageError, parseWords } from './options.ts'
import { rolesOf } from './up.ts'

const USAGE =
  'say: service install [--roles a,b|all] [--join <address>] [--root <folder>], service status, or: service remove [--purge]'
const say = (line: string) => void process.stdout.write(`${line}\n`)

/** `service install|status|remove`: the product as a systemd service, on this machine or in the root of an image. */
export async function service(words: string[]): Promise<number> {
  const { values, positionals } = parseWords(words, {
    roles: { type: 'string' },
    join: { type: 'string' },
    root: { type: 'string' },
    purge: { type: 'boolean' },
  })
  const [what, ...more] = positionals
  if (more.length > 0) throw new UsageError(USAGE)
  const isInstall = what === 'install'
  if ((!isInstall && (values.roles ?? values.join) !== undefined) || (what !== 'remove' && values.purge))
    throw new UsageError(USAGE)
  const root = path.resolve(values.root ?? '/')
  const place = { root, checkout: seenFrom(root), say }
  const { installService, removeService, serviceStatus, startService } = await import('../service/install.ts')
  if (what === 'status') return serviceStatus(place) ? 0 : 3
  if (what !== 'install' && what !== 'remove') throw new UsageError(USAGE)
  if (root === '/' && process.getuid?.() !== 0) throw new Problem(`This needs root: sudo ./fairway service ${what}`)
  if (what === 'remove') {
    removeService(place, values.purge === true)
    return 0
  }
  if (values.join !== undefined && root !== '/')
    throw new UsageError('--join is for this machine: an invitation is good once. Install the image first, join there.')
  const asked = await askedRoles(place, values)
  // The service may not write into the checkout.
  await buildAhead(asked)
  installService(place, asked)
  if (values.join !== undefined) await join(values.join, asked ?? [], place)
  startService(place)
  return 0
}

/** Null is all of the product. A node that is installed once more, for an upgrade, stays the node that it is. */
export async function askedRoles(
  place: Place,
  { roles, join: address }: { roles?: string | undefined; join?: string | undefined },
): Promise<readonly RoleName[] | null> {
  if (roles === 'all' && address === undefined) return null
  if (roles !== undefined) return rolesOf(roles)
  if (address !== undefined) return ['dns']
  const { rolesIn } = await import('../service/install.ts')
  const kept = rolesIn(place)
  if (kept) place.say(`roles as before: ${kept.join(',')} (--roles all makes it a whole installation)`)
  return kept
}

async function join(address: string, roles: readonly RoleName[], place: Place) {
  const { giveHome, serviceConfig } = await import('../service/install.ts')
  const { joinInstallation } = await import('./join.ts')
  await joinInstallation(address, roles, serviceConfig().home)
  giveHome(place)
  say('joined')
}

/** The checkout of an image that is being made lies in that image. */
function seenFrom(root: string): string {
  const checkout = path.resolve(CHECKOUT)
  const inside = path.relative(root, checkout)
  return inside.startsWith('..') ? checkout : `/${inside}`
}
