import { attackTrial } from '@fairway/contract'
import { Button, Skeleton } from '@mantine/core'
import { IconSwords } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useChange } from '../../api/use-change.ts'
import { Gate } from '../../shell/access/gate.tsx'
import { useCanCall } from '../../shell/access/session.ts'
import { ChooseDomain } from '../../shell/scope/choose-domain.tsx'
import { useScope } from '../../shell/scope/scope.ts'
import { FailureNotice } from '../../ui/forms/failure-notice.tsx'
import { Card } from '../../ui/page/card.tsx'
import { EmptyTeach } from '../../ui/page/empty-teach.tsx'
import { PageHeader } from '../../ui/page/page-header.tsx'
import type { Place } from '../routing-strategies/strategies-read.ts'
import { DeployState } from '../versions/deploy-state.tsx'
import { ShieldNotice } from '../web-security/shield-notice.tsx'
import classes from './attack-trial.module.css'
import { TrialResult } from './trial-result.tsx'

/** One button that attacks one's own website, and what came of it. */
export function AttackTrialScreen() {
  const { t } = useTranslation('attack-trial')
  const { site, domain } = useScope()
  return (
    <>
      <PageHeader title={t('title')} meaning={t('meaning')} beside={domain && <DeployState site={site} />} />
      <Gate route={{ permission: 'ViewSite', planFeature: 'waf.enable' }} meaning={t('meaning')}>
        {!domain ? (
          <ChooseDomain title={t('guide')} to="/$site/{-$domain}/origin-shield/attack-trial" />
        ) : (
          <>
            <ShieldNotice domain={domain} />
            <Trial key={domain.id} name={domain.name} place={{ site: site.id, domain: domain.id }} />
          </>
        )}
      </Gate>
    </>
  )
}

function Trial({ name, place }: { name: string; place: Place }) {
  const { t } = useTranslation('attack-trial')
  const mayRun = useCanCall(attackTrial.routes.run)
  const run = useChange(attackTrial.routes.run, { subject: null })
  const button = (
    <Button
      loading={run.isPending}
      disabled={!mayRun}
      leftSection={<IconSwords size={16} stroke={1.65} />}
      onClick={() => run.mutate(place)}
    >
      {t(run.data ? 'again' : 'run')}
    </Button>
  )
  return (
    <div className={classes.blocks}>
      {run.error && <FailureNotice title={t('failed')} error={run.error} />}
      {run.data ? (
        <TrialResult trial={run.data} place={place} again={button} />
      ) : run.isPending ? (
        <Skeleton height={420} radius="lg" />
      ) : (
        <Card>
          <EmptyTeach
            title={t('empty', { domain: name })}
            text={t('promise')}
            steps={[t('step.send'), t('step.see'), t('step.mend')]}
            action={button}
          />
        </Card>
      )}
    </div>
  )
}
