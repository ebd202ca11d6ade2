import { type SteeringEffect, domains, routingStrategies, vsrRules } from '@fairway/contract'
import { Button, Skeleton } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../../api/queries.ts'
import { useChange } from '../../../api/use-change.ts'
import { useCanCall } from '../../../shell/access/session.ts'
import { FailureNotice } from '../../../ui/forms/failure-notice.tsx'
import { SwitchRow } from '../../../ui/forms/switch-row.tsx'
import { Dialog } from '../../../ui/layers/dialog.tsx'
import { useSnackbar } from '../../../ui/layers/snackbar.tsx'
import { ErrorState } from '../../../ui/page/error-state.tsx'
import type { Draft } from '../../bulk-configure/draft.ts'
import { useUndoVersion } from '../../versions/use-undo-version.ts'
import type { Place } from '../strategies-read.ts'
import { readBulkDraft } from './bulk-draft.ts'
import { BulkFields } from './bulk-fields.tsx'
import { DomainChoice } from './domain-choice.tsx'
import { EffectStep, changes } from './effect-step.tsx'
import classes from './many-dialog.module.css'
import { type Done, ResultStep } from './result-step.tsx'

type ManyMode = 'clone' | 'bulk'
type ManyDialogProps = { mode: ManyMode; place: Place; onClose: () => void }

const PARTS = ['strategies', 'vsrRules', 'setting'] as const
type Parts = Record<(typeof PARTS)[number], boolean>

/** The most that one call takes. */
const MOST = 200

/**
 * Gives other domains what this one has, or changes many alike: which and what, what it would make of each and whom it
 * would move, and how it went with each. All that is sent becomes one version, or nothing does.
 */
export function ManyDialog({ mode, place, onClose }: ManyDialogProps) {
  const { t } = useTranslation(['routing-strategies', 'bulk-configure', 'shell'])
  const show = useSnackbar()
  const undo = useUndoVersion(place.site)
  const canVsr = useCanCall(vsrRules.routes.create)
  const all = useRead(domains.routes.list, { site: place.site, page_size: -1 })
  const offered = (all.data?.data ?? []).filter(({ id }) => mode === 'bulk' || id !== place.domain)
  const [chosen, setChosen] = useState<string[]>([])
  const [parts, setParts] = useState<Parts>({ strategies: true, vsrRules: false, setting: false })
  const [draft, setDraft] = useState<Draft>({})
  const [asked, setAsked] = useState(false)
  const [reviewed, setReviewed] = useState(false)
  // What has just been changed is not asked about anew.
  const [running, setRunning] = useState<readonly SteeringEffect[] | null>(null)
  const [done, setDone] = useState<{ effects: readonly SteeringEffect[]; done: Done } | null>(null)

  const read = readBulkDraft(draft)
  const isWanted = mode === 'clone' ? PARTS.some((part) => parts[part]) : read.change !== null
  const isReady = isWanted && chosen.length > 0 && chosen.length <= MOST
  const cloneInput = { ...place, domainIds: chosen, ...parts }
  const bulkInput = { site: place.site, domainIds: chosen, ...read.change }
  const onDone = ({ data, meta }: { data: { changedIds: string[] }; meta: { version: number | null } }) => {
    setDone({ effects: running ?? [], done: { changedIds: data.changedIds, version: meta.version } })
    show('strategies-many', {
      message: t('many.changed', { count: data.changedIds.length }),
      ...undo(meta.version),
    })
  }
  const clone = useChange(routingStrategies.routes.cloneAndReplace, { subject: null, onDone })
  const bulk = useChange(routingStrategies.routes.bulkUpdate, { subject: null, onDone })
  const asking = reviewed && isReady && running === null && done === null
  const cloneEffect = useRead(routingStrategies.routes.cloneEffect, cloneInput, { enabled: asking && mode === 'clone' })
  const bulkEffect = useRead(routingStrategies.routes.bulkEffect, bulkInput, { enabled: asking && mode === 'bulk' })
  const effect = mode === 'clone' ? cloneEffect : bulkEffect
  const effects = effect.isPlaceholderData ? undefined : effect.data?.data
  const changing = effects?.filter(changes) ?? []

  const failed = clone.error ?? bulk.error
  const run = () => {
    const domainIds = changing.map(({ domainId }) => domainId)
    const again = { onError: () => setRunning(null) }
    setRunning(effects ?? [])
    if (mode === 'clone') clone.mutate({ ...cloneInput, domainIds }, again)
    else bulk.mutate({ ...bulkInput, domainIds }, again)
  }
  const toEffect = () => {
    setAsked(true)
    if (isReady) setReviewed(true)
  }

  return (
    <Dialog
      opened
      onClose={onClose}
      title={t(`many.title.${mode}`)}
      size={720}
      tall
      footer={
        done ? (
          <Button onClick={onClose}>{t('shell:close')}</Button>
        ) : reviewed ? (
          <>
            <Button
              variant="default"
              onClick={() => {
                clone.reset()
                bulk.reset()
                setReviewed(false)
              }}
            >
              {t('bulk-configure:back')}
            </Button>
            <Button loading={clone.isPending || bulk.isPending} disabled={changing.length === 0} onClick={run}>
              {t('bulk-configure:review.run', { count: changing.length })}
            </Button>
          </>
        ) : (
          <>
            <Button variant="default" onClick={onClose}>
              {t('shell:cancel')}
            </Button>
            <Button disabled={!all.data} onClick={toEffect}>
              {t('many.toEffect')}
            </Button>
          </>
        )
      }
    >
      <div className={classes.root}>
        {failed && <FailureNotice title={t('many.failed')} error={failed} />}
        {done && <ResultStep {...done} />}
        {!done &&
          reviewed &&
          (effects ? (
            <EffectStep effects={effects} />
          ) : effect.error ? (
            <ErrorState error={effect.error} onRetry={() => void effect.refetch()} />
          ) : (
            <Skeleton height={320} radius="md" />
          ))}
        {!done && !reviewed && (
          <>
            <p className={classes.about}>{t(`many.about.${mode}`)}</p>
            {all.error && <ErrorState error={all.error} onRetry={() => void all.refetch()} />}
            {!all.data && !all.error && <Skeleton height={160} radius="md" />}
            {all.data &&
              (offered.length === 0 ? (
                <p className={classes.about}>{t('many.onlyOne')}</p>
              ) : (
                <DomainChoice domains={offered} chosen={chosen} onChange={setChosen} />
              ))}
            {mode === 'clone' ? (
              <div className={classes.parts}>
                {PARTS.filter((part) => part !== 'vsrRules' || canVsr).map((part) => (
                  <SwitchRow
                    key={part}
                    label={t(`many.part.${part}`)}
                    text={t(`many.partAbout.${part}`)}
                    checked={parts[part]}
                    onChange={(on) => setParts({ ...parts, [part]: on })}
                  />
                ))}
              </div>
            ) : (
              <BulkFields
                draft={draft}
                problems={asked ? read.problems : null}
                onDraft={(field, value) => setDraft({ ...draft, [field]: value })}
              />
            )}
            {asked && !isReady && (
              <p className={classes.why} role="alert">
                {chosen.length === 0 && t('many.noDomain')}
                {chosen.length > MOST && t('many.tooMany', { most: MOST })}
                {!isWanted && ` ${t('many.noChange')}`}
              </p>
            )}
          </>
        )}
      </div>
    </Dialog>
  )
}
