import { useTranslation } from 'react-i18next'
import { Card } from '../../ui/page/card.tsx'
import classes from './bulk-configure.module.css'
import { Choice, type FormProps, Line, Switched } from './fields.tsx'

/** Delivery, origin and tags. */
export function GeneralFields(form: FormProps) {
  const { t } = useTranslation(['bulk-configure', 'general-settings'])
  return (
    <div className={classes.cards}>
      <Card title={t('general.delivery')} hint={t('keepHint')}>
        <div className={classes.fields}>
          {(['http2', 'ocspStapling', 'websocket', 'ignoreQuery', 'networkErrors'] as const).map((field) => (
            <Switched key={field} {...form} field={field} label={t(`general-settings:field.${field}`)} />
          ))}
          <Choice
            {...form}
            field="compression"
            label={t('general-settings:field.compression')}
            options={(['off', 'gzip', 'brotli'] as const).map((value) => ({
              value,
              label: t(`general-settings:compression.${value}`),
            }))}
          />
        </div>
      </Card>
      <Card title={t('general.origin')} hint={t('general.originHint')}>
        <div className={classes.fields}>
          <Line {...form} field="address" label={t('general.address')} mono />
          <Line {...form} field="port" label={t('general.port')} />
          <Choice
            {...form}
            field="protocol"
            label={t('general.protocol')}
            options={[
              { value: 'http', label: 'HTTP' },
              { value: 'https', label: 'HTTPS' },
            ]}
          />
          <Choice
            {...form}
            field="balance"
            label={t('general.balance')}
            options={(['failover', 'round-robin', 'ip-hash'] as const).map((value) => ({
              value,
              label: t(`general.balances.${value}`),
            }))}
          />
          <Line {...form} field="keepaliveSeconds" label={t('general.keepalive')} />
          <Switched {...form} field="verifyCertificate" label={t('general-settings:origin.verifyCertificate')} />
          <Line
            {...form}
            field="appendAddresses"
            label={t('general.append')}
            help={t('general.appendHelp')}
            lines={3}
            mono
          />
        </div>
      </Card>
      <Card title={t('general.tags')}>
        <div className={classes.fields}>
          <Line {...form} field="addTags" label={t('general.addTags')} help={t('general.tagsHelp')} />
          <Line {...form} field="removeTags" label={t('general.removeTags')} help={t('general.tagsHelp')} />
        </div>
      </Card>
    </div>
  )
}
