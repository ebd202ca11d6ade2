import { shieldRegions } from '@fairway/contract'
import type { RegionNode, ShieldRegion, ShieldRegions } from '@fairway/contract'
import { Radio } from '@mantine/core'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useChange } from '../../api/use-change.ts'
import { useFormat } from '../../i18n/format.ts'
import { useCanCall } from '../../shell/access/session.ts'
import { DataTable } from '../../ui/data-table/data-table.tsx'
import { columnsFor } from '../../ui/data-table/table-model.ts'
import { FailureNotice } from '../../ui/forms/failure-notice.tsx'
import { SaveBar } from '../../ui/layers/save-bar.tsx'
import { Age } from '../../ui/marks/age.tsx'
import { diffRows } from '../../ui/marks/diff-view.tsx'
import { Pill } from '../../ui/marks/status-pill.tsx'
import { Card } from '../../ui/page/card.tsx'
import { EmptyTeach } from '../../ui/page/empty-teach.tsx'
import { Notice } from '../../ui/page/notice.tsx'
import settings from '../general-settings/screen.module.css'
import type { Place } from '../routing-strategies/strategies-read.ts'

const AUTO = ''
type Row = RegionNode & { region: string }
const column = columnsFor<Row>()

/** Auto or one region, what is in force and why, and what every node has measured. */
export function RegionChoice({ place, saved }: { place: Place; saved: ShieldRegions }) {
  const { t } = useTranslation('shield-regions')
  const [draft, setDraft] = useState<string>()
  const mayEdit = useCanCall(shieldRegions.routes.update)
  const save = useChange(shieldRegions.routes.update, { subject: null, onDone: () => setDraft(undefined) })
  const before = saved.region ?? AUTO
  const value = draft ?? before
  const offered = optionsOf(saved)
  const nameOf = (region: string) => (region === AUTO ? t('auto') : region)
  if (offered.length === 0 && before === AUTO) return <EmptyTeach title={t('empty.title')} text={t('empty.text')} />
  return (
    <>
      <div className={settings.stack}>
        {save.error && <FailureNotice title={t('notSaved')} error={save.error} />}
        <InForce saved={saved} />
        <Card title={t('choice')} hint={t('choiceHint')}>
          <Radio.Group aria-label={t('choice')} value={value} onChange={setDraft}>
            <div className={settings.stack}>
              <Radio value={AUTO} label={t('auto')} description={t('autoText')} disabled={!mayEdit} />
              {offered.map(({ region, facts }) => (
                <Option key={region} region={region} facts={facts} disabled={!mayEdit} />
              ))}
            </div>
          </Radio.Group>
        </Card>
        <Measured regions={saved.regions} />
      </div>
      <SaveBar
        changes={diffRows(
          { region: before },
          { region: value },
          (_, one) => nameOf(String(one)),
          () => t('region'),
        )}
        busy={save.isPending}
        onDiscard={() => {
          setDraft(undefined)
          save.reset()
        }}
        onSave={() => save.mutate({ ...place, region: value === AUTO ? null : value })}
      />
    </>
  )
}

/** Regions that are there, and the one that was chosen though it is gone. */
function optionsOf({ region, regions }: ShieldRegions): { region: string; facts: ShieldRegion | undefined }[] {
  const there = regions.map((facts) => ({ region: facts.region, facts }))
  return region === null || there.some((one) => one.region === region)
    ? there
    : [...there, { region, facts: undefined }]
}

function Option({ region, facts, disabled }: { region: string; facts: ShieldRegion | undefined; disabled: boolean }) {
  const { t } = useTranslation('shield-regions')
  const format = useFormat()
  const isReachable = facts?.nodes.some((node) => node.reachable) === true
  const description = !facts
    ? t('gone')
    : !isReachable
      ? t('unreachable')
      : !facts.usable
        ? t('allAway')
        : facts.ms === null
          ? t('unmeasured')
          : t('near', { time: format.milliseconds(facts.ms) })
  return <Radio value={region} label={region} description={description} disabled={disabled || !isReachable} />
}

function InForce({ saved: { region, route } }: { saved: ShieldRegions }) {
  const { t } = useTranslation('shield-regions')
  if (route === null)
    return (
      <Notice tone="info" title={t('undecidedTitle')}>
        {t('undecidedText')}
      </Notice>
    )
  const isOff = route.why === 'none' || route.why === 'next'
  return (
    <Notice
      tone={isOff ? 'warn' : 'info'}
      title={route.region === null ? t('inForceNone') : t('inForce', { region: route.region })}
    >
      {t(`why.${route.why}`, { region: region ?? '' })} {t('since')} <Age at={route.since} inside />
    </Notice>
  )
}

function Measured({ regions }: { regions: ShieldRegion[] }) {
  const { t } = useTranslation('shield-regions')
  const format = useFormat()
  const rows = useMemo(
    () => regions.flatMap(({ region, nodes }) => nodes.map((node) => ({ ...node, region }))),
    [regions],
  )
  const columns = useMemo(
    () =>
      column.columns([
        column.accessor('node', {
          header: t('node'),
          meta: { leastPx: 160, card: 'title' },
          cell: ({ row: { original } }) => (
            <>
              {original.node} {original.away && <Pill tone="warn">{t('away')}</Pill>}
              {!original.reachable && <Pill tone="neutral">{t('notReachable')}</Pill>}
            </>
          ),
        }),
        column.accessor('region', { header: t('region'), meta: { leastPx: 120, card: 'detail' } }),
        column.accessor('ms', {
          header: t('time'),
          meta: { widthPx: 160, align: 'end', card: 'end' },
          cell: ({ row: { original } }) =>
            original.ms !== null ? (
              <span className="num">{format.milliseconds(original.ms)}</span>
            ) : original.failed > 0 ? (
              <Pill tone="bad">{t('failed')}</Pill>
            ) : (
              '—'
            ),
        }),
        column.accessor('samples', {
          header: t('samples'),
          meta: { widthPx: 150, align: 'end', card: 'detail' },
          cell: ({ row: { original } }) => (
            <span className="num">
              {original.failed > 0
                ? t('samplesFailed', { count: original.samples, failed: format.number(original.failed) })
                : format.number(original.samples)}
            </span>
          ),
        }),
        column.accessor(({ measuredAt }) => measuredAt ?? '', {
          id: 'measuredAt',
          header: t('measured'),
          meta: { widthPx: 150, card: 'detail' },
          cell: ({ row: { original } }) => (original.measuredAt === null ? '—' : <Age at={original.measuredAt} />),
        }),
      ]),
    [t, format],
  )
  return (
    <Card title={t('measuredTitle')} hint={t('measuredHint')} flush>
      <DataTable
        label={t('measuredTitle')}
        rows={rows}
        columns={columns}
        rowId={({ region, node }) => `${region} ${node}`}
        rowName={({ node }) => node}
        empty={<EmptyTeach title={t('empty.title')} text={t('empty.text')} />}
      />
    </Card>
  )
}
