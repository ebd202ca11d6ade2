import type { PowerUpDetail } from '@fairway/contract'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../i18n/format.ts'
import { useAccount } from '../../shell/access/session.ts'
import { Copy } from '../../ui/marks/copy.tsx'
import { Notice } from '../../ui/page/notice.tsx'
import { Standing } from './power-up-card.tsx'
import { PowerUpMark } from './power-up-mark.tsx'
import { usePowerUpWords } from './power-up-words.ts'
import classes from './power-ups.module.css'

/** What it is and can do, and what it still needs here. */
export function IntroductionTab({ powerUp }: { powerUp: PowerUpDetail }) {
  const { t } = useTranslation(['power-ups', 'cdn-management'])
  const format = useFormat()
  const { introductionOf, featuresOf } = usePowerUpWords()
  const { organizationCode } = useAccount()
  const { capabilities, referenceUrl, cname, category, kind, needs, review, features } = powerUp
  const missing =
    capabilities === null || powerUp.driver === 'custom'
      ? []
      : Object.entries(capabilities)
          .filter(([, has]) => !has)
          .map(([capability]) => t(`cdn-management:capability.${capability}`))
  return (
    <div className={classes.stack}>
      <div className={classes.introHead}>
        <PowerUpMark powerUp={powerUp} />
        <div className={classes.introWords}>
          <span>
            {t(`power-ups:category.${category}`)} · {t(`power-ups:type.${powerUp.type}`)}
          </span>
          <Standing powerUp={powerUp} />
        </div>
      </div>
      <p className={classes.reading}>{introductionOf(powerUp)}</p>
      {kind === 'vendor' && (
        <Notice tone="info" title={t('power-ups:keyTitle')}>
          {t(organizationCode === 'EnterpriseCustomer' ? 'power-ups:keyText' : 'power-ups:keyPlan')}
        </Notice>
      )}
      {needs === 'plan' && (
        <Notice tone="info" title={t('power-ups:needs.plan')}>
          {t('power-ups:planText')}
        </Notice>
      )}
      {review && (
        <Notice tone="info" title={t('power-ups:reviewTitle')}>
          {t(features?.icpCheck === true ? 'power-ups:reviewIcp' : 'power-ups:reviewText')}
        </Notice>
      )}
      <dl className={classes.facts}>
        {featuresOf(powerUp).length > 0 && (
          <>
            <dt>{t('power-ups:features')}</dt>
            <dd>{format.list(featuresOf(powerUp))}</dd>
          </>
        )}
        {missing.length > 0 && (
          <>
            <dt>{t('power-ups:cannot')}</dt>
            <dd>{format.list(missing)}</dd>
          </>
        )}
        {cname !== null && (
          <>
            <dt>{t('power-ups:custom.cname')}</dt>
            <dd>
              <code>{cname}</code> <Copy value={cname} name={t('power-ups:custom.cname')} />
            </dd>
          </>
        )}
        {referenceUrl !== null && (
          <>
            <dt>{t('power-ups:custom.referenceUrl')}</dt>
            <dd>
              <a className="link" href={referenceUrl} target="_blank" rel="noreferrer noopener">
                {referenceUrl}
              </a>
            </dd>
          </>
        )}
      </dl>
    </div>
  )
}
