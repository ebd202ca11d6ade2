import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { ERRORS, type ErrorCode, type ErrorEnvelope } from '@fairway/contract'
import { DatabaseAway, type Log } from '@fairway/platform'
import { Failure } from './failure.ts'

/** SQLSTATE of PostgreSQL. */
const DEADLOCK_DETECTED = '40P01'

/**
 * Turns whatever was thrown into the error envelope. Unknown errors become 500 with the request id; their detail stays
 * in the log.
 */
export function errorHandler(log: Log) {
  return (error: unknown, request: FastifyRequest, reply: FastifyReply) => {
    const failure = known(error)
    if (!failure)
      log.error({
        event: 'request.failed',
        requestId: request.id,
        method: request.method,
        url: request.url.split('?')[0],
        err: error,
      })
    else if (failure.message !== ERRORS[failure.code].name)
      log.info({ event: 'request.refused', requestId: request.id, code: failure.code, why: failure.message })
    const { code, status, fields, retryAfterSeconds, declineCode } = failure ?? new Failure(500)
    const params =
      retryAfterSeconds === undefined
        ? {}
        : {
            params: {
              minutes: Math.max(1, Math.ceil(retryAfterSeconds / 60)),
              seconds: Math.max(1, Math.ceil(retryAfterSeconds)),
            },
          }
    const envelope: ErrorEnvelope = {
      meta: {
        code,
        message: ERRORS[code].name,
        requestId: request.id,
        ...(fields ? { fields } : {}),
        ...(declineCode ? { decline_code: declineCode } : {}),
        ...params,
      },
    }
    if (retryAfterSeconds !== undefined) reply.header('retry-after', Math.max(1, Math.ceil(retryAfterSeconds)))
    return reply.status(status).send(envelope)
  }
}

function known(error: unknown): Failure | null {
  if (error instanceof Failure) return error
  if (error instanceof DatabaseAway) return new Failure(503, { internal: error.message })
  // Two calls wait for each other, and the database has ended this one: nothing of it is left, and it may come again.
  if ((error as FastifyError | null)?.code === DEADLOCK_DETECTED)
    return new Failure(409, { internal: 'it and another call waited for each other', retryAfterSeconds: 1 })
  const status = (error as FastifyError | null)?.statusCode
  if (status === 413) return new Failure(413)
  if (status === 429) return new Failure(429)
  if (status !== undefined && status >= 400 && status < 500)
    return new Failure(400 satisfies ErrorCode, { fields: [{ path: '', message: 'validation.json' }] })
  return null
}
