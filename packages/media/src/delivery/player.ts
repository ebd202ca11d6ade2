import fs from 'node:fs'
import type http from 'node:http'
import path from 'node:path'
import { EMBED_FOLDER, PLAYER_FOLDER, isOfFile } from '@fairway/domain'
import { type EmbedFacts, embedPage, embedPolicy } from './embed-page.ts'
import { type PlayerFile, encodedFor } from './player-files.ts'

export type PlayerPlace = {
  files: ReadonlyMap<string, PlayerFile>
  /** @throws while the database is away, or asked too much */
  facts: (key: string, id: string) => Promise<EmbedFacts | null>
  /** Of all videos. */
  root: string
}

const ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const FRESH = 'public, max-age=3600'
const SETTLED = 'public, max-age=31536000, immutable'
/** A brand or a picture that was changed is seen soon. */
const PAGE = 'public, max-age=60'

/** Answers what is asked of the player, and of the page of one video; false when it is something else. */
export async function answerPlayer(
  { files, facts, root }: PlayerPlace,
  key: string | undefined,
  target: string,
  request: http.IncomingMessage,
  response: http.ServerResponse,
): Promise<boolean> {
  const give = (body: Buffer | string, headers: http.OutgoingHttpHeaders) => {
    response.writeHead(200, { ...headers, 'content-length': Buffer.byteLength(body) })
    response.end(request.method === 'HEAD' ? undefined : body)
    return true
  }
  const none = () => {
    response.writeHead(404, { 'cache-control': 'public, max-age=1' }).end()
    return true
  }
  if (target.startsWith(PLAYER_FOLDER)) {
    const file = files.get(target.slice(PLAYER_FOLDER.length))
    if (!file) return none()
    const { encoding, body } = encodedFor(file, String(request.headers['accept-encoding'] ?? ''))
    return give(body, {
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': file.isSettled ? SETTLED : FRESH,
      vary: 'accept-encoding',
      'cross-origin-resource-policy': 'cross-origin',
      ...(encoding !== null && { 'content-encoding': encoding }),
    })
  }
  if (!target.startsWith(EMBED_FOLDER)) return false
  const id = target.slice(EMBED_FOLDER.length)
  if (key === undefined || !ID.test(id)) return none()
  const known = await facts(key, id).catch(async () => (await plainFacts(root, key, id)) ?? 'unknown')
  if (known === 'unknown') {
    response.writeHead(503, { 'cache-control': 'no-store', 'retry-after': '1' }).end()
    return true
  }
  if (known === null) return none()
  return give(embedPage(known), {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': PAGE,
    'content-security-policy': embedPolicy(known.views),
    // The edge looks at the site that a playlist is asked from, and nobody at the token in the address of the page.
    'referrer-policy': 'origin',
    'permissions-policy': 'camera=(), microphone=(), geolocation=()',
  })
}

/** While the database is away a video plays without picture and brand. */
async function plainFacts(root: string, key: string, id: string): Promise<EmbedFacts | null> {
  const master = await fs.promises.readFile(path.join(root, key, id, 'master.m3u8'), 'utf8').catch(() => null)
  return master === null ? null : { id, isLive: !isOfFile(master), poster: null, color: null, logo: null, views: null }
}
