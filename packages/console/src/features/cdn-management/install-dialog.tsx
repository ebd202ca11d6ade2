import { cdnManagement } from '@fairway/contract'
import type { Cdn, DomainCdn } from '@fairway/contract'
import { Button, Skeleton } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import { useChange } from '../../api/use-change.ts'
import { useFormat } from '../../i18n/format.ts'
import { useCanCall } from '../../shell/access/session.ts'
import { CdnName } from '../../ui/marks/cdn-name.tsx'
import { ErrorState } from '../../ui/page/error-state.tsx'
import { FailureNotice } from '../../ui/forms/failure-notice.tsx'
import { LinkButton } from '../../ui/marks/links.tsx'
import { Notice } from '../../ui/page/notice.tsx'
import { SideDrawer } from '../../ui/layers/side-drawer.tsx'
import { useSnackbar } from '../../ui/layers/snackbar.tsx'
import type { Place } from '../routing-strategies/strategies-read.ts'
import { CustomCdnForm } from './custom-cdn-form.tsx'
import classes from './install-dialog.module.css'
import { OriginNotice, isTroubled } from './origin-notice.tsx'

type InstallDialogProps = {
  opened: boolean
  onClose: () => void
  place: Place
  /** Whether the domain passes WebSocket connections on. */ hasWebsocket: boolean
  attached: readonly DomainCdn[]
}

const HERE = '/$site/{-$domain}/multi-cdn/cdn-management'

/** The organisation's CDNs that the domain does not have yet, and a way to bring one of one's own. */
export function InstallDialog({ opened, onClose, place, hasWebsocket, attached }: InstallDialogProps) {
  const { t } = useTranslation('cdn-management')
  const show = useSnackbar()
  const [installing, setInstalling] = useState<string | null>(null)
  const { data, error, refetch } = useRead(cdnManagement.routes.platforms, { page_size: -1 }, { enabled: opened })
  const canCreate = useCanCall(cdnManagement.routes.createPlatform)
  const install = useChange(cdnManagement.routes.install, {
    subject: null,
    onDone: ({ data: cdn }) => {
      show('install', {
        message: t(cdn.originSeen === 'https' ? 'installedOverHttps' : 'installed', { name: cdn.name }),
      })
      setInstalling(null)
      // What is wrong with the origin stays on the screen until it has been read.
      if (!isTroubled(cdn.originSeen)) onClose()
    },
  })
  const left = (data?.data ?? []).filter(({ id }) => !attached.some(({ cdnId }) => cdnId === id))
  const start = (cdnId: string) => {
    setInstalling(cdnId)
    install.mutate({ ...place, cdnId })
  }
  const seen = install.data?.data.originSeen ?? null
  return (
    <SideDrawer
      opened={opened}
      onClose={() => {
        install.reset()
        onClose()
      }}
      title={t('installTitle')}
    >
      <div className={classes.body}>
        {install.error && <FailureNotice title={t('notInstalled')} error={install.error} />}
        {isTroubled(seen) && <OriginNotice seen={seen} />}
        {!hasWebsocket && (
          <Notice tone="info" title={t('websocketOff')} action={<SettingsLink />}>
            {t('websocketOffText')}
          </Notice>
        )}
        {error && !data && <ErrorState error={error} onRetry={() => void refetch()} />}
        {!data && !error && <Skeleton height={180} radius="md" />}
        {data && left.length === 0 && <p className={classes.none}>{t('allInstalled')}</p>}
        {left.length > 0 && (
          <ul className={classes.list}>
            {left.map((cdn) => (
              <Platform
                key={cdn.id}
                cdn={cdn}
                busy={install.isPending && installing === cdn.id}
                onInstall={() => start(cdn.id)}
              />
            ))}
          </ul>
        )}
        {data && canCreate && (
          <LinkButton to="/marketplace/{-$category}/{-$childCategory}" variant="subtle">
            {t('more')}
          </LinkButton>
        )}
        {data && canCreate && <CustomCdnForm onCreated={({ id }) => start(id)} />}
      </div>
    </SideDrawer>
  )
}

function SettingsLink() {
  const { t } = useTranslation('cdn-management')
  return (
    <LinkButton to="/$site/{-$domain}/general-settings" from={HERE} variant="default" size="xs">
      {t('toSettings')}
    </LinkButton>
  )
}

function Platform({ cdn, busy, onInstall }: { cdn: Cdn; busy: boolean; onInstall: () => void }) {
  const { t } = useTranslation('cdn-management')
  const format = useFormat()
  const { id, name, series, driver, category, cname, capabilities, review } = cdn
  const missing = Object.entries(capabilities)
    .filter(([, has]) => !has)
    .map(([capability]) => t(`capability.${capability}`))
  return (
    <li className={classes.platform}>
      <div className={classes.words}>
        <p className={classes.name}>
          <CdnName name={name} series={series} strong />
          <span className={classes.category}>{t(`category.${category}`)}</span>
        </p>
        <p className={classes.meaning}>{t(`driver.${driver}`)}</p>
        {cname !== null && (
          <p>
            <code>{cname}</code>
          </p>
        )}
        {missing.length > 0 && <p className={classes.missing}>{t('cannot', { what: format.list(missing) })}</p>}
      </div>
      {review ? (
        <LinkButton
          to="/marketplace/{-$category}/{-$childCategory}"
          search={{ open: id, tab: 'installed' }}
          variant="default"
          size="xs"
        >
          {t('askNamed', { name })}
        </LinkButton>
      ) : (
        <Button variant="default" size="xs" loading={busy} onClick={onInstall} aria-label={t('installNamed', { name })}>
          {t('installVerb')}
        </Button>
      )}
    </li>
  )
}
