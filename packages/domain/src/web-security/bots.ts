import type { CompiledBots } from './compiled.ts'
import { lowerAscii } from './bytes.ts'
import { CRAWLERS, type Crawler, SCANNERS } from './crawlers.ts'
import type { Ask } from './ask.ts'
import { firstOf, textsOf } from './ask.ts'
import type { World } from './verdict.ts'

/** What a user agent says by itself. */
type Agent = { isEmpty: boolean; isScanner: boolean; isHidden: boolean; isBrowser: boolean; crawlers: Crawler[] }

/** A few hundred user agents are nearly all visits: what they say is found out once. Longer ones are not kept. */
const KEPT_MOST = 1000
const KEPT_LONGEST = 512
let kept: Record<string, Agent | undefined> = {}
let keptCount = 0

function agentOf(said: string): Agent {
  const key = `=${said}`
  const known = kept[key]
  if (known !== undefined) return known
  const agent = readAgent(lowerAscii(said))
  if (said.length > KEPT_LONGEST) return agent
  if (keptCount >= KEPT_MOST) {
    kept = {}
    keptCount = 0
  }
  kept[key] = agent
  keptCount += 1
  return agent
}

function readAgent(agent: string): Agent {
  const crawlers: Crawler[] = []
  for (const crawler of CRAWLERS) if (agent.includes(crawler.agent)) crawlers.push(crawler)
  let isScanner = false
  for (const scanner of SCANNERS) if (agent.includes(scanner)) isScanner = true
  return {
    isEmpty: agent === '',
    isScanner,
    isHidden: agent.includes('headless') || agent.includes('phantomjs'),
    isBrowser: agent.includes('mozilla/'),
    crawlers,
  }
}

/**
 * How much a request looks like a program that pretends to be a person, 0 to 100. A browser gets 0, and so does a
 * program that says what it is.
 */
export function suspicionOf(ask: Ask): number {
  const agent = agentOf(firstOf(ask('user-agent', '')))
  if (agent.isEmpty) return 60
  if (agent.isScanner) return 90
  let suspicion = 0
  if (agent.isHidden) suspicion += 55
  if (agent.isBrowser) {
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
  const said = ask('user-agent', '')
  const agent = agentOf(firstOf(said))
  if (agent.isEmpty) return 'no-user-agent'
  if (said !== undefined && typeof said !== 'string' && said.length > 1) return 'two-user-agents'
  if (agent.isScanner) return 'scanner'
  if (integrity === 'standard' || !agent.isBrowser) return ''
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
export function crawlerOf(ask: Ask, world: World): CrawlerClaim | undefined {
  let claim: CrawlerClaim | undefined
  for (const { agent, domains, networks } of agentOf(firstOf(ask('user-agent', ''))).crawlers) {
    const known = domains.length === 0 ? 'off' : world.lookedUp(agent)
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
