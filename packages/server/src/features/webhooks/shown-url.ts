import type { EntityChange } from '@fairway/contract'

/** Whoever knows the address of a chat's webhook may post there: the audit log names its host alone. */
export function shownUrl(text: string): string {
  const url = URL.parse(text)
  return url === null || `${url.pathname}${url.search}` === '/' ? text : `${url.origin}/…`
}

/** For entries of releases that wrote it whole. */
export function withoutUrls(change: EntityChange): EntityChange {
  if (change.entity !== 'webhook') return change
  const shown = (row: EntityChange['before']) =>
    row && typeof row['url'] === 'string' ? { ...row, url: shownUrl(row['url']) } : row
  return { ...change, label: shownUrl(change.label), before: shown(change.before), after: shown(change.after) }
}
