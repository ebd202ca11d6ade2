import { FacadeError } from './facade-error.ts'

/** What a request's URL asks for, besides its query. */
export type RequestParameters = {
  query: string
  queryId: string | null
  defaultFormat: string
  database: string | null
  compressResponse: boolean
  /** Settings of this request, and values of `{name:Type}` placeholders as `param_<name>`, in the escaped text form in which they came. */
  settings: [name: string, value: string][]
}

/** Parameters of the protocol that ask for nothing here: answers are whole before they are sent, and authentication is done elsewhere. */
const WITHOUT_EFFECT = new Set(['user', 'password', 'quota_key', 'wait_end_of_query', 'buffer_size', 'stacktrace', 'client_protocol_version'])
/** What is not offered is refused, never ignored. */
const REFUSED: Record<string, string> = {
  session_id: 'Sessions over HTTP are not kept', session_timeout: 'Sessions over HTTP are not kept', session_check: 'Sessions over HTTP are not kept',
  role: 'Roles do not exist here', compress: 'The native compression of answers is not offered, use gzip', decompress: 'The native compression of requests is not offered, use gzip',
}

/** @throws FacadeError 48 for what is not offered, 115 for a name that cannot be a setting */
export function readParameters(search: URLSearchParams): RequestParameters {
  const read: RequestParameters = { query: '', queryId: null, defaultFormat: 'TabSeparated', database: null, compressResponse: false, settings: [] }
  for (const [name, value] of search) {
    const refused = REFUSED[name]
    if (name === 'query') read.query = value
    else if (name === 'query_id') read.queryId = value
    else if (name === 'default_format') read.defaultFormat = value
    else if (name === 'database') read.database = value === '' || value === 'default' ? null : value
    else if (name === 'enable_http_compression') read.compressResponse = value === '1' || value === 'true'
    else if (WITHOUT_EFFECT.has(name)) continue
    else if (refused && !(name === 'compress' && value === '0') && !(name === 'decompress' && value === '0')) throw new FacadeError(48, 'NOT_IMPLEMENTED', refused)
    else if (!/^[a-z][a-z0-9_]*$/i.test(name)) throw new FacadeError(115, 'UNKNOWN_SETTING', `Unknown setting '${name.slice(0, 100)}'`)
    else if (!refused) read.settings.push([name, value])
  }
  if (!/^[A-Za-z0-9_]+$/.test(read.defaultFormat)) throw new FacadeError(73, 'UNKNOWN_FORMAT', 'Unknown format')
  return read
}

/** `SET a = '1', param_b = 'x'` for one request; the engine reads a placeholder's text as ClickHouse reads it from the URL. */
export function setStatement(settings: [string, string][]): string {
  return `SET ${settings.map(([name, value]) => `${name} = '${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`).join(', ')}`
}
