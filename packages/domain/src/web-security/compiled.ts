import type { MacKey } from './api-token.ts'
import type { Pattern } from './pattern.ts'

/**
 * A policy as the edge reads it: plain data without null, so that it comes through JSON into Lua as it is. Made by
 * `compile`.
 */
export type CompiledSecurity = {
  access: { white: AccessTable; black: AccessTable }
  bots: CompiledBots
  firewall: CompiledRule<CompiledAction>[]
  ruleSets: CompiledRuleSets
  api: CompiledApiRule[]
  schema: CompiledApiSchema
  failedLogins: CompiledFailedLogin[]
  credentialStuffing: CompiledCredentialStuffing[]
  headers: CompiledRule<CompiledHeaders>[]
  origins: CompiledRule<CompiledOrigin>[]
  /** Content of a GET may be asked for. Older documents do not say. */ readsContent?: boolean
}

/** Blocks of addresses cut into stretches: where each begins, and which block it is the innermost of; -1 for none. */
export type BlockTable = {
  starts: string[]
  owners: number[]
  /** Of each block, the next one around it; -1 for none. */ parents: number[]
}

export type AccessTable = {
  /** Nothing is on it: no need to look. */ empty: boolean
  blocks: BlockTable
  ids: string[]
  /** Epoch seconds; 0 is for good. */ untils: number[]
  places: AccessPlace[]
  excluded: AccessPlace[]
}
/** Empty texts say nothing. */
export type AccessPlace = {
  id: string
  continent: string
  country: string
  region: string
  city: string
  network: string
  until: number
}

export type CompiledBots = {
  /** From which suspicion on; 0 is everybody, 1000 nobody. */ threshold: number
  /** 1 solved at once, 2 after five seconds, 3 by a person. */ strength: number
  clearanceSeconds: number
  integrity: 'off' | 'standard' | 'strict'
  crawlers: boolean
}

/** What is asked of the rule set, and what its findings come to. */
export type CompiledRuleSets = {
  on: boolean
  /** Nothing is blocked, only told. */ simulated: boolean
  /** Beyond the three sets: protocol, scanners, uploads. */ full: boolean
  xss: boolean
  sqlInjection: boolean
  genericInjection: boolean
  /** Paranoia level, 1 to 4. */ level: number
  /** Score from which a request is blocked. */ threshold: number
  /** How much of a body is inspected. */ bodyBytes: number
  blockLonger: boolean
  /** What could not be inspected is blocked. */ blockUninspected: boolean
  /** Of rules that do not block, each id with `=` before it. */ actions: Record<string, 'simulate' | 'pass' | 'off'>
  /** Of rules that are hints: what they count, once, each id with `=` before it. */ hints: Record<string, number>
  exclusions: CompiledExclusion[]
}
/** Empty texts say nothing. */
export type CompiledExclusion = { ruleId: string; path: string; isPrefix: boolean; parameter: string }

export type CompiledRule<Does> = {
  id: string
  name: string
  when: Test
  does: Does
  /** It asks for path, method or extension, which origins read differently. Older documents do not say. */
  byReading?: boolean
}

export type CompiledAction = {
  type: 'block' | 'pass' | 'rate-limit' | 'redirect' | 'challenge' | 'simulate'
  /** Of a redirect; empty otherwise. */ location: string
  /** Of a challenge; 0 otherwise. */ strength: number
  /** Of a rate limit; zeros otherwise. */ requests: number
  seconds: number
  blockSeconds: number
  keys: { by: 'address' | 'path' | 'header' | 'cookie'; name: string }[]
}
/** One path, or everything that begins with it. */
export type PathTest = { path: string; isPrefix: boolean }

/** Logins that are counted, and how an answer tells that one has failed. */
export type CompiledFailedLogin = {
  id: string
  name: string
  path: PathTest
  methods: string[]
  maxAttempts: number
  maxFailed: number
  seconds: number
  /** Of the content, where the account's name stands; empty where it is not looked for. */ payload:
    | ''
    | 'form'
    | 'json'
  accountField: string
  failure: CompiledFailure
}
export type CompiledFailure = {
  by: 'status' | 'body' | 'header'
  status: number
  keywords: string[]
  name: string
  operator: '' | 'exists' | 'equals' | 'contains'
  value: string
}

/** Logins whose password is looked up among those of breaches. */
export type CompiledCredentialStuffing = {
  id: string
  name: string
  path: PathTest
  payload: 'form' | 'json'
  passwordField: string
}

/** Paths that are for those who carry a token only. */
export type CompiledApiRule = {
  id: string
  name: string
  path: PathTest
  /** Of the query, where the token stands. */ parameter: string
  key: MacKey
  /** How long a token holds. */ seconds: number
  /** Requests of one token a minute, and how long it is refused after more. */ queries: number
  blockSeconds: number
  /** Else it is only written down. */ blocks: boolean
}

/** What requests of an API look like, as a tree of the parts of their paths. */
export type CompiledApiSchema = {
  mode: 'off' | 'simulate' | 'block'
  /** Forms of requests are written down, for the schema to be learned from. */ learns: boolean
  /** What it is about. */ paths: PathTest[]
  /** The first is where paths begin. */ nodes: SchemaNode[]
  endpoints: CompiledEndpoint[]
}
export type SchemaNode = {
  /** Which node a word leads to, each word with `=` before it. */ words: Record<string, number>
  /** Which node a value leads to, the narrowest type first. */ types: { type: string; node: number }[]
  /** Which endpoint a method finds here, each method with `=` before it. */ ends: Record<string, number>
}
export type CompiledEndpoint = {
  id: string
  name: string
  /** Of contents, each with `=` before it. */ kinds: Record<string, boolean>
  maxBytes: number
  /** Fields that nobody has told of are let pass. */ isOpen: boolean
  /** Forms in parts are looked into. */ readsParts: boolean
  required: { where: 'query' | 'body'; name: string }[]
  /** By place and name: `query page`. */ fields: Record<string, CompiledField>
}
/** A length of 0 is any. */
export type CompiledField = { type: string; nullable: boolean; maxLength: number }
export type HeaderChange = { operation: 'set' | 'add' | 'remove'; header: string; value: string }
export type CompiledHeaders = { direction: 'request' | 'response'; operations: HeaderChange[] }
/** Empty texts and 0 leave what the domain says. */
export type CompiledOrigin = {
  address: string
  port: number
  protocol: '' | 'http' | 'https'
  hostHeader: string
  sni: string
}

/** What is asked of a request. A group holds `of`, a condition the rest. */
export type Test = {
  kind: 'always' | 'all' | 'any' | 'texts' | 'part' | 'pattern' | 'blocks' | 'exists' | 'number'
  of: Test[]
  field: string
  name: string
  negate: boolean
  ignoreCase: boolean
  /** Whole texts, each with `=` before it, so that none is a name that objects have by themselves. */
  texts: Record<string, boolean>
  /** The part that is looked for, and where. */ part: string
  where: '' | 'anywhere' | 'start' | 'end'
  pattern: Pattern
  blocks: BlockTable
  compare: '' | 'less' | 'at-most' | 'greater' | 'at-least'
  number: number
}
