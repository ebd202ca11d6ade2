import { Problem } from '../problem.ts'

/** The database cannot be started, or is not as it has to be. */
export class DatabaseError extends Problem {}
