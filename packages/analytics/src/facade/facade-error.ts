/** An error of the protocol, with ClickHouse's code and name for it. */
export class FacadeError extends Error {
  readonly code: number
  readonly codeName: string

  constructor(code: number, codeName: string, message: string) {
    super(message)
    this.code = code
    this.codeName = codeName
  }
}

export type ErrorAnswer = { status: number; code: number; text: string }

/** HTTP status by code, as ClickHouse answers; the rest is 500. */
const STATUS: Record<number, number> = {
  60: 404,
  81: 404,
  62: 400,
  27: 400,
  47: 400,
  53: 400,
  72: 400,
  73: 400,
  115: 400,
  117: 400,
  164: 400,
  456: 400,
  457: 400,
  48: 501,
  202: 503,
  354: 400,
  516: 401,
  307: 413,
}

/** The text form that clients parse: `Code: N. DB::Exception: message. (NAME) (version …)`. */
export function errorAnswer(error: unknown, version: string): ErrorAnswer {
  if (error instanceof FacadeError)
    return answer(
      error.code,
      `Code: ${error.code}. DB::Exception: ${error.message}. (${error.codeName}) (version ${version})`,
    )
  const message = error instanceof Error ? error.message : String(error)
  const engine = /Code: (\d+)\. DB::Exception: /.exec(message)
  if (engine) return answer(Number(engine[1]), `${message.slice(engine.index).trim()} (version ${version})`)
  return answer(1002, `Code: 1002. DB::Exception: ${message}. (UNKNOWN_EXCEPTION) (version ${version})`)
}

function answer(code: number, text: string): ErrorAnswer {
  return { status: STATUS[code] ?? 500, code, text }
}
