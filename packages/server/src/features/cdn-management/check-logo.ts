import { CDN_LOGO_BYTES, CDN_LOGO_TYPES } from '@fairway/contract'
import { pictureTypeOf } from '../../http/picture.ts'
import type { Logo } from './store.ts'

/** @throws Failure 400 or 413 when it is no picture that may be shown */
export function checkLogo(base64: string): Logo {
  const body = Buffer.from(base64, 'base64')
  return { body, type: pictureTypeOf(body, { types: CDN_LOGO_TYPES, mostBytes: CDN_LOGO_BYTES, path: 'logo' }) }
}
