import { PARTNER_FILE_BYTES, PARTNER_FILE_TYPES, type PartnerFileKind } from '@fairway/contract'
import { type PictureType, pictureTypeOf } from '../../http/picture.ts'

/** @throws Failure 400 or 413 when it is no picture that may be shown; an icon stands in the browser's tab only */
export function checkPicture(kind: PartnerFileKind, body: Buffer): PictureType {
  return pictureTypeOf(body, {
    types: PARTNER_FILE_TYPES.filter((type) => kind === 'favicon' || type !== 'image/x-icon'),
    mostBytes: PARTNER_FILE_BYTES,
    path: 'data',
  })
}
