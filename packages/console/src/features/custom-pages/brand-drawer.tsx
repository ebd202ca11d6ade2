import { Select } from '@mantine/core'
import { PageKind, PageLanguage } from '@fairway/contract'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Segmented } from '../../ui/forms/segmented.tsx'
import { SideDrawer } from '../../ui/layers/side-drawer.tsx'
import classes from './custom-pages.module.css'
import { PagePreview } from './page-preview.tsx'

const LANGUAGES: Record<PageLanguage, string> = { en: 'English', zhHant: '繁體中文', zhHans: '简体中文' }

/** The pages of domains that have none of their own, in every language they speak. */
export function BrandDrawer({ site, onClose }: { site: string; onClose: () => void }) {
  const { t, i18n } = useTranslation('custom-pages')
  const [kind, setKind] = useState<PageKind>('errors')
  const [language, setLanguage] = useState<PageLanguage>(
    PageLanguage.options.find((one) => one === i18n.language) ?? 'en',
  )
  return (
    <SideDrawer opened onClose={onClose} title={t('brand.title')} size={720}>
      <div className={classes.form}>
        <p className={classes.quiet}>{t('brand.text')}</p>
        <div className={classes.bar}>
          <Select
            label={t('column.kind')}
            value={kind}
            allowDeselect={false}
            onChange={(value) => setKind(PageKind.options.find((one) => one === value) ?? kind)}
            data={PageKind.options.map((value) => ({ value, label: t(`kind.${value}`) }))}
          />
          <Segmented
            label={t('preview.language')}
            value={language}
            onChange={setLanguage}
            options={PageLanguage.options.map((value) => ({ value, label: LANGUAGES[value] }))}
          />
        </div>
        <PagePreview site={site} kind={kind} language={language} />
      </div>
    </SideDrawer>
  )
}
