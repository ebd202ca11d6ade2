import { DNS_TYPES } from '@fairway/contract/lean'

/** Numbers on the wire (IANA DNS parameters) that the server itself deals with. */
export const RCODE = {
  NOERROR: 0,
  FORMERR: 1,
  SERVFAIL: 2,
  NXDOMAIN: 3,
  NOTIMP: 4,
  REFUSED: 5,
  NOTAUTH: 9,
  BADVERS: 16,
} as const
export const RCODE_NAMES: Readonly<Record<number, string>> = Object.fromEntries(
  Object.entries(RCODE).map(([name, code]) => [code, name]),
)

/**
 * `NXNAME` is "this name does not exist" among the types of a denial (RFC 9824 2.2); `ALIAS` has its number from
 * PowerDNS.
 */
export const TYPE = {
  ...DNS_TYPES,
  HINFO: 13,
  OPT: 41,
  RRSIG: 46,
  NSEC: 47,
  NXNAME: 128,
  TSIG: 250,
  IXFR: 251,
  AXFR: 252,
  ANY: 255,
  ALIAS: 65401,
} as const

export const CLASS_IN = 1
export const CLASS_CHAOS = 3
export const OPTION_NSID = 3
export const OPTION_CLIENT_SUBNET = 8
export const OPTION_COOKIE = 10
export const OPTION_PADDING = 12
export const OPTION_EXTENDED_ERROR = 15

/** Info codes of extended errors that we tell (RFC 8914 4, RFC 9824 5). */
export const EXTENDED_ERROR = {
  staleAnswer: 3,
  prohibited: 18,
  notAuthoritative: 20,
  noReachableAuthority: 22,
  invalidData: 24,
  invalidQueryType: 30,
} as const

/** Largest UDP answer: fits an IPv6 path of 1280 bytes without fragments (DNS flag day 2020). */
export const UDP_ANSWER_BYTES = 1232
export const PLAIN_UDP_BYTES = 512
export const MESSAGE_BYTES = 65535
export const HEADER_BYTES = 12
