import { type WhiteLabel, type WhiteLabelLeak, whiteLabel } from '@fairway/contract'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import { useFormat } from '../../i18n/format.ts'
import { LinkButton } from '../../ui/marks/links.tsx'
import { Card } from '../../ui/page/card.tsx'
import { Notice } from '../../ui/page/notice.tsx'
import classes from './white-label.module.css'

/** Which names of the installation's the partner's customers see, and why. */
export function LeakCard({ of }: { of: WhiteLabel }) {
  const { t } = useTranslation('white-label')
  if (of.isDefault) return null
  return (
    <Card title={t('leaks.title')}>
      {of.leaks.length === 0 ? <p className={classes.quiet}>{t('leaks.none')}</p> : <Leaks leaks={of.leaks} />}
    </Card>
  )
}

function Leaks({ leaks }: { leaks: readonly WhiteLabelLeak[] }) {
  const { t } = useTranslation('white-label')
  const format = useFormat()
  return (
    <ul className={classes.leaks}>
      {leaks.map(({ use, reason, shown, organizations }) => (
        <li key={`${use} ${reason}`}>
          <span>{t(`use.${use}`)}</span>
          <code>{shown}</code>
          <span className={classes.quiet}>
            {t(`leaks.${reason}`, { count: organizations, number: format.number(organizations) })}
          </span>
        </li>
      ))}
    </ul>
  )
}

/** The same in short, on the partner's own page, with the way to mend it. */
export function LeakNotice({ partner }: { partner: string }) {
  const { t } = useTranslation('white-label')
  const { data } = useRead(whiteLabel.routes.get, { partner })
  if (!data || data.isDefault || data.leaks.length === 0) return null
  return (
    <Notice
      tone="warn"
      title={t('leaks.title')}
      action={
        <LinkButton variant="default" size="xs" to="/operator/white-label" search={{ partner }}>
          {t('leaks.mend')}
        </LinkButton>
      }
    >
      <Leaks leaks={data.leaks} />
    </Notice>
  )
}
