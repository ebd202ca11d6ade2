import { certificates, ChallengeMode, IntegrityCheck, SecurityLevel } from '@fairway/contract'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import classes from './bulk-configure.module.css'
import { Choice, type FormProps, Switched } from './fields.tsx'

/** HTTPS, the shield, bots and rule sets, and a certificate for each domain that has none. */
export function SecurityFields(form: FormProps) {
  const { t } = useTranslation(['bulk-configure', 'general-settings', 'bot-management', 'crs-rules'])
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
        field="securityLevel"
        label={t('bot-management:field.securityLevel')}
        help={t('security.shieldHelp')}
        options={SecurityLevel.options.map((value) => ({ value, label: t(`bot-management:level.${value}`) }))}
      />
      <Choice
        {...form}
        field="challengeMode"
        label={t('bot-management:field.challengeMode')}
        options={ChallengeMode.options.map((value) => ({ value, label: t(`bot-management:mode.${value}`) }))}
      />
      <Choice
        {...form}
        field="integrityCheck"
        label={t('bot-management:field.integrityCheck')}
        options={IntegrityCheck.options.map((value) => ({ value, label: t(`bot-management:integrity.${value}`) }))}
      />
      <Switched {...form} field="verifiedCrawlers" label={t('bot-management:field.verifiedCrawlers')} />
      <Choice
        {...form}
        field="ruleSets"
        label={t('crs-rules:title')}
        help={t('security.shieldHelp')}
        options={[
          { value: 'off', label: t('off') },
          ...(['simulate', 'block'] as const).map((value) => ({ value, label: t(`crs-rules:mode.${value}`) })),
        ]}
      />
      <Choice
        {...form}
        field="paranoiaLevel"
        label={t('crs-rules:field.paranoiaLevel')}
        options={['1', '2', '3', '4'].map((value) => ({ value, label: value }))}
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
