import { FacadeError } from './facade-error.ts'

/** What a request's URL asks for, besides its query. */
export type RequestParameters = {
  query: string
  queryId: string | null
  defaultFormat: string
  database: string | null
  compressResponse: boolean
  /** The answer is wanted whole or not at all, instead of in pieces as rows come. */
  isWhole: boolean
  /** Settings of this request; values of `{name:Type}` placeholders as `param_<name>` when they cannot be bound. */
  settings: [name: string, value: string][]
  /** Values of placeholders, which leave nothing behind in the session. */
  bound: Record<string, string>
}

/** What every session is opened with; a request that asks for just that changes nothing. */
export const SESSION_SETTINGS = {
  max_memory_usage: '1500000000',
  max_execution_time: '60',
  output_format_json_quote_64bit_integers: '0',
  input_format_skip_unknown_fields: '0',
  date_time_input_format: 'basic',
  async_insert: '0',
  insert_deduplicate: '1',
} as const

/** Parameters of the protocol that ask for nothing here: authentication is done elsewhere. */
const WITHOUT_EFFECT = new Set([
  'user',
  'password',
  'quota_key',
  'buffer_size',
  'stacktrace',
  'client_protocol_version',
])
/**
 * The engine's binding escapes what has come escaped already: a statement with such a value has its values set instead.
 */
// oxlint-disable-next-line no-control-regex
const SAME_WHEN_ESCAPED = /^[^\\\u0000-\u001f]*$/
/** What is not offered is refused, never ignored. */
const REFUSED: Record<string, string> = {
  session_id: 'Sessions over HTTP are not kept',
  session_timeout: 'Sessions over HTTP are not kept',
  session_check: 'Sessions over HTTP are not kept',
  role: 'Roles do not exist here',
  compress: 'The native compression of answers is not offered, use gzip',
  decompress: 'The native compression of requests is not offered, use gzip',
}

/** @throws FacadeError 48 for what is not offered, 115 for a name that cannot be a setting */
export function readParameters(search: URLSearchParams): RequestParameters {
  const read: RequestParameters = {
    query: '',
    queryId: null,
    defaultFormat: 'TabSeparated',
    database: null,
    compressResponse: false,
    isWhole: false,
    settings: [],
    bound: {},
  }
  for (const [name, value] of search) {
    const refused = REFUSED[name]
    if (name === 'query') read.query = value
    else if (name === 'query_id') read.queryId = value
    else if (name === 'default_format') read.defaultFormat = value
    else if (name === 'database') read.database = value === '' || value === 'default' ? null : value
    else if (name === 'enable_http_compression') read.compressResponse = value === '1' || value === 'true'
    else if (name === 'wait_end_of_query') read.isWhole = value === '1' || value === 'true'
    else if (
      WITHOUT_EFFECT.has(name) ||
      (name in SESSION_SETTINGS && SESSION_SETTINGS[name as keyof typeof SESSION_SETTINGS] === value)
    )
      continue
    else if (refused && !(name === 'compress' && value === '0') && !(name === 'decompress' && value === '0'))
      throw new FacadeError(48, 'NOT_IMPLEMENTED', refused)
    else if (!/^[a-z][a-z0-9_]*$/i.test(name))
      throw new FacadeError(115, 'UNKNOWN_SETTING', `Unknown setting '${name.slice(0, 100)}'`)
    else if (name.startsWith('param_')) read.bound[name.slice('param_'.length)] = value
    else if (!refused) read.settings.push([name, value])
  }
  if (!/^[A-Za-z0-9_]+$/.test(read.defaultFormat)) throw new FacadeError(73, 'UNKNOWN_FORMAT', 'Unknown format')
  if (!Object.values(read.bound).every((value) => SAME_WHEN_ESCAPED.test(value))) {
    read.settings.push(...Object.entries(read.bound).map(([name, value]): [string, string] => [`param_${name}`, value]))
    read.bound = {}
  }
  return read
}

/**
 * `SET a = '1', param_b = 'x'` for one request; the engine reads a placeholder's text as ClickHouse reads it from the
 * URL.
 */
export function setStatement(settings: [string, string][]): string {
  return `SET ${settings.map(([name, value]) => `${name} = '${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`).join(', ')}`
}
