import * as bits from 'bit'

// nginx's own request id costs as much as the rest of a look-up. Nobody has to be unable to guess ours: it has to be
// another for every request.
let prefix = ''
let state = 0

/**
 * 32 hexadecimal digits: a part that chance has made for this worker, and a number that comes again after 2^32 requests
 * only (xorshift, Marsaglia 2003).
 */
export function newIncident(): string {
  if (prefix === '') {
    const chance = ngx.var.request_id ?? ''
    prefix = chance.slice(0, 24)
    state = (tonumber(`0x${chance.slice(24)}`) ?? 0) | 1
  }
  state ^= state << 13
  state ^= state >>> 17
  state ^= state << 5
  return `${prefix}${bits.tohex(state)}`
}
