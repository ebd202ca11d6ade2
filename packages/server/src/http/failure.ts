import { ERRORS, type DeclineCode, type ErrorCode } from '@fairway/contract'

/** An expected failure: its code reaches the caller, `internal` only the log. */
export class Failure extends Error {
  readonly code: ErrorCode
  readonly status: number
  readonly fields: { path: string; message: string }[] | undefined
  /** When it is worth trying again; the text of the code gets it in minutes. */
  readonly retryAfterSeconds: number | undefined
  /** The payment provider's own word for a declined card. */
  readonly declineCode: DeclineCode | undefined
  constructor(
    code: ErrorCode,
    more: {
      internal?: string
      fields?: { path: string; message: string }[]
      retryAfterSeconds?: number
      declineCode?: DeclineCode
    } = {},
  ) {
    super(more.internal ?? ERRORS[code].name)
    this.code = code
    this.status = ERRORS[code].status
    this.fields = more.fields
    this.declineCode = more.declineCode
    this.retryAfterSeconds = more.retryAfterSeconds
  }
}
