import type { RecordType } from '@fairway/contract'

/** A part of a value that has a field of its own. `key` is its text in the catalog; `rest` takes all that is left. */
export type RecordPart = {
  key: string
  kind: 'number' | 'text' | 'quoted' | 'rest'
  /** What is usual, to choose from: the code and how people call it. */
  options?: readonly (readonly [code: string, name: string])[]
  placeholder?: string
}

const number = (key: string, placeholder: string): RecordPart => ({ key, kind: 'number', placeholder })
const choice = (key: string, ...options: [string, string][]): RecordPart => ({ key, kind: 'number', options })
const rest = (key: string, placeholder: string): RecordPart => ({ key, kind: 'rest', placeholder })

const ALGORITHMS: [string, string][] = [
  ['13', 'ECDSA P-256'],
  ['14', 'ECDSA P-384'],
  ['15', 'Ed25519'],
  ['16', 'Ed448'],
  ['8', 'RSA/SHA-256'],
  ['10', 'RSA/SHA-512'],
]
const SERVICE: readonly RecordPart[] = [
  number('priority', '1'),
  { key: 'target', kind: 'text', placeholder: '.' },
  rest('parameters', 'alpn="h3,h2"'),
]

/** Types whose value has several parts; the others have one field. */
const PARTS: Partial<Record<RecordType, readonly RecordPart[]>> = {
  SRV: [
    number('priority', '10'),
    number('weight', '5'),
    number('port', '443'),
    { key: 'target', kind: 'text', placeholder: 'sip.example.net' },
  ],
  CAA: [
    choice('flags', ['0', 'normal'], ['128', 'critical']),
    {
      key: 'tag',
      kind: 'text',
      options: [
        ['issue', 'issue'],
        ['issuewild', 'issuewild'],
        ['issuemail', 'issuemail'],
        ['iodef', 'iodef'],
      ],
    },
    { key: 'caaValue', kind: 'quoted', placeholder: 'letsencrypt.org' },
  ],
  HTTPS: SERVICE,
  SVCB: SERVICE,
  TLSA: [
    choice('usage', ['3', 'DANE-EE'], ['2', 'DANE-TA'], ['1', 'PKIX-EE'], ['0', 'PKIX-TA']),
    choice('selector', ['1', 'SPKI'], ['0', 'Cert']),
    choice('matching', ['1', 'SHA-256'], ['2', 'SHA-512'], ['0', 'Full']),
    rest('certificateData', 'd2abde240d7cd3ee6b4b28c54df034b9…'),
  ],
  SSHFP: [
    choice('algorithm', ['4', 'Ed25519'], ['3', 'ECDSA'], ['1', 'RSA'], ['6', 'Ed448'], ['2', 'DSA']),
    choice('fingerprintType', ['2', 'SHA-256'], ['1', 'SHA-1']),
    rest('fingerprint', '123456789abcdef67890123456789abc…'),
  ],
  DS: [
    number('keyTag', '12345'),
    choice('algorithm', ...ALGORITHMS),
    choice('digestType', ['2', 'SHA-256'], ['4', 'SHA-384'], ['1', 'SHA-1']),
    rest('digest', '49fd46e6c4b45c55d4ac69cbd3cd3440…'),
  ],
  NAPTR: [
    number('order', '10'),
    number('preferenceOf', '20'),
    { key: 'naptrFlags', kind: 'quoted', placeholder: 'S' },
    { key: 'service', kind: 'quoted', placeholder: 'SIP+D2U' },
    { key: 'regexp', kind: 'quoted', placeholder: '' },
    { key: 'replacement', kind: 'text', placeholder: '_sip._udp.example.net' },
  ],
}

export const partsOf = (type: RecordType): readonly RecordPart[] | null => PARTS[type] ?? null

/** The value of a record of the type before anything is written: what people choose most. */
export function firstValue(type: RecordType): string {
  const parts = PARTS[type]
  return parts
    ? joinParts(
        type,
        parts.map(({ options }) => options?.[0]?.[0] ?? ''),
      )
    : ''
}

/** A value taken apart; parts that are missing are empty. Quotes around a part belong to the form, not to the part. */
export function splitParts(type: RecordType, value: string): string[] {
  const parts = PARTS[type] ?? []
  let left = value.trimStart()
  return parts.map(({ kind }) => {
    if (kind === 'rest') return left
    const [whole = '', quoted] = /^(?:"((?:[^"\\]|\\.)*)"|[^\s]*)/s.exec(left) ?? []
    left = left.slice(whole.length).trimStart()
    return quoted === undefined ? (whole === EMPTY ? '' : whole) : unquoted(quoted)
  })
}

/**
 * Stands for a part that is not filled in yet, so that those behind it keep their places; no field of any type takes
 * it.
 */
const EMPTY = '?'

/** The value that parts make; empty when all are. */
export function joinParts(type: RecordType, parts: readonly string[]): string {
  const layout = PARTS[type] ?? []
  return layout
    .map(({ kind }, index) => {
      const part = parts[index] ?? ''
      if (kind === 'quoted') return `"${part.replaceAll(/["\\]/g, (character) => `\\${character}`)}"`
      return kind === 'rest' ? part : part.trim() === '' ? EMPTY : part.trim()
    })
    .join(' ')
    .trimEnd()
}

const unquoted = (text: string): string => text.replaceAll(/\\(["\\])/g, '$1')
