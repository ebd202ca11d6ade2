import { isStaticPath } from '@fairway/domain'
import { Failure } from '../../http/failure.ts'

/** Files of a website are answered from caches, and made by no server that could know a token or a login. @throws Failure 400 */
export function refuseStaticPath(path: string): void {
  if (isStaticPath(path)) throw new Failure(400, { fields: [{ path: 'path', message: 'validation.apiPathStatic' }] })
}
