import { addressTrouble, type Config, type FoundRole, webrtcTrouble } from '@fairway/platform'
import { HOME } from '../service/places.ts'

const FOUND: readonly FoundRole[] = ['dns', 'edge']
const TRIAL_DOMAIN = 'fairway.test'

type Asked = Parameters<typeof addressTrouble>[0] &
  Parameters<typeof webrtcTrouble>[0] &
  Pick<Config, 'home' | 'serviceDomain'>

/**
 * Why the world would not find what runs here, by its DNS or for WebRTC. A service (systemd, container) lives in a home
 * of its own, and is meant for others: loopback and the domain of trials are told there only.
 */
export function foundAddresses(config: Asked, roles: readonly string[]): { what: string; said: string }[] {
  const isPublic = config.home === HOME
  const here = FOUND.filter((role) => roles.includes(role))
  const told = here.flatMap((role) => {
    const said = addressTrouble(config, role, { isPublic })
    return said === null ? [] : [{ what: 'addresses', said }]
  })
  const unheard = roles.includes('media') ? webrtcTrouble(config) : null
  if (unheard !== null) told.push({ what: 'webrtc', said: unheard })
  if (!isPublic || here.length === 0 || config.serviceDomain !== TRIAL_DOMAIN) return told
  const said = `FAIRWAY_SERVICE_DOMAIN is ${TRIAL_DOMAIN}, which nobody can delegate here: name one of yours`
  return [...told, { what: 'domain', said }]
}
