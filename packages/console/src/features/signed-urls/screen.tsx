import { type SignedUrls, signedUrls } from '@fairway/contract'
import { Button, Skeleton } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import { useChange } from '../../api/use-change.ts'
import { Gate } from '../../shell/access/gate.tsx'
import { useCanCall } from '../../shell/access/session.ts'
import { SwitchRow } from '../../ui/forms/switch-row.tsx'
import { Confirm } from '../../ui/layers/confirm.tsx'
import { useSnackbar } from '../../ui/layers/snackbar.tsx'
import { Pill } from '../../ui/marks/status-pill.tsx'
import { onDemand } from '../../ui/pace/on-demand.tsx'
import { Card } from '../../ui/page/card.tsx'
import { ErrorState } from '../../ui/page/error-state.tsx'
import { PageHeader } from '../../ui/page/page-header.tsx'
import { CloudfrontCard } from './cloudfront-card.tsx'
import { CodeCard } from './code-card.tsx'
import { Inspector } from './inspector.tsx'
import { KeysCard } from './keys-card.tsx'
import classes from './signed-urls.module.css'

const KeyDialog = onDemand(async () => (await import('./key-dialog.tsx')).KeyDialog)

/** Who may play the videos of the organisation: the switch, the keys, how to sign, and why an address is refused. */
export function SignedUrlsScreen() {
  const { t } = useTranslation('signed-urls')
  const [isAdding, setAdding] = useState(false)
  const mayEdit = useCanCall(signedUrls.routes.createKey)
  const { data, error, refetch } = useRead(
    signedUrls.routes.get,
    {},
    { everyMs: (read) => (isOnItsWay(read) ? SOON_MS : false) },
  )
  const again = () => void refetch()
  const isFull = data !== undefined && data.keys.length >= data.limit
  const add = mayEdit && data && (
    <Button leftSection={<IconPlus size={16} stroke={1.9} />} disabled={isFull} onClick={() => setAdding(true)}>
      {t('add')}
    </Button>
  )
  return (
    <>
      <PageHeader title={t('title')} meaning={t('meaning')} actions={add} />
      <Gate route={signedUrls.routes.get} meaning={t('meaning')}>
        {error && !data && <ErrorState error={error} onRetry={again} />}
        {!data && !error && <Skeleton height={520} radius="lg" />}
        {data && (
          <div className={classes.page}>
            <SwitchCard of={data} onDone={again} />
            <KeysCard of={data} add={add} onDone={again} />
            <CloudfrontCard of={data} onDone={again} />
            <CodeCard of={data} />
            <Inspector />
          </div>
        )}
      </Gate>
      {mayEdit && <KeyDialog opened={isAdding} onClose={() => setAdding(false)} onMade={again} />}
    </>
  )
}

/** What CloudFront has done with what is wanted of it is announced by nothing. */
const SOON_MS = 4_000
const isOnItsWay = (read: SignedUrls | undefined): boolean =>
  read !== undefined && read.cloudfront !== null && read.cloudfront.state !== 'live'

function SwitchCard({ of, onDone }: { of: SignedUrls; onDone: () => void }) {
  const { t } = useTranslation('signed-urls')
  const show = useSnackbar()
  const [wanted, setWanted] = useState<boolean | null>(null)
  const mayEdit = useCanCall(signedUrls.routes.set)
  const set = useChange(signedUrls.routes.set, {
    onDone: ({ on }) => {
      setWanted(null)
      onDone()
      show('signed-urls', { message: t(on ? 'switchedOn' : 'switchedOff') })
    },
  })
  const hasKeys = of.keys.some(({ kind }) => kind === 'ecdsa-p256')
  return (
    <Card title={t('switch')} end={<Pill tone={of.on ? 'ok' : 'neutral'}>{t(of.on ? 'on' : 'off')}</Pill>}>
      <SwitchRow
        label={t('switchLabel')}
        text={hasKeys || of.on ? t('switchText', { count: of.sources }) : t('needsKey')}
        checked={of.on}
        disabled={!mayEdit || (!hasKeys && !of.on) || set.isPending}
        onChange={setWanted}
      />
      <Confirm
        opened={wanted !== null}
        onClose={() => setWanted(null)}
        title={t(wanted ? 'onAsk' : 'offAsk')}
        verb={t(wanted ? 'turnOn' : 'turnOff')}
        danger={wanted === true}
        busy={set.isPending}
        onConfirm={() => set.mutate({ on: wanted === true })}
      >
        {t(wanted ? 'onText' : 'offText', { count: of.sources })}
      </Confirm>
    </Card>
  )
}
