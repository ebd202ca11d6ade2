import { useNavigate, useSearch } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { BlankLayout } from '../../shell/layouts/blank-layout.tsx'
import { Card } from '../../ui/page/card.tsx'
import { FilterBar } from '../../ui/filters/filter-bar.tsx'
import { PageHeader } from '../../ui/page/page-header.tsx'
import { errorsByArea } from './areas.ts'
import classes from './screen.module.css'

/** Documentation: every error code that a call may answer, from the catalogue that the API itself uses. */
export function ErrorCatalogueScreen() {
  const { t } = useTranslation(['error-catalogue', 'errors'])
  const { search = '' } = useSearch({ from: '/docs/errors' })
  const navigate = useNavigate({ from: '/docs/errors' })
  // What the server fills in is shown as a gap.
  const textOf = (code: number) =>
    t(`errors:errorMessage.${code}`, { skipInterpolation: true }).replaceAll(/\{\{\w+\}\}/g, '…')
  const wanted = search.trim().toLowerCase()
  const areas = errorsByArea(({ code, name }) => `${code} ${name} ${textOf(code)}`.toLowerCase().includes(wanted))
  const count = areas.reduce((sum, [, errors]) => sum + errors.length, 0)
  return (
    <BlankLayout look="page">
      <PageHeader title={t('title')} meaning={t('meaning')} />
      <FilterBar
        search={search}
        placeholder={t('find')}
        count={t('count', { count })}
        onSearch={(text) =>
          void navigate({ search: (old) => ({ ...old, search: text === '' ? undefined : text }), replace: true })
        }
      />
      {areas.map(([area, errors]) => (
        <Card key={area} title={t(`area.${area}`)} flush>
          <div className={classes.scroll}>
            <table className={classes.table}>
              <thead>
                <tr>
                  <th scope="col">{t('code')}</th>
                  <th scope="col">{t('status')}</th>
                  <th scope="col">{t('text')}</th>
                </tr>
              </thead>
              <tbody>
                {errors.map(({ code, name, status }) => (
                  <tr key={code} id={`code-${code}`}>
                    <th scope="row" className={classes.code}>
                      {code}
                    </th>
                    <td className={classes.status}>{status}</td>
                    <td>
                      {textOf(code)}
                      <code className={classes.name}>{name}</code>
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        </Card>
      ))}
      {areas.length === 0 && <p role="status">{t('nothing', { text: search })}</p>}
    </BlankLayout>
  )
}
