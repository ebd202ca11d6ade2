/** A control route says no with this; the status and message reach the caller. */
export class ControlError extends Error {
  readonly status: number
  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}
