/** An answer's header as one text; several lines are joined as RFC 9110 5.3 does. Empty when there is none. */
export function headerText(name: string): string {
  const value = ngx.header[name]
  if (value === undefined) return ''
  return typeof value === 'string' ? value : value.join(', ')
}

/** The same as a number; undefined when it is none. */
export function headerNumber(name: string): number | undefined {
  return tonumber(headerText(name))
}

/**
 * Leaves `Server` out where nobody has said one: nginx would put its own name there. Said and taken back, it counts as
 * said.
 */
export function nameNoServer(): void {
  ngx.header['Server'] = '-'
  ngx.header['Server'] = undefined
}
