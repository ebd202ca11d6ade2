/** A request as it is sent, with what it is an example of. */
export type TrialSample = {
  category: string
  method: string
  target: string
  headers: Record<string, string>
  body: string
}

const BROWSER = {
  'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
  accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
  'accept-language': 'en-GB,en;q=0.7',
}
export const FORM_BOUNDARY = '----WebKitFormBoundaryk3Jd82mPq7Lx'

/** The ways in which a value comes to a website: each brings it where an application reads it. */
export const TRIAL_CARRIERS: Record<string, (category: string, value: string, n: number) => TrialSample> = {
  query: (category, value, n) =>
    trialSample(category, 'GET', `${pathOf(n)}?${nameOf(n)}=${encodeURIComponent(value)}&page=${n % 9}`),
  form: (category, value, n) =>
    trialSample(category, 'POST', pathOf(n), `csrf=${hexOf(n)}&${nameOf(n)}=${encodeURIComponent(value)}`, {
      'content-type': 'application/x-www-form-urlencoded',
    }),
  json: (category, value, n) =>
    trialSample(
      category,
      'POST',
      `/api/v1${pathOf(n)}`,
      JSON.stringify({ id: n, [nameOf(n)]: value, tags: ['a', 'b'] }),
      {
        'content-type': 'application/json',
      },
    ),
  nested: (category, value, n) =>
    trialSample(
      category,
      'PUT',
      `/api/v2/items/${n}`,
      JSON.stringify({ data: { attributes: { [nameOf(n)]: [value] } } }),
      {
        'content-type': 'application/vnd.api+json',
      },
    ),
  multipart: (category, value, n) =>
    trialSample(
      category,
      'POST',
      pathOf(n),
      `--${FORM_BOUNDARY}\r\nContent-Disposition: form-data; name="${nameOf(n)}"\r\n\r\n${value}\r\n--${FORM_BOUNDARY}\r\nContent-Disposition: form-data; name="send"\r\n\r\n1\r\n--${FORM_BOUNDARY}--\r\n`,
      { 'content-type': `multipart/form-data; boundary=${FORM_BOUNDARY}` },
    ),
  graphql: (category, value, n) =>
    trialSample(
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
    trialSample(category, 'GET', pathOf(n), '', {
      cookie: `session=${hexOf(n)}; ${nameOf(n)}=${encodeURIComponent(value)}`,
    }),
  referer: (category, value, n) =>
    trialSample(category, 'GET', pathOf(n), '', {
      referer: `https://forum.example.org/t/?from=${encodeURIComponent(value)}`,
    }),
}

export function trialSample(
  category: string,
  method: string,
  target: string,
  body = '',
  headers: Record<string, string> = {},
): TrialSample {
  return { category, method, target, headers: { ...BROWSER, ...headers }, body }
}

const PATHS = ['/search', '/shop/list', '/posts', '/account/profile', '/comments', '/feedback', '/tickets']
const NAMES = ['q', 'text', 'name', 'comment', 'title', 'filter', 'message', 'note', 'value', 'description']
const pathOf = (n: number): string => PATHS[n % PATHS.length] ?? '/'
const nameOf = (n: number): string => NAMES[n % NAMES.length] ?? 'q'
/** Looks like a token, the same in every run. */
export const hexOf = (n: number): string =>
  (((n + 1) * 2_654_435_761) % 4_294_967_296).toString(16).padStart(8, '0').repeat(4)
