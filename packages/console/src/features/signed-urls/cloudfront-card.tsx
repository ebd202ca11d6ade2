import { type SignedUrls, signedUrls } from '@fairway/contract'
import { Button, Select } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useChange } from '../../api/use-change.ts'
import { useCanCall } from '../../shell/access/session.ts'
import { FailureNotice } from '../../ui/forms/failure-notice.tsx'
import { Confirm } from '../../ui/layers/confirm.tsx'
import { Copy } from '../../ui/marks/copy.tsx'
import { LinkButton } from '../../ui/marks/links.tsx'
import type { Tone } from '../../ui/marks/states.ts'
import { Pill } from '../../ui/marks/status-pill.tsx'
import { Card } from '../../ui/page/card.tsx'
import { Notice } from '../../ui/page/notice.tsx'
import classes from './signed-urls.module.css'

type Cloudfront = NonNullable<SignedUrls['cloudfront']>
const TONES: Record<Cloudfront['state'], Tone> = { 'setting-up': 'info', live: 'ok', removing: 'neutral' }

/** Signed videos by way of the organisation's own CloudFront, which checks what was signed with its RSA keys. */
export function CloudfrontCard({ of, onDone }: { of: SignedUrls; onDone: () => void }) {
  const { t } = useTranslation('signed-urls')
  const { cloudfront } = of
  return (
    <Card
      title={t('cloudfront.title')}
      {...(cloudfront && {
        end: <Pill tone={TONES[cloudfront.state]}>{t(`cloudfront.state.${cloudfront.state}`)}</Pill>,
      })}
    >
      <div className={classes.page}>
        <p className={classes.quiet}>{t('cloudfront.text')}</p>
        {cloudfront ? <Placed of={cloudfront} onDone={onDone} /> : <Place of={of} onDone={onDone} />}
      </div>
    </Card>
  )
}

function Place({ of, onDone }: { of: SignedUrls; onDone: () => void }) {
  const { t } = useTranslation('signed-urls')
  const [chosen, setChosen] = useState<string | null>(null)
  const mayEdit = useCanCall(signedUrls.routes.placeCloudfront)
  const place = useChange(signedUrls.routes.placeCloudfront, { onDone })
  const cdnId = of.accounts.find((account) => account.cdnId === chosen)?.cdnId ?? of.accounts[0]?.cdnId
  const hasKey = of.keys.some(({ kind }) => kind === 'rsa-2048')
  if (cdnId === undefined)
    return (
      <Notice
        tone="info"
        action={
          <LinkButton size="xs" variant="default" to="/account/bring-my-cdn-account">
            {t('cloudfront.accounts')}
          </LinkButton>
        }
      >
        {t('cloudfront.noAccount')}
      </Notice>
    )
  return (
    <>
      {place.error && <FailureNotice title={t('cloudfront.notPlaced')} error={place.error} />}
      {!hasKey && <Notice tone="info">{t('cloudfront.noKey')}</Notice>}
      {mayEdit && (
        <div className={classes.line}>
          <Select
            aria-label={t('cloudfront.account')}
            allowDeselect={false}
            data={of.accounts.map((account) => ({ value: account.cdnId, label: account.name }))}
            value={cdnId}
            onChange={setChosen}
          />
          <Button disabled={!hasKey} loading={place.isPending} onClick={() => place.mutate({ cdnId })}>
            {t('cloudfront.place')}
          </Button>
        </div>
      )}
    </>
  )
}

function Placed({ of, onDone }: { of: Cloudfront; onDone: () => void }) {
  const { t } = useTranslation('signed-urls')
  const [isAsking, setAsking] = useState(false)
  const mayEdit = useCanCall(signedUrls.routes.removeCloudfront)
  const remove = useChange(signedUrls.routes.removeCloudfront, {
    onDone: () => {
      setAsking(false)
      onDone()
    },
  })
  return (
    <>
      {of.problem !== null && (
        <Notice tone="warn" title={t('cloudfront.problem')}>
          {of.problem}
        </Notice>
      )}
      <dl className={classes.facts}>
        <div>
          <dt>{t('cloudfront.account')}</dt>
          <dd>{of.name}</dd>
        </div>
        <div>
          <dt>{t('cloudfront.host')}</dt>
          <dd>
            {of.host === null ? (
              t('cloudfront.noHost')
            ) : (
              <span className={classes.keyId}>
                <code>{of.host}</code>
                <Copy value={of.host} />
              </span>
            )}
          </dd>
        </div>
      </dl>
      {mayEdit && of.state !== 'removing' && (
        <div>
          <Button size="xs" variant="default" color="red" onClick={() => setAsking(true)}>
            {t('cloudfront.remove')}
          </Button>
        </div>
      )}
      <Confirm
        opened={isAsking}
        onClose={() => setAsking(false)}
        title={t('cloudfront.removeAsk')}
        verb={t('cloudfront.remove')}
        danger
        busy={remove.isPending}
        onConfirm={() => remove.mutate({})}
      >
        {t('cloudfront.removeText')}
      </Confirm>
    </>
  )
}
