import { type PowerUpDetail, billing, cdnManagement, plans, powerUps } from '@fairway/contract'
import { Button, Skeleton, Tabs } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import { useChange } from '../../api/use-change.ts'
import { addOnEntryId, rememberEntry } from '../../shell/palette/recent.ts'
import { useAccount, useCanCall } from '../../shell/access/session.ts'
import { Confirm } from '../../ui/layers/confirm.tsx'
import { Dialog } from '../../ui/layers/dialog.tsx'
import { ErrorState } from '../../ui/page/error-state.tsx'
import { LinkButton } from '../../ui/marks/links.tsx'
import { useSnackbar } from '../../ui/layers/snackbar.tsx'
import { AddOnConfirm } from '../billing/add-on-confirm.tsx'
import { InstalledTab } from './installed-tab.tsx'
import { IntroductionTab } from './introduction-tab.tsx'
import { usePowerUpWords } from './power-up-words.ts'
import classes from './power-ups.module.css'
import { RatesTab } from './rates-tab.tsx'
import { DETAIL_TABS } from './search.ts'

type Tab = (typeof DETAIL_TABS)[number]
type PowerUpDialogProps = {
  id: string | undefined
  tab: Tab
  onTab: (tab: Tab) => void
  onClose: () => void
  onEdit?: (id: string) => void
}

/** One power-up: what it is, where it is installed, what it costs. */
export function PowerUpDialog({ id, tab, onTab, onClose, onEdit }: PowerUpDialogProps) {
  const { t } = useTranslation('power-ups')
  const { nameOf } = usePowerUpWords()
  // What was open stays while the dialog fades.
  const kept = useRef(id)
  if (id !== undefined) kept.current = id
  const { data, error, refetch } = useRead(
    powerUps.routes.get,
    { powerUp: kept.current ?? '' },
    { enabled: id !== undefined },
  )
  const name = data && nameOf(data)
  useEffect(() => {
    if (id !== undefined && name !== undefined) rememberEntry(addOnEntryId(id, name))
  }, [id, name])
  return (
    <Dialog
      opened={id !== undefined}
      onClose={onClose}
      title={name ?? t('loading')}
      size={640}
      tall
      footer={data && <Actions powerUp={data} tab={tab} onTab={onTab} onClose={onClose} onEdit={onEdit} />}
    >
      {error && !data && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton height={220} />}
      {data && (
        <Tabs
          value={tab}
          onChange={(next) => onTab(DETAIL_TABS.find((one) => one === next) ?? 'introduction')}
          keepMounted={false}
        >
          <Tabs.List>
            {DETAIL_TABS.filter((one) => one !== 'rates' || hasRates(data)).map((one) => (
              <Tabs.Tab key={one} value={one}>
                {t(`tab.${one}`)}
              </Tabs.Tab>
            ))}
          </Tabs.List>
          <Tabs.Panel value="introduction" className={classes.panel}>
            <IntroductionTab powerUp={data} />
          </Tabs.Panel>
          <Tabs.Panel value="installed" className={classes.panel}>
            <InstalledTab powerUp={data} />
          </Tabs.Panel>
          {hasRates(data) && (
            <Tabs.Panel value="rates" className={classes.panel}>
              <RatesTab powerUp={data} />
            </Tabs.Panel>
          )}
        </Tabs>
      )}
    </Dialog>
  )
}

const hasRates = ({ rates, monthlyMinor }: PowerUpDetail): boolean => rates !== null || monthlyMinor !== null

type ActionsProps = {
  powerUp: PowerUpDetail
  tab: Tab
  onTab: (tab: Tab) => void
  onClose: () => void
  onEdit: ((id: string) => void) | undefined
}

/** What can be done with it now; of what cannot, the introduction says why. */
function Actions({ powerUp, tab, onTab, onClose, onEdit }: ActionsProps) {
  const { t } = useTranslation('power-ups')
  const canInstall = useCanCall(cdnManagement.routes.install)
  const canBuy = useCanCall(billing.routes.addAddOn)
  const { organizationCode, plan } = useAccount()
  if (powerUp.kind === 'add-on')
    return canBuy && (powerUp.since !== null || (powerUp.needs === null && !powerUp.included)) ? (
      <BuyButton powerUp={powerUp} />
    ) : null
  if (powerUp.kind === 'vendor')
    return organizationCode === 'EnterpriseCustomer' && plan.ability.includes('byoCdn.enable') ? (
      <LinkButton to="/account/bring-my-cdn-account/add" search={{ platform: platformOf(powerUp.driver) }}>
        {t('addKey')}
      </LinkButton>
    ) : null
  return (
    <>
      {powerUp.type === 'custom' && powerUp.driver === 'custom' && canInstall && onEdit && (
        <CustomActions powerUp={powerUp} onClose={onClose} onEdit={onEdit} />
      )}
      {canInstall && powerUp.needs === null && tab !== 'installed' && (
        <Button onClick={() => onTab('installed')}>{t('installOpen')}</Button>
      )}
    </>
  )
}

const PLATFORMS = ['akamai', 'bunny', 'cloudflare', 'cloudfront', 'fastly', 'tencent'] as const
const platformOf = (driver: string | null) => PLATFORMS.find((one) => one === driver)

function BuyButton({ powerUp }: { powerUp: PowerUpDetail }) {
  const { t } = useTranslation('power-ups')
  const [asking, setAsking] = useState(false)
  const { data } = useRead(plans.routes.addOns, {})
  const addOn = data?.data.find(({ id }) => id === powerUp.id)
  const isOn = powerUp.since !== null
  return (
    <>
      <Button disabled={!addOn} {...(isOn ? { variant: 'default' } : {})} onClick={() => setAsking(true)}>
        {t(isOn ? 'uninstall.open' : 'buyOpen')}
      </Button>
      {asking && addOn && <AddOnConfirm addOn={addOn} onClose={() => setAsking(false)} />}
    </>
  )
}

function CustomActions({
  powerUp,
  onClose,
  onEdit,
}: {
  powerUp: PowerUpDetail
  onClose: () => void
  onEdit: (id: string) => void
}) {
  const { t } = useTranslation('power-ups')
  const { nameOf } = usePowerUpWords()
  const show = useSnackbar()
  const [asking, setAsking] = useState(false)
  const name = nameOf(powerUp)
  const remove = useChange(cdnManagement.routes.removePlatform, {
    onDone: () => {
      show('custom', { message: t('custom.removed', { name }) })
      onClose()
    },
  })
  return (
    <>
      {powerUp.installs === 0 && (
        <Button variant="subtle" color="red" onClick={() => setAsking(true)}>
          {t('custom.remove')}
        </Button>
      )}
      <Button variant="default" onClick={() => onEdit(powerUp.id)}>
        {t('custom.edit')}
      </Button>
      <Confirm
        opened={asking}
        onClose={() => setAsking(false)}
        title={t('custom.removeTitle', { name })}
        verb={t('custom.removeVerb')}
        danger
        busy={remove.isPending}
        onConfirm={() => {
          setAsking(false)
          remove.mutate({ platform: powerUp.id })
        }}
      >
        <p>{t('custom.removeText')}</p>
      </Confirm>
    </>
  )
}
