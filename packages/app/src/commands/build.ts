import type { RoleName } from '../roles/role.ts'
import { UsageError } from './options.ts'

/** `build`: makes what is made of the sources, for an image whose checkout nobody may write to. */
export async function build(words: string[]): Promise<number> {
  if (words.length) throw new UsageError('build takes no further words.')
  await buildAhead(null)
  return 0
}

/** What these roles, or all, would make of the sources when they start. */
export async function buildAhead(roles: readonly RoleName[] | null): Promise<void> {
  const say = (line: string) => void process.stdout.write(`${line}\n`)
  if (roles === null || roles.includes('api')) await (await import('../build/build-console.ts')).buildConsole(say)
  if (roles === null || roles.includes('media')) await (await import('../build/build-player.ts')).buildPlayer(say)
  if (roles === null || roles.includes('edge')) await (await import('@fairway/edge')).buildLua()
}
