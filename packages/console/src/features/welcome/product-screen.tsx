import { IconCheck } from '@tabler/icons-react'
import { useParams } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useAccount } from '../../shell/access/session.ts'
import { useIsBuilt } from '../../shell/nav/use-navigation.ts'
import { Card } from '../../ui/page/card.tsx'
import { PageHeader } from '../../ui/page/page-header.tsx'
import { productAt, standingOf } from './catalogue.ts'
import { Picture } from './picture.tsx'
import classes from './product-screen.module.css'
import { WayIn } from './way-in.tsx'

const POINTS = ['point1', 'point2', 'point3'] as const

/** What a feature is for, and what opens it: to those whose plan lacks it, or who came to read. */
export function ProductScreen() {
  const { t } = useTranslation('welcome')
  const product = productAt(useParams({ strict: false }))
  const { plan } = useAccount()
  const isBuilt = useIsBuilt()
  // The route's loader has refused any other address.
  if (!product) return null
  const { key, category } = product
  const [title, area] = [t(`page.${key}.title`), t(`category.${category}`)]
  return (
    <>
      <PageHeader title={title} {...(area === title ? {} : { meaning: area })} />
      <Card>
        <div className={classes.welcome}>
          <div className={classes.words}>
            <p className={classes.text}>{t(`page.${key}.text`)}</p>
            <ul className={classes.points}>
              {POINTS.map((point) => (
                <li className={classes.point} key={point}>
                  <IconCheck className={classes.check} size={16} stroke={2} aria-hidden />
                  {t(`page.${key}.${point}`)}
                </li>
              ))}
            </ul>
            <WayIn product={product} standing={standingOf(product, plan.ability, isBuilt)} />
          </div>
          <Picture category={category} />
        </div>
      </Card>
    </>
  )
}
