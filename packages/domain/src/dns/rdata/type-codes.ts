/** Resource record types by mnemonic, as the IANA registry has them; the number is the one on the wire. */
export const TYPE_CODES: Readonly<Record<string, number>> = {
  A: 1,
  NS: 2,
  MD: 3,
  MF: 4,
  CNAME: 5,
  SOA: 6,
  MB: 7,
  MG: 8,
  MR: 9,
  NULL: 10,
  WKS: 11,
  PTR: 12,
  HINFO: 13,
  MINFO: 14,
  MX: 15,
  TXT: 16,
  RP: 17,
  AFSDB: 18,
  X25: 19,
  ISDN: 20,
  RT: 21,
  NSAP: 22,
  'NSAP-PTR': 23,
  SIG: 24,
  KEY: 25,
  PX: 26,
  GPOS: 27,
  AAAA: 28,
  LOC: 29,
  NXT: 30,
  EID: 31,
  NIMLOC: 32,
  SRV: 33,
  ATMA: 34,
  NAPTR: 35,
  KX: 36,
  CERT: 37,
  A6: 38,
  DNAME: 39,
  SINK: 40,
  APL: 42,
  DS: 43,
  SSHFP: 44,
  IPSECKEY: 45,
  RRSIG: 46,
  NSEC: 47,
  DNSKEY: 48,
  DHCID: 49,
  NSEC3: 50,
  NSEC3PARAM: 51,
  TLSA: 52,
  SMIMEA: 53,
  HIP: 55,
  NINFO: 56,
  RKEY: 57,
  TALINK: 58,
  CDS: 59,
  CDNSKEY: 60,
  OPENPGPKEY: 61,
  CSYNC: 62,
  ZONEMD: 63,
  SVCB: 64,
  HTTPS: 65,
  SPF: 99,
  NID: 104,
  L32: 105,
  L64: 106,
  LP: 107,
  EUI48: 108,
  EUI64: 109,
  URI: 256,
  CAA: 257,
  AVC: 258,
  DOA: 259,
  AMTRELAY: 260,
  TA: 32768,
  DLV: 32769,
  // Not registered; PowerDNS has it under this number too.
  ALIAS: 65401,
}

const MNEMONICS = new Map(Object.entries(TYPE_CODES).map(([mnemonic, code]) => [code, mnemonic]))

/**
 * The mnemonic, or `TYPEnnn` where there is none (RFC 3597 5), of a type as written; null for a word that is no type.
 */
export function typeName(text: string): string | null {
  const upper = text.toUpperCase()
  if (Object.hasOwn(TYPE_CODES, upper)) return upper
  // What others call an ALIAS.
  if (upper === 'ANAME') return 'ALIAS'
  const code = /^TYPE(\d{1,5})$/.exec(upper)?.[1]
  if (code === undefined || Number(code) > 65535) return null
  return MNEMONICS.get(Number(code)) ?? `TYPE${Number(code)}`
}

/** The number of a type in the form that `typeName` gives. */
export const typeCode = (name: string): number => TYPE_CODES[name] ?? Number(name.slice(4))

/** Types of questions and of the protocol itself, which no zone holds (RFC 6895 3.1). */
export const isMetaType = (code: number): boolean => code === 0 || code === 41 || (code >= 128 && code <= 255)
