import crypto from 'node:crypto'
import { nodes, type ScoresSnapshot } from '@fairway/contract'
import { isOwnAddress, isPublishable, nodeToken, type Tx, withoutMapping } from '@fairway/platform'
import { Failure } from '../../http/failure.ts'
import { slice } from '../../http/register.ts'
import { isUuid } from '../../http/tenant.ts'
import { lookNow } from '../dns-primary/store.ts'
import { noteOfToken, redeemToken } from '../auth/app-tokens.ts'
import { tellRefusals } from '../notifications/tell-refusals.ts'
import { noteShield } from '../shield-regions/store.ts'
import { counterOf, isLost } from '../../publish/epoch.ts'
import { publishMany } from '../../publish/publication.ts'
import { IS_THERE } from './away.ts'
import { recordTransition } from './cdn-down.ts'
import { noteOrigins } from './origin-down.ts'
import { tellDisagreements } from './tell-disagreements.ts'
import { tellLeftOut } from './tell-left-out.ts'
import { toldCollectors } from './told-collectors.ts'
import { streamPublications, type PublicationHub } from '../../publish/feed-stream.ts'

/** How serving nodes register, follow the feed, and report. */
export const nodesSlice = (hub: PublicationHub) =>
  slice(nodes, {
    async join({ tx, services: { config } }, { token, name }) {
      const told = toldCollectors(config)
      if (told === null) throw new Failure(7408)
      if ((await redeemToken(tx, 'node-join', token)).state !== 'ok') throw new Failure(401)
      return {
        nodeToken: nodeToken(config),
        ...told,
        serviceDomain: config.serviceDomain,
        ...(name === undefined ? {} : { name: await freeName(tx, token, name) }),
      }
    },

    async register({ tx, actor }, { name, role, version, controlUrl, shield, http3Port, addresses, epoch, cursor }) {
      const counter = await counterOf(tx)
      // What this node was sent is not known here: it was lost with the database of before.
      if (epoch !== undefined && cursor !== undefined && isLost(counter, { epoch, revision: cursor }))
        hub.had({ epoch, revision: cursor })
      const rows = await tx.query<{ id: string }>(
        `INSERT INTO node (name, role, software, control_url, region_told, shield_address, http3_port, addresses, is_beside_api) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
         ON CONFLICT (name, role) DO UPDATE SET software = $3, control_url = $4, region_told = $5, shield_address = $6, http3_port = $7, addresses = $8, is_beside_api = $9, last_seen_at = now(),
           taken_revision = CASE WHEN $10 THEN 0 ELSE node.taken_revision END RETURNING id`,
        [
          name,
          role,
          version,
          controlUrl,
          shield?.region ?? null,
          shield?.address ?? null,
          http3Port ?? null,
          addresses?.filter(isPublishable) ?? null,
          isOwnAddress(withoutMapping(actor.ip)),
          // Its home never had a whole: what a machine of the same name had taken before is gone.
          addresses !== undefined && epoch === undefined,
        ],
      )
      return { nodeId: rows[0]?.id ?? '', epoch: counter.epoch }
    },

    async acknowledge({ tx }, { node, acknowledgements, disk, cursor, epoch }) {
      const known = await tx.query(
        // One that starts is told everything again, and has on its disk what it had taken.
        `UPDATE node SET last_seen_at = now(), disk_free_bytes = $2, disk_size_bytes = $3, disk_level = $4,
           taken_revision = CASE WHEN $5::bigint IS NULL OR $6::uuid <> (SELECT epoch FROM publication_counter) THEN taken_revision ELSE greatest(taken_revision, least($5, (SELECT revision FROM publication_counter))) END WHERE id = $1 RETURNING id`,
        [node, disk?.freeBytes ?? null, disk?.totalBytes ?? null, disk?.level ?? null, cursor ?? null, epoch ?? null],
      )
      if (!known.length) throw new Failure(404)
      // A sign of life, as most are while nothing changes.
      if (acknowledgements.length === 0) return { stored: 0 }
      // In one order and each row once: posts of one node that cross do not wait for each other in a circle. What a
      // node says again after a restart was confirmed when it said it first. What was never published is not believed:
      // a version from the future would make every change until then look served.
      const stored = await tx.query<{ key: string }>(
        `INSERT INTO node_version (node_id, kind, key, version, ok, reason)
         SELECT DISTINCT ON (a.kind, a.key) $1::uuid, a.kind, a.key, a.version, a.ok, a.reason FROM jsonb_to_recordset($2::jsonb) AS a(kind text, key text, version int, ok boolean, reason text)
           JOIN publication p ON p.kind = a.kind AND p.key = a.key AND p.version >= a.version
         ORDER BY a.kind, a.key, a.version DESC
         ON CONFLICT (kind, key, node_id) DO UPDATE SET version = EXCLUDED.version, ok = EXCLUDED.ok, reason = EXCLUDED.reason,
           at = CASE WHEN (node_version.version, node_version.ok) = (EXCLUDED.version, EXCLUDED.ok) THEN node_version.at ELSE now() END
         RETURNING key`,
        [node, JSON.stringify(acknowledgements)],
      )
      if (stored.length) await tx.query(`SELECT pg_notify('acknowledged', '')`)
      await tellRefusals(tx, node, acknowledgements)
      const sites = [...new Set(stored.map((row) => row.key))].filter((key) => isUuid(key))
      if (sites.length)
        await tx.query(
          `SELECT pg_notify('console', json_build_object('organizationId', organization_id, 'kind', 'acknowledged', 'siteId', id)::text) FROM site WHERE id = ANY($1::uuid[])`,
          [sites],
        )
      return { stored: stored.length }
    },

    async tellShield({ tx, now }, { node, times, counts }) {
      await noteShield(tx, node, { times, counts }, now)
      return {}
    },

    async tellOrigins({ tx }, { node, origins }) {
      return { asked: await noteOrigins(tx, node, origins) }
    },

    async notice({ tx }, { siteIds }) {
      await lookNow(tx, siteIds.filter(isUuid), { noticed: true })
      return {}
    },

    async feed(services, _actor, { cursor, kinds, patches, epoch }, stream) {
      const wanted = { kinds: new Set(kinds.split(',')), cursor, patches: patches === 'yes', epoch }
      await streamPublications(services.database, hub, wanted, stream)
    },

    async publishScores({ tx }, { snapshots, transitions }) {
      await publishMany(
        tx,
        'scores',
        snapshots.map((snapshot) => ({
          key: snapshot.organizationId,
          version: snapshot.serial,
          organizationId: snapshot.organizationId,
          body: snapshot,
        })),
      )
      for (const transition of transitions) await recordTransition(tx, transition)
      // Of thousands of organisations that come every few seconds hardly any has something to be told.
      const told = await withOpenIncidents(tx, snapshots)
      for (const snapshot of snapshots) {
        const { organizationId, disagreements = [], leftOut = [] } = snapshot
        if (!told.has(organizationId) && disagreements.length + leftOut.length === 0) continue
        await tellDisagreements(tx, snapshot)
        await tellLeftOut(tx, snapshot)
      }
      return { stored: snapshots.length }
    },
  })

/**
 * Two machines of one name would be one node: what either confirms would count for both. One that has joined and not
 * come yet has its name too, while its invitation would be good.
 */
async function freeName(tx: Tx, token: string, name: string): Promise<string> {
  await tx.query("SELECT pg_advisory_xact_lock(hashtextextended('names of nodes', 0))")
  const taken = await tx.query(
    `SELECT FROM node WHERE name = $1 AND ${IS_THERE}
     UNION ALL SELECT FROM app_token WHERE purpose = 'node-join' AND data->>'name' = $1 AND expires_at > now()
       AND NOT EXISTS (SELECT FROM node WHERE name = $1) LIMIT 1`,
    [name],
  )
  const free = taken.length === 0 ? name : `${name.slice(0, 90)}-${crypto.randomBytes(3).toString('hex')}`
  await noteOfToken(tx, token, { name: free })
  return free
}

/** Organisations that were told of beacons or feeds which contradict the others, and not yet that it is over. */
async function withOpenIncidents(tx: Tx, snapshots: readonly ScoresSnapshot[]): Promise<Set<string>> {
  const rows = await tx.query<{ id: string }>(
    `SELECT DISTINCT organization_id AS id FROM notification WHERE organization_id = ANY($1::uuid[]) AND incident IS NOT NULL AND ended_at IS NULL AND event IN ('beacons-disagree', 'feed-left-out')`,
    [snapshots.map(({ organizationId }) => organizationId)],
  )
  return new Set(rows.map(({ id }) => id))
}
