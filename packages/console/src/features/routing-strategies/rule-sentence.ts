import type { StrategyInput } from '@fairway/contract'
import { percentages } from '@fairway/domain'
import type { TFunction } from 'i18next'

type Rule = Pick<
  StrategyInput,
  'method' | 'targets' | 'availabilityThreshold' | 'omitRum' | 'omitSum' | 'requireAllData'
> &
  Partial<Pick<StrategyInput, 'minimumMbps' | 'visitorPercent' | 'whenNoData' | 'whenBelow'>>

type Words = {
  t: TFunction<'routing-strategies'>
  language: string
  /** Whom it is for, as the start of the sentence. */
  who: string
  nameOf: (cdnId: string) => string
  percent: (value: number) => string
}

/** What a strategy does, in plain words; empty while it names no CDN. */
export function ruleSentence(rule: Rule, { t, language, who, nameOf, percent }: Words): string {
  const { method, targets, availabilityThreshold: threshold, omitRum, omitSum, requireAllData } = rule
  const { visitorPercent = null, whenNoData = 'pass', whenBelow = 'pass' } = rule
  const names = targets.map(({ cdnId }) => nameOf(cdnId))
  const [first, ...rest] = names
  if (first === undefined) return ''
  const all = (list: readonly string[]) => new Intl.ListFormat(language, { type: 'conjunction' }).format(list)
  const one = names.length === 1
  const byLatency = method === 'best-latency' || method === 'regional-latency'

  const main = (): string => {
    switch (method) {
      case 'always-use':
        return one
          ? t('routing-strategies:does.always-use', { who, first })
          : t('routing-strategies:does.always-use-rest', { who, first, rest: all(rest) })
      case 'static-route':
        return one
          ? t('routing-strategies:does.static-route-one', { who, first })
          : t('routing-strategies:does.static-route', { who, first, rest: all(rest) })
      case 'best-latency':
        return one
          ? t('routing-strategies:does.only', { who, first })
          : t('routing-strategies:does.best-latency', { who, names: all(names) })
      case 'regional-latency':
        return one
          ? t('routing-strategies:does.only', { who, first })
          : t('routing-strategies:does.regional-latency', { who, names: all(names) })
      case 'best-availability':
        return one
          ? t('routing-strategies:does.only', { who, first })
          : t('routing-strategies:does.best-availability', { who, names: all(names) })
      case 'weighted-distribution':
        return t('routing-strategies:does.weighted-distribution', {
          who,
          shares: all(
            weightShares(targets)
              .filter(({ share }) => share !== null)
              .map(({ cdnId, share }) => `${nameOf(cdnId)} ${percent(share ?? 0)}`),
          ),
        })
    }
  }
  const standby =
    method === 'weighted-distribution'
      ? weightShares(targets)
          .filter(({ share }) => share === null)
          .map(({ cdnId }) => nameOf(cdnId))
      : []
  const sentences = [
    main(),
    standby.length > 0 && t('routing-strategies:does.standby', { names: all(standby) }),
    method !== 'always-use' &&
      threshold !== null &&
      t('routing-strategies:does.threshold', { threshold: percent(threshold) }),
    method !== 'always-use' &&
      typeof rule.minimumMbps === 'number' &&
      t('routing-strategies:does.minimumMbps', { mbps: rule.minimumMbps }),
    byLatency && requireAllData && t('routing-strategies:does.requireAllData'),
    method !== 'always-use' && omitRum && t('routing-strategies:does.omitRum'),
    method !== 'always-use' && omitSum && t('routing-strategies:does.omitSum'),
    method !== 'always-use' &&
      whenNoData !== 'pass' &&
      t('routing-strategies:does.whenNoData', { what: t(`routing-strategies:does.then.${whenNoData}`) }),
    method !== 'always-use' &&
      whenBelow !== 'pass' &&
      t('routing-strategies:does.whenBelow', { what: t(`routing-strategies:does.then.${whenBelow}`) }),
    method !== 'always-use' && t('routing-strategies:does.otherwise'),
    typeof visitorPercent === 'number' && t('routing-strategies:does.share', { share: percent(visitorPercent) }),
  ]
  return sentences.filter((sentence) => sentence !== false).join(t('routing-strategies:does.join'))
}

/** The part of each target in percent; null is stand-by. When every weight is 0 all are on stand-by. */
export function weightShares(targets: Rule['targets']): { cdnId: string; share: number | null }[] {
  const weights = targets.map(({ weight }) => Math.max(0, weight ?? 1))
  const parts = weights.some((weight) => weight > 0) ? percentages(weights) : []
  return targets.map(({ cdnId }, index) => ({ cdnId, share: (weights[index] ?? 0) > 0 ? (parts[index] ?? 0) : null }))
}
