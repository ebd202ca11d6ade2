/** Said of a record that multi-CDN steers. */
export const STEERED_REMARK = 'multi-CDN answers this name, the record is its origin'

/** Said of an ALIAS, whose type other servers know by its number only. */
export const aliasRemark = (rdata: string): string => `ALIAS ${rdata}`

/** What an export says by itself is nobody's note. */
export const isOwnRemark = (type: string, text: string): boolean =>
  text === STEERED_REMARK || (type === 'ALIAS' && /^ALIAS \S+$/.test(text))
