import { RECORD_TYPES, type RecordInput } from '@fairway/contract'
import { isIpv4, isIpv6 } from './addresses.ts'
import { absoluteName, isAliasTarget, isHostName, targetName } from './names.ts'
import { rdataOfText } from './rdata/rdata.ts'
import { isMetaType, typeCode, typeName } from './rdata/type-codes.ts'
import { txtStrings } from './txt.ts'

/** What is wrong with one field; `message` is a key of the catalogs. */
export type FieldProblem = { path: 'name' | 'value' | 'preference'; message: `validation.${string}` }

/** Longest TXT record, in bytes of text. */
export const TXT_BYTES = 4096

/**
 * Whether a record's name and value fit its type and site; what needs the other records is `validateZone`'s. Empty when
 * all is well.
 */
export function validateRecord(
  input: Pick<RecordInput, 'type' | 'name' | 'value' | 'preference'>,
  siteName: string,
): FieldProblem[] {
  return [...nameProblems(input, siteName), ...valueProblems(input)]
}

function nameProblems({ type, name }: Pick<RecordInput, 'type' | 'name'>, siteName: string): FieldProblem[] {
  if (name.endsWith('.')) return [{ path: 'name', message: 'validation.nameOutside' }]
  if (absoluteName(name, siteName).length > 253) return [{ path: 'name', message: 'validation.recordName' }]
  // Clients ask for services by these two labels (RFC 2782).
  if (type === 'SRV' && !/^_[a-z0-9-]+\._[a-z0-9-]+(?:\.|$)/.test(name))
    return [{ path: 'name', message: 'validation.srvName' }]
  const service = SERVICE_NAMES[type]
  if (service && !service.pattern.test(name)) return [{ path: 'name', message: service.message }]
  if (type === 'DS' && name === '@') return [{ path: 'name', message: 'validation.dsAtApex' }]
  if (type !== 'NS') return []
  // The site's own nameservers are the installation's, and a wildcard can't delegate (RFC 4592 4.2).
  if (name === '@') return [{ path: 'name', message: 'validation.nsAtApex' }]
  return name.startsWith('*') ? [{ path: 'name', message: 'validation.nsAtWildcard' }] : []
}

/**
 * Types whose clients look at names of one form only: port and transport (RFC 6698 3), the service (RFC 9460 2.3 asks
 * for HTTPS at the host itself).
 */
const SERVICE_NAMES: Partial<Record<string, { pattern: RegExp; message: FieldProblem['message'] }>> = {
  TLSA: { pattern: /^(?:\*|_\d{1,5})\._(?:tcp|udp|sctp|quic)(?:\.|$)/, message: 'validation.tlsaName' },
}

/** Types whose whole value is a name. */
const ONE_NAME: ReadonlySet<string> = new Set(['CNAME', 'ALIAS', 'NS', 'PTR'])

function valueProblems({
  type,
  value,
  preference,
}: Pick<RecordInput, 'type' | 'value' | 'preference'>): FieldProblem[] {
  const wrong = (message: FieldProblem['message']): FieldProblem[] => [{ path: 'value', message }]
  if (ONE_NAME.has(type) && value.trim() === '.') return wrong('validation.rootTarget')
  switch (type) {
    case 'A':
      return isIpv4(value) ? [] : wrong('validation.ipAddress')
    case 'AAAA':
      return isIpv6(value) ? [] : wrong('validation.ipv6Address')
    case 'CNAME':
    case 'ALIAS':
      return isAliasTarget(targetName(value)) ? [] : wrong('validation.cname')
    case 'NS':
    case 'PTR':
      return isHostName(targetName(value)) ? [] : wrong('validation.fqdn')
    case 'MX':
      return mxProblems(value, preference)
    case 'TXT':
      return isText(value) ? [] : wrong('validation.txt')
    case 'SRV':
      return isService(value) ? [] : wrong('validation.srv')
    case 'CAA':
      return isAuthority(value) ? [] : wrong('validation.caa')
    case 'TLSA':
      return isCertificateOf(value) ? [] : wrong('validation.tlsa')
    case 'SSHFP':
      return isFingerprint(value) ? [] : wrong('validation.sshfp')
    case 'DS':
      return isDelegationSigner(value) ? [] : wrong('validation.ds')
    case 'NAPTR':
      return isNamingAuthority(value) ? [] : wrong('validation.naptr')
    case 'SVCB':
    case 'HTTPS':
      return isServiceBinding(type, value) ? [] : wrong('validation.svcb')
    default:
      return isGeneric(type, value) ? [] : wrong('validation.generic')
  }
}

function mxProblems(value: string, preference: number | null): FieldProblem[] {
  const problems: FieldProblem[] = preference === null ? [{ path: 'preference', message: 'validation.required' }] : []
  // "." with preference 0 says that the name takes no mail (RFC 7505).
  if (value.trim() === '.')
    return preference === 0 ? problems : [...problems, { path: 'value', message: 'validation.nullMx' }]
  return isHostName(targetName(value)) ? problems : [...problems, { path: 'value', message: 'validation.fqdn' }]
}

function isText(value: string): boolean {
  const strings = txtStrings(value)
  return strings !== null && strings.reduce((sum, bytes) => sum + bytes.length, 0) <= TXT_BYTES
}

/** Priority, weight, port and a host; "." says that the service is not offered (RFC 2782). */
function isService(value: string): boolean {
  const target = rdataOfText('SRV', value)?.split(' ')[3]
  return target !== undefined && (target === '.' || isHostName(targetName(target)))
}

// What certificate authorities look at: RFC 8659, RFC 9495 and the baseline requirements of the CA/Browser Forum.
const ISSUERS: ReadonlySet<string> = new Set(['issue', 'issuewild', 'issuemail', 'issuevmc'])
const CONTACTS: Readonly<Record<string, RegExp>> = {
  iodef: /^(?:mailto:[^\s@]+@[^\s@]+|https?:\/\/\S+)$/i,
  contactemail: /^[^\s@]+@[^\s@]+$/,
  contactphone: /^[+0-9][0-9 ()./-]{2,}$/,
}

/**
 * Flags, a tag that is known, and what the tag needs: who may issue, with parameters after a semicolon (none: nobody),
 * or how to reach the owner.
 */
function isAuthority(value: string): boolean {
  const [, flags, tag = '', quoted] = /^(\d+) (\w+) (".*")$/s.exec(rdataOfText('CAA', value) ?? '') ?? []
  const [bytes] = txtStrings(quoted ?? '') ?? []
  if (flags === undefined || bytes === undefined || Number(flags) > 255) return false
  const text = String.fromCharCode(...bytes)
  if (!ISSUERS.has(tag)) return CONTACTS[tag]?.test(text) ?? false
  const [issuer = ''] = text.split(';', 1)
  return issuer.trim() === '' ? text.includes(';') : isHostName(issuer.trim().toLowerCase())
}

const numbersOf = (type: string, value: string): number[] | null => {
  const rdata = rdataOfText(type, value)
  return rdata === null ? null : rdata.split(' ').map(Number)
}

/** Usage, selector and matching type that have a meaning, and a digest of their length (RFC 6698 2.1). */
function isCertificateOf(value: string): boolean {
  const [usage = 9, selector = 9, matching = 9] = numbersOf('TLSA', value) ?? []
  const digits = rdataOfText('TLSA', value)?.split(' ')[3]?.length ?? 0
  return usage <= 3 && selector <= 1 && matching <= 2 && (matching === 0 || digits === (matching === 1 ? 64 : 128))
}

/**
 * A registered key algorithm, and SHA-1 or SHA-256 of its length, which the reader has checked (RFC 4255, RFC 6594, RFC
 * 7479, RFC 8709).
 */
function isFingerprint(value: string): boolean {
  const [algorithm = 0, hash = 0] = numbersOf('SSHFP', value) ?? []
  return [1, 2, 3, 4, 6].includes(algorithm) && (hash === 1 || hash === 2)
}

/** A signing algorithm and a digest that validators know (RFC 8624). */
function isDelegationSigner(value: string): boolean {
  const [, algorithm = 0, digest = 0] = numbersOf('DS', value) ?? []
  return [5, 7, 8, 10, 13, 14, 15, 16].includes(algorithm) && [1, 2, 4].includes(digest)
}

/** A regular expression or a replacement, never both (RFC 3403 4.1). */
function isNamingAuthority(value: string): boolean {
  const [, flags, expression, replacement] =
    /^\d+ \d+ "([A-Za-z0-9]*)" "(?:[^"\\]|\\.)*" "((?:[^"\\]|\\.)*)" (\S+)$/.exec(rdataOfText('NAPTR', value) ?? '') ??
    []
  return flags !== undefined && (expression === '') !== (replacement === '.')
}

/** Priority 0 is an alias and has no parameters (RFC 9460 2.4.2). */
function isServiceBinding(type: string, value: string): boolean {
  const [priority, target = '', ...parameters] = rdataOfText(type, value)?.split(' ') ?? []
  return (
    priority !== undefined &&
    (target === '.' || isAliasTarget(targetName(target))) &&
    (priority !== '0' || parameters.length === 0)
  )
}

const HAS_FORM: ReadonlySet<string> = new Set(RECORD_TYPES)
/** SOA, signatures, denials and keys: a server makes its own. A DNAME is no data, but answers for all names below. */
const NOT_DATA: ReadonlySet<number> = new Set(
  [
    'SOA',
    'DNAME',
    'SIG',
    'KEY',
    'NXT',
    'RRSIG',
    'NSEC',
    'DNSKEY',
    'NSEC3',
    'NSEC3PARAM',
    'CDS',
    'CDNSKEY',
    'CSYNC',
    'ZONEMD',
  ].map(typeCode),
)

/**
 * A type by its number that has neither a name here nor a meaning in the protocol, and rdata of the length that it
 * says.
 */
function isGeneric(type: string, value: string): boolean {
  const code = typeCode(type)
  const isKept = type.startsWith('TYPE') && !isMetaType(code) && !NOT_DATA.has(code)
  // A type with a name here that has a form of its own is checked in that form, not past it.
  return isKept && !HAS_FORM.has(typeName(type) ?? '') && rdataOfText(type, value) !== null
}
