import { Problem } from '../problem.ts'

/** The embedded PostgreSQL cannot be started. */
export class DatabaseError extends Problem {}
