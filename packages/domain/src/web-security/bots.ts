import type { CompiledBots } from './compiled.ts'
import { lowerAscii } from './bytes.ts'
import { CRAWLERS, SCANNERS } from './crawlers.ts'
import type { Ask } from './ask.ts'
import { firstOf, textsOf } from './ask.ts'

/**
 * How much a request looks like a program that pretends to be a person, 0 to 100. A browser gets 0, and so does a
 * program that says what it is.
 */
export function suspicionOf(ask: Ask): number {
  const agent = lowerAscii(firstOf(ask('user-agent', '')))
  if (agent === '') return 60
  for (const scanner of SCANNERS) if (agent.includes(scanner)) return 90
  let suspicion = 0
  if (agent.includes('headless') || agent.includes('phantomjs')) suspicion += 55
  if (agent.includes('mozilla/')) {
    // Every browser says which answers and languages it takes.
    if (firstOf(ask('header', 'accept')) === '') suspicion += 30
    if (firstOf(ask('header', 'accept-language')) === '') suspicion += 35
    if (firstOf(ask('protocol', '')) === 'HTTP/1.0') suspicion += 35
  }
  return suspicion > 100 ? 100 : suspicion
}

/** Why a request is none that a browser sends; empty when it may be one. */
export function brokenIntegrity(ask: Ask, integrity: CompiledBots['integrity']): string {
  if (integrity === 'off') return ''
  const agents = textsOf(ask('user-agent', ''))
  const agent = lowerAscii(agents[0] ?? '')
  if (agent === '') return 'no-user-agent'
  if (agents.length > 1) return 'two-user-agents'
  for (const scanner of SCANNERS) if (agent.includes(scanner)) return 'scanner'
  if (integrity === 'standard') return ''
  if (!agent.includes('mozilla/')) return ''
  if (firstOf(ask('header', 'accept')) === '') return 'no-accept'
  if (firstOf(ask('header', 'accept-language')) === '') return 'no-language'
  if (firstOf(ask('header', 'accept-encoding')) === '') return 'no-encoding'
  return firstOf(ask('protocol', '')) === 'HTTP/1.0' ? 'old-protocol' : ''
}

/** The crawler that this is, by its own word and its network; undefined for others. */
export function crawlerOf(ask: Ask): string | undefined {
  const agent = lowerAscii(firstOf(ask('user-agent', '')))
  for (const crawler of CRAWLERS) {
    if (!agent.includes(crawler.agent)) continue
    for (const network of textsOf(ask('network', ''))) if (crawler.networks.includes(network)) return crawler.agent
  }
  return undefined
}
