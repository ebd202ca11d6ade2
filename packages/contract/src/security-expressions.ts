import { z } from 'zod'

/** What a condition may look at. Each says whether it needs a name, such as that of a header. */
export const SECURITY_FIELDS = {
  address: { kind: 'address', named: false },
  continent: { kind: 'text', named: false },
  country: { kind: 'text', named: false },
  region: { kind: 'text', named: false },
  city: { kind: 'text', named: false },
  /** Of China's groups (`CT`) and the autonomous system (`AS4134`): either fits. */
  network: { kind: 'text', named: false },
  host: { kind: 'text', named: false },
  /** As the edge reads it: percent-decoded, dot segments resolved, slashes merged. */
  path: { kind: 'text', named: false },
  /** Percent-decoded, without the question mark. */
  query: { kind: 'text', named: false },
  'query-parameter': { kind: 'text', named: true },
  method: { kind: 'text', named: false },
  header: { kind: 'text', named: true },
  cookie: { kind: 'text', named: true },
  'user-agent': { kind: 'text', named: false },
  referer: { kind: 'text', named: false },
  /** `1.2`, `1.3`; absent over plain HTTP. */
  'tls-version': { kind: 'text', named: false },
  /** `HTTP/1.0`, `HTTP/1.1`, `HTTP/2.0`, `HTTP/3.0`. */
  protocol: { kind: 'text', named: false },
  /** Bytes that the request says it has. */
  'body-size': { kind: 'number', named: false },
  /** Of the path's last part, in small letters, without the dot; absent when there is none. */
  extension: { kind: 'text', named: false },
} as const satisfies Record<string, { kind: 'address' | 'text' | 'number'; named: boolean }>
export type SecurityField = keyof typeof SECURITY_FIELDS
export const SECURITY_FIELD_NAMES = Object.keys(SECURITY_FIELDS) as SecurityField[]

/** `greater` and its kin read both sides as numbers. Only `in` and `in-cidr` take several values, `exists` none. */
export const SecurityOperator = z.enum([
  'equals',
  'in',
  'contains',
  'starts-with',
  'ends-with',
  'matches',
  'in-cidr',
  'exists',
  'less',
  'at-most',
  'greater',
  'at-least',
])
export type SecurityOperator = z.infer<typeof SecurityOperator>

/** A text without control characters that every runtime can write down. */
const plain = (most: number) =>
  z
    .string()
    .max(most, `validation.max:${most}`)
    .refine((text) => text.isWellFormed() && !/\p{Cc}/u.test(text), 'validation.plainText')

/** One thing that is asked of a request. What it means is said by `compile` of the domain's web security. */
export const SecurityCondition = z.strictObject({
  field: z.enum(SECURITY_FIELD_NAMES),
  /** Of the header, cookie or parameter; empty for other fields. */
  name: plain(64).default(''),
  operator: SecurityOperator,
  /** Holds where it would not. */
  negate: z.boolean().default(false),
  ignoreCase: z.boolean().default(false),
  values: z.array(plain(1000)).max(500, 'validation.atMostEntries:500'),
})
export type SecurityCondition = z.infer<typeof SecurityCondition>
/** All of, or any of; nested at most four deep. */
export type SecurityExpression = SecurityCondition | { all: SecurityExpression[] } | { any: SecurityExpression[] }
type ExpressionInput = z.input<typeof SecurityCondition> | { all: ExpressionInput[] } | { any: ExpressionInput[] }

type Level = z.ZodType<SecurityExpression, ExpressionInput>
const grouped = (inner: Level): Level =>
  z.union([
    SecurityCondition,
    z.strictObject({ all: z.array(inner).min(1).max(50) }),
    z.strictObject({ any: z.array(inner).min(1).max(50) }),
  ])
// Unrolled: what is nested deeper is refused before anything walks over it.
export const SecurityExpression: Level = grouped(grouped(grouped(grouped(SecurityCondition))))

/** Where a text or form of an expression is wrong. `column` counts characters from 1; 0 where there is no text. */
export const ExpressionProblem = z.object({ path: z.string(), message: z.string(), column: z.int() })
export type ExpressionProblem = z.infer<typeof ExpressionProblem>

export const RuleName = plain(80).trim().min(1, 'validation.required')
export const Note = plain(200).trim().default('')
export const HeaderValue = plain(1000)
