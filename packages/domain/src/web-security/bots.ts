import type { CompiledBots } from './compiled.ts'
import { lowerAscii } from './bytes.ts'
import { CRAWLERS, type LookedUp, SCANNERS } from './crawlers.ts'
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

/** How a request that calls itself a crawler stands; undefined for all others. */
type CrawlerClaim = { agent: string; standing: 'verified' | 'unverified' | 'false' }

/**
 * What a crawler's word is worth. What was looked up goes before the network: not all of a search engine's machines are
 * its crawlers'. Until it is known, whoever comes from no network of its own is neither trusted nor suspected.
 */
export function crawlerOf(ask: Ask, lookedUp: (agent: string) => LookedUp): CrawlerClaim | undefined {
  const said = lowerAscii(firstOf(ask('user-agent', '')))
  let claim: CrawlerClaim | undefined
  for (const crawler of CRAWLERS) {
    const { agent, domains, networks } = crawler
    if (!said.includes(agent)) continue
    const known = domains.length === 0 ? 'off' : lookedUp(agent)
    if (known === 'verified') return { agent, standing: 'verified' }
    let isItsNetwork = false
    for (const network of textsOf(ask('network', ''))) if (networks.includes(network)) isItsNetwork = true
    if (known !== 'false' && isItsNetwork) return { agent, standing: 'verified' }
    if (known === 'off') continue
    // Of several names that one may bear, the one that may still come true counts.
    if (claim === undefined || known === 'unknown')
      claim = { agent, standing: known === 'unknown' ? 'unverified' : 'false' }
  }
  return claim
}
