import type { RoleName, StartRole } from './role.ts'

export type RoleSpec = {
  load: () => Promise<StartRole>
  /** Roles that must be serving before this one starts. */
  after: readonly RoleName[]
  /** Engines and the like that this role cannot do without; they are started along with it. */
  needs: readonly RoleName[]
  /** Milliseconds it may take to stop before it is killed. */
  stopMs: number
  /**
   * Processes it leaves behind when it is killed are ended too, unless they go on until the next start has taken over.
   */
  keepsChildren?: boolean
  /** Without a supervisor it goes on for as long as it takes; others stop after a while. */
  servesOn?: boolean
  environment?: Record<string, string>
  /**
   * Nice value that it and its children run at, where the system lets us: who answers resolvers and visitors goes before
   * what may wait, above all when it has just died on a machine that is busy with something else.
   */
  nice?: number
}

/** The roles in starting order, in waves: a role waits for those in `after` only. */
export const ROLES: Record<RoleName, RoleSpec> = {
  database: {
    load: async () => (await import('./database.ts')).startDatabaseRole,
    after: [],
    needs: [],
    stopMs: 4000,
    keepsChildren: true,
  },
  // chDB works on libuv's threads: one for each session of its pool, and some for files.
  store: {
    load: async () => (await import('./store.ts')).startStoreRole,
    after: [],
    needs: [],
    stopMs: 2000,
    environment: { UV_THREADPOOL_SIZE: '13' },
  },
  api: {
    load: async () => (await import('./api.ts')).startApiRole,
    after: ['database'],
    needs: ['database', 'store'],
    stopMs: 1500,
  },
  worker: {
    load: async () => (await import('./worker.ts')).startWorkerRole,
    after: ['api'],
    needs: ['database'],
    stopMs: 1500,
  },
  collector: {
    load: async () => (await import('./collector.ts')).startCollectorRole,
    after: ['store', 'api'],
    needs: ['store'],
    stopMs: 1500,
  },
  dns: {
    load: async () => (await import('./dns.ts')).startDnsRole,
    after: ['api'],
    needs: [],
    stopMs: 1500,
    keepsChildren: true,
    servesOn: true,
    nice: -10,
  },
  edge: {
    load: async () => (await import('./edge.ts')).startEdgeRole,
    after: ['api'],
    needs: [],
    stopMs: 1500,
    keepsChildren: true,
    servesOn: true,
    nice: -5,
  },
  media: {
    load: async () => (await import('./media.ts')).startMediaRole,
    after: ['api'],
    needs: ['database'],
    stopMs: 1500,
  },
  origin: { load: async () => (await import('./origin.ts')).startOriginRole, after: [], needs: [], stopMs: 1000 },
  visitors: {
    load: async () => (await import('./visitors.ts')).startVisitorsRole,
    after: ['dns', 'edge', 'collector', 'origin'],
    needs: [],
    stopMs: 1000,
  },
}
