import crypto from 'node:crypto'
import http from 'node:http'
import { type HeldSockets, type HostPort, listenAt } from '@fairway/platform'
import { MEMBERS_PASSWORD } from './members.ts'
import { STYLE, frontPage, sectionPage, storyPage } from './pages.ts'
import { picture } from './picture.ts'
import { STORIES } from './stories.ts'

type Content = { type: string; text: string; maxAgeSeconds: number }
export type NewsSite = AsyncDisposable & { port: number; answered(): number }

/**
 * A small newspaper over HTTP with validators and cache headers, as an origin should have. `headTag` is trusted markup
 * put into every page's head.
 */
export async function startNewsSite(
  at: HostPort,
  { headTag, sockets = {} }: { headTag: () => string; sockets?: HeldSockets },
): Promise<NewsSite> {
  let answered = 0
  const server = http.createServer((request, response) => {
    answered++
    answer(request, response, headTag())
  })
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(listenAt(sockets, at), resolve))
  const bound = server.address()
  return {
    port: typeof bound === 'object' && bound ? bound.port : at.port,
    answered: () => answered,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function answer(request: http.IncomingMessage, response: http.ServerResponse, head: string): void {
  if (request.method === 'POST' && request.url === '/login') return void letIn(request, response)
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    response.writeHead(405, { allow: 'GET, HEAD' }).end()
    return
  }
  const content = contentOf((request.url ?? '/').split('?')[0] ?? '/', head)
  if (!content) {
    response
      .writeHead(404, { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'max-age=10' })
      .end('There is no such page.\n')
    return
  }
  const etag = `"${crypto.createHash('sha256').update(content.text).digest('base64url').slice(0, 16)}"`
  const headers = { 'content-type': content.type, etag, 'cache-control': `public, max-age=${content.maxAgeSeconds}` }
  if (request.headers['if-none-match'] === etag) {
    response.writeHead(304, headers).end()
    return
  }
  response.writeHead(200, { ...headers, 'content-length': Buffer.byteLength(content.text) })
  response.end(request.method === 'HEAD' ? undefined : content.text)
}

const LONGEST_LOGIN = 10_000

/** Members sign in: all with one password, since nothing is behind it. */
async function letIn(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
  let body = ''
  try {
    for await (const part of request.setEncoding('utf8')) if ((body += String(part)).length > LONGEST_LOGIN) break
  } catch {
    return
  }
  const isKnown = new URLSearchParams(body).get('password') === MEMBERS_PASSWORD
  response.writeHead(isKnown ? 303 : 401, {
    'cache-control': 'no-store',
    'content-type': 'text/plain; charset=utf-8',
    ...(isKnown ? { location: '/account' } : {}),
  })
  response.end(isKnown ? 'Welcome.\n' : 'Wrong password.\n')
}

function contentOf(path: string, head: string): Content | null {
  const page = (text: string | null): Content | null =>
    text === null ? null : { type: 'text/html; charset=utf-8', text, maxAgeSeconds: 60 }
  if (path === '/') return page(frontPage(head))
  if (path === '/search' || path === '/account') return page(frontPage(head))
  if (path === '/style.css') return { type: 'text/css; charset=utf-8', text: STYLE, maxAgeSeconds: 86_400 }
  if (path === '/v1/headlines')
    return {
      type: 'application/json',
      text: JSON.stringify(STORIES.map(({ slug, title, section }) => ({ slug, title, section }))),
      maxAgeSeconds: 15,
    }
  const [, folder = '', name = ''] = path.split('/')
  if (folder === 'stories') return page(storyPage(name, head))
  if (folder === 'img') return pictureOf(name)
  return name === '' ? page(sectionPage(folder, head)) : null
}

function pictureOf(name: string): Content | null {
  const number = /^(\d{1,3})\.svg$/.exec(name)?.[1]
  return number === undefined
    ? null
    : { type: 'image/svg+xml', text: picture(Number(number) + 1, 960, 540), maxAgeSeconds: 604_800 }
}
