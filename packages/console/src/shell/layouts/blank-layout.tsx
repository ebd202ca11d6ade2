import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { BarLayout } from './bar-layout.tsx'
import { LanguageMenu } from '../bar/language-menu.tsx'
import { SchemeMenu } from '../bar/scheme-menu.tsx'
import { useKnownAccount } from '../access/session.ts'

type BlankLayoutProps = {
  look?: 'message' | 'page'
  /** Into the console; left out where nobody may go there now. */
  wayIn?: boolean
  children: ReactNode
}

/** Pages that stand alone, with or without a session: a name above, language and appearance, nothing else. */
export function BlankLayout({ look = 'message', wayIn = true, children }: BlankLayoutProps) {
  const { t } = useTranslation('shell')
  const isSignedIn = useKnownAccount() !== null
  return (
    <BarLayout
      look={look}
      way={wayIn ? { to: '/', words: isSignedIn ? t('nav.home') : t('signIn') } : null}
      tools={
        <>
          <LanguageMenu signedIn={isSignedIn} />
          <SchemeMenu />
        </>
      }
    >
      {children}
    </BarLayout>
  )
}
