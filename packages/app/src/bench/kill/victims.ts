import fs from 'node:fs'
import path from 'node:path'
import { childrenOf, membersOf } from '@fairway/platform'
import type { Installation } from '../../installation/start-installation.ts'
import type { RoleName } from '../../roles/role.ts'

/** Something that is ended as a crash would. */
export type Victim = {
  name: string
  /** Resolves when it is done; who takes its place is not waited for. */
  kill(installation: Installation): Promise<void> | void
}

const ROLES = ['database', 'store', 'api', 'worker', 'collector', 'edge', 'dns'] as const

const role = (name: RoleName): Victim => ({ name, kill: (installation) => void installation.kill(name) })

/** Every process that an installation on one machine consists of, alone and with what it has started. */
export const VICTIMS: readonly Victim[] = [
  ...ROLES.map(role),
  { name: 'supervisor', kill: (installation) => endGroup(installation.supervisor()) },
  {
    name: 'a process that answers DNS',
    kill: async (installation) => end((await installation.dnsProcesses()).slice(0, 1)),
  },
  {
    name: 'dns with all its processes',
    kill: (installation) => endGroup(installation.roles()['dns']?.pid ?? null),
  },
  { name: 'nginx', kill: (installation) => end([nginxOf(installation.config.home)]) },
  {
    name: 'a worker of nginx',
    kill: (installation) =>
      end(
        childrenOf(nginxOf(installation.config.home))
          .slice(0, 1)
          .map(({ pid }) => pid),
      ),
  },
  { name: 'PostgreSQL', kill: (installation) => end([postmasterOf(installation)]) },
]

/** Process id of the nginx that serves in a home. */
function nginxOf(home: string): number {
  const file = path.join(home, 'edge', 'nginx.json')
  // Written by our own agent, the newest last.
  return (JSON.parse(fs.readFileSync(file, 'utf8')) as { pid: number }[]).at(-1)?.pid ?? 0
}

function postmasterOf({ config }: Installation): number {
  return Number(fs.readFileSync(path.join(config.home, 'database', 'postmaster.pid'), 'utf8').split('\n')[0])
}

const endGroup = (leader: number | null): void =>
  end(leader === null ? [] : [leader, ...membersOf(leader).map(({ pid }) => pid)])

function end(pids: readonly number[]): void {
  for (const pid of new Set(pids)) {
    if (pid <= 1) throw new Error('there is nobody to kill')
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // It went with its parent.
    }
  }
}
