type Fields = Record<string, unknown>

const number = (value: unknown): number => (typeof value === 'number' ? value : 0)
const name = (value: unknown): string =>
  typeof value === 'string' && value !== '' && value !== '.' ? `${value.toLowerCase()}.` : '.'
const hex = (value: unknown): string => (Buffer.isBuffer(value) ? value.toString('hex') : '')

function quoted(value: unknown): string {
  const bytes = Buffer.isBuffer(value) ? value : Buffer.from(String(value ?? ''))
  const escape = (byte: number): string =>
    byte === 34 || byte === 92
      ? `\\${String.fromCharCode(byte)}`
      : byte < 32 || byte > 126
        ? `\\${String(byte).padStart(3, '0')}`
        : String.fromCharCode(byte)
  return `"${[...bytes].map(escape).join('')}"`
}

const WRITERS: Readonly<Record<string, (data: Fields) => string>> = {
  MX: (data) => `${number(data['preference'])} ${name(data['exchange'])}`,
  SRV: (data) =>
    `${number(data['priority'])} ${number(data['weight'])} ${number(data['port'])} ${name(data['target'])}`,
  CAA: (data) => `${number(data['flags'])} ${String(data['tag'] ?? '').toLowerCase()} ${quoted(data['value'])}`,
  SOA: (data) =>
    `${name(data['mname'])} ${name(data['rname'])} ${['serial', 'refresh', 'retry', 'expire', 'minimum'].map((key) => number(data[key])).join(' ')}`,
  NAPTR: (data) =>
    `${number(data['order'])} ${number(data['preference'])} ${quoted(data['flags'])} ${quoted(data['services'])} ${quoted(data['regexp'])} ${name(data['replacement'])}`,
  DS: (data) =>
    `${number(data['keyTag'])} ${number(data['algorithm'])} ${number(data['digestType'])} ${hex(data['digest'])}`,
  TLSA: (data) =>
    `${number(data['usage'])} ${number(data['selector'])} ${number(data['matchingType'])} ${hex(data['certificate'])}`,
  SSHFP: (data) =>
    `${number(data['algorithm'])} ${number(data['hash'])} ${String(data['fingerprint'] ?? '').toLowerCase()}`,
}

/**
 * Presentation form (RFC 1035 5.1) of what the library decoded; types it does not know are generic (RFC 3597 5). Equal
 * data gives equal text.
 */
export function rdataText(type: string, data: unknown): string {
  if (Buffer.isBuffer(data)) return `\\# ${data.length}${data.length ? ` ${data.toString('hex')}` : ''}`
  if (type === 'TXT' || type === 'SPF') return (Array.isArray(data) ? data : [data]).map(quoted).join(' ')
  if (type === 'NS' || type === 'CNAME' || type === 'PTR' || type === 'DNAME') return name(data)
  const write = WRITERS[type]
  if (write && typeof data === 'object' && data !== null) return write(data as Fields)
  return typeof data === 'string' ? data : JSON.stringify(data ?? '')
}
