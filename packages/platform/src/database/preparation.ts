import pg from 'pg'
import { DatabaseError } from './database-error.ts'

/** Roles without login that a transaction steps into, with the migration that makes each. */
const STEPPED_INTO = [
  { role: 'fairway_app', madeBy: '0001-first.sql' },
  { role: 'fairway_system', madeBy: '0001-first.sql' },
  { role: 'fairway_partner', madeBy: '0009-partners-operator.sql' },
] as const

type Found = {
  me: string
  database: string
  backend: number
  version: number
  superuser: boolean
  makes_roles: boolean
  inherits: boolean
  may_create: boolean
  owner: string | null
  owns: boolean
}
type FoundRole = { role: string; admin: boolean; set: boolean; inherits: boolean }

/**
 * What has to be so before anything is written.
 * @throws DatabaseError with what is missing, and what a superuser types
 */
export async function refuseUnprepared(
  client: pg.Client,
  done: ReadonlySet<string>,
  { isDirect }: { isDirect: boolean },
): Promise<void> {
  const found = await look(client)
  if (!found) throw new DatabaseError('The database does not say who we are.')
  if (isPooled(client, found.backend) && !isDirect)
    throw new DatabaseError(
      'FAIRWAY_DATABASE_URL leads to a pooler such as PgBouncer, which does not pass notifications on: name PostgreSQL itself in FAIRWAY_DATABASE_DIRECT_URL.',
    )
  const roles = await lookAtRoles(client, found.version)
  const missing = [...missingRoles(found, roles, done), ...missingRights(found)]
  if (missing.length === 0) return
  throw new DatabaseError(
    `The database role ${pg.escapeIdentifier(found.me)} lacks what Fairway needs: in database ${pg.escapeIdentifier(found.database)} a superuser types: ${missing.join(' ')} (./fairway help database has the whole)`,
  )
}

/** A pooler answers with a number of its own where PostgreSQL says which process serves us. */
function isPooled(client: pg.Client, backend: number): boolean {
  return (client as unknown as { processID: number | null }).processID !== backend
}

async function look(client: pg.Client): Promise<Found | undefined> {
  const { rows } = await client.query<Found>(
    `SELECT current_user AS me, current_database() AS database, pg_backend_pid() AS backend,
            current_setting('server_version_num')::int AS version, rolsuper AS superuser, rolcreaterole AS makes_roles,
            rolinherit AS inherits, has_schema_privilege('public', 'CREATE') AS may_create,
            (SELECT pg_get_userbyid(relowner) FROM pg_class WHERE oid = to_regclass('public.schema_migration')) AS owner,
            coalesce((SELECT pg_has_role(relowner, 'USAGE') FROM pg_class WHERE oid = to_regclass('public.schema_migration')), true) AS owns
       FROM pg_roles WHERE rolname = current_user`,
  )
  return rows[0]
}

async function lookAtRoles(client: pg.Client, version: number): Promise<FoundRole[]> {
  // Since 16 a member may be one without the right to step into the role.
  const steps = version >= 160_000 ? 'SET' : 'MEMBER'
  const { rows } = await client.query<FoundRole>(
    `SELECT rolname AS role, pg_has_role(oid, 'MEMBER WITH ADMIN OPTION') AS admin, pg_has_role(oid, '${steps}') AS set,
            pg_has_role(oid, 'USAGE') AS inherits
       FROM pg_roles WHERE rolname = ANY ($1)`,
    [STEPPED_INTO.map(({ role }) => role)],
  )
  return rows
}

function missingRoles(found: Found, roles: readonly FoundRole[], done: ReadonlySet<string>): string[] {
  if (found.superuser) return []
  const me = pg.escapeIdentifier(found.me)
  const absent: string[] = []
  const unheld: string[] = []
  for (const { role, madeBy } of STEPPED_INTO) {
    const there = roles.find((one) => one.role === role)
    const isToCome = !done.has(madeBy)
    if (!there) {
      if (isToCome && found.makes_roles) continue
      absent.push(`CREATE ROLE ${role} NOLOGIN;`)
      unheld.push(role)
    } else if (isToCome) {
      // The migration that would make the role grants it to us, which takes the right to; before 16 who makes roles
      // may grant every one.
      if (!there.admin && !(found.makes_roles && found.version < 160_000)) unheld.push(role)
    } else if (!there.set || (found.inherits && !there.inherits)) unheld.push(role)
  }
  return [
    ...absent,
    ...(unheld.length === 0 ? [] : [`GRANT ${unheld.join(', ')} TO ${me} WITH ADMIN OPTION;`]),
    // What tables hold is seen by policies of these roles, by the owner too.
    ...(found.inherits ? [] : [`ALTER ROLE ${me} INHERIT;`]),
  ]
}

function missingRights(found: Found): string[] {
  const me = pg.escapeIdentifier(found.me)
  return [
    ...(found.may_create ? [] : [`GRANT ALL ON SCHEMA public TO ${me};`]),
    ...(found.owns ? [] : [`REASSIGN OWNED BY ${pg.escapeIdentifier(found.owner ?? '')} TO ${me};`]),
  ]
}
