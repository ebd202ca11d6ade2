import { ErrorEnvelope } from '@fairway/contract'

/** Where the input is wrong: the field's path and the key of the message, for example `validation.required`. */
export type FieldProblem = { path: string; message: string }

/**
 * A call that did not succeed. `code` is the catalogue's; 0 means that no answer came (offline, aborted connection).
 */
export class ApiError extends Error {
  override name = 'ApiError'
  readonly code: number
  readonly status: number
  readonly requestId: string | null
  readonly fields: readonly FieldProblem[]
  /** Figures that the text of the code names, such as `minutes`. */
  params: Readonly<Record<string, string | number>> = {}
  /** The payment provider's word for a declined card; its text says more than the code's. */
  declineCode: string | null = null

  constructor(
    code: number,
    status: number,
    requestId: string | null = null,
    fields: readonly FieldProblem[] = [],
    cause?: unknown,
  ) {
    super(`API error ${code}`, { cause })
    this.code = code
    this.status = status
    this.requestId = requestId
    this.fields = fields
  }
}

/**
 * Turns an answer that is not 2xx into an `ApiError`; a body that is not our envelope keeps the HTTP status as code.
 * `You cannot consume this service` ends the session.
 */
export async function readApiError(response: Response): Promise<ApiError> {
  const requestId = response.headers.get('x-request-id')
  const body: unknown = await response.json().catch(() => null)
  const parsed = ErrorEnvelope.safeParse(body)
  if (!parsed.success) return new ApiError(response.status >= 500 ? 500 : response.status, response.status, requestId)
  const { code, message, fields } = parsed.data.meta
  if (message === 'You cannot consume this service') return new ApiError(403, 401, parsed.data.meta.requestId)
  const error = new ApiError(code, response.status, parsed.data.meta.requestId, fields)
  error.params = parsed.data.meta.params ?? {}
  error.declineCode = parsed.data.meta.decline_code ?? null
  return error
}

/** A demo organisation can be looked at, not changed; nothing was sent. */
export class SandboxRefusal extends Error {
  override name = 'SandboxRefusal'
}
