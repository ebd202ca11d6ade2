/** A request as it is sent, with what it is an example of. */
export type Sample = {
  category: string
  method: string
  target: string
  headers: Record<string, string>
  body: Buffer
}

const BROWSER = {
  'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
  accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
  'accept-language': 'en-GB,en;q=0.7',
}
const EMPTY = Buffer.alloc(0)
const BOUNDARY = '----WebKitFormBoundaryk3Jd82mPq7Lx'

/** The ways in which a value comes to a website: each brings it where an application reads it. */
export const CARRIERS: Record<string, (category: string, value: string, n: number) => Sample> = {
  query: (category, value, n) =>
    sample(category, 'GET', `${pathOf(n)}?${nameOf(n)}=${encodeURIComponent(value)}&page=${n % 9}`),
  form: (category, value, n) =>
    sample(category, 'POST', pathOf(n), `csrf=${hexOf(n)}&${nameOf(n)}=${encodeURIComponent(value)}`, {
      'content-type': 'application/x-www-form-urlencoded',
    }),
  json: (category, value, n) =>
    sample(category, 'POST', `/api/v1${pathOf(n)}`, JSON.stringify({ id: n, [nameOf(n)]: value, tags: ['a', 'b'] }), {
      'content-type': 'application/json',
    }),
  nested: (category, value, n) =>
    sample(category, 'PUT', `/api/v2/items/${n}`, JSON.stringify({ data: { attributes: { [nameOf(n)]: [value] } } }), {
      'content-type': 'application/vnd.api+json',
    }),
  multipart: (category, value, n) =>
    sample(
      category,
      'POST',
      pathOf(n),
      `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${nameOf(n)}"\r\n\r\n${value}\r\n--${BOUNDARY}\r\nContent-Disposition: form-data; name="send"\r\n\r\n1\r\n--${BOUNDARY}--\r\n`,
      { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` },
    ),
  graphql: (category, value, n) =>
    sample(
      category,
      'POST',
      '/graphql',
      JSON.stringify({
        operationName: 'Find',
        query: 'query Find($text: String!) {\n  search(text: $text, first: 20) { nodes { id title } }\n}',
        variables: { text: value, n },
      }),
      { 'content-type': 'application/json' },
    ),
  cookie: (category, value, n) =>
    sample(category, 'GET', pathOf(n), '', {
      cookie: `session=${hexOf(n)}; ${nameOf(n)}=${encodeURIComponent(value)}`,
    }),
  referer: (category, value, n) =>
    sample(category, 'GET', pathOf(n), '', {
      referer: `https://forum.example.org/t/?from=${encodeURIComponent(value)}`,
    }),
}

/** A file that is sent with a form. */
export function upload(category: string, name: string, type: string, bytes: Buffer, n: number): Sample {
  const head = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="title"\r\n\r\nUpload ${n}\r\n--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\nContent-Type: ${type}\r\n\r\n`
  return {
    ...sample(category, 'POST', `/files/${n}`, '', { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` }),
    body: Buffer.concat([Buffer.from(head), bytes, Buffer.from(`\r\n--${BOUNDARY}--\r\n`)]),
  }
}

export function sample(
  category: string,
  method: string,
  target: string,
  body = '',
  headers: Record<string, string> = {},
): Sample {
  return {
    category,
    method,
    target,
    headers: { ...BROWSER, ...headers },
    body: body === '' ? EMPTY : Buffer.from(body, 'utf8'),
  }
}

const PATHS = ['/search', '/shop/list', '/posts', '/account/profile', '/comments', '/feedback', '/tickets']
const NAMES = ['q', 'text', 'name', 'comment', 'title', 'filter', 'message', 'note', 'value', 'description']
const pathOf = (n: number): string => PATHS[n % PATHS.length] ?? '/'
const nameOf = (n: number): string => NAMES[n % NAMES.length] ?? 'q'
/** Looks like a token, the same in every run. */
export const hexOf = (n: number): string =>
  (((n + 1) * 2_654_435_761) % 4_294_967_296).toString(16).padStart(8, '0').repeat(4)
