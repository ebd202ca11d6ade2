import fs from 'node:fs'
import path from 'node:path'
import type { CachedObjects, CachedObjectsQuestion, EdgeSite, Publication } from '@fairway/contract'
import {
  type Config,
  ControlError,
  type HeldSockets,
  type Log,
  OutgoingGate,
  type Reasons,
  nodeSecret,
  unsealForNodes,
} from '@fairway/platform'
import { type NginxAdmin, type NginxState, nginxAdmin } from './apply.ts'
import { type DocumentFolder, documentFolder } from './documents.ts'
import { type Inspector, startInspector } from './inspection/inspector.ts'
import { type Change, type Holdings, holdings } from './holdings.ts'
import { type OriginNames, originNames } from './names.ts'
import { type Front, startFront } from './front/front.ts'
import { PATIENCE, type Patience } from './nginx/configuration.ts'
import { generations, isThere } from './nginx/generations.ts'
import { type InstalledNginx, installNginx } from './nginx/installed.ts'
import { type EdgeLayout, edgeLayout } from './nginx/layout.ts'
import { type Listeners, listeners } from './nginx/listeners.ts'
import { type NginxProcess, runNginx } from './nginx/process.ts'
import { drawCaptchas } from './captchas.ts'
import { knowCrawlers } from './crawlers.ts'
import { objectFinder } from './objects/cached-objects.ts'
import { pageFiles } from './pages.ts'
import type { PolicyDocument } from '@fairway/edge-lua'
import { writePlaces } from './places.ts'
import { namesToResolve } from './policy/policy.ts'
import { securityDocuments } from './policy/security.ts'

/** Keeps one nginx at what was published. */
export type EdgeAgent = AsyncDisposable & {
  /** Resolves once requests obey the publication; throws when they cannot, and then they obey the one before. */
  apply(publication: Publication): Promise<void>
  /** The same of several sites in one go; throws when not all of them do. */
  applySites(publications: Publication[]): Promise<void>
  reasons(): Reasons
  /** What the cache holds that a purge would be about. */
  cachedObjects(question: CachedObjectsQuestion): Promise<CachedObjects>
  state(): Promise<NginxState | null>
  /** Requests that went to origins since nginx started: by domain and `own` or `others`. */
  shield(): Promise<Record<string, number>>
  /** The same by domain and `answered`, `unconnected` or `silent`. */
  origins(): Promise<Record<string, number>>
  /** Every policy that requests obey. */
  policies(): PolicyDocument[]
  layout: EdgeLayout
  documents: DocumentFolder
  nginx: NginxProcess
  inspector: Inspector
  front: Front
  gate: OutgoingGate
}

/** Starts nginx with the documents on disk; the API is not needed. @throws Problem */
export async function startAgent({
  config,
  log,
  sockets = {},
  patience = PATIENCE,
}: {
  config: Config
  log: Log
  sockets?: HeldSockets
  patience?: Patience
}): Promise<EdgeAgent> {
  const layout = edgeLayout(config)
  const documents = documentFolder(config.home, log)
  const gate = new OutgoingGate({ config, log })
  const openKey = (sealed: string) => unsealForNodes(config, CERTIFICATE_KEYS, sealed)
  const openApiKey = (sealed: string) => unsealForNodes(config, API_KEYS, sealed)
  const held = holdings(
    {
      sites: documents.load('sites'),
      simulated: documents.load('cdns'),
      purged: documents.load('purges'),
      certified: readableCertificates(documents, openKey, log),
      challenged: documents.load('challenges'),
      paged: documents.load('pages'),
      secured: readableSecurity(documents, openApiKey, log),
    },
    openKey,
    pageFiles(layout.prefix),
    gate,
    openApiKey,
    config.nodeName,
  )
  const admin = nginxAdmin(layout.adminSocket)
  const installed = await installNginx(config, layout, held, log, patience)
  const taken = listeners(sockets, () =>
    generations(layout.prefix)
      .all()
      .some((one) => isThere(one, layout.prefix)),
  )
  await taken.want(installed.addresses())
  const inTurn = oneAtATime()
  const objectsFor = objectFinder(path.join(layout.prefix, 'cache'), LOOK_MS)
  const places = tellPlaces(config, layout.places, log)
  let captchas: Disposable | undefined
  let crawlers: Disposable | undefined
  // Who has no web security asks nobody anything.
  const readySecurity = () => {
    places()
    captchas ??= drawCaptchas(layout.captchas, log)
    crawlers ??= knowCrawlers({ gate, admin, log })
  }
  if (documents.load('security').size > 0) readySecurity()
  // A token may name countries at any time.
  const readySigned = (site: EdgeSite | null) => {
    if (site?.domains.some(({ signing }) => signing?.on === true)) places()
  }
  for (const site of documents.load('sites').values()) readySigned(site)
  const names = originNames({
    gate,
    wanted: () => namesToResolve(held.policies()),
    changed: (table) =>
      void inTurn(() => admin.apply({ names: table })).catch((error: unknown) =>
        log.warn({ event: 'names.push.failed', err: error }),
      ),
    log,
  })
  const emptyCache = fs.readdirSync(path.join(layout.prefix, 'cache')).length === 0
  const inspector = startInspector({
    config,
    program: installed.program,
    prefix: layout.inspection,
    sockets: layout.inspectorSockets,
    user: installed.user,
    workers: installed.workers,
    log,
    changed: (address) => inTurn(() => admin.apply({ inspector: address })),
    answered: async () => (await admin.state()).counters['inspections_answered'] ?? 0,
  })
  const front = await startFront({
    config,
    layout,
    user: installed.user,
    log,
    changed: (port) => inTurn(() => admin.apply({ front: port })),
  })
  const parts: Parts = {
    inspector,
    front,
    admin,
    held,
    documents,
    clearanceSecret: nodeSecret(config, 'clearance', 32).toString('base64url'),
    names,
    installed,
    inTurn,
    log,
    started: startSignal(),
    listeners: taken,
  }
  let nginx: NginxProcess | null = null
  const running = await runNginx({
    installed,
    layout,
    listeners: taken,
    log,
    // In turn with all other news: what is told to the one before is not missed by the next.
    prime: async (fresh, isNew) => {
      await inTurn(async () => {
        await pushAll({ ...parts, admin: fresh.admin }, isNew && emptyCache && nginx === null)
        await fresh.isTheOne()
      })
      parts.started.fire()
    },
  })
  nginx = running
  if (held.inspects()) inspector.want()
  front.start()
  return {
    apply(publication) {
      if (publication.kind === 'edge-security') readySecurity()
      if (publication.kind === 'edge-site') readySigned(publication.body)
      return applyPublication(parts, running, publication)
    },
    applySites(publications) {
      for (const one of publications) if (one.kind === 'edge-site') readySigned(one.body)
      return applySites(parts, running, publications)
    },
    reasons: () => reasonsOf(parts, running),
    cachedObjects: (question) =>
      objectsFor(question, { policyOf: held.policyOf, purges: held.purges(question.domainId), lies: held.lies }),
    state: () => admin.state().catch(() => null),
    shield: () => admin.shield(),
    origins: () => admin.origins(),
    policies: held.policies,
    layout,
    documents,
    nginx: running,
    inspector,
    front,
    gate,
    async [Symbol.asyncDispose]() {
      names[Symbol.dispose]()
      captchas?.[Symbol.dispose]()
      crawlers?.[Symbol.dispose]()
      await front[Symbol.asyncDispose]()
      await running[Symbol.asyncDispose]()
      await inspector[Symbol.asyncDispose]()
      taken[Symbol.dispose]()
    },
  }
}

/**
 * Has the location data made, which takes seconds the first time, and tells nginx where it lies. Asked for by the first
 * rules that come: most nodes of a small installation have none.
 */
function tellPlaces(config: Config, file: string, log: Log): () => void {
  let isAsked = false
  return () => {
    if (isAsked) return
    isAsked = true
    writePlaces(config, file).catch((error: unknown) => {
      isAsked = false
      log.error({ event: 'places.failed', err: error })
    })
  }
}

/** How long one walk through the cache may take; who asks waits for two at most. */
const LOOK_MS = 1_200

/**
 * Certificates on disk whose keys open. With another secret than they were sealed with they do not; those come again
 * with the feed.
 */
function readableCertificates(
  documents: DocumentFolder,
  openKey: (sealed: string) => string,
  log: Log,
): ReturnType<typeof documents.load<'certificates'>> {
  return new Map(
    [...documents.load('certificates')].filter(([siteId, { certificates }]) => {
      try {
        for (const { sealedPrivateKey } of certificates) openKey(sealedPrivateKey)
        return true
      } catch (error) {
        log.error({ event: 'certificates.sealed-otherwise', site: siteId, err: error })
        return false
      }
    }),
  )
}

/** Rules on disk that can be compiled: those of another release may not be, and come again with the feed. */
function readableSecurity(
  documents: DocumentFolder,
  openApiKey: (sealed: string) => string,
  log: Log,
): ReturnType<typeof documents.load<'security'>> {
  return new Map(
    [...documents.load('security')].filter(([siteId, security]) => {
      try {
        securityDocuments(security, openApiKey)
        return true
      } catch (error) {
        log.error({ event: 'security.unreadable', site: siteId, err: error })
        return false
      }
    }),
  )
}

type Parts = {
  inspector: Inspector
  front: Front
  admin: NginxAdmin
  held: Holdings
  documents: DocumentFolder
  /** What says that a visitor has solved a challenge is signed with it, the same on every node. */
  clearanceSecret: string
  names: OriginNames
  installed: InstalledNginx
  inTurn: <T>(job: () => Promise<T>) => Promise<T>
  log: Log
  started: StartSignal
  listeners: Listeners
}

/** Everything, after a start of nginx: its shared memory is empty then. */
async function pushAll(
  { admin, held, names, inspector, front, clearanceSecret, log }: Parts,
  tagsKnown: boolean,
): Promise<void> {
  const [documents, began] = [held.documents(), performance.now()]
  const table = await names.ensure(namesToResolve(held.policies()))
  await admin.apply({
    names: table,
    documents,
    tagsKnown,
    clearanceSecret,
    inspector: inspector.address(),
    front: front.port(),
    primed: true,
  })
  log.info({ event: 'nginx.pushed', documents: documents.length, ms: Math.round(performance.now() - began) })
}

async function applyPublication(parts: Parts, nginx: NginxProcess, publication: Publication): Promise<void> {
  const { held, documents, installed } = parts
  const { kind, key, body } = publication
  if (kind === 'edge-site') {
    await put(parts, () => held.changeSite(key, body))
    return documents.save('sites', key, body)
  }
  if (kind === 'edge-purges') {
    await put(parts, () => held.changePurges(key, body))
    return documents.save('purges', key, body)
  }
  if (kind === 'edge-pages') {
    await put(parts, () => held.changePages(key, body))
    return documents.save('pages', key, body)
  }
  if (kind === 'edge-security') {
    await put(parts, () => held.changeSecurity(key, body))
    if (held.inspects()) parts.inspector.want()
    return documents.save('security', key, body)
  }
  if (kind === 'edge-certificates') {
    await put(parts, () => held.changeCertificates(key, body))
    return documents.save('certificates', key, body)
  }
  if (kind === 'edge-challenges') {
    await put(parts, () => held.changeChallenges(key, body))
    return documents.save('challenges', key, body)
  }
  if (kind === 'simulated-cdn') {
    if (body && !installed.listens(body.address)) {
      await addAddress(parts, nginx, body.address)
    }
    await put(parts, () => held.changeCdn(key, body))
    return documents.save('cdns', key, body)
  }
}

/** Through the door of every other change of nginx: one that listens there too takes the place of the one before. */
async function addAddress({ installed, listeners }: Parts, nginx: NginxProcess, address: string): Promise<void> {
  await installed.addAddress(address)
  try {
    await listeners.want(installed.addresses())
    await nginx.exchange()
  } catch (error) {
    installed.dropAddress(address)
    await listeners.want(installed.addresses())
    throw error
  }
}

/** As one change, unless something moves between sites or goes: then the order matters. */
async function applySites(parts: Parts, nginx: NginxProcess, publications: Publication[]): Promise<void> {
  const { held, documents } = parts
  const sites = publications.filter((one) => one.kind === 'edge-site')
  const changesOf = () => sites.map(({ key, body }) => held.changeSite(key, body))
  if (sites.length < publications.length || changesOf().some(({ removed }) => removed.length > 0)) {
    for (const one of publications) await applyPublication(parts, nginx, one)
    return
  }
  await putTogether(parts, changesOf)
  for (const { key, body } of sites) documents.save('sites', key, body)
}

function together(changes: readonly Change[]): Change {
  return {
    owner: null,
    documents: changes.flatMap(({ documents }) => documents),
    removed: changes.flatMap(({ removed }) => removed),
    policies: changes.flatMap(({ policies }) => policies),
    commit() {
      for (const { commit } of changes) commit()
    },
  }
}

/** Purpose that private keys are sealed for. */
const CERTIFICATE_KEYS = 'certificate key'
const API_KEYS = 'api protection key'

const PATIENCE_MS = 20_000

/**
 * Pushes and sees it in force. While nginx is being restarted it waits: that is no reason to refuse a publication for
 * good.
 */
const put = (parts: Parts, changeOf: () => Change): Promise<void> => putTogether(parts, () => [changeOf()])

async function putTogether(parts: Parts, changesOf: () => Change[]): Promise<void> {
  for (const until = performance.now() + PATIENCE_MS; ;) {
    const again = parts.started.next()
    try {
      return await parts.inTurn(() => putOnce(parts, changesOf()))
    } catch (error) {
      const away = error instanceof ControlError && error.status === 503
      if (!away || performance.now() >= until) throw error
      await Promise.race([again, new Promise((resolve) => setTimeout(resolve, 500))])
    }
  }
}

/** @throws Error where nginx has no room for it: then nothing was pushed */
async function putOnce({ admin, held, names, installed }: Parts, changes: readonly Change[]): Promise<void> {
  const refusal = held.refusal(changes, installed.policyRoom)
  if (refusal !== null) throw new Error(refusal)
  const change = together(changes)
  const table = await names.ensure(namesToResolve(change.policies))
  try {
    await admin.apply({ documents: change.documents, removed: change.removed, names: table })
  } catch (error) {
    // Half of a site at the new version is worse than all of it at the old one. Nobody else's was touched.
    await admin.apply(held.before(change)).catch(() => {})
    throw error
  }
  change.commit()
}

function reasonsOf({ held, names, inspector, front }: Parts, nginx: NginxProcess): Reasons {
  return {
    ready: nginx.running(),
    reasons: nginx.running() ? [] : ['nginx is not running; it is being restarted'],
    facts: {
      sites: held.siteCount(),
      hosts: held.hostCount(),
      simulatedCdns: held.addresses().length,
      nginxPid: nginx.pid(),
      nginxAdopted: nginx.adopted(),
      nginxRestarts: nginx.restarts(),
      inspection: inspector.state(),
      http3: front.state(),
      unresolvedOrigins: names.unresolved().slice(0, 20),
    },
  }
}

type StartSignal = { fire(): void; next(): Promise<void> }
function startSignal(): StartSignal {
  let waiting: (() => void)[] = []
  return {
    fire() {
      for (const resolve of waiting.splice(0)) resolve()
    },
    next: () => new Promise((resolve) => void (waiting = [...waiting, resolve])),
  }
}

/** Runs jobs one after the other, so that no push crosses another. */
function oneAtATime(): <T>(job: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  return (job) => {
    const mine = last.then(job, job)
    last = mine.catch(() => {})
    return mine
  }
}
