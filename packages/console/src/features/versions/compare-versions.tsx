import { versions } from '@fairway/contract'
import type { Site } from '@fairway/contract'
import { Button, NumberInput } from '@mantine/core'
import { IconArrowsDiff } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import { ErrorState } from '../../ui/page/error-state.tsx'
import { ChangeDiff } from './version-item.tsx'
import classes from './version-history.module.css'

/** An import may have changed thousands; nobody reads more than these. */
const MOST = 200

/** What differs between any two versions of a site. */
export function CompareVersions({ site }: { site: Pick<Site, 'id' | 'version'> }) {
  const { t } = useTranslation('versions')
  const [ends, setEnds] = useState<{ from: number | ''; to: number | '' } | null>(null)
  if (ends === null)
    return (
      <Button
        variant="default"
        size="xs"
        className={classes.open}
        leftSection={<IconArrowsDiff size={15} stroke={1.65} />}
        onClick={() => setEnds({ from: Math.max(0, site.version - 1), to: site.version })}
      >
        {t('compare.open')}
      </Button>
    )
  const field = (end: 'from' | 'to') => (
    <NumberInput
      label={t(`compare.${end}`)}
      min={0}
      max={site.version}
      allowDecimal={false}
      clampBehavior="strict"
      value={ends[end]}
      onChange={(value) => setEnds({ ...ends, [end]: typeof value === 'number' ? value : '' })}
    />
  )
  return (
    <section className={classes.compare} aria-label={t('compare.open')}>
      <div className={classes.ends}>
        {field('from')}
        {field('to')}
      </div>
      {ends.from !== '' && ends.to !== '' && <Differences siteId={site.id} from={ends.from} to={ends.to} />}
    </section>
  )
}

function Differences({ siteId, from, to }: { siteId: string; from: number; to: number }) {
  const { t } = useTranslation('versions')
  const { data, error, refetch } = useRead(versions.routes.compare, { site: siteId, from, to })
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (!data) return null
  const { changes } = data
  return (
    <div className={classes.differences} aria-live="polite">
      <p className={classes.none}>
        {changes.length === 0 ? t('compare.same') : t('compare.count', { count: changes.length })}
      </p>
      {changes.slice(0, MOST).map((change) => (
        <ChangeDiff key={`${change.entity} ${change.id}`} change={change} named />
      ))}
      {changes.length > MOST && <p className={classes.none}>{t('compare.rest', { count: changes.length - MOST })}</p>}
    </div>
  )
}
