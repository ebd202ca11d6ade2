import { IconChevronRight } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { hrefOf } from '../../shell/nav/navigation.ts'
import { useAccount } from '../../shell/access/session.ts'
import { useIsBuilt } from '../../shell/nav/use-navigation.ts'
import { Card } from '../../ui/page/card.tsx'
import { PageHeader } from '../../ui/page/page-header.tsx'
import { Pill } from '../../ui/marks/status-pill.tsx'
import { CATEGORIES, PRODUCTS, standingOf } from './catalogue.ts'
import classes from './products-screen.module.css'

const TONES = { included: 'ok', 'not-in-plan': 'warn', 'not-here': 'neutral' } as const

/** Everything there is, and how the organisation stands to it. */
export function ProductsScreen() {
  const { t } = useTranslation('welcome')
  const { plan } = useAccount()
  const isBuilt = useIsBuilt()
  return (
    <>
      <PageHeader title={t('title')} meaning={t('meaning', { plan: plan.name })} />
      <div className={classes.grid}>
        {CATEGORIES.map((category) => (
          <Card key={category} title={t(`category.${category}`)} flush>
            <ul className={classes.list}>
              {PRODUCTS.filter((product) => product.category === category).map((product) => {
                const standing = standingOf(product, plan.ability, isBuilt)
                return (
                  <li key={product.key}>
                    <Link
                      className={classes.item}
                      to={hrefOf({ key: product.key, to: null, welcome: product.path }, { plan }, {})}
                    >
                      <span className={classes.words}>
                        <span className={classes.name}>{t(`page.${product.key}.title`)}</span>
                        <span className={classes.text}>{t(`page.${product.key}.text`)}</span>
                      </span>
                      <Pill tone={TONES[standing]}>{t(`standing.${standing}`)}</Pill>
                      <IconChevronRight className={classes.chevron} size={15} stroke={1.8} aria-hidden />
                    </Link>
                  </li>
                )
              })}
            </ul>
          </Card>
        ))}
      </div>
    </>
  )
}
