import { useParams } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { hrefOf } from '../../shell/nav/navigation.ts'
import { usePartner } from '../../shell/partner.ts'
import { useAccount } from '../../shell/access/session.ts'
import { LinkButton } from '../../ui/marks/links.tsx'
import { Notice } from '../../ui/page/notice.tsx'
import type { Product, Standing } from './catalogue.ts'
import { usePlansWith } from './use-plans-with.ts'
import classes from './product-screen.module.css'
import { WayToPlans } from './way-to-plans.tsx'

/** How one gets to it from here: open it, another plan, or not on this installation. */
export function WayIn({ product, standing }: { product: Product; standing: Standing }) {
  const { t } = useTranslation('welcome')
  const user = useAccount()
  const { site, domain } = useParams({ strict: false })
  const contact = usePartner()?.contactEmail ?? null
  if (standing === 'included')
    return (
      <div className={classes.actions}>
        <LinkButton to={hrefOf({ key: product.key, to: product.to }, user, { site, domain })}>{t('open')}</LinkButton>
      </div>
    )
  if (standing === 'not-in-plan') return <OtherPlan product={product} plan={user.plan.name} />
  return (
    <Notice tone="info" title={t('notHere')}>
      {contact === null ? (
        t('notHereText')
      ) : (
        <>
          {t('notHereAsk')}{' '}
          <a className="link" href={`mailto:${contact}`}>
            {contact}
          </a>
        </>
      )}
    </Notice>
  )
}

function OtherPlan({ product, plan }: { product: Product; plan: string }) {
  const { t, i18n } = useTranslation('welcome')
  const plans = usePlansWith(product.needs)
  return (
    <Notice tone="info" title={t('notInPlan', { plan })}>
      {plans.length > 0 && (
        <p>{t('plansWith', { plans: new Intl.ListFormat(i18n.language, { type: 'disjunction' }).format(plans) })}</p>
      )}
      <WayToPlans />
    </Notice>
  )
}
