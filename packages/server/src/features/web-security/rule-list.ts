import { isDeepStrictEqual } from 'node:util'
import type { AnyRoute, SecurityExpression } from '@fairway/contract'
import { expressionProblems, shadowedBy } from '@fairway/domain'
import { commitChange } from '../../http/commit-change.ts'
import { ChangeRecorder, type Context } from '../../http/context.ts'
import { Failure } from '../../http/failure.ts'
import { orderBy, pageOf } from '../../http/page.ts'
import { readTenant } from '../../http/tenant.ts'
import { recordedRow, recordedRows } from '../versions/recorded-row.ts'
import { deleteRule, insertRule, rulesOf, setPositions, updateRule, type RulePart, type RuleRow } from './rule-store.ts'

type Common = { name: string; enabled: boolean; expression: SecurityExpression | null }
type Row = Common & { id: string; position: number; createdAt: string; shadowedBy: string | null }
type Query = Parameters<typeof pageOf>[0] & { search?: string | undefined }

const ORDER = { position: 'position', name: 'name', created_at: 'created_at' }

/** What the lists of rules differ in. */
type Kind<Input extends Common, Rule> = {
  part: RulePart
  /** In titles of versions. */ word: string
  most(context: Context): Promise<number>
  /** What of the input is the rule's own; `before` is what it was, null for a new one. */
  does(input: Input, context: Context, before: unknown): object
  present(row: Row, does: unknown): Rule
  /** No later rule is asked of a request that it is about. */ ends(does: unknown): boolean
  /** @throws Failure when the rule cannot be */ check?(context: Context, input: Input): Promise<void>
}

/** The verbs of a list of rules that are read from the first to the last. */
export function ruleList<Input extends Common, Rule>(kind: Kind<Input, Rule>) {
  const { part, word } = kind

  async function present({ tx, domain }: Context): Promise<Rule[]> {
    const rows = await rulesOf(tx, domain.id, part)
    const shadows = shadowedBy(
      rows.map(({ id, enabled, expression, does }) => ({ id, enabled, expression, ends: kind.ends(does) })),
    )
    return rows.map((row) => kind.present(commonOf(row, shadows), row.does))
  }

  async function only(context: Context, id: string): Promise<Rule> {
    const rows = await rulesOf(context.tx, context.domain.id, part)
    const at = rows.findIndex((row) => row.id === id)
    const rule = (await present(context))[at]
    if (at < 0 || rule === undefined) throw new Failure(404)
    return rule
  }

  async function rowOf({ tx, domain }: Context, id: string): Promise<{ row: RuleRow; rows: RuleRow[] }> {
    const rows = await rulesOf(tx, domain.id, part)
    const row = rows.find((one) => one.id === id)
    if (!row) throw new Failure(404)
    return { row, rows }
  }

  async function add(context: Context, rows: RuleRow[], content: Common & { does: object }, behind: string | null) {
    const { tx, actor, site, domain, change } = context
    if (rows.length >= (await kind.most(context))) throw new Failure(26904)
    const id = await insertRule(
      tx,
      { organizationId: actor.organizationId, siteId: site.id, domainId: domain.id, part, position: rows.length + 1 },
      content,
    )
    if (behind !== null) {
      const order = rows.map((row) => row.id)
      order.splice(order.indexOf(behind) + 1, 0, id)
      await arrange(
        context,
        rows.map((row) => row.id),
        order,
      )
    }
    change.title = `Add ${word} "${content.name}" to ${domain.name}`
    change.record({
      entity: 'security-rule',
      id,
      label: content.name,
      before: null,
      after: (await recordedRow(tx, 'security_rule', site.id, id)) ?? null,
    })
    return { data: await only(context, id), meta: { version: await change.version() } }
  }

  /** Puts rules into an order and records those that were there before and have moved. */
  async function arrange({ tx, site, domain, change }: Context, known: string[], order: string[]): Promise<void> {
    const before = await recordedRows(tx, 'security_rule', site.id, known)
    await setPositions(tx, domain.id, part, order)
    const after = await recordedRows(tx, 'security_rule', site.id, known)
    for (const id of known) {
      const [was, is] = [before.get(id), after.get(id)]
      if (!was || !is || was['position'] === is['position']) continue
      change.record({ entity: 'security-rule', id, label: String(is['name']), before: was, after: is })
    }
  }

  return {
    async list(context: Context, query: Query) {
      const order = orderBy(query.ordering, ORDER)
      const all = await present(context)
      const rows = await rulesOf(context.tx, context.domain.id, part)
      const search = (query.search ?? '').toLowerCase()
      const found = rows.flatMap((row, at) => {
        const rule = all[at]
        return rule !== undefined && row.name.toLowerCase().includes(search) ? [{ row, rule }] : []
      })
      const [column = 'position', direction] = order.split(' ')
      found.sort((a, b) => compareRows(a.row, b.row, column) * (direction === 'DESC' ? -1 : 1))
      const { limit, offset, meta } = pageOf(query)
      return {
        data: found.slice(offset, limit === null ? undefined : offset + limit).map(({ rule }) => rule),
        meta: meta(found.length),
      }
    },

    get: (context: Context, { id }: { id: string }) => only(context, id),

    async create(context: Context, input: Input) {
      refuseExpression(input.expression)
      await kind.check?.(context, input)
      const rows = await rulesOf(context.tx, context.domain.id, part)
      return add(context, rows, contentOf(input, context, null), null)
    },

    async clone(context: Context, { id }: { id: string }) {
      const { row, rows } = await rowOf(context, id)
      const name = `${row.name.slice(0, 73)} (copy)`
      return add(context, rows, { name, enabled: false, expression: row.expression, does: objectOf(row.does) }, row.id)
    },

    /** `route` is what was called: other sites are told of it as theirs would be. */
    async copy(context: Context, { id, domains }: { id: string; domains: string[] }, route: AnyRoute) {
      const { tx, actor, site, domain, change } = context
      const { row } = await rowOf(context, id)
      // Row security leaves out what is another organisation's.
      const others = await tx.query<{ id: string; name: string; site_id: string }>(
        'SELECT id, name, site_id FROM domain WHERE id = ANY($1) AND id <> $2 AND removed_at IS NULL ORDER BY site_id, name',
        [domains, domain.id],
      )
      if (others.length !== new Set(domains).size) throw new Failure(404)
      const most = await kind.most(context)
      const elsewhere: { site: string; version: number }[] = []
      for (const [siteId, targets] of Map.groupBy(others, (other) => other.site_id)) {
        const isHere = siteId === site.id
        const recorder = isHere ? change : new ChangeRecorder(tx)
        // As a call for that site would: its row is held, and it has a version and an entry of its own.
        if (!isHere) await readTenant(tx, { site: siteId }, true)
        recorder.siteId = siteId
        recorder.title = `Copy ${word} "${row.name}" to ${targets.map(({ name }) => name).join(', ')}`
        for (const target of targets) {
          const there = (await rulesOf(tx, target.id, part)).length
          if (there >= most)
            throw new Failure(26904, {
              fields: [{ path: `domains.${domains.indexOf(target.id)}`, message: 'errorMessage.26904' }],
            })
          const place = { organizationId: actor.organizationId, siteId, domainId: target.id, part }
          const made = await insertRule(
            tx,
            { ...place, position: there + 1 },
            { name: row.name, enabled: row.enabled, expression: row.expression, does: objectOf(row.does) },
          )
          const after = (await recordedRow(tx, 'security_rule', siteId, made)) ?? null
          recorder.record({ entity: 'security-rule', id: made, label: row.name, before: null, after })
        }
        if (isHere) continue
        await commitChange(tx, context.services.config, route, actor, recorder, null)
        elsewhere.push({ site: siteId, version: await recorder.version() })
      }
      const version = change.changes.length > 0 ? await change.version() : null
      return { data: { copied: others.length, elsewhere }, meta: { version } }
    },

    async update(context: Context, { id, ...input }: Input & { id: string }) {
      const { tx, site, domain, change } = context
      const { row } = await rowOf(context, id)
      const wanted = input as unknown as Input
      // One that was saved before something was bounded can be switched off, and stays what it was.
      if (!isDeepStrictEqual(wanted.expression, row.expression)) refuseExpression(wanted.expression)
      await kind.check?.(context, wanted)
      const before = (await recordedRow(tx, 'security_rule', site.id, id)) ?? null
      await updateRule(tx, id, contentOf(wanted, context, row.does))
      const after = (await recordedRow(tx, 'security_rule', site.id, id)) ?? null
      if (JSON.stringify(before) === JSON.stringify(after))
        return { data: await only(context, id), meta: { version: null } }
      change.title = `Change ${word} "${wanted.name}" on ${domain.name}`
      change.record({ entity: 'security-rule', id, label: wanted.name, before, after })
      return { data: await only(context, id), meta: { version: await change.version() } }
    },

    async reorder(context: Context, { ids }: { ids: string[] }) {
      const { tx, domain, change } = context
      const known = (await rulesOf(tx, domain.id, part)).map((row) => row.id)
      if (ids.length !== known.length || new Set(ids).size !== ids.length || !known.every((id) => ids.includes(id)))
        throw new Failure(409, { internal: 'the list has changed meanwhile' })
      await arrange(context, known, ids)
      change.title = `Reorder ${word}s of ${domain.name}`
      return { data: { ids }, meta: { version: change.changes.length > 0 ? await change.version() : null } }
    },

    async remove(context: Context, { id }: { id: string }) {
      const { tx, site, domain, change } = context
      const { row } = await rowOf(context, id)
      const before = (await recordedRow(tx, 'security_rule', site.id, id)) ?? null
      await deleteRule(tx, id)
      change.title = `Remove ${word} "${row.name}" from ${domain.name}`
      change.record({ entity: 'security-rule', id, label: row.name, before, after: null })
      return { data: { id }, meta: { version: await change.version() } }
    },
  }

  function contentOf(input: Input, context: Context, was: unknown): Common & { does: object } {
    const { name, enabled, expression } = input
    return { name, enabled, expression, does: kind.does(input, context, was) }
  }
}

/** @throws Failure 400 with the places that are wrong */
export function refuseExpression(expression: SecurityExpression | null): void {
  const problems = expression === null ? [] : expressionProblems(expression)
  if (problems.length === 0) return
  throw new Failure(400, {
    fields: problems.map(({ path, message, column }) => ({
      path,
      message: column > 0 ? `${message}:${column}` : message,
    })),
  })
}

function commonOf(row: RuleRow, shadows: Map<string, string>): Row {
  return {
    id: row.id,
    position: row.position,
    name: row.name,
    enabled: row.enabled,
    expression: row.expression,
    createdAt: row.created_at.toISOString(),
    shadowedBy: shadows.get(row.id) ?? null,
  }
}

function compareRows(a: RuleRow, b: RuleRow, column: string): number {
  if (column === 'name') return a.name.localeCompare(b.name) || a.position - b.position
  return column === 'created_at' ? a.created_at.getTime() - b.created_at.getTime() : a.position - b.position
}

const objectOf = (does: unknown): object => (typeof does === 'object' && does !== null ? does : {})
