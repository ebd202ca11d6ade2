import crypto from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { nodes } from '@fairway/contract'
import { type Config, Problem, loadConfig, trustApiAuthorities } from '@fairway/platform'
import type { RoleName } from '../roles/role.ts'
import { UsageError } from './options.ts'

/** Roles that need nothing but the API of another machine. */
const ALONE: readonly RoleName[] = ['dns', 'edge']
const ANSWER_MS = 10_000

/**
 * Makes this machine a node of another installation: trades the invitation for what a node has to know and keeps it in
 * the home, so that later starts need no invitation. With the one that was traded already, as a start script names it
 * each time, it goes on with what is there; with another of the same installation it stays the node that it is.
 * @throws UsageError when the address is no invitation or a role cannot stand alone; Problem when the other side does
 *   not answer or knows the invitation no more.
 */
export async function joinInstallation(
  address: string,
  roles: readonly RoleName[],
  home = loadConfig().home,
): Promise<Config> {
  const match = /^(https?:\/\/[^/]+)\/join\/([\w-]{20,200})$/.exec(address)
  const [, api, token] = match ?? []
  if (!api || !token)
    throw new UsageError(
      '--join takes the address that the operator area shows under Nodes, for example https://console.example.com/join/….',
    )
  const dependent = roles.filter((role) => !ALONE.includes(role))
  if (dependent.length > 0)
    throw new UsageError(
      `${dependent.join(', ')} cannot run apart from the installation. Roles that can join: ${ALONE.join(', ')}.`,
    )
  trustApiAuthorities(loadConfig())
  const tokenFile = path.join(home, 'secrets', 'node-token')
  const tradedFile = path.join(home, 'secrets', 'invitation-traded')
  const traded = crypto.createHash('sha256').update(address).digest('hex')
  const [tradedBefore = '', tradedOn = os.hostname()] = read(tradedFile).split(' ')
  if (tradedBefore === traded && read(tokenFile) !== '') return loadConfig()
  const { nodeName } = loadConfig()
  const told = await ask(api, token, nodeName)
  // All nodes have one token: a home that was copied from another machine is none of its own.
  const isNodeOfIt = read(tokenFile) === told.nodeToken && tradedOn === os.hostname()
  fs.mkdirSync(path.join(home, 'secrets'), { recursive: true, mode: 0o700 })
  fs.writeFileSync(tokenFile, told.nodeToken, { mode: 0o600 })
  const file = path.join(home, 'fairway.conf')
  const lines = {
    FAIRWAY_API_URL: api,
    FAIRWAY_COLLECTOR_LISTEN: told.collector,
    ...(told.collectors ? { FAIRWAY_COLLECTORS: told.collectors.join(',') } : {}),
    FAIRWAY_SERVICE_DOMAIN: told.serviceDomain,
    ...(told.name !== undefined && told.name !== nodeName && !isNodeOfIt ? { FAIRWAY_NODE_NAME: told.name } : {}),
  }
  const kept = fs.existsSync(file)
    ? fs
        .readFileSync(file, 'utf8')
        .split('\n')
        .filter((line) => line.trim() !== '' && !Object.keys(lines).some((key) => line.trim().startsWith(`${key}=`)))
    : []
  fs.writeFileSync(file, `${[...kept, ...Object.entries(lines).map(([key, value]) => `${key}=${value}`)].join('\n')}\n`)
  // Last: a start that ended before it is to say that the invitation was used.
  fs.writeFileSync(tradedFile, `${traded} ${os.hostname()}`, { mode: 0o600 })
  return loadConfig()
}

/** '' when there is none. */
const read = (file: string): string => (fs.existsSync(file) ? fs.readFileSync(file, 'utf8').trim() : '')

async function ask(api: string, token: string, name: string) {
  const route = nodes.routes.join
  const response = await fetch(new URL(route.path, api), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token, name }),
    signal: AbortSignal.timeout(ANSWER_MS),
  }).catch((error: unknown) => {
    throw new Problem(
      `${api} does not answer (${error instanceof Error ? error.message : String(error)}). Can this machine reach it?`,
    )
  })
  if (response.status === 401)
    throw new Problem(
      'This invitation has been used or is older than an hour. Make a new one in the operator area under Nodes.',
    )
  if (response.status === 409)
    throw new Problem(
      `No other machine reaches the collector behind ${api}. Set FAIRWAY_COLLECTOR_URL (https) or FAIRWAY_COLLECTORS there.`,
    )
  if (!response.ok)
    throw new Problem(`${api} answered ${response.status} to the invitation. Is it a Fairway of this version?`)
  return route.out.parse(await response.json())
}
