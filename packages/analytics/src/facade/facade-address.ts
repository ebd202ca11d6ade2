import path from 'node:path'
import { runDir, secret } from '@fairway/platform'

/** Where the embedded engine's ClickHouse interface listens. */
export const facadeSocket = (config: { home: string }): string => path.join(runDir(config), 'store-http.sock')

export const storePassword = (config: { home: string }): string => secret(config, 'store-password')
