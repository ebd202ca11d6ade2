import type {
  EdgeCertificates,
  EdgeChallenges,
  EdgePages,
  EdgePurges,
  EdgeSecurity,
  EdgeSimulatedCdn,
  EdgeSite,
} from '@fairway/contract'
import type {
  CdnDocument,
  ChallengeDocument,
  Keyed,
  PageDocument,
  PolicyDocument,
  PurgeDocument,
  SecurityDocument,
  SniDocument,
  TlsDocument,
} from '@fairway/edge-lua'
import { isAtOrUnder } from '@fairway/domain'
import { type Allowing, cdnDocument, keyed, policyDocuments } from './policy/policy.ts'
import type { PageFiles } from './pages.ts'
import { purgeDocument } from './policy/purges.ts'
import { policyRoom } from './policy/room.ts'
import { securityDocuments } from './policy/security.ts'

export type HeldDocument =
  | Keyed<PolicyDocument>
  | Keyed<CdnDocument>
  | Keyed<PurgeDocument>
  | Keyed<TlsDocument>
  | Keyed<SniDocument>
  | Keyed<ChallengeDocument>
  | Keyed<PageDocument>
  | Keyed<SecurityDocument>

/** What a publication changes in nginx; `commit` makes it part of the holdings once nginx has it. */
export type Change = {
  /** Organisation whose the documents are; null for the house's. */ owner: string | null
  documents: HeldDocument[]
  removed: string[]
  /** Origins among the documents. */ policies: PolicyDocument[]
  commit(): void
}

/** The documents that this node should serve, by the key they are looked up with. */
export type Holdings = {
  changeSite(siteId: string, site: EdgeSite | null): Change
  changeCdn(cdnId: string, cdn: EdgeSimulatedCdn | null): Change
  changePurges(domainId: string, purges: EdgePurges | null): Change
  changeCertificates(siteId: string, certificates: EdgeCertificates | null): Change
  changeChallenges(siteId: string, challenges: EdgeChallenges | null): Change
  changePages(owner: string, pages: EdgePages | null): Change
  /** @throws Error when a rule means nothing: then the ones before stay. */
  changeSecurity(siteId: string, security: EdgeSecurity | null): Change
  documents(): HeldDocument[]
  /** How everything is that a change touches while it is not part of the holdings. */
  before(change: Change): { documents: HeldDocument[]; removed: string[] }
  /** Bytes of nginx's memory that all of it takes. */
  bytes(): number
  /** Why nginx has no room for these changes together, as a sentence; null when it has. */
  refusal(changes: readonly Change[], room: { sizeMb: number; sharePercent: number }): string | null
  policies(): PolicyDocument[]
  /** The policy that a request for the host through a CDN obeys; the empty name is the edge itself. */
  policyOf(host: string, cdn: string): PolicyDocument | undefined
  purges(domainId: string): PurgeDocument | undefined
  lies(cdnId: string): boolean
  /** Requests of some domain are held against the rule set. */
  inspects(): boolean
  addresses(): string[]
  hostCount(): number
  siteCount(): number
}

export type Stored = {
  sites: Map<string, EdgeSite>
  simulated: Map<string, EdgeSimulatedCdn>
  purged: Map<string, EdgePurges>
  certified: Map<string, EdgeCertificates>
  challenged: Map<string, EdgeChallenges>
  paged: Map<string, EdgePages>
  secured: Map<string, EdgeSecurity>
}

export function holdings(
  { sites, simulated, purged, certified, challenged, paged, secured }: Stored,
  openKey: (sealed: string) => string,
  files: PageFiles,
  gate: Allowing,
  openApiKey: (sealed: string) => string,
  node: string,
): Holdings {
  const policies = new Map<string, Keyed<PolicyDocument>>()
  const listeners = new Map<string, Keyed<CdnDocument>>()
  const purges = new Map<string, Keyed<PurgeDocument>>()
  const certificates = new Map<string, Keyed<TlsDocument> | Keyed<SniDocument>>()
  const certificateKeys = new Map<string, string[]>()
  const certificateNames = new Map<string, string[]>()
  const nameClaims = new Map<string, Map<string, NameClaim>>()
  const challenges = new Map<string, Keyed<ChallengeDocument>>()
  const challengeKeys = new Map<string, string[]>()
  const pages = new Map<string, Keyed<PageDocument>>()
  const pageOwners = new Map<string, string[]>()
  const security = new Map<string, Keyed<SecurityDocument>>()
  const securityKeys = new Map<string, string[]>()
  const siteKeys = new Map<string, string[]>()
  const cdnKey = new Map<string, string>()
  const room = policyRoom()
  const maps = [pages, security, policies, listeners, purges, certificates, challenges] as const
  /** What is committed is counted, too. */
  const counted = (change: Change): Change => ({
    ...change,
    commit() {
      room.take(change)
      change.commit()
    },
  })
  const held: Holdings = {
    changeSite(siteId, site) {
      const documents = (site?.domains ?? []).flatMap((domain) => policyDocuments(domain, gate, node))
      const kept = new Set(documents.map(({ key }) => key))
      // A host that has moved to another site in the meantime is that site's.
      const removed = (siteKeys.get(siteId) ?? []).filter(
        (key) => !kept.has(key) && policies.get(key)?.document.siteId === siteId,
      )
      return counted({
        owner: site?.organizationId ?? null,
        documents,
        removed,
        policies: documents.map(({ document }) => document),
        commit() {
          for (const key of removed) policies.delete(key)
          for (const one of documents) policies.set(one.key, one)
          if (site) siteKeys.set(siteId, [...kept])
          else siteKeys.delete(siteId)
        },
      })
    },
    changeCdn(cdnId, cdn) {
      const before = cdnKey.get(cdnId)
      const documents = cdn ? [keyed(`at:${cdn.address}`, cdn.version, cdnDocument(cdn))] : []
      const [now] = documents
      const removed =
        before !== undefined && before !== now?.key && listeners.get(before)?.document.cdnId === cdnId ? [before] : []
      return counted({
        owner: null,
        documents,
        removed,
        policies: [],
        commit() {
          for (const key of removed) listeners.delete(key)
          for (const one of documents) listeners.set(one.key, one)
          if (now) cdnKey.set(cdnId, now.key)
          else cdnKey.delete(cdnId)
        },
      })
    },
    changePurges(domainId, changed) {
      const key = `purge:${domainId}`
      const documents = changed && changed.marks.length > 0 ? [keyed(key, changed.version, purgeDocument(changed))] : []
      return counted({
        owner: changed?.organizationId ?? null,
        documents,
        removed: documents.length > 0 ? [] : [key],
        policies: [],
        commit() {
          purges.delete(key)
          for (const one of documents) purges.set(key, one)
        },
      })
    },
    changeCertificates(siteId, changed) {
      const own = changed ? certificateDocuments(changed, openKey) : { chains: [], names: [] }
      const now = new Map(own.names.map((one) => [one.key, { domain: changed?.domain ?? '', one }]))
      const documents: (Keyed<TlsDocument> | Keyed<SniDocument>)[] = [...own.chains]
      const kept = new Set(own.chains.map(({ key }) => key))
      const removed = (certificateKeys.get(siteId) ?? []).filter((key) => !kept.has(key))
      const namesBefore = certificateNames.get(siteId) ?? []
      for (const key of new Set([...now.keys(), ...namesBefore])) {
        const others = [...(nameClaims.get(key) ?? [])].flatMap(([site, claim]) => (site === siteId ? [] : claim))
        const shown = nearest([...others, now.get(key) ?? []].flat())
        if (shown === undefined) removed.push(key)
        else if (shown === now.get(key)?.one || certificates.get(key) !== shown) documents.push(shown)
      }
      return counted({
        owner: changed?.organizationId ?? null,
        documents,
        removed,
        policies: [],
        commit() {
          for (const key of removed) certificates.delete(key)
          for (const one of documents) certificates.set(one.key, one)
          for (const key of namesBefore) {
            const claims = nameClaims.get(key)
            claims?.delete(siteId)
            if (claims?.size === 0) nameClaims.delete(key)
          }
          for (const [key, claim] of now) nameClaims.set(key, (nameClaims.get(key) ?? new Map()).set(siteId, claim))
          if (now.size > 0) certificateNames.set(siteId, [...now.keys()])
          else certificateNames.delete(siteId)
          if (kept.size > 0) certificateKeys.set(siteId, [...kept])
          else certificateKeys.delete(siteId)
        },
      })
    },
    changeChallenges: (siteId, changed) =>
      counted(
        ownedChange(
          challenges,
          challengeKeys,
          siteId,
          changed,
          (changed?.challenges ?? []).map(({ host, token, keyAuthorization }) =>
            keyed(`challenge:${host}/${token}`, changed?.version ?? 0, { keyAuthorization }),
          ),
        ),
      ),
    changePages: (owner, changed) =>
      counted(
        ownedChange(pages, pageOwners, owner, changed, changed ? files.write(changed) : [], () =>
          files.tidy(pages.values()),
        ),
      ),
    changeSecurity: (siteId, changed) =>
      counted(
        ownedChange(security, securityKeys, siteId, changed, changed ? securityDocuments(changed, openApiKey) : []),
      ),
    documents: () => maps.flatMap((map): HeldDocument[] => [...map.values()]),
    before({ documents, removed }) {
      const touched = new Set([...documents.map(({ key }) => key), ...removed])
      const was = [...touched].flatMap((key) => maps.flatMap((map): HeldDocument[] => [map.get(key) ?? []].flat()))
      const there = new Set(was.map(({ key }) => key))
      return { documents: was, removed: [...touched].filter((key) => !there.has(key)) }
    },
    bytes: room.bytes,
    refusal: room.refusal,
    policies: () => [...policies.values()].map(({ document }) => document),
    policyOf(host, cdn) {
      const labels = host.split('.')
      for (const name of [host, ...labels.map((_, i) => `*.${labels.slice(i + 1).join('.')}`)]) {
        const found = policies.get(`own:${cdn}:${name}`) ?? policies.get(`host:${name}`)
        if (found) return found.document
      }
      return undefined
    },
    purges: (domainId) => purges.get(`purge:${domainId}`)?.document,
    lies: (cdnId) =>
      [...listeners.values()].some(({ document }) => document.cdnId === cdnId && document.mode === 'lie'),
    inspects: () => [...security.values()].some(({ document }) => document.rules.ruleSets.on),
    addresses: () => [...listeners.values()].map(({ document }) => document.address),
    hostCount: () => [...policies.keys()].filter((key) => key.startsWith('host:')).length,
    siteCount: () => siteKeys.size,
  }
  for (const [siteId, site] of sites) held.changeSite(siteId, site).commit()
  for (const [cdnId, cdn] of simulated) held.changeCdn(cdnId, cdn).commit()
  for (const [domainId, one] of purged) held.changePurges(domainId, one).commit()
  for (const [siteId, one] of certified) held.changeCertificates(siteId, one).commit()
  for (const [siteId, one] of challenged) held.changeChallenges(siteId, one).commit()
  for (const [owner, one] of paged) held.changePages(owner, one).commit()
  for (const [siteId, one] of secured) held.changeSecurity(siteId, one).commit()
  return held
}

/** A name that a site has a certificate for; `domain` is the site's. */
type NameClaim = { domain: string; one: Keyed<SniDocument> }

/** Of several sites' the one whose domain is nearest to the name, of equals the last that came. */
const nearest = (claims: readonly NameClaim[]): Keyed<SniDocument> | undefined =>
  claims.reduce<NameClaim | undefined>(
    (best, one) => (best && best.domain.length > one.domain.length ? best : one),
    undefined,
  )?.one

/** Chains, and the names that lead to them: at or under the site's domain, whatever else a certificate is good for. */
function certificateDocuments(
  { siteId, domain, version, certificates, names }: EdgeCertificates,
  openKey: (sealed: string) => string,
): { chains: Keyed<TlsDocument>[]; names: Keyed<SniDocument>[] } {
  return {
    chains: certificates.map(({ certificateId, chainPem, sealedPrivateKey, staple }) =>
      keyed(`tls:${certificateId}`, version, {
        certificateId,
        chainPem,
        keyPem: openKey(sealedPrivateKey),
        staple: staple?.response ?? '',
        stapleUntil: Math.floor((staple?.until ?? 0) / 1000),
      }),
    ),
    names: Object.entries(names)
      .filter(([name]) => domain === '' || isAtOrUnder(name.replace(/^\*\./, ''), domain))
      .map(([name, certificateId]) => keyed(`sni:${name}`, version, { siteId, certificateId })),
  }
}

/** Puts an owner's documents in place of those it had before. */
function ownedChange<D extends HeldDocument>(
  held: Map<string, D>,
  keysOf: Map<string, string[]>,
  owner: string,
  changed: { organizationId: string | null } | null,
  documents: D[],
  after: () => void = () => {},
): Change {
  const kept = new Set(documents.map(({ key }) => key))
  const removed = (keysOf.get(owner) ?? []).filter((key) => !kept.has(key))
  return {
    owner: changed?.organizationId ?? null,
    documents,
    removed,
    policies: [],
    commit() {
      for (const key of removed) held.delete(key)
      for (const one of documents) held.set(one.key, one)
      if (documents.length > 0) keysOf.set(owner, [...kept])
      else keysOf.delete(owner)
      after()
    },
  }
}
