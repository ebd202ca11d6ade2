import { NumberInput } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../i18n/format.ts'
import { BlankLayout } from '../../shell/layouts/blank-layout.tsx'
import { PATHS } from '../../shell/nav/paths.ts'
import { useKnownAccount } from '../../shell/access/session.ts'
import { useIsBuilt } from '../../shell/nav/use-navigation.ts'
import { Card } from '../../ui/page/card.tsx'
import { LinkButton } from '../../ui/marks/links.tsx'
import { PageHeader } from '../../ui/page/page-header.tsx'
import { ContactButton } from '../contact-form/contact-button.tsx'
import { savingsOf } from './savings.ts'
import classes from './screen.module.css'

const FROM = '/mvp/cost-reduction'
type Field = 'tb' | 'present' | 'other' | 'share'

/** What a second CDN would save, reckoned with one's own prices. */
export function CostReductionScreen() {
  const { t, i18n } = useTranslation('cost-reduction')
  const format = useFormat()
  const { tb = 100, present = 0.08, other = 0.03, share = 50 } = useSearch({ from: FROM })
  const navigate = useNavigate({ from: FROM })
  const isSignedIn = useKnownAccount() !== null
  const isBuilt = useIsBuilt()
  const usd = (value: number) =>
    new Intl.NumberFormat(i18n.language, { style: 'currency', currency: 'USD', maximumFractionDigits: 0 }).format(value)
  const set = (field: Field) => (value: number | string) =>
    void navigate({
      search: (old) => ({ ...old, [field]: typeof value === 'number' ? value : undefined }),
      replace: true,
    })
  const { presentUsd, futureUsd, savedUsd, savedPercent } = savingsOf({
    trafficTb: tb,
    presentUsdPerGb: present,
    otherUsdPerGb: other,
    otherPercent: share,
  })
  return (
    <BlankLayout look="page">
      <PageHeader title={t('title')} meaning={t('meaning')} />
      <div className={classes.columns}>
        <Card title={t('yours')}>
          <div className={classes.fields}>
            <NumberInput
              label={t('traffic')}
              min={0}
              max={1_000_000}
              value={tb}
              onChange={set('tb')}
              suffix=" TB"
              thousandSeparator=","
            />
            <NumberInput
              label={t('present')}
              min={0}
              max={10}
              step={0.005}
              decimalScale={4}
              prefix="$"
              value={present}
              onChange={set('present')}
            />
            <NumberInput
              label={t('other')}
              min={0}
              max={10}
              step={0.005}
              decimalScale={4}
              prefix="$"
              value={other}
              onChange={set('other')}
            />
            <NumberInput
              label={t('share')}
              description={t('shareHelp')}
              min={0}
              max={100}
              suffix=" %"
              value={share}
              onChange={set('share')}
            />
          </div>
        </Card>
        <Card title={t('result')}>
          <div role="status">
            <p className={classes.saved} data-tone={savedUsd >= 0 ? 'ok' : 'bad'}>
              {t(savedUsd >= 0 ? 'saved' : 'more', {
                amount: usd(Math.abs(savedUsd)),
                percent: format.percent(Math.abs(savedPercent)),
              })}
            </p>
            <dl className={classes.costs}>
              <div>
                <dt>{t('now')}</dt>
                <dd>{usd(presentUsd)}</dd>
              </div>
              <div>
                <dt>{t('then')}</dt>
                <dd>{usd(futureUsd)}</dd>
              </div>
            </dl>
          </div>
          <p className={classes.how}>{t('how')}</p>
          <div className={classes.ways}>
            {isSignedIn ? (
              <LinkButton to="/home">{t('toConsole')}</LinkButton>
            ) : (
              <LinkButton to={isBuilt(PATHS.signup) ? PATHS.signup : '/login'}>{t('begin')}</LinkButton>
            )}
            <ContactButton />
          </div>
        </Card>
      </div>
    </BlankLayout>
  )
}
