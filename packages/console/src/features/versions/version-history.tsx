import { versions } from '@fairway/contract'
import type { Site, SiteVersion } from '@fairway/contract'
import { Button, Skeleton } from '@mantine/core'
import { Suspense, lazy, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import { useCanCall } from '../../shell/access/session.ts'
import { EmptyTeach } from '../../ui/page/empty-teach.tsx'
import { ErrorState } from '../../ui/page/error-state.tsx'
import { SideDrawer } from '../../ui/layers/side-drawer.tsx'
import { useRevert } from './use-revert.ts'
import { VersionItem } from './version-item.tsx'
import classes from './version-history.module.css'

// It brings fields for numbers along, which pages with a history do not need before.
const CompareVersions = lazy(async () => ({ default: (await import('./compare-versions.tsx')).CompareVersions }))

const PAGE = 30

type VersionHistoryProps = {
  site: Pick<Site, 'id' | 'domainName' | 'version'>
  /** Of this one thing only, a record. */
  touches?: { id: string; label: string } | null
  opened: boolean
  onClose: () => void
}

/** Every change of a site, or of one thing of it, newest first, with its diff and a way back. */
export function VersionHistory({ site, touches = null, opened, onClose }: VersionHistoryProps) {
  const { t } = useTranslation('versions')
  const title = touches ? t('historyOfThing', { name: touches.label }) : t('historyOf', { site: site.domainName })
  return (
    <SideDrawer opened={opened} onClose={onClose} size={720} title={title}>
      {opened && touches === null && site.version > 1 && (
        <Suspense fallback={<Skeleton height={30} width={180} mb="md" />}>
          <CompareVersions site={site} />
        </Suspense>
      )}
      {opened && <Versions key={touches?.id} siteId={site.id} touches={touches?.id} />}
    </SideDrawer>
  )
}

function Versions({ siteId, touches }: { siteId: string; touches: string | undefined }) {
  const { t } = useTranslation('versions')
  const [size, setSize] = useState(PAGE)
  const { data, error, refetch } = useRead(versions.routes.list, {
    site: siteId,
    page_size: size,
    ...(touches === undefined ? {} : { touches }),
  })
  const canRevert = useCanCall(versions.routes.revert)
  const revert = useRevert(siteId)
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (data?.data.length === 0) return <EmptyTeach title={t('empty')} text={t('emptyText')} />
  return (
    <>
      <ol className={classes.list}>
        {data?.data.map((version) => (
          <VersionItem
            key={version.number}
            version={version}
            onRevert={canRevert && isRevertible(version) ? () => void revert(version.number) : null}
          />
        ))}
      </ol>
      {data && data.meta.total > data.data.length && (
        <Button variant="default" onClick={() => setSize(size + PAGE)}>
          {t('more')}
        </Button>
      )}
    </>
  )
}

/** What the system did follows from facts and cannot be taken back by hand. */
function isRevertible(version: SiteVersion): boolean {
  return version.source !== 'system' && version.changes.length > 0
}
