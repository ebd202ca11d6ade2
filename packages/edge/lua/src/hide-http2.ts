import * as ffi from 'ffi'
import * as base from 'resty.core.base'

/**
 * Application-Layer Protocol Negotiation (RFC 7301 3.1): a length of two bytes, then names with a length of one byte
 * each.
 */
const ALPN = 16
const found = ffi.new('const unsigned char*[1]')
const length = ffi.new('size_t[1]')
const problem = ffi.new('char*[1]')

/**
 * Makes the name `h2` in the client's list one that nobody speaks, before the list is looked at. The handshake is not
 * hurt by it: its transcript was taken when the message came.
 * A client that speaks nothing else is told that there is no protocol in common.
 */
export function hideHttp2(): void {
  if (ffi.C.ngx_http_lua_ffi_ssl_get_client_hello_ext(base.get_request(), ALPN, found, length, problem) !== 0) return
  const bytes = ffi.cast('unsigned char*', found[0])
  const end = tonumber(length[0]) ?? 0
  for (let at = 2; at < end;) {
    const size = bytes[at] ?? 0
    if (size === 2 && at + 2 < end && bytes[at + 1] === 104 && bytes[at + 2] === 50) bytes[at + 1] = 45
    at += size + 1
  }
}
