import { analyticsOriginShield, AttackKind, type Domain, type Site, simulatedCdns } from '@fairway/contract'
import { Button } from '@mantine/core'
import { IconPlayerStop, IconSwords } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import { useChange } from '../../api/use-change.ts'
import { useFormat } from '../../i18n/format.ts'
import { Segmented } from '../../ui/forms/segmented.tsx'
import { Pill } from '../../ui/marks/status-pill.tsx'
import { Card } from '../../ui/page/card.tsx'
import { StatRow } from '../../ui/page/stat-card.tsx'
import classes from './attack-card.module.css'

const REFRESH_MS = 2000
const WINDOW_SECONDS = 60
const LASTS_SECONDS = 120

/** Lets visitors attack the domain that web security looks after, and shows what becomes of them. */
export function AttackCard({ site, domain, canSet }: { site: Site; domain: Domain; canSet: boolean }) {
  const { t } = useTranslation('simulated-cdns')
  const format = useFormat()
  const [chosen, setChosen] = useState<AttackKind>('flood')
  const { data } = useRead(simulatedCdns.routes.attack, {}, { everyMs: REFRESH_MS })
  const place = { site: site.id, domain: domain.id }
  const report = useRead(
    analyticsOriginShield.routes.report,
    { ...place, seconds: WINDOW_SECONDS },
    { everyMs: REFRESH_MS },
  ).data
  const set = useChange(simulatedCdns.routes.setAttack)
  const attack = data?.attack
  const totals = report?.totals
  const figure = (id: 'requests' | 'stopped' | 'challenged' | 'simulated') => ({
    id,
    label: t(`attack.figure.${id}`),
    value: totals ? format.number(totals[id]) : null,
  })
  return (
    <Card
      title={t('attack.title')}
      hint={domain.name}
      end={
        attack && (
          <Pill tone="bad" busy>
            {t('attack.running', { kind: t(`attack.kind.${attack.kind}`) })}
          </Pill>
        )
      }
    >
      <div className={classes.root}>
        <p className={classes.meaning}>{t('attack.meaning')}</p>
        {canSet && (
          <div className={classes.tools}>
            <Segmented
              label={t('attack.choose')}
              value={attack?.kind ?? chosen}
              onChange={setChosen}
              options={AttackKind.options.map((value) => ({
                value,
                label: t(`attack.kind.${value}`),
                disabled: Boolean(attack),
              }))}
            />
            {attack ? (
              <Button
                variant="default"
                leftSection={<IconPlayerStop size={16} stroke={1.65} />}
                loading={set.isPending}
                onClick={() => set.mutate({ kind: null })}
              >
                {t('attack.stop')}
              </Button>
            ) : (
              <Button
                color="red"
                leftSection={<IconSwords size={16} stroke={1.65} />}
                disabled={!data}
                loading={set.isPending}
                onClick={() => set.mutate({ kind: chosen, seconds: LASTS_SECONDS })}
              >
                {t('attack.start')}
              </Button>
            )}
            <Link
              className={classes.link}
              to="/$site/{-$domain}/analytics/origin-shield/{-$tab}"
              params={{ site: site.domainName, domain: domain.name, tab: 'threat-log' }}
              search={{ live: true }}
            >
              {t('attack.log')}
            </Link>
          </div>
        )}
        <StatRow
          label={t('attack.lately')}
          stats={[figure('requests'), figure('stopped'), figure('challenged'), figure('simulated')]}
        />
      </div>
    </Card>
  )
}
