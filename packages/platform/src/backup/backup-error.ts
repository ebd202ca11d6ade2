import { Problem } from '../problem.ts'

/** A backup cannot be made, opened or put back; the message says why, for who asked. */
export class BackupError extends Problem {}
