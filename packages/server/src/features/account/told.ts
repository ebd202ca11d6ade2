import { isDeepStrictEqual } from 'node:util'
import type { Context } from '../../http/context.ts'

type Fields = Record<string, unknown>
type Own = { label: string; account: Fields; organization: Fields }

/** What people may ask about later; never the password, only when it was set. */
const READ = `SELECT u.email AS label,
    jsonb_build_object('email', u.email, 'first_name', u.first_name, 'last_name', u.last_name, 'locale', u.locale, 'menu_order', u.menu_order, 'phone_number', u.phone_number, 'country_code', u.country_code,
      'timezone_code', u.timezone_code, 'mfa_enabled', u.mfa_enabled, 'password_changed_at', u.password_changed_at) AS account,
    jsonb_build_object('name', o.name, 'industry', o.industry, 'job_title', o.job_title, 'master_app', o.master_app) AS organization
  FROM app_user u JOIN organization o ON o.id = u.organization_id WHERE u.id = $1`

/** A verb about the caller's own account or organisation, told with what it was before and after. */
export function told<Input, Output>(
  verb: (context: Context, input: Input) => Promise<Output>,
): (context: Context, input: Input) => Promise<Output> {
  return async (context, input) => {
    const before = await read(context)
    const answer = await verb(context, input)
    const after = await read(context)
    const { change, actor } = context
    if (!before || !after) return answer
    if (!isDeepStrictEqual(before.account, after.account))
      change.record({
        entity: 'account',
        id: actor.userId,
        label: after.label,
        before: before.account,
        after: after.account,
      })
    if (!isDeepStrictEqual(before.organization, after.organization))
      change.record({
        entity: 'organization',
        id: actor.organizationId,
        label: String(after.organization['name']),
        before: before.organization,
        after: after.organization,
      })
    return answer
  }
}

async function read({ tx, actor }: Context): Promise<Own | undefined> {
  return (await tx.query<Own>(READ, [actor.userId]))[0]
}
