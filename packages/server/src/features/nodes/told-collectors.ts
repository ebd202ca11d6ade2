import { hostPortText, type Config } from '@fairway/platform'

type Told = { collector: string; collectors?: string[] }
type Asked = Pick<Config, 'collectors' | 'collectorListen' | 'collectorUrl' | 'publicUrl'>

/**
 * Where a machine that joins finds the collectors; null where no other machine would reach the one there is: what it
 * logs would never be counted.
 */
export function toldCollectors({ collectors, collectorListen, collectorUrl, publicUrl }: Asked): Told | null {
  const listen = hostPortText(collectorListen)
  if (collectors.length > 0) return { collector: listen, collectors: [...collectors] }
  const [invited, behind] = [new URL(publicUrl), new URL(collectorUrl)]
  // The invitation is for this machine itself.
  if (isLoopback(invited.hostname)) return { collector: listen }
  if (behind.protocol === 'https:' && !isLoopback(behind.hostname))
    return { collector: listen, collectors: [behind.origin] }
  if (isLoopback(collectorListen.host)) return null
  const isOnAll = ['0.0.0.0', '::'].includes(collectorListen.host)
  const host = invited.hostname.replace(/^\[|\]$/g, '')
  return { collector: isOnAll ? hostPortText({ host, port: collectorListen.port }) : listen }
}

const isLoopback = (host: string): boolean => /^(?:127\.[\d.]+|\[?::1\]?|(?:.+\.)?localhost)$/i.test(host)
