import { type NodeDisk, type NodeHealth, type PlanData, operatorArea } from '@fairway/contract'
import type { Tx } from '@fairway/platform'
import { Failure } from '../../http/failure.ts'
import { writeAudit } from '../../http/write-audit.ts'
import { orderBy, pageOf } from '../../http/page.ts'
import { slice } from '../../http/register.ts'
import { isUuid } from '../../http/tenant.ts'
import { readLetter } from '../../mail/read-letter.ts'
import { narrowed } from '../plans/maxima.ts'
import { issueToken } from '../auth/app-tokens.ts'
import { toldCollectors } from '../nodes/told-collectors.ts'
import { auditEntries } from './audit-store.ts'
import { backupState } from './backup-state.ts'
import { confirmHold, listHolds } from './holds-store.ts'
import { canBeDone, countJobs, listJobs, retryJob } from './jobs-store.ts'
import { cancelJob } from './video-jobs.ts'
import { listLetters, presentLetter, resendLetter } from './letters-store.ts'
import { countNodes, latestNodeEvents, listNodes, nodeDocuments, type NodeListRow } from './nodes-store.ts'
import { publishHouseZones } from '../../publish/system-zone.ts'
import { countAll, listPlans, readMaintenance, type PlanRow } from './store.ts'

const NODE_EVENTS = 50
const INVITATION_SECONDS = 3600

export const operatorSlice = slice(operatorArea, {
  async overview({ tx, services }) {
    const { letters_waiting, letters_failed, letters_kept, maintenance_mode, open_tickets, ...counts } =
      await countAll(tx)
    const replicas = services.database.replicas()
    return {
      ...counts,
      openTickets: open_tickets,
      maintenanceMode: maintenance_mode,
      jobs: await countJobs(tx),
      letters: { waiting: letters_waiting, failed: letters_failed, kept: letters_kept },
      nodes: await countNodes(tx),
      backups: backupState(services.config, Date.now()),
      replicas: (replicas?.replicas ?? []).map(({ problem, ...one }) => ({ ...one, problem: problem?.kind ?? null })),
      primaryReads: replicas?.primaryReads ?? 0,
    }
  },

  async nodes({ tx }) {
    const events = await latestNodeEvents(tx, NODE_EVENTS)
    return {
      data: (await listNodes(tx)).map((row) => ({
        id: row.id,
        name: row.name,
        role: row.role,
        software: row.software,
        health: healthOf(row),
        lastSeenAt: row.last_seen_at.toISOString(),
        createdAt: row.created_at.toISOString(),
        served: row.served,
        waiting: row.waiting,
        refused: row.refused,
        disk: diskOfNode(row),
        shield: shieldOfNode(row),
        addresses: row.addresses && { told: row.addresses, inDns: row.listed_addresses ?? [] },
      })),
      events: events.map((row) => ({
        id: String(row.id),
        nodeId: row.node_id,
        name: row.name,
        role: row.role,
        kind: row.kind,
        at: row.at.toISOString(),
      })),
    }
  },

  async nodeDocuments({ tx }, { node, ...query }) {
    const { limit, offset, meta } = pageOf(query)
    if (!(await tx.query('SELECT FROM node WHERE id = $1', [node])).length) throw new Failure(404)
    const rows = await nodeDocuments(tx, node, {
      only: query.only ?? null,
      search: query.search ?? null,
      limit,
      offset,
    })
    return {
      data: rows.map(({ total: _total, at, ...row }) => ({ ...row, at: at.toISOString() })),
      meta: meta(rows[0]?.total ?? 0),
    }
  },

  async inviteNode({ tx, services, change, now }) {
    if (toldCollectors(services.config) === null) throw new Failure(7408)
    const token = await issueToken(tx, { purpose: 'node-join', seconds: INVITATION_SECONDS })
    const url = `${services.config.publicUrl}/join/${token}`
    change.record({ entity: 'node', id: 'invitation', label: 'a new node', before: null, after: { invited: true } })
    return {
      url,
      command: `./fairway up --roles dns --join ${url}`,
      expiresAt: new Date(now.getTime() + INVITATION_SECONDS * 1000).toISOString(),
    }
  },

  async holds({ tx }) {
    return { data: await listHolds(tx) }
  },

  async confirmHold({ tx, actor, change }, { hold, letters }) {
    const kind = isUuid(hold) ? await confirmHold(tx, { id: hold, letters, by: actor.label }) : null
    if (kind === null) throw new Failure(404)
    change.record({ entity: 'installation', id: hold, label: kind, before: null, after: { confirmed: true, letters } })
    return {}
  },

  async forgetNode({ tx, change, services: { config } }, { node }) {
    const row = (await listNodes(tx)).find(({ id }) => id === node)
    if (!row) throw new Failure(404)
    if (row.up) throw new Failure(7409, { internal: 'the node is there' })
    await tx.query('DELETE FROM node WHERE id = $1', [node])
    await publishHouseZones(tx, config)
    change.record({
      entity: 'node',
      id: node,
      label: `${row.name} ${row.role}`,
      before: { name: row.name, role: row.role, software: row.software },
      after: null,
    })
    return {}
  },

  async setNodeRegion({ tx, change }, { node, region }) {
    const row = (await listNodes(tx)).find(({ id }) => id === node)
    if (!row) throw new Failure(404)
    if (row.role !== 'edge') throw new Failure(409, { internal: 'only edges are of a shield region' })
    if (row.region_given === region) return {}
    await tx.query('UPDATE node SET region_given = $2 WHERE id = $1', [node, region])
    change.record({
      entity: 'node',
      id: node,
      label: `${row.name} ${row.role}`,
      before: { region: row.region_given },
      after: { region },
    })
    return {}
  },

  maintenance: ({ tx }) => readMaintenance(tx),

  async setMaintenance({ tx, change }, after) {
    const before = await readMaintenance(tx)
    await tx.query(
      'UPDATE installation SET maintenance_mode = $1, maintenance_text = $2, new_version = $3, modified_at = now()',
      [after.maintenanceMode, JSON.stringify(after.text), after.newVersion],
    )
    change.record({
      entity: 'installation',
      id: '1',
      label: 'maintenance',
      before: { ...before, ...before.text, text: undefined },
      after: { ...after, ...after.text, text: undefined },
    })
    return after
  },

  async letters({ tx }, query) {
    const { limit, offset, meta } = pageOf(query)
    const rows = await listLetters(tx, {
      state: query.state ?? null,
      search: query.search ?? null,
      order: orderBy(query.ordering, { created_at: 'm.created_at', to: 'm.to_address' }),
      limit,
      offset,
    })
    return { data: rows.map(presentLetter), meta: meta(rows[0]?.total ?? 0) }
  },

  async letter({ tx, services, actor }, { letter }) {
    const row = (
      await listLetters(tx, { id: letter, state: null, search: null, order: 'm.created_at', limit: 1, offset: 0 })
    )[0]
    if (!row) throw new Failure(404)
    const { opensAccount, ...text } = await readLetter(tx, services.config, letter)
    // Whoever reads it could go in as its receiver: that it was read is told in both organisations.
    if (opensAccount)
      for (const organizationId of new Set([actor.organizationId, row.organization_id ?? actor.organizationId]))
        await writeAudit(tx, {
          organizationId,
          action: 'letter.read',
          userId: actor.userId,
          userLabel: actor.label,
          impostor: actor.impostor,
          ip: actor.ip,
          source: actor.source,
          changes: [
            { entity: 'letter', id: letter, label: `${row.template} ${row.to_address}`, before: null, after: null },
          ],
        })
    return { ...presentLetter(row), ...text }
  },

  async resendLetter({ tx, change }, { letter }) {
    const row = await resendLetter(tx, letter)
    if (!row) throw new Failure(404)
    change.record({
      entity: 'letter',
      id: letter,
      label: `${row.template} ${row.to_address}`,
      before: null,
      after: null,
    })
    return {}
  },

  async jobs({ tx }, query) {
    const { limit, offset, meta } = pageOf(query)
    const rows = await listJobs(tx, {
      state: query.state ?? null,
      kind: query.kind ?? null,
      search: query.search ?? null,
      limit,
      offset,
    })
    return {
      data: rows.map((row) => ({
        id: row.id,
        kind: row.kind,
        what: row.what,
        about: row.about,
        organizationName: row.organization_name,
        state: row.state,
        attempts: row.attempts,
        problem: row.problem,
        since: row.since.toISOString(),
        dueAt: row.due_at?.toISOString() ?? null,
        can: canBeDone(row),
      })),
      meta: meta(rows[0]?.total ?? 0),
    }
  },

  async retryJob({ tx, change }, { kind, job }) {
    if (!(await retryJob(tx, kind, job))) throw new Failure(404)
    change.record({ entity: 'job', id: job, label: kind, before: null, after: null })
    return {}
  },

  async cancelJob({ tx, change }, { kind, job }) {
    if (!(await cancelJob(tx, kind, job))) throw new Failure(404)
    change.record({ entity: 'job', id: job, label: kind, before: null, after: null })
    return {}
  },

  async plans({ tx, actor }) {
    return { data: (await listPlans(tx, { all: actor.isOperator })).map(presentPlan) }
  },

  async updatePlan({ tx, change }, { plan, ...data }) {
    const before = await existingPlan(tx, plan)
    await tx.query(
      'UPDATE plan SET name = $2, ability = $3, site_limit = $4, record_limit = $5, cdn_limit = $6, minimum_ttl_seconds = $7, maxima = $8 WHERE id = $1',
      [
        plan,
        data.name,
        data.ability,
        data.siteLimit,
        data.recordLimit,
        data.cdnLimit,
        data.minimumTtlSeconds,
        JSON.stringify(data.maxima),
      ],
    )
    const after = await existingPlan(tx, plan)
    change.record({ entity: 'plan', id: plan, label: after.name, before, after })
    return after
  },

  async audit({ tx }, query) {
    const { offset, meta } = pageOf(query)
    const { rows, total } = await auditEntries(tx, {
      organization: query.organization ?? null,
      action: query.action ?? null,
      search: query.search ?? null,
      from: query.from ?? null,
      to: query.to ?? null,
      limit: query.page_size,
      offset,
    })
    return { data: rows, meta: meta(total) }
  },
})

const healthOf = ({ up, refused, waiting }: NodeListRow): NodeHealth =>
  !up ? 'away' : refused > 0 ? 'failed' : waiting > 0 ? 'behind' : 'up'

async function existingPlan(tx: Tx, id: string): Promise<PlanData> {
  const row = (await listPlans(tx, { all: true })).find((one) => one.id === id)
  if (!row) throw new Failure(404)
  return presentPlan(row)
}

function presentPlan(row: PlanRow): PlanData {
  return {
    id: row.id,
    name: row.name,
    offered: row.offered,
    ability: row.ability,
    siteLimit: row.site_limit,
    recordLimit: row.record_limit,
    cdnLimit: row.cdn_limit,
    minimumTtlSeconds: row.minimum_ttl_seconds,
    maxima: narrowed(row.maxima),
    organizationCount: row.organization_count,
  }
}

function shieldOfNode({ role, region_told, region_given, shield_address }: NodeListRow) {
  if (role !== 'edge') return null
  const by = region_given !== null ? ('operator' as const) : region_told !== null ? ('machine' as const) : null
  return { region: region_given ?? region_told, by, address: shield_address }
}

function diskOfNode({ disk_free: freeBytes, disk_size: totalBytes, disk_level: level }: NodeListRow): NodeDisk | null {
  return freeBytes === null || totalBytes === null || level === null ? null : { freeBytes, totalBytes, level }
}
