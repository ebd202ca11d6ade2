/** Where an outside ClickHouse is: one server, or several of one cluster in the order that they are asked in. */
type ClickhouseAddress = {
  /** Origins such as `https://ch1:8443`, without user and password. */
  servers: string[]
  /** What the URL says of them; empty where it says nothing. */
  user: string
  password: string
  database: string
}

const SHAPE =
  /^(?<scheme>https?):\/\/(?:(?<user>[^:@/?#\s]*)(?::(?<password>[^@/?#\s]*))?@)?(?<host>\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._-]+)(?::(?<port>\d{1,5}))?(?:\/(?<database>[A-Za-z0-9_]{0,64}))?$/
const PORT = { http: '8123', https: '8443' } as const
const MOST_SERVERS = 16

/** The address, or the sentence that says what is wrong with it; never with the password in it. */
export function readClickhouseUrl(text: string): ClickhouseAddress | string {
  const urls = text.split(',').map((one) => one.trim())
  if (urls.length > MOST_SERVERS) return `has more than ${MOST_SERVERS} servers`
  const servers: string[] = []
  const said = { user: '', password: '', database: '' }
  for (const url of urls) {
    const parts = SHAPE.exec(url)?.groups
    if (!parts) return 'must be like https://ch1:8443/fairway,https://ch2:8443/fairway, with nothing after the database'
    const scheme = parts['scheme'] === 'https' ? 'https' : 'http'
    const port = Number(parts['port'] ?? PORT[scheme])
    if (port < 1 || port > 65_535) return 'has a port that cannot be'
    const server = `${scheme}://${parts['host']}:${port}`
    if (servers.includes(server)) return `names ${server} twice`
    servers.push(server)
    for (const name of ['user', 'password', 'database'] as const) {
      const value = unescaped(parts[name] ?? '')
      if (value === null) return 'has a % that is not the begin of an escaped character'
      if (value !== '' && said[name] !== '' && said[name] !== value)
        return `says another ${name} for one server than for the others`
      said[name] ||= value
    }
  }
  return { servers, ...said }
}

function unescaped(text: string): string | null {
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}
