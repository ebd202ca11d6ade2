import { versions } from '@fairway/contract'
import type { Site, SiteVersion } from '@fairway/contract'
import { Popover, UnstyledButton } from '@mantine/core'
import { Suspense, lazy, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import { useFormat } from '../../i18n/format.ts'
import { Pill, StatusPill } from '../../ui/marks/status-pill.tsx'
import classes from './deploy-state.module.css'

// Asked for seldom: no page waits for it.
const VersionHistory = lazy(async () => ({ default: (await import('./version-history.tsx')).VersionHistory }))

/** Confirmations arrive by event; this is for when one is missed. */
const CHECK_MS = 1000

type DeployStateProps = {
  site: Pick<Site, 'id' | 'domainName' | 'version'>
  /** Opens the page's own version history, in place of the one that comes with this. */
  onHistory?: () => void
}

/**
 * Whether the site's newest version is live, by what its nodes have confirmed: "Live on 2 of 2 nodes". Green only when
 * all of them serve it;
 * each node's word is one click away, and so is the way back.
 */
export function DeployState({ site, onHistory }: DeployStateProps) {
  const { t } = useTranslation('versions')
  const [opened, setOpened] = useState(false)
  const [history, setHistory] = useState<'unasked' | 'opened' | 'closed'>('unasked')
  const { data } = useRead(
    versions.routes.get,
    { site: site.id, number: String(site.version) },
    { enabled: site.version > 0, everyMs: (version) => (version?.state === 'live' ? false : CHECK_MS) },
  )
  if (site.version === 0) return null
  // While the answer for a new version is awaited, the old one's word does not count.
  const version = data?.number === site.version ? data : null
  return (
    <>
      <Popover opened={opened} onChange={setOpened} position="bottom-end" width={340}>
        <Popover.Target>
          <UnstyledButton className={classes.button} onClick={() => setOpened(!opened)}>
            <Summary version={version} />
          </UnstyledButton>
        </Popover.Target>
        <Popover.Dropdown aria-label={t('nodesOf', { number: site.version })}>
          <div className={classes.head}>
            <span className={classes.title}>{t('number', { number: site.version })}</span>
            <UnstyledButton
              className={classes.history}
              onClick={() => {
                setOpened(false)
                if (onHistory) onHistory()
                else setHistory('opened')
              }}
            >
              {t('history')}
            </UnstyledButton>
          </div>
          {version && <NodeList version={version} />}
        </Popover.Dropdown>
      </Popover>
      {history !== 'unasked' && (
        <Suspense fallback={null}>
          <VersionHistory site={site} opened={history === 'opened'} onClose={() => setHistory('closed')} />
        </Suspense>
      )}
    </>
  )
}

function Summary({ version }: { version: SiteVersion | null }) {
  const { t } = useTranslation('versions')
  const format = useFormat()
  if (version === null)
    return (
      <Pill tone="info" busy>
        {t('deploying')}
      </Pill>
    )
  const total = version.nodes.length
  const live = version.nodes.filter(({ state }) => state === 'live').length
  const failed = version.nodes.find(({ state }) => state === 'failed')
  if (failed) return <Pill tone="bad">{t('failedOn', { node: failed.name })}</Pill>
  if (version.state === 'live')
    return <Pill tone={live === total ? 'ok' : 'warn'}>{t('liveOn', { live, count: total })}</Pill>
  return (
    <Pill tone="info" busy>
      {t('deployingOn', { live, count: total, time: format.time(Date.parse(version.createdAt)) })}
    </Pill>
  )
}

function NodeList({ version }: { version: SiteVersion }) {
  const { t } = useTranslation('versions')
  const format = useFormat()
  if (version.nodes.length === 0) return <p className={classes.none}>{t('noNodes')}</p>
  return (
    <ul className={classes.nodes}>
      {version.nodes.map((node) => (
        <li key={node.nodeId} className={classes.node}>
          <span className={classes.name}>{node.name}</span>
          <span className={classes.when}>
            {node.confirmedAt !== null &&
              t('after', {
                time: format.milliseconds(Math.max(0, Date.parse(node.confirmedAt) - Date.parse(version.createdAt))),
              })}
          </span>
          <StatusPill state={node.state} />
          {node.reason !== null && <span className={classes.reason}>{node.reason}</span>}
        </li>
      ))}
    </ul>
  )
}
