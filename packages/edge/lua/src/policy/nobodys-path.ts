import { mayFit, type PathIndex } from './path-match.ts'

/** True when none of the rules behind the index is about the path of this request. */
export function isNobodys(path: string, index: PathIndex): boolean {
  return !mayFit(index, path, index.hasTails ? (ngx.var.fw_tail ?? '').toLowerCase() : '')
}
