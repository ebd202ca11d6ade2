import { type AttackTrial, crsRules } from '@fairway/contract'
import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useChange } from '../../api/use-change.ts'
import { useFormat } from '../../i18n/format.ts'
import { useCanCall } from '../../shell/access/session.ts'
import { ShareTable } from '../../ui/data-table/flush-table.tsx'
import { FailureNotice } from '../../ui/forms/failure-notice.tsx'
import { useSnackbar } from '../../ui/layers/snackbar.tsx'
import { Card } from '../../ui/page/card.tsx'
import { StatRow } from '../../ui/page/stat-card.tsx'
import type { Place } from '../routing-strategies/strategies-read.ts'
import { useUndoVersion } from '../versions/use-undo-version.ts'
import classes from './attack-trial.module.css'
import { TriedList } from './tried-list.tsx'

type Props = { trial: AttackTrial; place: Place; /** The button that runs it again. */ again: ReactNode }

/** What was stopped by category, what went through with what would stop it, and which harmless requests were touched. */
export function TrialResult({ trial, place, again }: Props) {
  const { t } = useTranslation('attack-trial')
  const format = useFormat()
  const [sent, stopped] = [sum(trial.attacks, 'sent'), sum(trial.attacks, 'stopped')]
  const harmless = sum(trial.harmless, 'sent')
  return (
    <div className={classes.blocks} role="status">
      <div className={classes.top}>
        <StatRow
          label={t('summary')}
          stats={[
            {
              label: t('stat.stopped'),
              value: percent(stopped, sent),
              note: t('of', { part: format.number(stopped), all: format.number(sent) }),
            },
            {
              label: t('stat.passed'),
              value: format.number(trial.passed.length),
              note: t('stat.passedNote', { count: trial.passed.filter(({ change }) => change !== null).length }),
            },
            {
              label: t('stat.touched'),
              value: percent(trial.touched.length, harmless),
              note: t('of', { part: format.number(trial.touched.length), all: format.number(harmless) }),
            },
          ]}
        />
        <p className={classes.told}>
          {t('sentBy', { node: trial.node, at: format.time(trial.at) })} {again}
        </p>
      </div>
      <div className={classes.columns}>
        <Card title={t('attacks')} hint={t('attacksHint')} flush>
          <ShareTable
            label={t('attacks')}
            what={t('category')}
            columns={[t('stoppedColumn'), t('sentColumn')]}
            rows={trial.attacks.map(({ category, sent: all, stopped: part }) => ({
              key: category,
              name: t(`attack.${category}`),
              series: 1,
              share: all === 0 ? 0 : (100 * part) / all,
              cells: [format.number(part), format.number(all)],
            }))}
          />
        </Card>
        <Card title={t('harmlessTitle')} hint={t('harmlessHint')} flush>
          <ShareTable
            label={t('harmlessTitle')}
            what={t('category')}
            columns={[t('touchedColumn'), t('sentColumn')]}
            rows={trial.harmless.map(({ category, sent: all, touched }) => ({
              key: category,
              name: t(`harmless.${category}`),
              series: 2,
              share: all === 0 ? 0 : (100 * touched) / all,
              cells: [format.number(touched), format.number(all)],
            }))}
          />
        </Card>
      </div>
      {trial.passed.length > 0 && <Changes trial={trial} place={place} />}
      <TriedList
        title={t('passedTitle')}
        none={t('passedNone')}
        rows={trial.passed.map((one) => ({
          ...one,
          kind: t(`attack.${one.category}`),
          note:
            one.change === null
              ? t('nothingStops')
              : changeName(trial.changes[one.change]?.kind, trial.changes[one.change]?.settings.paranoiaLevel),
        }))}
      />
      <TriedList
        title={t('touchedTitle')}
        none={t('touchedNone')}
        rows={trial.touched.map((one) => ({
          ...one,
          kind: t(`harmless.${one.category}`),
          note: one.part === '' || one.part === 'http' ? '' : t(`web-security:part.${one.part}`),
        }))}
      />
    </div>
  )

  function percent(part: number, all: number): string {
    return all === 0 ? '—' : format.percent(Math.round((1000 * part) / all) / 10)
  }

  function changeName(kind: AttackTrial['changes'][number]['kind'] | undefined, level: number | undefined): string {
    return kind === undefined ? '' : t(`change.${kind}`, { level })
  }
}

const sum = <K extends string>(rows: readonly Record<K, number>[], field: K): number =>
  rows.reduce((all, row) => all + row[field], 0)

/** Changes of the rule sets, with what each would stop and what it would touch besides; one click puts one in force. */
function Changes({ trial, place }: { trial: AttackTrial; place: Place }) {
  const { t } = useTranslation('attack-trial')
  const format = useFormat()
  const mayEdit = useCanCall(crsRules.routes.update)
  const show = useSnackbar()
  const undo = useUndoVersion(place.site)
  const update = useChange(crsRules.routes.update, {
    subject: null,
    onDone: ({ meta }) => show('attack-trial', { message: t('applied'), ...undo(meta.version) }),
  })
  const useful = trial.changes.filter(({ stops }, index) => stops > 0 && stops > (trial.changes[index - 1]?.stops ?? 0))
  return (
    <Card title={t('changes')} hint={t('changesHint')}>
      {update.error && <FailureNotice title={t('notApplied')} error={update.error} />}
      {useful.length === 0 ? (
        <p className={classes.told}>{t('noChange')}</p>
      ) : (
        <ul className={classes.changes}>
          {useful.map(({ kind, settings, stops, touches }) => (
            <li key={`${kind} ${settings.paranoiaLevel ?? ''}`}>
              <div>
                <p className={classes.change}>{t(`change.${kind}`, { level: settings.paranoiaLevel })}</p>
                <p className={classes.told}>
                  {t('stops', { count: stops, number: format.number(stops) })}{' '}
                  {touches === 0 ? t('touchesNone') : t('touches', { count: touches, number: format.number(touches) })}
                </p>
              </div>
              <Button
                size="xs"
                variant="default"
                disabled={!mayEdit}
                loading={update.isPending}
                onClick={() => update.mutate({ ...place, ...settings })}
              >
                {t('apply')}
              </Button>
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}
