import { demDecisions, feedFigures } from '@fairway/analytics'
import {
  DecidingFeed,
  FeedName,
  dataFeeds,
  type ErrorReporting,
  type ScoresSnapshot,
  type SteeringPolicy,
} from '@fairway/contract'
import {
  answersPercent,
  decidedPlaces,
  fedDecisions,
  feedDifferences,
  feedOf,
  movesOfOutside,
  movesOfSwitch,
  type FeedCdnFigures,
  type OwnObjects,
} from '@fairway/domain'
import { CDN_DRIVERS } from '@fairway/drivers'
import type { Tx } from '@fairway/platform'
import { askStore } from '../../http/ask-store.ts'
import type { DomainRow, Services } from '../../http/context.ts'
import { Failure } from '../../http/failure.ts'
import { slice } from '../../http/register.ts'
import { attachedDrivers } from '../domains/store.ts'
import { beaconSettings } from '../pulse/beacon-settings.ts'
import { countOutsideFeeds, outsideFeedById } from '../outside-feeds/store.ts'
import { ownPulse } from '../pulse/store.ts'
import { newestScores, policyOf } from '../routing-strategies/explain.ts'
import { settingOf } from '../routing-strategies/setting.ts'
import { strategyOrder } from '../routing-strategies/store.ts'

/** The own edge answers under its own name, so its requests name no CDN. */
const OWN_EDGE = 'edge'
const MOVES_TOLD = 500
const DAY_SECONDS = 86_400

export const dataFeedsSlice = slice(dataFeeds, {
  async list(context) {
    const { tx, services, now } = context
    const domain = ownedDomain(context)
    const input = await inputsOf(tx, services, domain)
    const seconds = services.config.scoreWindowSeconds
    const place = { organizationId: domain.organization_id, siteId: domain.site_id, domainId: domain.id }
    const [figures, countries] = await Promise.all([
      askStore(feedFigures(services.events, { ...place, seconds, now: now.getTime() })),
      countryAnswers(services, domain, now),
    ])
    const installed = new Set(input.policy.cdns.map(({ cdnId }) => cdnId))
    const said = figures
      .map((row): FeedCdnFigures => {
        const cdnId = row.source === 'edge' && row.cdnId === '' ? OWN_EDGE : row.cdnId
        return {
          ...row,
          cdnId,
          feed: row.source === 'edge' ? 'edge-connections' : feedOf(row.source, cdnId, input.own),
        }
      })
      .concat(outsideFigures(input.scores))
      .filter(({ cdnId }) => installed.has(cdnId))
    const { feedsOff: off } = await settingOf(tx, domain.id)
    const decisions = fedDecisions(input.policy, input.scores, input.own, now.getTime())
    return {
      windowSeconds: seconds,
      places: decisions.length,
      unmeasured: decisions.filter(({ feeds }) => feeds.length === 0).length,
      errorReporting: input.errorReporting,
      feeds: FeedName.options.map((feed) => {
        const cdns = said.filter((row) => row.feed === feed)
        const read = decisions.filter(({ feeds }) => feeds.includes(feed)).map((row) => row.place)
        const newest = Math.max(...cdns.map(({ newestAt }) => newestAt))
        return {
          feed,
          state: cdns.length > 0 ? ('feeding' as const) : input.isSetUp(feed) ? ('silent' as const) : ('off' as const),
          decides: isDeciding(feed),
          switchedOff: isOff(feed, off),
          samples: cdns.reduce((sum, { samples }) => sum + samples, 0),
          newestAt: cdns.length > 0 ? new Date(newest).toISOString() : null,
          placesPercent: decisions.length > 0 ? (100 * read.length) / decisions.length : 0,
          answersPercent: isDeciding(feed) ? answersPercent(read, countries) : null,
          cdns: cdns.map(({ cdnId, samples, availability, latencyMs, newestAt, senders }) => ({
            cdnId,
            samples,
            availability,
            latencyMs,
            newestAt: new Date(newestAt).toISOString(),
            senders,
          })),
        }
      }),
      differences: feedDifferences(said),
      disagreements: (input.scores?.disagreements ?? []).filter(({ cdnId }) => installed.has(cdnId)),
    }
  },

  async without(context, { feed, outside }) {
    const { tx, services, now } = context
    const domain = ownedDomain(context)
    const { policy, scores, own } = await inputsOf(tx, services, domain)
    const names = new Map((await strategyOrder(tx, domain.id)).map(({ id, name }) => [id, name]))
    const { feedsOff } = await settingOf(tx, domain.id)
    const one = outside === undefined ? undefined : await outsideFeedById(tx, outside)
    if (outside !== undefined && (one === undefined || feed !== 'outside-feeds')) throw new Failure(404)
    const isSwitchedOff = one ? !one.enabled : isOff(feed, feedsOff)
    const wanted = isSwitchedOff ? ('on' as const) : ('off' as const)
    const moves = one
      ? movesOfOutside(policy, scores, { outside: one.id, wanted }, own, now.getTime())
      : movesOfSwitch(policy, scores, { feed, wanted }, own, now.getTime())
    const countries = await countryAnswers(services, domain, now)
    return {
      wanted,
      places: decidedPlaces(policy, scores).length,
      moved: moves.length,
      answersPercent: answersPercent(
        moves.map(({ place }) => place),
        countries,
      ),
      moves: moves
        .toSorted((a, b) => Number(a.place.includes('|')) - Number(b.place.includes('|')))
        .slice(0, MOVES_TOLD)
        .map((move) => ({
          ...move,
          strategy: move.strategyId === null ? null : (names.get(move.strategyId) ?? null),
        })),
    }
  },
})

const isDeciding = (feed: FeedName): boolean => DecidingFeed.safeParse(feed).success
const isOff = (feed: FeedName, off: readonly DecidingFeed[]): boolean => off.some((one) => one === feed)

/** What outside feeds say of each CDN, all places together by their samples; `senders` are feeds. */
function outsideFigures(scores: ScoresSnapshot | null): FeedCdnFigures[] {
  return Object.entries(scores?.cdns ?? {}).flatMap(([cdnId, { places }]): FeedCdnFigures[] => {
    const said = Object.values(places).flatMap(({ feed }) => feed?.filter((one) => one.off !== true) ?? [])
    if (said.length === 0) return []
    const mean = (figure: 'availability' | 'latencyMs') => {
      const told = said.filter((one) => one[figure] !== null)
      const samples = told.reduce((sum, one) => sum + one.samples, 0)
      return samples > 0 ? told.reduce((sum, one) => sum + (one[figure] ?? 0) * one.samples, 0) / samples : null
    }
    return [
      {
        feed: 'outside-feeds',
        cdnId,
        samples: Math.round(said.reduce((sum, one) => sum + one.samples, 0)),
        availability: mean('availability'),
        latencyMs: mean('latencyMs'),
        newestAt: Math.max(...said.map((one) => one.newestAt)),
        senders: new Set(said.map((one) => one.feed)).size,
      },
    ]
  })
}

type OwnedDomain = DomainRow & { organization_id: string }

const ownedDomain = ({ domain, site }: { domain: DomainRow; site: { organization_id: string } }): OwnedDomain => ({
  ...domain,
  organization_id: site.organization_id,
})

type Inputs = {
  policy: SteeringPolicy
  scores: ScoresSnapshot | null
  own: OwnObjects
  isSetUp: (feed: FeedName) => boolean
  errorReporting: ErrorReporting
}

async function inputsOf(tx: Tx, { config }: Services, domain: OwnedDomain): Promise<Inputs> {
  const pulse = await ownPulse(tx, domain.organization_id)
  const targets = pulse ? (await beaconSettings(tx, config, pulse)).targets : []
  const policy = await policyOf(tx, domain)
  const installed = new Set(policy.cdns.map(({ cdnId }) => cdnId))
  const measured = targets.filter(({ c }) => installed.has(c))
  const own = new Set(measured.flatMap(({ c, o }) => (o === 1 ? [c] : [])))
  const errorReporting = {
    on: domain.network_errors,
    secure: config.collectorUrl.startsWith('https:'),
    cdns: (await attachedDrivers(tx, domain.id)).map(({ id, driver, slug }) => ({
      cdnId: id,
      asks: CDN_DRIVERS[driver].capabilities(slug).networkErrors,
    })),
  }
  const outsideFeeds = await countOutsideFeeds(tx)
  return {
    policy,
    scores: await newestScores(tx, domain),
    own,
    errorReporting,
    isSetUp: (feed) =>
      feed === 'pulse'
        ? measured.some(({ o }) => o !== 1)
        : feed === 'private-data'
          ? own.size > 0
          : feed === 'network-errors'
            ? errorReporting.on && errorReporting.cdns.some(({ asks }) => asks)
            : feed === 'outside-feeds'
              ? outsideFeeds > 0
              : installed.size > 0,
  }
}

/** DNS answers of a day by country. */
async function countryAnswers({ events }: Services, domain: OwnedDomain, now: Date) {
  const { countries } = await askStore(
    demDecisions(events, {
      organizationId: domain.organization_id,
      siteId: domain.site_id,
      domainId: domain.id,
      seconds: DAY_SECONDS,
      now: now.getTime(),
    }),
  )
  const sums = new Map<string, number>()
  for (const { country, answers } of countries) sums.set(country, (sums.get(country) ?? 0) + answers)
  return sums
}
