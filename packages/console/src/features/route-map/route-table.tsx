import type { RouteRow } from '@fairway/contract'
import { Button, TextInput } from '@mantine/core'
import { useDeferredValue, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../i18n/format.ts'
import { FlushTable } from '../../ui/data-table/flush-table.tsx'
import { Segmented } from '../../ui/forms/segmented.tsx'
import { Age } from '../../ui/marks/age.tsx'
import { CdnName } from '../../ui/marks/cdn-name.tsx'
import { Card } from '../../ui/page/card.tsx'
import { usePlaceWords } from '../../ui/places/place-words.ts'
import { useCdnLooks } from '../cdn-management/cdn-names.ts'
import classes from './screen.module.css'
import { useCauseWords } from './use-cause-words.ts'

const LEVELS = ['all', 'country', 'region', 'network'] as const
type Level = (typeof LEVELS)[number]
const FIRST_ROWS = 50

type RouteTableProps = {
  rows: readonly RouteRow[]
  changed: boolean
  /** The rows are those of this address. */
  near: string | undefined
}

/** Places with what they get, by which strategy, since when and why. */
export function RouteTable({ rows, changed, near }: RouteTableProps) {
  const { t } = useTranslation('route-map')
  const format = useFormat()
  const words = usePlaceWords()
  const causeOf = useCauseWords()
  const [level, setLevel] = useState<Level>('all')
  const [typed, setTyped] = useState('')
  const [shown, setShown] = useState(FIRST_ROWS)
  const wanted = useDeferredValue(typed.trim().toLowerCase())
  const found = useMemo(
    () =>
      rows
        .map((row) => ({ row, name: words.level(row.place) }))
        .filter(
          ({ row, name }) =>
            (level === 'all' || levelOf(row.place) === level) &&
            (wanted === '' || name.toLowerCase().includes(wanted) || row.place.toLowerCase().includes(wanted)),
        )
        .sort((a, b) => (changed ? b.row.since.localeCompare(a.row.since) : 0) || a.name.localeCompare(b.name)),
    [rows, words, level, wanted, changed],
  )
  return (
    <Card
      title={near === undefined ? t(changed ? 'table.changed' : 'table.title') : t('table.near', { address: near })}
      hint={t('table.count', { count: found.length, number: format.number(found.length) })}
      end={
        <div className={classes.filters}>
          <TextInput
            size="xs"
            aria-label={t('table.search')}
            placeholder={t('table.search')}
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
          <Segmented
            label={t('table.level')}
            value={level}
            onChange={(next) => setLevel(LEVELS.find((one) => one === next) ?? 'all')}
            options={LEVELS.map((value) => ({ value, label: t(`level.${value}`) }))}
          />
        </div>
      }
      flush
    >
      {found.length === 0 ? (
        <p className={classes.none}>{t(changed ? 'table.unchanged' : 'table.none')}</p>
      ) : (
        <FlushTable
          label={t('table.title')}
          head={[
            { key: 'place', text: t('column.place') },
            { key: 'cdn', text: t('column.cdn') },
            { key: 'strategy', text: t('column.strategy'), wide: true },
            { key: 'since', text: t('column.since') },
            { key: 'cause', text: t('column.cause'), wide: true },
          ]}
        >
          {found.slice(0, shown).map(({ row, name }) => (
            <tr key={row.place}>
              <th scope="row">{name}</th>
              <td>
                <span className={classes.cdns}>
                  {row.before !== null && (
                    <span className={classes.before}>
                      <Shares shares={row.before} />
                    </span>
                  )}
                  <Shares shares={row.shares} />
                </span>
              </td>
              <td data-wide>{row.strategyId === null ? t('noStrategy') : (row.strategy ?? t('goneStrategy'))}</td>
              <td>
                <Age at={row.since} />
              </td>
              <td className={classes.cause} data-wide>
                {causeOf(row.cause)}
              </td>
            </tr>
          ))}
        </FlushTable>
      )}
      {found.length > shown && (
        <Button variant="subtle" fullWidth onClick={() => setShown(shown + 10 * FIRST_ROWS)}>
          {t('table.more')}
        </Button>
      )}
    </Card>
  )
}

function Shares({ shares }: { shares: RouteRow['shares'] }) {
  const format = useFormat()
  const { lookOf } = useCdnLooks()
  return shares.map(({ cdnId, percent }) => {
    const { name, series } = lookOf(cdnId)
    return (
      <CdnName key={cdnId} name={shares.length > 1 ? `${name} ${format.percent(percent)}` : name} series={series} />
    )
  })
}

const levelOf = (place: string): Level =>
  place.includes('|') ? 'network' : place.startsWith('country:') ? 'country' : 'region'
