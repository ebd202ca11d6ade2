import { type ReactNode, useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { LanguageMenu } from '../../shell/bar/language-menu.tsx'
import { usePartner } from '../../shell/partner.ts'
import { SchemeMenu } from '../../shell/bar/scheme-menu.tsx'
import { Logo } from '../../ui/look/logo.tsx'
import classes from './auth-page.module.css'

type AuthPageProps = {
  title: string
  text?: string
  /** One line under the card: the other way in. */ below?: ReactNode
  children?: ReactNode
}

/** One card on a blank canvas, the partner's logo above, language and terms below. */
export function AuthPage({ title, text, below, children }: AuthPageProps) {
  const { t } = useTranslation('auth')
  const partner = usePartner()
  const name = partner?.companyName ?? ''
  useEffect(() => {
    document.title = `${title} · ${name}`
    return () => {
      document.title = name
    }
  }, [title, name])
  return (
    <div className={classes.page}>
      <header className={classes.top}>
        <Logo name={name} />
      </header>
      <main className={classes.middle}>
        <div className={classes.card}>
          <h1 className={classes.title}>{title}</h1>
          {text !== undefined && <p className={classes.text}>{text}</p>}
          {children}
        </div>
        {Boolean(below) && <p className={classes.below}>{below}</p>}
      </main>
      <footer className={classes.foot}>
        {partner?.termsLink && (
          <a className={classes.term} href={partner.termsLink}>
            {t('terms')}
          </a>
        )}
        {partner?.privacyPolicyLink && (
          <a className={classes.term} href={partner.privacyPolicyLink}>
            {t('privacy')}
          </a>
        )}
        <LanguageMenu signedIn={false} />
        <SchemeMenu />
      </footer>
    </div>
  )
}
