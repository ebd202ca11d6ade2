import { certificates } from '@fairway/contract'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import classes from './bulk-configure.module.css'
import { Choice, type FormProps, Switched } from './fields.tsx'

/** HTTPS, the shield, and a certificate for each domain that has none. */
export function SecurityFields(form: FormProps) {
  const { t } = useTranslation(['bulk-configure', 'general-settings'])
  const authorities =
    useRead(certificates.routes.authorities, {}).data?.data.filter(({ configured }) => configured) ?? []
  return (
    <div className={classes.fields}>
      <Switched
        {...form}
        field="alwaysHttps"
        label={t('general-settings:field.alwaysHttps')}
        help={t('general-settings:why.alwaysHttps')}
      />
      <Choice
        {...form}
        field="originShield"
        label={t('general-settings:field.originShield')}
        help={t('general-settings:why.originShield')}
        options={(['use', 'bypass'] as const).map((value) => ({ value, label: t(`general-settings:shield.${value}`) }))}
      />
      <Choice
        {...form}
        field="certificate"
        label={t('security.certificate')}
        help={t(authorities.length > 0 ? 'security.certificateHelp' : 'security.noAuthority')}
        options={authorities.map(({ id, name }) => ({ value: id, label: t('security.order', { name }) }))}
      />
    </div>
  )
}
