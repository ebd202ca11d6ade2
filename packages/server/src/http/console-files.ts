import fs from 'node:fs'
import path from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Database } from '@fairway/platform'
import { brandedPage } from './branded-page.ts'
import { Failure } from './failure.ts'
import { partnerOfHost } from './partner-of.ts'
import { partnerInfo } from './partner-static.ts'

// The console loads nothing from elsewhere but videos, from our edge; styles are set inline by the component library.
const policyOf = (videos: string, withStripe: boolean): string =>
  [
    "default-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    `img-src 'self' data: blob: ${videos}`,
    `media-src 'self' blob: ${videos}`,
    "worker-src 'self' blob:",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    `connect-src 'self' ${videos}${withStripe ? ' https://api.stripe.com' : ''}`,
    ...(withStripe ? STRIPE_PARTS : []),
  ].join('; ')
// Stripe's card element comes from Stripe alone: card data must not pass through us
// (https://docs.stripe.com/security/guide#content-security-policy).
const STRIPE_PARTS = [
  "script-src 'self' https://js.stripe.com",
  "frame-src 'self' https://js.stripe.com https://hooks.stripe.com",
]

/**
 * Serves the built console; any path of a page answers the index document, and the rest is 404. Files are looked up
 * when asked for, so a new build is served at once.
 */
export async function registerConsole(
  server: FastifyInstance,
  folder: string | null,
  database: Database,
  { withStripe, videos }: { withStripe: boolean; videos: string },
): Promise<void> {
  const policy = policyOf(videos, withStripe)
  if (folder)
    await server.register(fastifyStatic, {
      root: folder,
      serve: false,
      preCompressed: true,
      immutable: true,
      maxAge: '365d',
    })
  const page = async (request: FastifyRequest, reply: FastifyReply) => {
    const reads = request.method === 'GET' || request.method === 'HEAD'
    const file = reads && folder ? fileFor(folder, request) : null
    if (!file) throw new Failure(404)
    if (file.startsWith('assets/')) return reply.sendFile(file)
    reply.header('cache-control', 'no-cache').header('content-security-policy', policy)
    const moved = file === 'index.html' ? await movedTo(database, request) : null
    if (moved !== null) return reply.header('vary', 'host').redirect(moved, 308)
    if (folder && file === 'index.html')
      return reply
        .header('vary', 'host')
        .type('text/html; charset=utf-8')
        .send(await indexFor(folder, database, request))
    return reply.sendFile(file, { cacheControl: false })
  }
  server.get('/', page)
  server.setNotFoundHandler(page)
}

/** The index document under the brand of the host name; without a database the console still starts, as built. */
async function indexFor(folder: string, database: Database, request: FastifyRequest): Promise<string> {
  const document = await fs.promises.readFile(path.join(folder, 'index.html'), 'utf8')
  const info = await database.system(async (tx) => partnerInfo(tx, await partnerOfHost(tx, request))).catch(() => null)
  return info ? brandedPage(document, info) : document
}

/** Where a page is now that was asked for under a name that its partner has no more; null for one that is right. */
async function movedTo(database: Database, { protocol, host, hostname, url }: FastifyRequest): Promise<string | null> {
  const asked = hostname.toLowerCase()
  const [moved] = await database
    .system((tx) =>
      tx.query<{ host_name: string }>(
        'SELECT p.host_name FROM partner_former_host f JOIN partner p ON p.id = f.partner_id WHERE f.host_name = $1 AND p.host_name <> $1 AND NOT EXISTS (SELECT FROM partner c WHERE c.host_name = $1)',
        [asked],
      ),
    )
    .catch(() => [])
  // The path begins with a slash, and comes after a name of ours: it leads nowhere else.
  return moved ? `${protocol}://${moved.host_name}${host.slice(hostname.length)}${url}` : null
}

/** The file a path names, the index document for a page, or null. */
function fileFor(folder: string, request: FastifyRequest): string | null {
  const name = path.posix.normalize(decoded(request.url)).slice(1)
  if (name && fs.statSync(path.join(folder, name), { throwIfNoEntry: false })?.isFile()) return name
  const wantsPage =
    (request.headers.accept ?? '').includes('text/html') || request.method === 'HEAD' || mayBePage(request)
  return wantsPage && fs.existsSync(path.join(folder, 'index.html')) ? 'index.html' : null
}

/**
 * Whoever takes anything, as uptime checks do, gets pages too, but neither what looks like a file nor like a path of
 * the API.
 */
function mayBePage({ headers: { accept = '*/*' }, url }: FastifyRequest): boolean {
  const name = decoded(url)
  return accept.includes('*/*') && !/^\/+[^/]+\/v\d+(?:\/|$)/.test(name) && !path.posix.basename(name).includes('.')
}

/** The path of a URL, decoded; `/` when it cannot be. Normalising an absolute path cannot climb above its root. */
function decoded(url: string): string {
  try {
    return decodeURIComponent(`/${url.split('?')[0]}`).replaceAll('\0', '')
  } catch {
    return '/'
  }
}
