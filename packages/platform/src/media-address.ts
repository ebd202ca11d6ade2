import type { Config } from './config.ts'
import type { HostPort } from './host-port.ts'
import { isLoopback, localHost } from './own-addresses.ts'

type Asked = Pick<Config, 'mediaAddress' | 'mediaListen'>

/** Where edges fetch videos from. */
export const mediaAddressOf = ({ mediaAddress, mediaListen }: Asked): HostPort =>
  mediaAddress ?? { host: localHost(mediaListen.host), port: mediaListen.port }

/** Whether only edges of the machine with the role `media` can fetch them. */
export const isMediaLocal = (config: Asked): boolean => isLoopback(mediaAddressOf(config).host)
