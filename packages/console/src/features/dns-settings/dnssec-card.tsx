import { dnssec } from '@fairway/contract'
import type { Dnssec, Site } from '@fairway/contract'
import { Button, Skeleton } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import { useChange } from '../../api/use-change.ts'
import { useFormat } from '../../i18n/format.ts'
import { useCanCall } from '../../shell/access/session.ts'
import { Age } from '../../ui/marks/age.tsx'
import { Card } from '../../ui/page/card.tsx'
import { Confirm } from '../../ui/layers/confirm.tsx'
import { ErrorState } from '../../ui/page/error-state.tsx'
import { Notice } from '../../ui/page/notice.tsx'
import type { Tone } from '../../ui/marks/states.ts'
import { Pill } from '../../ui/marks/status-pill.tsx'
import classes from './dns-settings.module.css'
import { DnssecSteps } from './dnssec-steps.tsx'
import { ZoneKey } from './zone-key.tsx'

const TONES: Record<Dnssec['state'], Tone> = { off: 'neutral', waiting: 'warn', secured: 'ok', withdrawing: 'info' }
const LOOK_MS = 5_000

/** Signing of the zone: where it stands, what the registrar needs, and the one step that is possible now. */
export function DnssecCard({ site }: { site: Site }) {
  const { t } = useTranslation('dns-settings')
  const { data, error, refetch } = useRead(
    dnssec.routes.get,
    { site: site.id },
    {
      everyMs: (known) =>
        known && (known.state === 'waiting' || known.state === 'withdrawing' || known.keys.length > 1)
          ? LOOK_MS
          : false,
    },
  )
  return (
    <Card
      title="DNSSEC"
      {...(data
        ? {
            end: (
              <Pill tone={TONES[data.state]} busy={data.state === 'withdrawing'}>
                {t(`state.${data.state}`)}
              </Pill>
            ),
          }
        : {})}
    >
      {error && !data && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton height={120} radius="md" />}
      {data && <Known site={site} dnssec={data} />}
    </Card>
  )
}

type Asked = 'disable' | 'roll' | null

function Known({ site, dnssec: now }: { site: Site; dnssec: Dnssec }) {
  const { t } = useTranslation('dns-settings')
  const format = useFormat()
  const mayEdit = useCanCall(dnssec.routes.enable)
  const [asked, setAsked] = useState<Asked>(null)
  const done = { onDone: () => setAsked(null) }
  const enable = useChange(dnssec.routes.enable, done)
  const disable = useChange(dnssec.routes.disable, done)
  const roll = useChange(dnssec.routes.roll, done)
  const check = useChange(dnssec.routes.check, done)
  const { state, keys, parent, dueAt } = now
  const isRolling = keys.length > 1
  const given =
    keys.find((key) => key.state === 'ready') ??
    (state === 'withdrawing' ? undefined : keys.find((key) => key.state === 'active'))
  const at = { site: site.id }
  return (
    <div className={classes.blocks}>
      <p className={classes.text}>{t(`text.${state}`, { site: site.domainName })}</p>
      {!parent.answered && <Notice tone="warn">{t('parentAway')}</Notice>}
      {state !== 'withdrawing' && parent.unknown > 0 && (
        <Notice tone="bad" title={t('foreignDs', { count: parent.unknown })}>
          {t('foreignDsText')}
        </Notice>
      )}
      {state === 'withdrawing' && parent.ds.length > 0 && (
        <Notice tone="warn" title={t('removeDs')}>
          {t('removeDsText')}
        </Notice>
      )}
      {state !== 'off' && <DnssecSteps dnssec={now} />}
      {dueAt !== null && <p className={classes.quiet}>{t('due', { time: format.dateTime(Date.parse(dueAt)) })}</p>}
      {given && <ZoneKey zone={site.domainName} zoneKey={given} open={!given.atParent} />}
      {state !== 'off' && (
        <p className={classes.quiet}>
          {parent.checkedAt === null ? (
            t('notChecked')
          ) : (
            <>
              {t('checked')} <Age inside at={parent.checkedAt} />
            </>
          )}
        </p>
      )}
      {mayEdit && (
        <div className={classes.actions}>
          {state === 'off' && (
            <Button loading={enable.isPending} onClick={() => enable.mutate(at)}>
              {t('enable')}
            </Button>
          )}
          {state === 'withdrawing' && (
            <Button loading={enable.isPending} onClick={() => enable.mutate(at)}>
              {t('keep')}
            </Button>
          )}
          {state !== 'off' && (
            <Button variant="default" loading={check.isPending} onClick={() => check.mutate(at)}>
              {t('check')}
            </Button>
          )}
          {state === 'secured' && !isRolling && (
            <Button variant="default" onClick={() => setAsked('roll')}>
              {t('roll')}
            </Button>
          )}
          {(state === 'waiting' || state === 'secured') && (
            <Button variant="subtle" color="red" onClick={() => setAsked('disable')}>
              {t('disable')}
            </Button>
          )}
        </div>
      )}
      <Confirm
        opened={asked === 'disable'}
        onClose={() => setAsked(null)}
        title={t('disableTitle')}
        verb={t('disable')}
        danger
        busy={disable.isPending}
        onConfirm={() => disable.mutate(at)}
      >
        {t('disableText')}
      </Confirm>
      <Confirm
        opened={asked === 'roll'}
        onClose={() => setAsked(null)}
        title={t('rollTitle')}
        verb={t('rollVerb')}
        busy={roll.isPending}
        onConfirm={() => roll.mutate(at)}
      >
        {t('rollText')}
      </Confirm>
    </div>
  )
}
