import { analyticsOriginShield, CrsExclusionInput, crsRules, type Threat } from '@fairway/contract'
import { Button, Skeleton } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import { useChange } from '../../api/use-change.ts'
import { useFormat } from '../../i18n/format.ts'
import { useCanCall } from '../../shell/access/session.ts'
import { useSnackbar } from '../../ui/layers/snackbar.tsx'
import { ErrorState } from '../../ui/page/error-state.tsx'
import { useUndoVersion } from '../versions/use-undo-version.ts'
import classes from './incident-drawer.module.css'

const DAY_SECONDS = 86_400
const MOST = 1_000

/** The narrowest exclusion of a rule set: this rule, this path, this parameter; what it would have let pass first. */
export function CrsExclusion({ threat }: { threat: Threat }) {
  const { t } = useTranslation('analytics-origin-shield')
  const format = useFormat()
  const show = useSnackbar()
  const undo = useUndoVersion(threat.siteId)
  const [isShown, setShown] = useState(false)
  const mayEdit = useCanCall(crsRules.routes.exclude)
  const place = { site: threat.siteId, domain: threat.domainId }
  const exclusion = exclusionOf(threat)
  const effect = useRead(
    analyticsOriginShield.routes.threats,
    { ...place, part: 'crs-rules', rule: threat.ruleId, seconds: DAY_SECONDS, limit: MOST },
    { enabled: isShown && mayEdit },
  )
  const exclude = useChange(crsRules.routes.exclude, {
    onDone: ({ meta }) => show('exclusion', { message: t('crsExclusion.added'), ...undo(meta.version) }),
  })
  if (!mayEdit || exclusion === null) return null
  const alike = effect.data?.data.filter((one) => isAlike(one, threat)) ?? []
  const count = (rows: readonly Threat[]) => rows.reduce((sum, { weight }) => sum + weight, 0)
  return (
    <section className={classes.others}>
      <h3 className={classes.heading}>{t('crsExclusion.title')}</h3>
      <p className={classes.note}>
        {t(exclusion.parameter === '' ? 'crsExclusion.meaningOfPath' : 'crsExclusion.meaning', {
          rule: threat.ruleId,
          path: exclusion.path,
          parameter: exclusion.parameter,
        })}
      </p>
      {isShown &&
        (effect.data ? (
          <p className={classes.note}>
            {t('crsExclusion.effect', {
              count: count(alike),
              number: format.number(count(alike)),
              all: format.number(effect.data.total),
              addresses: format.number(new Set(alike.map(({ address }) => address)).size),
            })}
            {effect.data.data.length === MOST && ` ${t('crsExclusion.newest', { number: format.number(MOST) })}`}
          </p>
        ) : effect.error ? (
          <ErrorState error={effect.error} onRetry={() => void effect.refetch()} />
        ) : (
          <Skeleton height={40} radius="sm" />
        ))}
      <div className={classes.verdict}>
        {isShown ? (
          <Button
            size="xs"
            loading={exclude.isPending}
            disabled={!effect.data || exclude.isSuccess}
            onClick={() => exclude.mutate({ ...place, ...exclusion })}
          >
            {t('crsExclusion.add')}
          </Button>
        ) : (
          <Button size="xs" variant="default" onClick={() => setShown(true)}>
            {t('exclusion.show')}
          </Button>
        )}
      </div>
    </section>
  )
}

/** Null where no exclusion can be as narrow: a path that is too long, or a finding of no rule. */
function exclusionOf({ ruleId, path, matched, incident }: Threat): CrsExclusionInput | null {
  const read = CrsExclusionInput.safeParse({
    ruleId: Number(ruleId),
    path,
    parameter: matched?.name ?? '',
    note: incident,
  })
  return read.success ? read.data : null
}

const isAlike = (one: Threat, { path, matched }: Threat): boolean =>
  one.path === path && (one.matched?.name ?? '') === (matched?.name ?? '')
