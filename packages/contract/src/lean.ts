/** Words that need no schema, an entry of their own: processes that must start fast and stay small take these and leave the schemas out. */

/** Types that have a name here; the number is the one on the wire. */
export const DNS_TYPES = {
  A: 1, NS: 2, CNAME: 5, SOA: 6, PTR: 12, MX: 15, TXT: 16, AAAA: 28, SRV: 33, NAPTR: 35, DS: 43, SSHFP: 44, DNSKEY: 48, TLSA: 52, CDS: 59, CDNSKEY: 60, SVCB: 64, HTTPS: 65, CAA: 257,
} as const

/** How queries reach the name server: datagrams, a stream, a stream under TLS (RFC 7858), requests of HTTPS (RFC 8484). */
export const DNS_TRANSPORTS = ['udp', 'tcp', 'tls', 'https'] as const

/** China's network groups: China Telecom, China Unicom, China Mobile, China Rail Telecom, CERNET. */
export const CHINA_NETWORKS = ['CT', 'CU', 'CM', 'CRT', 'CER'] as const
