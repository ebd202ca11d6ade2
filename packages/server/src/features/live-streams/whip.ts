import http from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { WHIP_PATH } from '@fairway/contract'
import { type Config, type Log, isWebrtcOffered, mediaAddressOf, placeOf, whipSecret } from '@fairway/platform'
import { Failure } from '../../http/failure.ts'

const SDP = 'application/sdp'
const MOST_OFFER_BYTES = 64 << 10
/** Longer than the role makes who tries wrong keys wait. */
const WITHIN_MS = 12_000
const MOST_ANSWER_BYTES = 256 << 10

/** Of an encoder's page elsewhere (RFC 9725, 4.2): what it shows is a key, and no cookie counts. */
const CORS = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'POST, DELETE, OPTIONS',
  'access-control-allow-headers': 'authorization, content-type',
  'access-control-expose-headers': 'location, etag, retry-after',
  'access-control-max-age': '86400',
} as const
const PASSED = ['content-type', 'location', 'etag', 'allow', 'retry-after', 'www-authenticate'] as const

type Answer = { status: number; headers: http.IncomingHttpHeaders; body: string }

/**
 * Where whoever sends by WebRTC begins and ends (WHIP, RFC 9725). The role `media` answers; it is asked from here, so
 * that browsers find it where the console is, with its certificate.
 */
export async function registerWhip(server: FastifyInstance, config: Config, log: Log): Promise<void> {
  if (!isWebrtcOffered(config)) return
  const pass = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const { session = '' } = request.params as { session?: string }
    const path = session === '' ? WHIP_PATH : `${WHIP_PATH}/${encodeURIComponent(session)}`
    // Whoever hangs up does not wait there in place of others.
    const gone = new AbortController()
    reply.raw.once('close', () => gone.abort())
    const { status, headers, body } = await askMedia(config, path, request, gone.signal).catch((error: unknown) => {
      if (!gone.signal.aborted) log.warn({ event: 'whip.media-away', why: error instanceof Error ? error.message : '' })
      throw new Failure(503)
    })
    for (const name of PASSED) if (headers[name] !== undefined) reply.header(name, headers[name])
    return reply.code(status).send(body)
  }
  // A part of its own: nothing else takes this type, and nobody else is answered to other pages.
  await server.register(async (part) => {
    part.addContentTypeParser(SDP, { parseAs: 'string', bodyLimit: MOST_OFFER_BYTES }, (_request, text, done) =>
      done(null, text),
    )
    part.addHook('onSend', async (_request, reply) => void reply.headers(CORS))
    for (const url of [WHIP_PATH, `${WHIP_PATH}/:session`])
      part.options(url, async (_request, reply) => reply.code(204).header('accept-post', SDP).send())
    part.post(WHIP_PATH, async (request, reply) => {
      if (typeof request.body === 'string') return pass(request, reply)
      return reply.code(415).header('accept-post', SDP).send()
    })
    part.route({ method: ['PATCH', 'DELETE'], url: `${WHIP_PATH}/:session`, handler: pass })
  })
}

function askMedia(config: Config, path: string, request: FastifyRequest, gone: AbortSignal): Promise<Answer> {
  const { method, body, headers, ip } = request
  return new Promise((resolve, reject) => {
    const asked = http.request(
      {
        ...mediaAddressOf(config),
        path,
        method,
        signal: AbortSignal.any([AbortSignal.timeout(WITHIN_MS), gone]),
        headers: {
          'content-type': SDP,
          'x-fairway-node': whipSecret(config),
          'x-fairway-from': placeOf(ip),
          ...(headers.authorization === undefined ? {} : { authorization: headers.authorization }),
        },
      },
      (answer) => {
        const pieces: Buffer[] = []
        let bytes = 0
        answer.on('data', (piece: Buffer) => {
          bytes += piece.length
          if (bytes > MOST_ANSWER_BYTES) asked.destroy(new Error('too long an answer'))
          else pieces.push(piece)
        })
        answer.on('error', reject)
        answer.on('end', () =>
          resolve({
            status: answer.statusCode ?? 503,
            headers: answer.headers,
            body: Buffer.concat(pieces).toString('utf8'),
          }),
        )
      },
    )
    asked.on('error', reject)
    asked.end(typeof body === 'string' ? body : undefined)
  })
}
